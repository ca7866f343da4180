"""What the benchmark measures of several callers: on one module, and in processes that share nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from bench_figure import Extra
from bench_goal import judged
from bench_sides import Process, Sides, cpp_side
from bench_works import NETS, SMALL, Work

CALLERS = (1, 2, 4, 8)
GOAL = 1.9  # two callers on two processors, of one


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
    sides.java.ask("2 apart")
    values: dict[tuple[str, int], list[float]] = {}
    # The control: what two processors give who share nothing but the machine.
    processes: list[float] = []
    modules: list[float] = []
    for _ in range(rounds):
        for callers in CALLERS:
            for name, process in (("Java", sides.java), ("C++", sides.cpp)):
                values.setdefault((name, callers), []).append(process.ask(str(callers))[0])
            if callers == 2:
                processes.append(_at_once([sides.cpp, other]))
                modules.append(sides.java.ask("2 apart")[0])
    rows = [_row(work, name, callers, rates, values) for (name, callers), rates in values.items()]
    more = {
        "Java, 2 caller(s), a module each": (modules, values["Java", 1]),
        "C++, two processes": (processes, values["C++", 1]),
    }
    return rows + [
        Extra(f"{work.name}: {who}", "calls/s", rates, _of(rates, one)) for who, (rates, one) in more.items()
    ]


def _shares(rates: Sequence[float], others: Sequence[float]) -> list[float]:
    return [rate / other for rate, other in zip(rates, others, strict=True)]


def _of(rates: Sequence[float], alone: Sequence[float]) -> str:
    return f"{median(_shares(rates, alone)):.2f} of one caller"


def _row(work: Work, side: str, callers: int, rates: list[float], values: dict[tuple[str, int], list[float]]) -> Extra:
    remarks = [_of(rates, values[side, 1])] if callers > 1 else []
    if (side, callers) == ("Java", 2):
        remarks.append(judged(_shares(rates, values[side, 1]), GOAL, "of one caller", least=True))
    if callers > 2:
        remarks.append(f"{median(_shares(rates, values[side, 2])):.2f} of two")
    return Extra(f"{work.name}: {side}, {callers} caller(s)", "calls/s", rates, ", ".join(remarks))
