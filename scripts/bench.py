"""Times C++, Java and Python on the same files, threads and inputs, taking turns round by round."""

from __future__ import annotations

import argparse
import datetime
import json
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import torch
from bench_extra import measure_extras
from bench_figure import Extra
from bench_report import Measured, plot, tables, verdict
from bench_sides import ROOT, Sides
from bench_works import WORKS, Work
from rich.console import Console
from torch4j._run import compile_java
from torch4j.bench.environment import environment

WARM_UP = 3.0  # seconds
MOST_WARM_UP = 200  # rounds


def warm_up(sides: Sides) -> None:
    """Run rounds for WARM_UP seconds: C2 takes one to compile all that a dict and a list need."""
    end = time.monotonic() + WARM_UP
    for count in range(MOST_WARM_UP):
        if count >= 3 and time.monotonic() > end:
            return
        for name in sides.names:
            sides.round(name)


def measure(work: Work, rounds: int, classes: Path, threads: int) -> Measured:
    """Run all sides on one work, in turn."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        path = Path(folder) / "model.pt"
        work.save(str(path))
        sides = Sides(work, path, classes, threads)
        warm_up(sides)
        found = Measured(work.name, work.rival, work.goal, {name: [] for name in sides.names}, work.calls, work.over)
        for _ in range(work.rounds * rounds):
            for name in sides.names:
                found.rounds[name].append(sides.round(name))
        found.heap_bytes = sides.java.ask("bytes")[0]
        sides.close()
    return found


def run(options: argparse.Namespace, console: Console) -> tuple[list[Measured], list[Extra]]:
    """Measure what was asked for."""
    found, extras = [], []
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        classes = Path(folder)
        for source in sorted((ROOT / "bench").glob("*.java")):
            compile_java(source, classes)
        for group in options.groups:
            for work in WORKS.get(group, ()):
                console.print(f"bench: {work.name}", highlight=False)
                found.append(measure(work, options.rounds, classes, options.threads))
            if group not in WORKS:
                extras += measure_extras(group, options.rounds, classes, console)
    return found, extras


def main() -> None:
    """Measure, print tables, write build/bench.json and build/bench.png."""
    parser = argparse.ArgumentParser(description=__doc__)
    groups = [*WORKS, "overheads", "threads", "load", "start", "advice"]
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(groups)}; all when none")
    parser.add_argument("--rounds", type=int, default=15, help="a work takes some times as many")
    parser.add_argument("--threads", type=int, default=1, help="intra-op threads")
    options = parser.parse_args()
    if unknown := set(options.groups) - set(groups):
        parser.error(f"groups: no {', '.join(sorted(unknown))}; there are {', '.join(groups)}")
    options.groups = options.groups or groups
    console = Console(width=150)
    found, extras = run(options, console)
    for table in tables(found, extras):
        console.print(table)
    console.print(verdict(found))
    report = ROOT / "build" / "bench.json"
    libtorch = Path(torch.__file__).parent / "lib" / "libtorch_cpu.so"
    told = {"date": datetime.date.today().isoformat(), **environment(options.threads, str(libtorch))}
    data = {
        "environment": told,
        "works": [asdict(each) for each in found],
        "extras": [asdict(each) for each in extras],
    }
    report.write_text(json.dumps(data, indent=1))
    if found:
        plot(found, ROOT / "build" / "bench.png")
    console.print(", ".join(f"{name} {value}" for name, value in told.items()), highlight=False)
    console.print(
        f"medians of rounds in turn, {options.rounds} times as many as a work wants, "
        f"{options.threads} intra-op thread(s); all in build/bench.json"
    )


if __name__ == "__main__":
    main()
