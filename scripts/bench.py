"""Times C++, Java and Python on the same file, threads and input, taking turns round by round."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch
from rich.console import Console
from rich.table import Table
from torch4j import java_command
from torch4j._run import compile_java

ROOT = Path(__file__).resolve().parent.parent
SIDES = ("C++", "Java", "C++ in the JVM", "Python")
WARM_UP = 5


@dataclass(frozen=True)
class Work:
    """One row: a module, the shape of its input, and the calls of a round."""

    name: str
    module: torch.nn.Module
    shape: str
    calls: int


class Identity(torch.nn.Module):
    """Gives its input back: all that is left is the way of a call."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x."""
        return x


def works() -> list[Work]:
    """Return the rows of the benchmark."""
    return [
        Work("identity", Identity(), "1x4", 20000),
        Work("Linear(4, 2)", torch.nn.Linear(4, 2), "1x4", 20000),
        Work("Conv2d 3x64x64", torch.nn.Conv2d(3, 16, 3), "1x3x64x64", 500),
    ]


def _started(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class Side:
    """A process that runs one round whenever it is asked."""

    def __init__(self, command: list[str], of: Side | None = None, line: str = "") -> None:
        """Start it, or share the process of another side, told apart by the line that asks."""
        self._line = line
        self._process: subprocess.Popen[str] = of._process if of else _started(command)

    def round(self) -> float:
        """Return the nanoseconds per call of one round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(self._line + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended with {self._process.wait()}")
        return float(line)

    def close(self) -> None:
        """Let it end."""
        if self._process.poll() is None:
            self._process.communicate()


def start(work: Work, folder: Path, classes: Path, threads: int) -> dict[str, Side]:
    """Save the module and start the three sides on it."""
    path = folder / "model.pt"
    torch.jit.script(work.module.eval()).save(str(path))
    arguments = [str(path), work.shape, str(threads), str(work.calls)]
    built = ROOT / "build" / "bench" / "bench"
    loop = str(built / "libtorch4j-bench.so")
    java = Side(java_command("Bench", *arguments, loop, class_path=[classes]))
    return {
        "C++": Side([str(built / "torch4j-bench-cpp"), *arguments]),
        "Java": java,
        "C++ in the JVM": Side([], of=java, line="cpp"),
        "Python": Side([sys.executable, str(ROOT / "bench" / "bench_python.py"), *arguments]),
    }


def measure(work: Work, rounds: int, classes: Path, threads: int) -> dict[str, list[float]]:
    """Return for each side the nanoseconds per call of each round, after warm-up."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        sides = start(work, Path(folder), classes, threads)
        for _ in range(WARM_UP):
            for side in sides.values():
                side.round()
        times: dict[str, list[float]] = {name: [] for name in sides}
        for _ in range(rounds):
            for name, side in sides.items():
                times[name].append(side.round())
        for side in sides.values():
            side.close()
    return times


def ratio(times: dict[str, list[float]], side: str, to: str) -> str:
    """Return the median of the ratios of two sides in the same round, with their spread."""
    ratios = sorted(a / b for a, b in zip(times[side], times[to], strict=True))
    return f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"


def row(work: Work, times: dict[str, list[float]]) -> list[str]:
    """Return the cells of a row: medians in microseconds, ratios to C++."""
    medians = [f"{median(times[side]) / 1000:.2f}" for side in SIDES]
    pairs = (("Java", "C++ in the JVM"), ("Java", "C++"), ("Python", "C++"))
    return [work.name, *medians, *(ratio(times, side, to) for side, to in pairs)]


def measure_check(rounds: int, classes: Path) -> str:
    """Return what the integrity check adds to loading a model of 100 MB."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        path = Path(folder) / "large.pt"
        torch.jit.script(torch.nn.Linear(5000, 5000)).save(str(path))
        command = java_command("BenchLoad", str(path), str(rounds), class_path=[classes])
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    checked, unchecked, ratio_of = (float(number) for number in output.split())
    return f"load 100 MB: {checked:.1f} ms with the integrity check, {unchecked:.1f} ms without: {ratio_of - 1:+.0%}"


def main() -> None:
    """Measure all, print a table, write build/bench.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    ratios = ["Java : C++ in the JVM", "Java : C++", "Python : C++"]
    heads = [*(f"{side} µs" for side in SIDES), *ratios]
    table = Table("tensor in, tensor out", *heads, title=f"{options.threads} intra-op thread(s)")
    results = {}
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as classes:
        for name in ("Bench", "BenchLoad"):
            compile_java(ROOT / "bench" / f"{name}.java", Path(classes))
        for work in works():
            times = measure(work, options.rounds, Path(classes), options.threads)
            results[work.name] = times
            table.add_row(*row(work, times))
        check = measure_check(options.rounds, Path(classes))
    Console(width=140).print(table)
    print(check)
    path = ROOT / "build" / "bench.json"
    path.write_text(json.dumps({"torch": torch.__version__, "nanoseconds": results}, indent=2))
    print(f"medians of {options.rounds} rounds in turn; all rounds in {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
