"""What the benchmark measures of whole processes: from start to a tiny model's first answer, and to their end."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import torch
from bench_figure import Extra
from bench_goal import judged
from bench_sides import BUILT
from bench_works import linear
from torch4j import java_command

PYTHON = "import torch; print(torch.jit.load({!r}).eval()(torch.ones(1, 4)).numel(), flush=True)"
GOAL = 0.25  # of Python, to the first answer, with no option
QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]


def _once(command: Sequence[str]) -> tuple[float, float]:
    """Return the seconds to the first line that a program prints, and to its end."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first = time.perf_counter() - start
        process.stdout.read()
    assert process.returncode == 0, command
    return first, time.perf_counter() - start


def _archived(folder: Path, classes: Path, model: str) -> list[str]:
    """Return a command of the same program with an archive of its classes (JEP 350), which wants jars, not folders."""
    jar = folder / "first.jar"
    with zipfile.ZipFile(jar, "w") as file:
        file.write(classes / "First.class", "First.class")
    archive = folder / "first.jsa"
    making = [f"-XX:ArchiveClassesAtExit={archive}"]
    subprocess.run(java_command("First", model, jvm_options=making, class_path=[jar]), check=True, capture_output=True)
    return java_command("First", model, jvm_options=[f"-XX:SharedArchiveFile={archive}"], class_path=[jar])


def _commands(folder: Path, classes: Path) -> dict[str, list[str]]:
    model = str(folder / "model.pt")
    torch.jit.script(linear()).save(model)
    return {
        "Java": java_command("First", model, class_path=[classes]),
        f"Java, {' '.join(QUICK)}": java_command("First", model, jvm_options=QUICK, class_path=[classes]),
        "Java, -XX:SharedArchiveFile": _archived(folder, classes, model),
        "empty JVM": java_command("Empty", class_path=[classes]),
        "C++": [str(BUILT / "torch4j-bench-first"), model],
        "Python": [sys.executable, "-W", "ignore", "-c", PYTHON.format(model)],
    }


def starting(rounds: int, classes: Path) -> list[Extra]:
    """Measure whole processes, in turn."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        commands = _commands(Path(folder), classes)
        order = random.Random(0)
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for turn in range(max(3, rounds) + 1):
            # In another order each time: what came before leaves memory and caches in some state.
            for name in order.sample(list(commands), len(commands)):
                both = _once(commands[name])
                if turn > 0:  # the first fills the page cache
                    times[name].append(both)
    return _rows("start to first answer", times, 0) + _rows("start to end of process", times, 1)


def _rows(what: str, times: dict[str, list[tuple[float, float]]], which: int) -> list[Extra]:
    values = {name: [both[which] for both in all_of_it] for name, all_of_it in times.items()}
    rows = []
    for name, seconds in values.items():
        shares = [one / other for one, other in zip(seconds, values["Python"], strict=True)]
        remark = f"{median(shares):.3f} of Python"
        if (name, which) == ("Java", 0):
            remark += f", {judged(shares, GOAL, 'of Python')}"
        rows.append(Extra(f"{what}: {name}", "s", seconds, remark))
    return rows
