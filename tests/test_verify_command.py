"""The command torch4j verify: exit codes, JSON, the report, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree
from pathlib import Path

import pytest
import torch
from test_cli import cli
from torch4j.verify import verify


class Endless(torch.nn.Module):
    """One call that never ends."""

    def forward(self, x):
        while bool(x.sum() < 1):
            x = x * 1.0
        return x


@pytest.fixture
def linear(tmp_path):
    torch.manual_seed(0)
    torch.jit.script(torch.nn.Linear(2, 3)).save(str(tmp_path / "linear.pt"))
    torch.save((torch.ones(4, 2),), tmp_path / "x.pt")
    torch.save((torch.zeros(4, 2),), tmp_path / "other.pt")
    return tmp_path


def test_d1_exit_code_0_where_all_agrees_and_a_report(linear):
    report = linear / "report.html"
    inputs = ["--inputs", linear / "x.pt", "--calls", 2, "--threads", "1,2"]
    result = cli("verify", linear / "linear.pt", *inputs, "--report", report)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.rstrip().endswith("identical: Java gives what Python gives, to the bit")
    page = report.read_text()
    assert "Identical: Java gives what Python gives, to the bit" in page
    assert not re.search(r'(src|href)="(?!#)', page)  # of its own: it loads nothing
    assert page.count("<svg") == 2


def test_d1_exit_code_1_where_they_differ_and_json(linear):
    inputs = ["--inputs", linear / "x.pt", "--java-inputs", linear / "other.pt", "--calls", 1]
    result = cli("verify", linear / "linear.pt", *inputs, "--json")
    assert (result.returncode, result.stderr) == (1, "")
    told = json.loads(result.stdout)
    assert (told["passed"], told["identical"], told["calls"]) == (False, False, 1)
    assert told["diagnosis"][0].startswith("Other input: input: 8 of 8 elements differ; at [0, 0]: 0.0 instead of 1.0.")
    first = told["checks"][0]
    assert (first["kind"], first["outputs"][0]["max_relative"]) == ("inputs", 1.0)
    assert first["input_fingerprints"][0][0]["sha256"] != first["input_fingerprints"][1][0]["sha256"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nope.pt"], "torch4j: path: got nope.pt; expected a file of a TorchScript model\n"),
        (["linear.pt"], "torch4j: inputs: got none, and none can be generated for forward: "),
        (["linear.pt", "--inputs", "x.pt", "--tolerance", "x"], "torch4j: tolerance: got 'x'; expected exact, "),
        (["linear.pt", "--inputs", "x.pt", "--threads", "x"], "Usage: "),
        (["linear.pt", "--inputs", "x.pt", "--calls", "0"], "Usage: "),
    ],
)
def test_d1_exit_code_2_where_nothing_can_be_verified(linear, monkeypatch, options, message):
    monkeypatch.chdir(linear)
    result = cli("verify", *options)
    assert result.returncode == 2
    assert result.stderr.startswith(message)
    assert result.stdout == ""


def test_d1_the_report_shows_the_difference(linear):
    found = verify(linear / "linear.pt", inputs=torch.ones(4, 2), java_inputs=torch.zeros(4, 2), calls=1)
    page = found.to_html()
    assert 'class="verdict bad"' in page
    assert "Other input: input: 8 of 8 elements differ" in page
    for plot in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        xml.etree.ElementTree.fromstring(plot)  # whole, and no longer with colours of its own
        assert "#0" not in plot.replace("url(#0", "")


def children(process):
    """Return the processes that a process has started and that live."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        found += [int(number) for number in task.read_text().split()]
    return found


def alive(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def has_jvm(process):
    try:
        return "libjvm.so" in Path(f"/proc/{process}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
def endless(tmp_path):
    """Start a verification whose two workers are in a call that never ends; give the process and its workers."""
    torch.jit.script(Endless()).save(str(tmp_path / "endless.pt"))
    torch.save(torch.zeros(1), tmp_path / "x.pt")
    # A shell that runs this in the background has SIGINT ignored, and children inherit that.
    command = [
        "env",
        "--default-signal=INT",
        sys.executable,
        "-m",
        "torch4j.cli",
        "verify",
        str(tmp_path / "endless.pt"),
    ]
    process = subprocess.Popen([*command, "--inputs", str(tmp_path / "x.pt")], stderr=subprocess.PIPE, text=True)
    workers = []
    deadline = time.monotonic() + 100
    while not (len(workers) == 2 and any(map(has_jvm, workers))):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, workers
        workers = children(process.pid)
        os.sched_yield()
    yield process, workers
    for each in (process.pid, *workers):
        if alive(each):
            os.kill(each, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_d9_nothing_is_left_two_seconds_after_ctrl_c(endless, how):
    process, workers = endless
    process.send_signal(how)
    end = time.monotonic() + 2
    while any(map(alive, (process.pid, *workers))):
        assert time.monotonic() < end, [each for each in (process.pid, *workers) if alive(each)]
        os.sched_yield()
    if how == signal.SIGINT:
        _, errors = process.communicate()
        assert process.returncode == 130
        assert errors.strip().endswith("torch4j: interrupted")
