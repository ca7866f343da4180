"""The pytest plugin, as a project has it that installs the wheel: a virtual environment and a folder of its own."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parent.parent
LIBTORCH = str((Path(torch.__file__).parent / "lib" / "libtorch_cpu.so").resolve())


@pytest.fixture(scope="session")
def stranger(tmp_path_factory):
    """Return the Python of a new environment with the wheel; torch and pytest are those of this one."""
    folder = tmp_path_factory.mktemp("stranger")
    pip = [sys.executable, "-m", "pip"]
    wheel = [*pip, "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", str(folder), str(ROOT)]
    subprocess.run(wheel, check=True, capture_output=True, text=True)
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    (file,) = folder.glob("torch4j-*.whl")
    install = [*pip, "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(file)]
    subprocess.run(install, check=True, capture_output=True, text=True)
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    # Behind its own: the torch4j found is the wheel's. Its import hooks are not run.
    (Path(site) / "torch.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


@pytest.fixture
def run(stranger, tmp_path):
    """Return a function that writes a test file and runs pytest on it, as a stranger would."""

    def go(text, *options):
        (tmp_path / "test_it.py").write_text(text)
        command = [str(stranger), "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "-v", "test_it.py"]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)

    return go


def example():
    """Return the ten lines of the page."""
    return re.search(r"```python\n(.*?)```", (ROOT / "docs" / "pytest.md").read_text(), re.DOTALL).group(1)


def test_the_example_of_the_page_passes(run):
    result = run(example(), "-p", "no:faulthandler")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "1 passed" in result.stdout
    assert f"torch4j: Python and Java will map {LIBTORCH}\n" in result.stdout
    assert f"torch4j: Python and Java mapped {LIBTORCH}\n" in result.stdout
    assert "faulthandler" not in result.stdout


def test_the_example_of_the_page_has_ten_lines():
    assert len(example().splitlines()) == 10


ONES = hashlib.sha256(torch.ones(2, 3).numpy().tobytes()).hexdigest()[:12]

FAILING = """
from typing import List, NamedTuple
import torch
from torch4j.pytest_plugin import assert_same_in_java

class Pair(NamedTuple):
    x: torch.Tensor
    n: int

class Model(torch.nn.Module):
    def forward(self, x, gain: float = 1.0):
        y = torch.nn.functional.dropout(x, 0.5, self.training)
        return {"scaled": x * gain, "dropped": y}

def test_train_mode():
    assert_same_in_java(Model().train(), torch.ones(2, 3), gain=2.0)

def test_python_raises():
    assert_same_in_java(Model().eval(), "text")

def test_values_of_all_kinds():
    class Kinds(torch.nn.Module):
        def forward(self, x, names: List[str], pair: Pair):
            return pair, {"n": len(names)}, [x, x.to(torch.bfloat16)], names[0], x.sum().item(), x.t()
    assert_same_in_java(Kinds(), torch.rand(2, 3), ["a"], Pair(torch.ones(1), 2))

def test_no_file():
    assert_same_in_java("nothing.pt", torch.ones(1))
"""


@pytest.mark.parametrize("options", [[], ["--java-child"]])
def test_a_failure_tells_where_and_what(run, options):
    result = run(FAILING, *options)
    out = result.stdout
    assert (result.returncode, out.count("3 failed, 1 passed")) == (1, 1), out
    assert ("torch4j: faulthandler is on" in out) == (options == [])
    failure = out.split("_ test_train_mode _")[1].split("_ test_python_raises _")[0]
    assert "_testing" not in failure, "frames of torch4j"
    told = [line[1:].strip() for line in failure.splitlines() if line.startswith("E ")]
    assert told[0] == "AssertionError: Model: Java and Python differ in call 1 of 3"
    first = (
        r"outputs\['dropped'\]: 6 of 6 elements differ; the first at \[0, 0\]: Python [02]\.0, Java 1\.0; largest .*"
    )
    assert re.fullmatch(first, told[1])
    assert told[2].startswith("Python ran it in train mode")
    assert told[3:5] == ["given:", f"inputs['x']: both float32[2, 3] min 1 max 1 NaN 0 sha256 {ONES}"]
    assert told[6] == "made:"
    assert told[7].startswith("outputs['scaled']: both float32[2, 3] min 2 max 2 NaN 0 sha256 ")
    assert told[8].startswith("outputs['dropped']: Python float32[2, 3] min 0 max 2 NaN 0 sha256 ")
    assert told[9] == f"Java   float32[2, 3] min 1 max 1 NaN 0 sha256 {ONES}"
    assert "RuntimeError: forward() Expected a value of type 'Tensor'" in out  # Python's own words
    assert "FileNotFoundError: model_or_path: nothing.pt: no such file" in out
    if options:
        assert f"torch4j: Python mapped {LIBTORCH}\ntorch4j: Java mapped {LIBTORCH}\n" in out


OPTIONS = """
import jpype, pytest, torch
from torch4j.pytest_plugin import assert_same_in_java

def memory():
    return jpype.java.lang.Runtime.getRuntime().maxMemory() >> 20

class Two(torch.nn.Module):
    def forward(self, x):
        return x * 2

def test_closed_at_the_end(java_module, tmp_path):
    with pytest.warns(DeprecationWarning):
        torch.jit.script(Two()).save(str(tmp_path / "two.pt"))
    module = java_module(str(tmp_path / "two.pt"), freeze=True)
    assert torch.equal(module(torch.ones(2)), torch.full((2,), 2.0))
    assert module.methods() == ["forward"]
    test_closed_at_the_end.module = module

def test_was_closed():
    with pytest.raises(Exception, match="module is closed"):
        test_closed_at_the_end.module(torch.ones(2))

def test_jvm_options():
    assert_same_in_java(Two(), torch.ones(2))
    assert memory() <= 96

def test_traced(java_module):
    class Opaque(torch.nn.Module):
        def forward(self, x, y=None):
            return x + len(globals()) * 0 + (y if y is not None else 0)
    assert_same_in_java(Opaque(), torch.ones(2), y=torch.ones(2))
    with pytest.raises(ValueError, match="Opaque cannot be scripted .* there are no inputs to trace it with"):
        java_module(Opaque())
    assert java_module(Opaque(), torch.ones(2))(torch.ones(2)).tolist() == [1, 1]
"""


def test_options_of_the_jvm_and_the_fixture(run):
    result = run(OPTIONS, "-p", "no:faulthandler", "--java-option=-Xmx64m", "-W", "error")
    assert result.returncode == 0, result.stdout + result.stderr


IDLE = """
import sys

def test_nothing_is_imported():
    assert "torch4j.pytest_plugin" in sys.modules
    assert not {"torch", "jpype", "numpy"} & set(sys.modules)
"""


def test_nothing_is_imported_until_a_test_asks(run):
    result = run(IDLE)
    assert result.returncode == 0, result.stdout
    assert "mapped" not in result.stdout


DYING = """
import os, signal
import pytest, torch
from torch4j.pytest_plugin import assert_same_in_java

def test_bad_option(java_module):
    java_module(torch.nn.Linear(2, 2))
"""


def test_a_jvm_that_does_not_start_is_told(run):
    result = run(DYING, "--java-child", "--java-option=-Xnonsense")
    assert result.returncode == 1
    assert "-Xnonsense" in result.stdout


def test_another_libtorch_is_told_in_the_header(run, tmp_path):
    result = run(IDLE, f"--java-option=-Dtorch4j.libtorch={tmp_path}")
    told = f"Python will map {LIBTORCH}, Java will map {tmp_path}/lib/libtorch_cpu.so: not the same file"
    assert told in result.stdout
