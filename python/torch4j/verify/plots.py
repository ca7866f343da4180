"""Plots of the report, as SVG whose colours the page sets."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy

from torch4j.verify.samples import Sample

# Stand-ins, which the page replaces by colours for light and dark.
_INK, _GRID, _POINTS, _LINE = "#010101", "#020202", "#030303", "#040404"
_COLOURS = {_INK: "var(--muted)", _GRID: "var(--line)", _POINTS: "var(--accent)", _LINE: "var(--second)"}
_BINS = 40
_SIZE = (5.0, 3.0)


def scatter(sample: Sample) -> str:
    """Return a plot of the values of both sides, and the line on which equal ones lie."""
    figure, axes = _axes()
    axes.scatter(sample.expected, sample.found, s=14, c=_POINTS, alpha=0.7, linewidths=0, zorder=3)
    both = numpy.concatenate([sample.expected, sample.found])
    low, high = (float(both.min()), float(both.max())) if both.size else (0.0, 1.0)
    axes.plot([low, high], [low, high], color=_LINE, linewidth=1, linestyle=(0, (4, 3)), zorder=2)
    axes.set_xlabel(sample.sides[0])
    axes.set_ylabel(sample.sides[1])
    return _svg(figure)


def histogram(sample: Sample) -> str:
    """Return a histogram of the differences by their order of magnitude; those of zero are told beside it."""
    figure, axes = _axes()
    gaps = sample.gaps[sample.gaps > 0]
    if gaps.size:
        low, high = numpy.floor(numpy.log10(gaps.min())), numpy.ceil(numpy.log10(gaps.max()))
        edges = numpy.logspace(low, high if high > low else low + 1, _BINS + 1)
        axes.hist(gaps, bins=edges, color=_POINTS, zorder=3)
        axes.set_xscale("log")
    else:
        axes.text(0.5, 0.5, "no differences", ha="center", va="center", color=_INK, transform=axes.transAxes)
        axes.set_xticks([])
        axes.set_yticks([])
    axes.set_xlabel("absolute difference")
    axes.set_ylabel("elements")
    return _svg(figure)


def _axes() -> tuple[Any, Any]:
    from matplotlib.figure import Figure  # not pyplot, which keeps figures and a display

    figure = Figure(figsize=_SIZE, layout="constrained")
    figure.patch.set_alpha(0)
    axes: Any = figure.subplots()
    axes.patch.set_alpha(0)
    axes.grid(color=_GRID, linewidth=0.6, zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_GRID)
    axes.tick_params(which="both", colors=_INK, labelsize=8, length=0)
    axes.xaxis.label.set(color=_INK, size=9)
    axes.yaxis.label.set(color=_INK, size=9)
    return figure, axes


def _svg(figure: Any) -> str:
    """Return a figure as SVG to stand inside a page: text as text, no fonts, sizes by the page."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "torch4j"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    for stand_in, colour in _COLOURS.items():
        text = text.replace(stand_in, colour)
    return re.sub(r"font: ([0-9.]+px) '[^;\"]*'(, [^;\"]*)?", r"font: \1 sans-serif", text)
