"""Elements of both sides for plots: few enough for a page, the one that differs most among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy
import torch

from torch4j.verify import elements
from torch4j.verify.compare import Comparison
from torch4j.verify.pairs import pairs

_MOST = 2000


@dataclass(frozen=True)
class Sample:
    """Elements of one output.

    Attributes:
        title: method, place and inputs.
        sides: what was compared.
        expected: float64[n].
        found: float64[n].
        gaps: float64[m] of all elements, those that are no finite numbers left out.
        elements: how many the output has.
        identical: how many are the same to the bit.
    """

    title: str
    sides: tuple[str, str]
    expected: Any
    found: Any
    gaps: Any
    elements: int
    identical: int


@dataclass
class Collector:
    """Takes results that are compared, and keeps samples of the tensors in them."""

    found: dict[str, list[Sample]] = field(default_factory=dict)

    def add(self, title: str, sides: tuple[str, str], expected: Any, got: Any, comparison: Comparison) -> None:
        """Take two values and how they compare."""
        rows = {output.place: output for output in comparison.outputs}
        for pair in pairs(expected, got, "outputs"):
            row = rows.get(pair.place)
            if row is None or not row.elements or not isinstance(pair.expected, torch.Tensor) or pair.trouble:
                continue
            sample = _sample(f"{title}: {pair.place}", sides, pair.expected, pair.found, row.identical)
            self.found.setdefault(f"{sides} {title.partition(',')[0]} {pair.place}", []).append(sample)

    def samples(self) -> list[Sample]:
        """Return one sample for each output: the one that differs most."""
        return [max(each, key=_worst) for each in self.found.values()]


def _worst(sample: Sample) -> tuple[int, int]:
    return sample.elements - sample.identical, sample.elements


def _sample(title: str, sides: tuple[str, str], left: torch.Tensor, right: torch.Tensor, identical: int) -> Sample:
    one, other = elements.plain(left), elements.plain(right)
    gap = elements.gaps(one, other)
    places = _places(gap)
    values = [_real(elements.numbers(each))[places].astype(numpy.float64) for each in (one, other)]
    known = numpy.isfinite(values[0]) & numpy.isfinite(values[1])
    finite = gap[numpy.isfinite(gap)]
    return Sample(title, sides, values[0][known], values[1][known], finite, left.numel(), identical)


def _real(values: elements.Array) -> elements.Array:
    return values.real if values.dtype.kind == "c" else values


def _places(gap: elements.Array) -> elements.Array:
    """Return numbers of elements: evenly spread, and the largest gaps."""
    spread = numpy.linspace(0, len(gap) - 1, min(len(gap), _MOST)).astype(int)
    largest = numpy.argsort(gap)[-_MOST // 10 :]
    found: elements.Array = numpy.unique(numpy.concatenate([spread, largest]))
    return found
