"""Walks two nested values side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from torch4j.export.values import describe, is_mapping, items_of
from torch4j.verify.fingerprint import is_flat, kind_of


@dataclass(frozen=True)
class Pair:
    """Two values at one place.

    Attributes:
        place: such as ``outputs[0]['boxes']``.
        expected: what was expected there.
        found: what was found there.
        trouble: how their types or structures differ; None where the values themselves are to be compared.
    """

    place: str
    expected: Any
    found: Any
    trouble: str | None = None


def pairs(expected: Any, found: Any, place: str) -> Iterator[Pair]:
    """Give the tensors and other values without parts of two values; where their structures part, what it is."""
    trouble = _structure(expected, found)
    if trouble:
        yield Pair(place, expected, found, trouble)
    elif isinstance(expected, torch.Tensor):
        yield Pair(place, expected, found)
    elif is_mapping(expected):
        wanted, got = items_of(expected), items_of(found)
        for key in wanted:
            yield from pairs(wanted[key], got[key], f"{place}[{key!r}]")
    elif is_flat(expected) and is_flat(found):
        yield Pair(place, expected, found)
    elif isinstance(expected, (list, tuple)):
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            yield from pairs(left, right, f"{place}[{index}]")
    else:
        yield Pair(place, expected, found)


def _structure(expected: Any, found: Any) -> str | None:
    """Return how two values differ in their own type, keys, fields or length, or None."""
    if is_mapping(expected) and is_mapping(found):
        wanted, got = list(items_of(expected)), list(items_of(found))
        return None if wanted == got else f"keys {got} instead of {wanted}"
    if isinstance(expected, (list, tuple)) and isinstance(found, (list, tuple)):
        return _sequence(expected, found)
    if isinstance(expected, torch.Tensor) and isinstance(found, torch.Tensor):
        return None
    return None if type(expected) is type(found) else f"{_told(found)} instead of {_told(expected)}"


def _sequence(expected: Any, found: Any) -> str | None:
    if isinstance(expected, list) != isinstance(found, list):
        return f"{_told(found)} instead of {_told(expected)}"
    if len(expected) != len(found):
        return f"{len(found)} values instead of {len(expected)}"
    fields = getattr(expected, "_fields", None), getattr(found, "_fields", None)
    if fields[0] != fields[1]:
        return f"fields {fields[1] or 'without names'} instead of {fields[0] or 'without names'}"
    if is_flat(expected) and is_flat(found) and kind_of(expected) != kind_of(found):
        return f"{kind_of(found)} instead of {kind_of(expected)}"
    return None


def _told(value: Any) -> str:
    return f"a tensor {describe(value)}" if isinstance(value, torch.Tensor) else kind_of(value)
