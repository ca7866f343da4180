"""Runs one thing very often in a JVM with a small heap, and tells whether native memory stays flat."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import torch
from rich.console import Console
from rich.table import Table
from torch4j import java_command
from torch4j._run import compile_java

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "tests" / "java"
HEAP = ("-Xmx64m", "-Xms64m", "-XX:+AlwaysPreTouch")  # so that resident memory does not grow by the heap itself
SLACK_MIB = 16.0  # of glibc's arenas and the JVM's own; beside 10 %, for runs that hold hardly anything


class AddOne(torch.nn.Module):
    """An output as large as the input."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x + 1."""
        return x + 1


class Kinds(torch.nn.Module):
    """Gives values of many kinds back."""

    def forward(
        self, x: torch.Tensor, text: str, numbers: list[int], named: dict[str, torch.Tensor]
    ) -> tuple[torch.Tensor, str, list[int], dict[str, torch.Tensor]]:
        """Return the arguments."""
        return x, text, numbers, named


@dataclass(frozen=True)
class Way:
    """One soak: what is done, on which model, how often, and the rows of CASES.md that it stands for."""

    name: str
    what: str
    model: Callable[[], torch.nn.Module]
    calls: int


WAYS = (
    Way("left", "C1 forward, 1 MB out, nothing closed", AddOne, 1_000_000),
    Way("closed", "C1 the same, each closed", AddOne, 1_000_000),
    Way("scoped", "C1 the same, in scopes", AddOne, 1_000_000),
    Way("throws", "C5 forward that throws", AddOne, 100_000),
    Way("kinds", "C5 tensors, text, list, dict", Kinds, 200_000),
    Way("reload", "C6 load, run, close", lambda: torch.nn.Linear(4, 2), 2_000),
    Way("reload-left", "C2 load, run, nothing closed", lambda: torch.nn.Linear(4, 2), 2_000),
    Way("buffers", "C4 direct buffers, left to the GC", AddOne, 20_000),
    Way("sizes", "C11 720 input sizes through Conv2d", lambda: torch.nn.Conv2d(3, 8, 3), 40_000),
    Way("threads", "C12 a new thread for each call", AddOne, 20_000),
)


@dataclass(frozen=True)
class Sample:
    """What was held after so many calls."""

    calls: int
    resident_mib: float
    counted_mib: float


@dataclass(frozen=True)
class Soak:
    """One run; flat when the last quarter holds what the second did, within a tenth."""

    name: str
    what: str
    seconds: float
    samples: list[Sample]
    counts: str

    def quarter(self, index: int) -> float:
        """Return the median resident memory of a quarter, in MiB."""
        size = len(self.samples) // 4
        return median(sample.resident_mib for sample in self.samples[index * size : (index + 1) * size])

    @property
    def peak(self) -> float:
        """Return the largest resident memory seen, in MiB."""
        return max(sample.resident_mib for sample in self.samples)

    @property
    def slope(self) -> float:
        """Return the growth from the second quarter to the last, in MiB per million calls."""
        calls = self.samples[-1].calls / 2
        return (self.quarter(3) - self.quarter(1)) / calls * 1e6

    @property
    def flat(self) -> bool:
        """Tell whether memory stayed where it was."""
        grown = self.quarter(3) - self.quarter(1)
        return grown <= max(0.1 * self.quarter(1), SLACK_MIB)


def soak(way: Way, calls: int, classes: Path, options: Sequence[str] = HEAP) -> Soak:
    """Run one way in a JVM of its own.

    Raises:
        subprocess.CalledProcessError: the JVM died or ran out of memory.
    """
    with tempfile.TemporaryDirectory(prefix="torch4j-soak-") as folder:
        model = Path(folder) / "model.pt"
        torch.jit.script(way.model().eval()).save(str(model))
        command = java_command(
            "Soak", way.name, str(model), str(calls), jvm_options=list(options), class_path=[classes]
        )
        start = time.monotonic()
        output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder).stdout
        seconds = time.monotonic() - start
    lines = output.splitlines()
    numbers = [[int(number) for number in line.split()] for line in lines if not line.startswith("#")]
    samples = [Sample(done, resident / 1024, counted / 2**20) for done, resident, counted in numbers]
    return Soak(way.name, way.what, seconds, samples, lines[-1].removeprefix("# "))


