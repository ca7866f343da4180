"""What the benchmark measures of several callers: on one module, and in processes that share nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from bench_figure import Extra
from bench_sides import Process, Sides, cpp_side
from bench_works import NETS, SMALL, Work

CALLERS = (1, 2, 4, 8)


def throughput(rounds: int, classes: Path) -> list[Extra]:
    """Measure calls per second of several threads on one module, Java and C++, one intra-op thread."""
    found = []
    for work in (SMALL[0], NETS[0]):
        with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
            path = Path(folder) / "model.pt"
            work.save(str(path))
            sides = Sides(work, path, classes, 1)
            other = cpp_side(work, path, 1)
            found += _measure(work, sides, other, max(3, rounds))
            sides.close()
            other.close()
    return found


def _at_once(processes: Sequence[Process]) -> float:
    """Return the calls per second of processes with one caller each."""
    with ThreadPoolExecutor(len(processes)) as pool:
        answers: list[list[float]] = list(pool.map(lambda process: process.ask("1"), processes))
    return sum(rates[0] for rates in answers)


def _measure(work: Work, sides: Sides, other: Process, rounds: int) -> list[Extra]:
    for process in (sides.java, sides.cpp, other):
        for _ in range(3):
            process.ask("2")
    values: dict[tuple[str, int], list[float]] = {}
    # The control: what two processors give who share nothing but the machine.
    apart: list[float] = []
    for _ in range(rounds):
        for callers in CALLERS:
            for name, process in (("Java", sides.java), ("C++", sides.cpp)):
                values.setdefault((name, callers), []).append(process.ask(str(callers))[0])
            if callers == 2:
                apart.append(_at_once([sides.cpp, other]))
    rows = [
        _row(work, f"{name}, {callers} caller(s)", rates, values[name, 1]) for (name, callers), rates in values.items()
    ]
    return [*rows, _row(work, "C++, two processes of one caller", apart, values["C++", 1])]


def _row(work: Work, who: str, rates: list[float], alone: list[float]) -> Extra:
    share = median(rate / one for rate, one in zip(rates, alone, strict=True))
    return Extra(f"{work.name}: {who}", "calls/s", rates, "" if rates is alone else f"{share:.2f} of one thread")
