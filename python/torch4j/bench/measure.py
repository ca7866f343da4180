"""Measures the sides in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy
from numpy.typing import NDArray

from torch4j._mapped import mapped_files
from torch4j.bench.process import Process
from torch4j.bench.result import BenchError
from torch4j.bench.times import Times

T = TypeVar("T")
_NANO = 1e-9
# Of the seconds of a side: time for the JVM's compiler and for the optimisations of libtorch's interpreter.
WARM_UP = 0.5


@dataclass(frozen=True)
class Plan:
    """What is measured: see `torch4j.bench.bencher.bench`."""

    threads: tuple[int, ...]
    seconds: float
    rounds: int
    starts: int

    def check(self, intra_op: int) -> None:
        """Raise BenchError naming an argument that is too small."""
        counts = {"threads": min(self.threads, default=0), "rounds": self.rounds, "starts": self.starts}
        for name, count in {**counts, "intra_op": intra_op}.items():
            if count < 1:
                raise BenchError(f"{name}: got {count}; expected 1 or more")
        if not 0 < self.seconds < float("inf"):
            raise BenchError(f"seconds: got {self.seconds}; expected more than 0")


class Side:
    """A running side: its process and its times."""

    def __init__(self, process: Process, times: Times, file: Path) -> None:
        """Wait for the first answers of a process just started."""
        self._process = process
        self._times = times
        self._file = file
        if process.answer() != "answered":
            raise BenchError("a side did not answer as it should")
        times.starts.append(process.elapsed())
        times.first_calls.append([int(nanos) * _NANO for nanos in process.answer().split()])

    def libtorch(self) -> str:
        """Return the libtorch that the process has mapped."""
        return " and ".join(mapped_files(self._process.id)["libtorch_cpu.so"])

    def calls(self, seconds: float) -> None:
        """Let one caller call for that long, and add a round."""
        self._times.rounds.append(self.warm_up(seconds))

    def warm_up(self, seconds: float) -> NDArray[numpy.float64]:
        """Do the same and add nothing; return the seconds of each call."""
        self._process.ask(f"calls {int(seconds / _NANO)} {self._file}")
        return numpy.fromfile(self._file, dtype=numpy.int64).astype(numpy.float64) * _NANO

    def throughput(self, threads: int, seconds: float) -> None:
        """Let that many callers call for that long, and add the calls per second."""
        count, nanos = self._process.ask(f"throughput {int(seconds / _NANO)} {threads}").split()
        self._times.throughput.setdefault(threads, []).append(int(count) / (int(nanos) * _NANO))


def measure(
    commands: dict[str, list[str]], plan: Plan, folder: Path, timeout: float, progress: Callable[[str], None]
) -> tuple[dict[str, Times], dict[str, str]]:
    """Return the times of each side, and the libtorch that each had mapped.

    The sides take turns in everything, each time beginning with another one.
    """
    times = {name: Times() for name in commands}

    def started(name: str, stack: ExitStack) -> Side:
        process = stack.enter_context(Process(name, commands[name], timeout))
        return Side(process, times[name], folder / "times")

    for index in range(plan.starts - 1):
        progress(f"cold start {index + 1} of {plan.starts}")
        for name in _turn(list(commands), index):
            with ExitStack() as stack:
                started(name, stack)
    with ExitStack() as stack:
        progress(f"cold start {plan.starts} of {plan.starts}")
        sides = {name: started(name, stack) for name in commands}
        _rounds(list(sides.values()), plan, progress)
        return times, {name: side.libtorch() for name, side in sides.items()}


def _turn(items: Sequence[T], index: int) -> list[T]:
    first = index % len(items)
    return [*items[first:], *items[:first]]


def _rounds(sides: list[Side], plan: Plan, progress: Callable[[str], None]) -> None:
    progress("warming up")
    for side in sides:
        side.warm_up(plan.seconds * WARM_UP)
    for index in range(plan.rounds):
        progress(f"round {index + 1} of {plan.rounds}")
        for side in _turn(sides, index):
            side.calls(plan.seconds / plan.rounds)
            for threads in plan.threads:
                side.throughput(threads, plan.seconds / plan.rounds / len(plan.threads))