def plot(runs: Sequence[Soak], path: Path) -> None:
    """Draw resident and counted memory over calls, a panel for each run."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    columns = 2
    rows = -(-len(runs) // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(11, 2.6 * rows), squeeze=False, layout="constrained")
    for axis in axes.flat[len(runs) :]:
        axis.set_axis_off()
    for axis, run in zip(axes.flat, runs, strict=False):
        calls = [sample.calls for sample in run.samples]
        axis.plot(calls, [sample.resident_mib for sample in run.samples], label="resident")
        axis.plot(calls, [sample.counted_mib for sample in run.samples], label="counted by torch4j", linewidth=1)
        axis.set_title(f"{run.what}: {'flat' if run.flat else 'GROWS'}", fontsize=9)
        axis.set_ylim(bottom=0)
        axis.set_ylabel("MiB", fontsize=8)
        axis.tick_params(labelsize=8)
        axis.ticklabel_format(axis="x", style="plain")
        axis.grid(alpha=0.3)
    axes[0][0].legend(fontsize=8)
    axes[-1][0].set_xlabel("calls", fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)


def table(runs: Sequence[Soak]) -> Table:
    """Return the figures of all runs."""
    heads = ("what", "calls", "s", "2nd quarter MiB", "last quarter MiB", "peak MiB", "MiB per 10⁶ calls", "verdict")
    result = Table(*heads, title=f"resident memory, {HEAP[0]}")
    for run in runs:
        figures = (run.quarter(1), run.quarter(3), run.peak, run.slope)
        cells = [f"{figure:.0f}" for figure in figures]
        verdict = "flat" if run.flat else "GROWS"
        result.add_row(run.what, f"{run.samples[-1].calls:,}", f"{run.seconds:.0f}", *cells, verdict)
    return result


def stress(seconds: int, classes: Path) -> str:
    """Run eight threads in forward while a ninth closes and reloads the module; return the counts."""
    with tempfile.TemporaryDirectory(prefix="torch4j-soak-") as folder:
        model = Path(folder) / "model.pt"
        torch.jit.script(torch.nn.Linear(4, 2)).save(str(model))
        command = java_command(
            "StressReload", str(model), "8", str(seconds), jvm_options=["-Xmx32m"], class_path=[classes]
        )
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=folder).stdout.strip()


def main() -> None:
    """Run all ways or some, print a table, write a plot and build/soak.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", help=f"of {', '.join(way.name for way in WAYS)}, stress; all when none")
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual number of calls")
    parser.add_argument("--plot", type=Path, default=ROOT / "build" / "soak.png")
    options = parser.parse_args()
    console = Console(width=150)
    runs = []
    with tempfile.TemporaryDirectory(prefix="torch4j-soak-") as classes:
        for program in ("Soak", "StressReload"):
            compile_java(PROGRAMS / f"{program}.java", Path(classes))
        for way in WAYS:
            if not options.ways or way.name in options.ways:
                runs.append(soak(way, max(100, int(way.calls * options.scale)), Path(classes)))
                console.print(f"soak: {way.what}: {runs[-1].seconds:.0f} s; {runs[-1].counts}")
        if not options.ways or "stress" in options.ways:
            seconds = max(2, int(60 * options.scale))
            counts = stress(seconds, Path(classes)).replace("\n", ", ")
            console.print(f"soak: C3 8 threads, closed and reloaded by a ninth, {seconds} s, -Xmx32m: {counts}")
    if runs:
        console.print(table(runs))
        plot(runs, options.plot)
        report = ROOT / "build" / "soak.json"
        report.write_text(json.dumps([asdict(run) for run in runs], indent=1))
        console.print(f"plot: {options.plot}; samples: {report.relative_to(ROOT)}")
    sys.exit(0 if all(run.flat for run in runs) else 1)


if __name__ == "__main__":
    main()
