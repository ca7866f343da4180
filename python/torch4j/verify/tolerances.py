"""How far two results may differ, by dtype: one table, which docs/verify.md shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch

from torch4j.export.values import TOLERANCES

FORM = "exact, default, a number such as 1e-4, or dtypes such as float32=1e-4:1e-6 (relative:absolute), split by commas"


@dataclass(frozen=True)
class Tolerance:
    """What a difference of one element may be: absolute + relative * abs(expected)."""

    relative: float = 0.0
    absolute: float = 0.0


@dataclass(frozen=True)
class Tolerances:
    """Tolerances by dtype; a dtype that is not there has to be equal to the bit.

    Attributes:
        name: what was asked for, for tables.
        by_dtype: the tolerances.
    """

    name: str = "exact"
    by_dtype: Mapping[torch.dtype, Tolerance] = field(default_factory=dict)

    def of(self, dtype: torch.dtype) -> Tolerance | None:
        """Return the tolerance of a dtype, or None for equal to the bit."""
        return self.by_dtype.get(dtype)


EXACT = Tolerances()
DEFAULT = Tolerances("default", {dtype: Tolerance(*pair) for dtype, pair in TOLERANCES.items()})


def tolerances(given: Tolerances | str | float | None) -> Tolerances:
    """Return the tolerances that were asked for.

    Args:
        given: None or "exact"; "default"; a number, relative and absolute alike for each dtype with a fraction;
            or text such as ``float32=1e-4:1e-6,float16=1e-2`` for the dtypes named, the rest exact.

    Raises:
        ValueError: for anything else, naming the form.
    """
    if isinstance(given, Tolerances):
        return given
    if given is None or given == "exact":
        return EXACT
    if given == "default":
        return DEFAULT
    try:
        return Tolerances(str(given), _parsed(str(given)))
    except (ValueError, AttributeError):
        raise ValueError(f"tolerance: got {given!r}; expected {FORM}") from None


def _parsed(text: str) -> dict[torch.dtype, Tolerance]:
    if "=" not in text:
        one = _tolerance(text)
        return dict.fromkeys(TOLERANCES, one)
    found = {}
    for part in text.split(","):
        name, _, numbers = part.partition("=")
        dtype = getattr(torch, name.strip())
        if dtype not in TOLERANCES:
            raise ValueError(name)
        found[dtype] = _tolerance(numbers)
    return found


def _tolerance(text: str) -> Tolerance:
    numbers = [float(number) for number in text.split(":")]
    if len(numbers) > 2 or not all(0 <= number < float("inf") for number in numbers):
        raise ValueError(text)
    return Tolerance(numbers[0], numbers[-1])
