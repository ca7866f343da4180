"""What the benchmark measures of several callers: on one module, and in processes that share nothing."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
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


def _asks(sides: Sides, other: Process) -> dict[str, Callable[[], float]]:
    """Return how to measure each row once; the last two stand beside those of two callers."""
    asks: dict[str, Callable[[], float]] = {}
    for callers in CALLERS:
        for name, process in (("Java", sides.java), ("C++", sides.cpp)):
            asks[_name(name, callers)] = lambda process=process, callers=callers: process.ask(str(callers))[0]  # type: ignore[misc]
    asks["Java, 2 caller(s), a module each"] = lambda: sides.java.ask("2 apart")[0]
    # The control: what two processors give who share nothing but the machine.
    asks["C++, two processes"] = lambda: _at_once([sides.cpp, other])
    return asks


def _measure(work: Work, sides: Sides, other: Process, rounds: int) -> list[Extra]:
    for process in (sides.java, sides.cpp, other):
        for _ in range(3):
            process.ask("2")
    asks = _asks(sides, other)
    asks["Java, 2 caller(s), a module each"]()
    values: dict[str, list[float]] = {who: [] for who in asks}
    order = random.Random(0)
    for _ in range(rounds):
        # In another order each time: after one caller the second processor comes from idleness.
        for who in order.sample(list(asks), len(asks)):
            values[who].append(asks[who]())
    return [Extra(f"{work.name}: {who}", "calls/s", values[who], _remark(who, values)) for who in asks]


def _name(side: str, callers: int) -> str:
    return f"{side}, {callers} caller(s)"


def _shares(rates: Sequence[float], others: Sequence[float]) -> list[float]:
    return [rate / other for rate, other in zip(rates, others, strict=True)]


def _remark(who: str, values: dict[str, list[float]]) -> str:
    one, two = (_name(who.partition(",")[0], callers) for callers in (1, 2))
    if who == one:
        return ""
    told = [f"{median(_shares(values[who], values[one])):.2f} of one caller"]
    if who == _name("Java", 2):
        told.append(judged(_shares(values[who], values[one]), GOAL, "of one caller", least=True))
    elif who != two:
        told.append(f"{median(_shares(values[who], values[two])):.2f} of two")
    return ", ".join(told)
