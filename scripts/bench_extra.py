"""What the benchmark measures beside calls: overheads, threads, loading, and starting."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from bench_figure import Extra
from bench_sides import BUILT, Sides, java_side
from bench_start import starting
from bench_threads import throughput
from bench_works import NETS, SMALL
from rich.console import Console
from torch4j import java_command


def _program(main: str, *args: str, classes: Path, options: Sequence[str] = ()) -> list[list[float]]:
    command = java_command(main, *args, jvm_options=list(options), class_path=[classes])
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [[float(number) for number in line.split()] for line in output.splitlines()]


def overheads(rounds: int, classes: Path) -> list[Extra]:
    """Measure what torch4j itself costs: the crossing, the user count, closing and scopes."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        path = Path(folder) / "model.pt"
        SMALL[1].save(str(path))
        sides = Sides(SMALL[1], path, classes, 1)
        # The JVM compiles it late: 31 ns for the first ten rounds here, 4 from the hundredth on.
        floor = [sides.java.ask("nothing")[0] for _ in range(rounds + 250)][250:]
        sides.close()
    found = [Extra("empty native method: the floor of a crossing", "ns", floor), *allocations(classes)]
    rows = _program("org.pytorch.BenchHandles", str(rounds), classes=classes)
    names = (
        "user count of a tensor",
        "user count of a module, 1 caller",
        "user count of a module, 2 callers",
        "user count of a module, 8 callers",
        "closing a tensor, of 20",
        "closing it by a scope, of 20",
    )
    return found + [Extra(name, "ns", values) for name, values in zip(names, rows, strict=True)]


def allocations(classes: Path) -> list[Extra]:
    """Count what a call of forward(Tensor) allocates: Java heap bytes, and native allocations beside the C++ loop's."""
    found = []
    for work in SMALL[:2]:
        with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
            path = Path(folder) / "model.pt"
            work.save(str(path))
            java = java_side(work, path, classes, 1, BUILT / "libtorch4j-count-malloc.so")
            for _ in range(5):
                java.ask("mallocs")
            ours, theirs, _ = java.ask("mallocs")
            heap = java.ask("bare bytes")[0]
            java.close()
        name = f"{work.name}: allocations per call"
        found.append(Extra(f"{name}, native, Java", "", [ours], f"C++ loop: {theirs:.3g}"))
        found.append(Extra(f"{name}, Java heap", "B", [heap], "a Tensor (24 B) and its handle (56 B)"))
    return found


def loading(rounds: int, classes: Path) -> list[Extra]:
    """Measure loading: 100 MB with and without the integrity check, and in Python."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        path = Path(folder) / "large.pt"
        torch.jit.script(torch.nn.Linear(5000, 5000)).save(str(path))
        [[checked, unchecked, ratio]] = _program("BenchLoad", str(path), str(max(rounds, 60)), classes=classes)
        python = [_seconds(lambda: torch.jit.load(str(path))) * 1000 for _ in range(rounds + 3)][3:]
    return [
        Extra("load 100 MB again in Java, CRCs compared", "ms", [checked], f"{ratio - 1:+.0%} (paired)"),
        Extra("load 100 MB again in Java, not compared", "ms", [unchecked]),
        Extra("load 100 MB again in Python", "ms", python),
    ]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def advice(rounds: int, classes: Path) -> list[Extra]:
    """Measure what a Java user may choose: layout, batch, threads, and how data comes in."""
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as folder:
        net, identity = Path(folder) / "net.pt", Path(folder) / "identity.pt"
        NETS[0].save(str(net))
        SMALL[1].save(str(identity))
        command = java_command("Advice", str(net), str(identity), str(rounds), class_path=[classes])
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = []
    for line in output.splitlines():
        name, numbers = line.split("\t")
        found.append(Extra(name, "ms per picture", [float(number) for number in numbers.split()]))
    return found


GROUPS = {"overheads": overheads, "threads": throughput, "load": loading, "start": starting, "advice": advice}


def measure_extras(group: str, rounds: int, classes: Path, console: Console) -> list[Extra]:
    """Measure one of overheads, threads, load, start."""
    console.print(f"bench: {group}")
    return GROUPS[group](rounds, classes)
