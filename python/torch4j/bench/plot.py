"""A benchmark as a picture: cold starts, latencies, throughput."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from torch4j.bench.result import Bench, BenchError
from torch4j.bench.table import duration, three_digits
from torch4j.bench.times import Times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"C++": "#6b7280", "Java": "#d9702c", "Python": "#2f6fb3"}
INK, FAINT = "#1f2937", "#e5e7eb"
SUFFIXES = (".png", ".svg", ".pdf")
_BINS = 140
# Round numbers on an axis of times: the first choice that is not too many.
_STEPS = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8), (1, 1.5, 2, 3, 4, 5, 7), (1, 2, 3, 5), (1, 2, 5), (1,))
_MOST_TICKS = 6
_SMOOTH = 2.0  # bins: a histogram's steps are no property of the model


def check_plot(path: Path) -> None:
    """Raise BenchError when a picture cannot be written there."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise BenchError("plot: needs matplotlib: pip install 'torch4j[report]'") from None
    if path.suffix not in SUFFIXES:
        raise BenchError(f"plot: got {path.name}; expected a name that ends in {', '.join(SUFFIXES)}")
    if not path.absolute().parent.is_dir():
        raise BenchError(f"plot: {path.absolute().parent}: no such folder")


def plot(bench: Bench, path: Path) -> None:
    """Write the picture: see `torch4j.bench.result.Bench.plot`."""
    check_plot(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure  # without pyplot, which keeps figures and wants a display

    with rc_context({"font.family": "DejaVu Sans", "svg.hashsalt": "torch4j"}):
        figure = Figure(figsize=(11, 4.6), dpi=130, facecolor="white")
        grid = figure.add_gridspec(1, 3, width_ratios=(2.2, 4.5, 3.3), left=0.062, right=0.985, top=0.76, bottom=0.135)
        grid.update(wspace=0.25)
        starts, latencies, rates = (figure.add_subplot(grid[0, column]) for column in range(3))
        _starts(starts, bench)
        _latencies(latencies, bench)
        _throughput(rates, bench)
        _heading(figure, bench)
        figure.savefig(path)


def _heading(figure: Any, bench: Bench) -> None:
    environment = bench.environment
    figure.text(0.02, 0.94, bench.path.name, fontsize=15, weight="bold", color=INK)
    threads = environment.get("intra-op threads", "1")
    threads += " thread" if threads == "1" else " threads"
    told = f"torch {environment.get('torch')}, Java {environment.get('Java')}, {environment.get('processor')}"
    figure.text(0.02, 0.885, f"{told}, {threads} inside a call", fontsize=9, color=COLOURS["C++"])
    if not bench.trusted:
        figure.text(0.98, 0.94, "do not trust: the table tells why", fontsize=10, color="#b91c1c", ha="right")


def _style(axes: Axes, title: str, label: str) -> None:
    axes.set_title(title, fontsize=11, loc="left", color=INK, pad=10)
    axes.set_xlabel(label, fontsize=9, color=INK)
    axes.tick_params(labelsize=9, colors=INK, length=0)
    for name, spine in axes.spines.items():
        spine.set_visible(name == "bottom")
        spine.set_color(FAINT)
    axes.set_axisbelow(True)


def _starts(axes: Axes, bench: Bench) -> None:
    _style(axes, "Cold start", "start of a process to its first answer")
    for row, (name, times) in enumerate(bench.sides.items()):
        axes.barh(row, times.start, height=0.55, color=COLOURS[name])
        axes.plot(times.starts, [row] * len(times.starts), "|", color=INK, markersize=9)
        axes.annotate(duration(times.start), (max(times.starts), row), (6, 0), textcoords="offset points", va="center")
    axes.set_yticks(range(len(bench.sides)), list(bench.sides), fontsize=10)
    axes.set_ylim(len(bench.sides) - 0.5, -0.5)
    axes.set_xlim(0, max(max(times.starts) for times in bench.sides.values()) * 1.42)
    axes.set_xticks([])


def _latencies(axes: Axes, bench: Bench) -> None:
    """Draw one hill per side over a common axis, with a line at the median and a dot at the 99th percentile."""
    _style(axes, "Latency of one caller", "time of a call; line: median, dot: p99")
    low = min(times.quantile(0.001) for times in bench.sides.values())
    high = max(times.quantile(0.995) for times in bench.sides.values())
    edges = numpy.geomspace(low / 1.04, high * 1.08, _BINS)
    rows = len(bench.sides)
    for row, (name, times) in enumerate(bench.sides.items()):
        base = rows - 1 - row
        _hill(axes, times, edges, base, COLOURS[name])
    axes.set_xscale("log")
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(-0.12, rows + 0.05)
    axes.set_yticks([rows - 1 - row + 0.1 for row in range(rows)], list(bench.sides), fontsize=10)
    _ticks(axes, edges[0], edges[-1])


def _hill(axes: Axes, times: Times, edges: NDArray[numpy.float64], base: float, colour: str) -> None:
    heights = _smooth(numpy.histogram(times.calls, edges)[0].astype(numpy.float64))
    centres = numpy.sqrt(edges[1:] * edges[:-1])
    top = base + 0.82 * heights / max(heights.max(), 1e-12)
    axes.fill_between(centres, base, top, color=colour, alpha=0.28, linewidth=0)
    axes.plot(centres, top, color=colour, linewidth=1.4)
    median, late = times.median, times.quantile(0.99)
    axes.plot([median, median], [base, base + 0.86], color=colour, linewidth=1.6)
    axes.text(median, base + 0.9, f" {duration(median)}", fontsize=9, color=colour, ha="left", va="center")
    axes.plot([late], [base], "o", color=colour, markersize=6, clip_on=False, zorder=5)
    axes.annotate(duration(late), (late, base), (0, 8), textcoords="offset points", fontsize=8, ha="center", color=INK)


def _smooth(heights: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    reach = numpy.arange(-6, 7)
    kernel = numpy.exp(-0.5 * (reach / _SMOOTH) ** 2)
    return numpy.convolve(heights, kernel / kernel.sum(), mode="same")


def _ticks(axes: Axes, low: float, high: float) -> None:
    """Put round numbers with units on the axis of times: powers of ten alone are too few."""
    powers = range(int(numpy.floor(numpy.log10(low))), int(numpy.ceil(numpy.log10(high))) + 1)
    choices = [[step * 10.0**power for power in powers for step in steps] for steps in _STEPS]
    shown = [[value for value in values if low <= value <= high] for values in choices]
    ticks = next((values for values in shown if len(values) <= _MOST_TICKS), shown[-1])
    axes.set_xticks(ticks, [_round(value) for value in ticks])
    axes.minorticks_off()
    axes.grid(axis="x", color=FAINT, linewidth=0.8)


def _round(seconds: float) -> str:
    """Return a round time without the zeros that say how exact it is."""
    number, unit = duration(seconds).split()
    return f"{float(number.replace(',', '')):g} {unit}"


def _throughput(axes: Axes, bench: Bench) -> None:
    _style(axes, "Throughput on one module", "callers; calls per second, whiskers: all rounds")
    counts = list(next(iter(bench.sides.values())).throughput)
    width = 0.8 / len(bench.sides)
    for index, (name, times) in enumerate(bench.sides.items()):
        places = [place + (index - (len(bench.sides) - 1) / 2) * width for place in range(len(counts))]
        rates = [times.rate(count) for count in counts]
        ends = [
            (rate - min(times.throughput[n]), max(times.throughput[n]) - rate)
            for n, rate in zip(counts, rates, strict=True)
        ]
        axes.bar(places, rates, width * 0.92, color=COLOURS[name], label=name)
        axes.errorbar(places, rates, numpy.array(ends).T, fmt="none", ecolor=INK, elinewidth=1, capsize=2)
    axes.set_xticks(range(len(counts)), [str(count) for count in counts])
    axes.yaxis.set_major_formatter(lambda value, _: three_digits(value) if value else "0")
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_ylim(0, axes.get_ylim()[1] * 1.12)
    axes.legend(loc="upper left", fontsize=9, frameon=False, ncols=len(bench.sides), handlelength=1, columnspacing=1)
