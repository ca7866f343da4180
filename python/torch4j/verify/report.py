"""The page of a verification: one file that needs no other."""

from __future__ import annotations

import datetime
from importlib.resources import files
from typing import Any

import torch4j
from torch4j.verify.samples import Sample
from torch4j.verify.tables import facts, rows, sections
from torch4j.verify.verification import Check, Verification

_MOST_PLOTS = 12
_MOST_CHECKS = 60


def page(found: Verification) -> str:
    """Return the page.

    Raises:
        ImportError: without jinja2 and matplotlib, naming the extra that has them.
    """
    try:
        import jinja2
        import matplotlib as _  # noqa: F401
    except ImportError as error:
        raise ImportError(f"a report needs {error.name}: pip install 'torch4j[report]'") from None
    text = files("torch4j.verify").joinpath("templates/report.html").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["zip"] = lambda one, other: list(zip(one, other, strict=False))
    return environment.from_string(text).render(_values(found))


def _values(found: Verification) -> dict[str, Any]:
    java = [row for row in rows(found) if row.kind == "java"]
    return {
        "found": found,
        "version": torch4j.__version__,
        "when": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "numbers": {
            "comparisons": f"{len(found.checks):,}",
            "elements": f"{sum(row.elements for row in java):,}",
            "identical": f"{sum(row.identical for row in java):,}",
            "largest difference": _largest([row.max_absolute for row in java]),
        },
        "facts": facts(found),
        "sections": list(sections(found)),
        "plots": [_plot(sample) for sample in found.samples[:_MOST_PLOTS]],
        "more_plots": max(0, len(found.samples) - _MOST_PLOTS),
        "marks": [_marks(check) for check in _first_calls(found)[:_MOST_CHECKS]],
        "environment": [
            (name, *(found.environment.get(side, {}).get(name, "-") for side in ("Python", "Java")))
            for name in _names(found)
        ],
    }


def _largest(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{max(known):.3g}" if known else "-"


def _names(found: Verification) -> list[str]:
    return list(dict.fromkeys(name for side in found.environment.values() for name in side))


def _first_calls(found: Verification) -> list[Check]:
    """Return the comparisons of Python and Java at the first call, whose fingerprints are shown."""
    return [c for c in found.checks if c.kind == "java" and c.call == 1 and c.threads == found.threads[0]]


def _marks(check: Check) -> dict[str, Any]:
    lines = []
    for what, (left, right) in (("input", check.inputs), ("output", check.outputs)):
        for one, other in zip(left, right, strict=False):
            lines.append((what, one.place, str(one), str(other), one.same(other)))
    return {"place": check.place, "agrees": check.agrees, "error": check.error, "lines": lines}


def _plot(sample: Sample) -> dict[str, Any]:
    from torch4j.verify.plots import histogram, scatter

    return {
        "title": sample.title,
        "caption": f"{sample.identical:,} of {sample.elements:,} elements identical",
        "same": sample.identical == sample.elements,
        "scatter": scatter(sample),
        "histogram": histogram(sample),
    }
