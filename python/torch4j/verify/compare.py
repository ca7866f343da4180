"""Compares two values to the bit, or within tolerances, and tells where and by how much they differ."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy
import torch

from torch4j._memory_format import memory_format
from torch4j.export.values import describe
from torch4j.verify import elements
from torch4j.verify.fingerprint import is_flat, kind_of
from torch4j.verify.pairs import Pair, pairs
from torch4j.verify.tolerances import EXACT, Tolerances, tolerances

_NUMBERS = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
_LONGEST = 80


@dataclass(frozen=True)
class Difference:
    """One element that differs.

    Attributes:
        index: in the tensor, or in the list; empty for a value of its own.
        expected: the value expected, as text; with its bits where the numbers print alike.
        found: the value found.
    """

    index: tuple[int, ...]
    expected: str
    found: str

    def __str__(self) -> str:
        """Return it in a few words."""
        at = f"at {list(self.index)}: " if self.index else ""
        return f"{at}{self.found} instead of {self.expected}"


@dataclass(frozen=True)
class Output:
    """How two tensors, or two other values without parts, compare.

    Attributes:
        place: such as ``outputs[0]['boxes']``.
        kind: dtype or type, of what was expected.
        shape: of the tensor expected; None for other values.
        elements: how many were compared; 0 where type or shape differ.
        identical: how many of them have the same bits.
        within: how many of them differ by no more than the tolerance allows.
        max_absolute: largest difference; infinite between NaN and a number; None where nothing is a number.
        max_relative: largest difference, divided by what was expected; infinite beside an expected zero.
        max_ulp: largest number of representable steps between two numbers; None where no fractions are compared.
        first: the first element outside the tolerance, else the first that is not identical.
        trouble: what differs beside elements: type, structure, dtype, shape or memory format.
    """

    place: str
    kind: str
    shape: tuple[int, ...] | None = None
    elements: int = 0
    identical: int = 0
    within: int = 0
    max_absolute: float | None = None
    max_relative: float | None = None
    max_ulp: int | None = None
    first: Difference | None = None
    trouble: str | None = None

    @property
    def same(self) -> bool:
        """Whether both are equal to the bit, dtype, shape and memory format included."""
        return self.trouble is None and self.identical == self.elements

    @property
    def agrees(self) -> bool:
        """Whether all differences are within the tolerance."""
        return self.trouble is None and self.within == self.elements

    def __str__(self) -> str:
        """Return in one line how they compare."""
        if self.same:
            return f"{self.place}: identical"
        count = f"{self.elements - self.identical} of {self.elements} elements differ" if self.elements else ""
        return f"{self.place}: " + "; ".join(part for part in (self.trouble, count, str(self.first or "")) if part)


@dataclass(frozen=True)
class Comparison:
    """How two values compare: one row for each tensor and each other value without parts, in order."""

    outputs: tuple[Output, ...]
    tolerance: Tolerances = field(default=EXACT)

    @property
    def identical(self) -> bool:
        """Whether everything is equal to the bit."""
        return all(output.same for output in self.outputs)

    @property
    def agrees(self) -> bool:
        """Whether everything is within the tolerance."""
        return all(output.agrees for output in self.outputs)

    @property
    def first(self) -> Output | None:
        """The first row outside the tolerance, else the first that is not identical, else None."""
        outside = (output for output in self.outputs if not output.agrees)
        return next(outside, next((output for output in self.outputs if not output.same), None))

    def __str__(self) -> str:
        """Return in one line how they compare."""
        return "identical" if self.first is None else str(self.first)

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {"identical": self.identical, "agrees": self.agrees, "outputs": [asdict(row) for row in self.outputs]}


def compare(
    expected: Any, found: Any, tolerance: Tolerances | str | float | None = None, place: str = "outputs"
) -> Comparison:
    """Compare two nested values of Python and torch.

    Types, keys and their order, lengths, names of fields, dtypes, shapes and memory formats have to be the same.
    Sparse and quantized tensors compare as the dense ones that Java sees. NaN compare by their bits, and -0.0 is not
    0.0, unless the dtype has a tolerance: then NaN equals NaN, and infinity the same infinity.

    Args:
        expected: what should come, such as Python's result.
        found: what came, such as Java's.
        tolerance: None or "exact", "default", a number, text, or `Tolerances`.
        place: what to call the value.

    Raises:
        ValueError: for a tolerance that is none of these.
    """
    allowed = tolerances(tolerance)
    return Comparison(tuple(_output(pair, allowed) for pair in pairs(expected, found, place)), allowed)


def _output(pair: Pair, allowed: Tolerances) -> Output:
    if pair.trouble:
        shape = tuple(pair.expected.shape) if isinstance(pair.expected, torch.Tensor) else None
        return Output(pair.place, kind_of(pair.expected), shape, trouble=pair.trouble)
    if isinstance(pair.expected, torch.Tensor):
        return _tensors(pair, allowed)
    left, right = _as_tensor(pair.expected), _as_tensor(pair.found)
    if left is not None and right is not None:
        return _elements(pair, left, right, allowed, kind_of(pair.expected), None, None)
    return _texts(pair)


def _as_tensor(value: Any) -> torch.Tensor | None:
    """Return a number, or a list of numbers of one type, as a tensor; None for anything else."""
    kind = type(value[0]) if is_flat(value) and value else type(value)
    if kind not in _NUMBERS:
        return None
    try:
        return torch.tensor(value, dtype=_NUMBERS[kind])
    except (OverflowError, RuntimeError, ValueError):  # an int of Python that 64 bits do not hold
        return None


def _tensors(pair: Pair, allowed: Tolerances) -> Output:
    left, right = elements.plain(pair.expected), elements.plain(pair.found)
    kind, shape = kind_of(left), tuple(left.shape)
    if (left.dtype, left.shape) != (right.dtype, right.shape):
        return Output(pair.place, kind, shape, trouble=f"{describe(right)} instead of {describe(left)}")
    formats = _format(pair.expected), _format(pair.found)
    trouble = None if formats[0] == formats[1] else f"memory format {formats[1]} instead of {formats[0]}"
    return _elements(pair, left, right, allowed, kind, shape, trouble)


def _format(tensor: torch.Tensor) -> str:
    return memory_format(tensor) if tensor.layout == torch.strided else "CONTIGUOUS"


def _elements(
    pair: Pair,
    left: torch.Tensor,
    right: torch.Tensor,
    allowed: Tolerances,
    kind: str,
    shape: tuple[int, ...] | None,
    trouble: str | None,
) -> Output:
    same = elements.same_bits(left, right)
    if same.all():  # the common case takes one pass
        zero = None if left.dtype == torch.bool else 0.0
        steps = 0 if left.is_floating_point() or left.is_complex() else None
        count = left.numel()
        return Output(pair.place, kind, shape, count, count, count, zero, zero, steps, None, trouble)
    gap, size = elements.gaps(left, right), elements.sizes(left)
    tolerance = allowed.of(left.dtype)
    fits = same | elements.within(gap, size, tolerance) if tolerance else same
    first = int(numpy.argmin(same if fits.all() else fits))
    return Output(
        pair.place,
        kind,
        shape,
        left.numel(),
        int(same.sum()),
        int(fits.sum()),
        float(gap.max()),
        float(elements.relative(gap, size).max()),
        elements.ulps(left, right),
        _difference(left, right, first),
        trouble,
    )


def _difference(left: torch.Tensor, right: torch.Tensor, flat: int) -> Difference:
    index = tuple(int(part) for part in numpy.unravel_index(flat, tuple(left.shape))) if left.ndim else ()
    one, other = left.reshape(-1)[flat : flat + 1], right.reshape(-1)[flat : flat + 1]
    texts = _text(one), _text(other)
    if texts[0] == texts[1]:
        texts = f"{texts[0]} ({_hex(one)})", f"{texts[1]} ({_hex(other)})"
    return Difference(index, *texts)


def _text(element: torch.Tensor) -> str:
    """Return the shortest digits that stand for the element in its own dtype."""
    short = element.dtype == torch.bfloat16 or element.itemsize == 1
    return str(elements.numbers(element)[0]) if not short else str(element.item())


def _hex(element: torch.Tensor) -> str:
    raw = elements.bits(element).reshape(-1)
    return " ".join(f"0x{int(part):0{2 * part.itemsize}x}" for part in raw)


def _texts(pair: Pair) -> Output:
    """Compare values that are no numbers; those of a class without an equality to go by, by their type alone."""
    kind = kind_of(pair.expected)
    left, right = (value if is_flat(value) else [value] for value in (pair.expected, pair.found))
    known = (str, int, type(None), torch.device, torch.dtype)
    same = [not isinstance(one, known) or one == other for one, other in zip(left, right, strict=True)]
    if all(same):
        return Output(pair.place, kind, None, len(left), len(left), len(left))
    at = same.index(False)
    index = (at,) if is_flat(pair.expected) else ()
    first = Difference(index, _cut(left[at]), _cut(right[at]))
    return Output(pair.place, kind, None, len(left), sum(same), sum(same), first=first)


def _cut(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
