"""The sides of the benchmark: processes that run one round whenever they are asked."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench_works import Work
from torch4j import java_command

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "bench" / "bench"


@dataclass(frozen=True)
class Round:
    """Nanoseconds per call; the mean over all calls, p99 and least over up to 200 timed one by one."""

    mean: float
    p99: float
    least: float


# A young generation that grows onto fresh pages was slow: calls of the dict and list took 11 to 15 us for half a
# second, 2.5 after the second collection, and never so with -Xmn200m or the serial collector.
HEAP = ["-Xms512m", "-Xmx3g", "-XX:+AlwaysPreTouch"]


class Process:
    """A process that answers each line on its input with a line of numbers."""

    def __init__(self, command: list[str], preload: Path | None = None) -> None:
        """Start it."""
        env = {**os.environ, "LD_PRELOAD": str(preload)} if preload else None
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, line: str = "") -> list[float]:
        """Return the numbers.

        Raises:
            RuntimeError: the process ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self._process.args!r} ended with {self._process.wait()}")
        return [float(number) for number in answer.split()]

    def close(self) -> None:
        """Let it end."""
        if self._process.poll() is None:
            self._process.communicate()


def _arguments(work: Work, model: Path, threads: int) -> list[str]:
    return [str(model), work.mode, work.shape, work.option, str(threads), str(work.calls)]


def java_side(work: Work, model: Path, classes: Path, threads: int, preload: Path | None = None) -> Process:
    """Start Java's side alone."""
    loop = str(BUILT / "libtorch4j-bench.so")
    arguments = [*_arguments(work, model, threads), loop]
    return Process(java_command("Bench", *arguments, jvm_options=HEAP, class_path=[classes]), preload)


def cpp_side(work: Work, model: Path, threads: int) -> Process:
    """Start the C++ program."""
    return Process([str(BUILT / "torch4j-bench-cpp"), *_arguments(work, model, threads)])


class Sides:
    """Everyone who runs one work: C++ and Python in processes of their own, Java, and C++ inside Java's process."""

    def __init__(self, work: Work, model: Path, classes: Path, threads: int) -> None:
        """Start all."""
        self.java = java_side(work, model, classes, threads)
        self.cpp = cpp_side(work, model, threads)
        self.python = Process(
            [sys.executable, "-W", "ignore", str(ROOT / "bench" / "bench_python.py"), *_arguments(work, model, threads)]
        )
        self._asked = {
            "Java": (self.java, ""),
            "C++ in the JVM": (self.java, "cpp"),
            "C++": (self.cpp, ""),
            "Python": (self.python, ""),
            # The control: what the pairing of rounds leaves of the machine's noise.
            "C++ again": (self.cpp, ""),
        }
        if work.rival == "arraycopy":
            self._asked["arraycopy"] = (self.java, "arraycopy")

    @property
    def names(self) -> list[str]:
        """Return who takes part."""
        return list(self._asked)

    def round(self, name: str) -> Round:
        """Let one run a round."""
        process, line = self._asked[name]
        return Round(*process.ask(line))

    def close(self) -> None:
        """Let all end."""
        for process in (self.java, self.cpp, self.python):
            process.close()
