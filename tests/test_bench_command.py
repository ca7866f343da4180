"""torch4j bench and torch4j.bench: tiny models, tiny times."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Dict, Tuple  # noqa: UP035, TorchScript wants these

import numpy
import pytest
import torch
import torch4j
from test_cli import cli
from torch4j.bench import BenchError, cpp
from torch4j.bench.process import Process
from torch4j.bench.result import noise
from torch4j.bench.table import duration, three_digits
from torch4j.bench.times import Times

SHORT = {"seconds": 0.05, "rounds": 2, "starts": 1}
SHORT_OPTIONS = ["--seconds", "0.05", "--rounds", "2", "--starts", "1", "--threads", "1"]


class Nested(torch.nn.Module):
    """Tensors inside its result; prints, without a newline too; and another method."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x: torch.Tensor, scale: float = 2.0) -> Tuple[Dict[str, torch.Tensor], torch.Tensor]:  # noqa: UP006
        print("forward", x.size(0))
        y = self.layer(x) * scale
        return {"y": y}, y + 1

    @torch.jit.export
    def halved(self, x: torch.Tensor, more: torch.Tensor) -> torch.Tensor:
        return x / 2 + more


class Fails(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        assert x.numel() > 100, "too few pixels"
        return x


@pytest.fixture
def model(saved):
    return saved(Nested(), "modèle.pt")


@pytest.fixture
def no_compiler(monkeypatch):
    monkeypatch.setenv("CXX", "/nowhere/g++")


def test_all_sides_are_measured_on_the_same_libtorch(model):
    result = torch4j.bench(model, inputs=(torch.rand(3, 4),), threads=(1, 2), jvm_options=["-Xmx256m"], **SHORT)
    assert list(result.sides) == ["C++", "Java", "Python"]
    assert result.missing == {}
    assert result.inputs == "(x: float32[3, 4], scale: 2.0), the caller"
    assert result.environment["libtorch"] == str(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so")
    for name, times in result.sides.items():
        assert len(times.starts) == 1, name
        assert [len(calls) for calls in times.first_calls] == [3], name
        assert len(times.rounds) == 2, name
        assert 0 < times.quantile(0) <= times.quantile(0.99) < times.start, name
        assert {threads: len(rates) for threads, rates in times.throughput.items()} == {1: 2, 2: 2}, name
        assert times.rate(1) > 10, name
    assert result.ratio("C++") == 1


def test_steady_calls_last_as_long_as_asked(model, no_compiler):
    result = torch4j.bench(model, inputs=torch.rand(1, 4), threads=(1,), **SHORT)
    for times in result.sides.values():
        # Within a factor of two for the clock's reading and a machine at work: what is left out would be more.
        assert 0.4 * 0.025 < times.rounds[0].sum() < 0.5


def test_json_and_plot_of_an_exported_file(tmp_path, no_compiler):
    torch4j.export(torch.nn.Linear(4, 2).eval(), torch.rand(5, 4), tmp_path / "m.pt")
    result = cli("bench", tmp_path / "m.pt", *SHORT_OPTIONS, "--json", "--plot", tmp_path / "m.png")
    assert (result.returncode, result.stderr) == (0, "")
    told = json.loads(result.stdout)
    assert told["inputs"] == "(input: float32[5, 4]), the file's first example"
    assert list(told["sides"]) == ["Java", "Python"]
    assert told["missing"] == {"C++": "CXX=/nowhere/g++ is not there"}
    assert told["steady_ratio"]["to"] == "Python"
    assert told["sides"]["Java"]["steady_seconds"]["median"] > 0
    assert told["trusted"] == (told["doubts"] == [])
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")


def test_table_with_named_inputs_and_another_method(model, tmp_path, no_compiler):
    numpy.savez(tmp_path / "x.npz", more=numpy.ones(3, numpy.float32), x=numpy.ones((2, 3), numpy.float32))
    result = cli("bench", model, "--inputs", tmp_path / "x.npz", "--method", "halved", "-J", "-Xmx256m", *SHORT_OPTIONS)
    assert (result.returncode, result.stderr) == (0, "")
    assert "halved(x: float32[2, 3], more: float32[3]), x.npz" in result.stdout
    assert "Java : Python" in result.stdout
    assert "without C++: CXX=/nowhere/g++ is not there" in result.stdout
    for row in ("cold start", "third call", "steady, median", "steady, p99", "calls/s, 1 caller"):
        assert row in result.stdout


def test_inputs_are_made_from_the_signature_when_there_are_no_examples(tmp_path):
    from torch4j.bench.inputs import inputs_of

    facts = {"name": "x", "dtype": "float64", "dims": [[2, 8], [4, 4]]}
    content = json.dumps({"methods": {"forward": {"arguments": [facts]}}})
    module = torch.jit.script(Nested())
    torch.jit.save(module, tmp_path / "m.pt", _extra_files={"torch4j.json": content})
    made = inputs_of(tmp_path / "m.pt", module._c._get_method("forward").schema, None)
    assert torch.equal(made.args[0], torch.ones(2, 4, dtype=torch.float64))
    assert made.args[1] == 2.0


ERRORS = {
    "nothing.pt": ({}, "nothing.pt: no such file"),
    "no inputs": ({}, "inputs: modèle.pt has no example and no size for 'x': give --inputs x.pt or x.npz"),
    "method": ({"method": "nope"}, "method: got 'nope'; modèle.pt has forward, halved"),
    "missing": ({"inputs": {"scale": 1.0}}, "inputs: got none for 'x'; forward takes x, scale"),
    "unknown": ({"inputs": {"z": 1.0}}, "inputs: got the name 'z'; forward takes x, scale"),
    "many": ({"inputs": (1, 2, 3)}, "inputs: got 3 arguments; forward takes x, scale"),
    "file": ({"inputs": "nowhere.npz"}, "inputs: nowhere.npz: no such file; expected .npz"),
    "type": ({"inputs": ("x",)}, "inputs: "),
    "shape": ({"inputs": torch.ones(3)}, "forward fails with these inputs: RuntimeError: "),
    "rounds": ({"rounds": 0}, "rounds: got 0; expected 1 or more"),
    "threads": ({"threads": (0,)}, "threads: got 0; expected 1 or more"),
    "seconds": ({"seconds": 0.0}, "seconds: got 0.0; expected more than 0"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_the_argument(model, case):
    options, message = ERRORS[case]
    with pytest.raises(BenchError) as error:
        torch4j.bench("nothing.pt" if case == "nothing.pt" else model, **options)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_errors_of_the_command_are_one_line(saved, tmp_path):
    assert cli("bench", "nothing.pt", "--threads", "x").returncode == 2
    result = cli("bench", "nothing.pt", "--plot", tmp_path / "m.doc")
    assert result.returncode == 1
    assert result.stderr == "torch4j: plot: got m.doc; expected a name that ends in .png, .svg, .pdf\n"
    torch.save(torch.ones(3), tmp_path / "x.pt")
    result = cli("bench", saved(Fails()), "--inputs", tmp_path / "x.pt")
    assert result.returncode == 1
    assert result.stderr == "torch4j: forward fails with these inputs: RuntimeError: AssertionError: too few pixels\n"


def test_a_file_that_is_no_model_is_told(tmp_path):
    (tmp_path / "page.pt").write_text("<html>")
    with pytest.raises(BenchError, match=r"page.pt does not load: .*; torch4j inspect tells what it is"):
        torch4j.bench(tmp_path / "page.pt")


def test_noise_is_told():
    def times(*rounds, rates=(100.0, 101.0)):
        return Times([1.0], [[1.0] * 3], [numpy.full(9, each) for each in rounds], {1: list(rates)})

    assert noise({"Java": times(1.0, 1.05, 1.1)}) == []
    assert noise({"Java": times(1.0, 1.05, 1.3)}) == ["Java differs from round to round: the median by 29%"]
    told = noise({"Java": times(1.0, rates=(80.0, 100.0, 120.0))})
    assert told == ["Java differs from round to round: calls per second of 1 by 40%"]


def test_numbers_have_three_digits():
    assert [duration(value) for value in (3.0, 0.9999, 0.0123, 123e-6, 4.56e-9)] == [
        *("3.00 s", "1.00 s", "12.3 ms", "123 µs", "4.56 ns")
    ]
    assert three_digits(12345.6) == "12,346"
    assert three_digits(99.96) == "100"


def test_a_compiler_that_fails_is_told(monkeypatch, tmp_path):
    compiler = tmp_path / "g++"
    compiler.write_text("#!/bin/sh\necho 'x.cpp:1: error: no such thing'\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("CXX", str(compiler))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(cpp.MissingError, match=r"cannot compile it: x.cpp:1: error: no such thing"):
        cpp.program()
    assert list((tmp_path / "cache" / "torch4j").iterdir()) == []


def test_a_side_that_ends_or_hangs_is_told():
    code = "print('model says'); raise ValueError('the reason')"
    with Process("Python", [sys.executable, "-c", code], 60) as process:
        with pytest.raises(BenchError, match="Python ended with 1: ValueError: the reason"):
            process.answer()
        with pytest.raises(BenchError, match="Python ended with 1"):
            process.ask("again")
    with (
        Process("C++", [shutil.which("cat")], 0.1) as process,
        pytest.raises(BenchError, match=r"C\+\+: no answer within 0.1 seconds"),
    ):
        process.answer()


def test_ctrl_c_while_the_clock_of_an_answer_starts(monkeypatch):
    clocks = []

    def interrupted(clock, start=threading.Thread.start):
        start(clock)
        clocks.append(clock)
        raise KeyboardInterrupt

    with Process("C++", [shutil.which("cat")], 300) as process:
        monkeypatch.setattr(threading.Timer, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            process.answer()
    clocks[0].join(10)
    assert not clocks[0].is_alive()


def test_a_jvm_that_does_not_start_is_told(model, no_compiler):
    with pytest.raises(BenchError, match="Java ended with 1: Unrecognized option: -Xnonsense; "):
        torch4j.bench(model, inputs=torch.ones(1, 4), jvm_options=["-Xnonsense"], **SHORT)


INTERRUPTED = """
import sys, torch, torch4j
torch4j.bench(
    sys.argv[1],
    inputs=torch.ones(1, 4),
    seconds=600.0,
    starts=int(sys.argv[2]),
    progress=lambda step: print(step, flush=True),
)
"""


def _processes_with(text):
    """Return the command lines that name a folder; a process may end while it is looked at."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = file.read_text(errors="replace")
        except OSError:
            continue
        if text in command:
            found.append(command)
    return found


@pytest.mark.parametrize(("starts", "step"), [(2, "cold start 1"), (1, "warming up")])
def test_ctrl_c_leaves_nothing_behind(saved, tmp_path, starts, step):
    folder = tmp_path / "temporary"
    folder.mkdir()
    # A shell that runs this in the background has SIGINT ignored, and children inherit that.
    command = ["env", "--default-signal=INT", sys.executable, "-c", INTERRUPTED, str(saved(Nested())), str(starts)]
    env = {**os.environ, "TMPDIR": str(folder), "CXX": "/nowhere/g++"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert any(line.startswith(step) for line in process.stdout)
        if step == "warming up":
            assert len(_processes_with(str(folder))) == 2  # Java and Python
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert time.monotonic() - start < 2
    assert "KeyboardInterrupt" in errors
    assert _processes_with(str(folder)) == []
    assert list(folder.iterdir()) == []
