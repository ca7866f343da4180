"""Fingerprints of values: enough to tell on which side of a call two runs parted."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy
import torch

from torch4j._memory_format import memory_format
from torch4j.export.values import is_mapping, items_of
from torch4j.verify.elements import bits, numbers, plain

_LONGEST = 60


@dataclass(frozen=True)
class Fingerprint:
    """What a tensor, or another value without parts, looks like.

    Attributes:
        place: such as ``x`` or ``outputs[0]['boxes']``.
        kind: dtype of a tensor as torch names it ("float32"), or type of another value ("int", "list[str]").
        shape: sizes; None for what is no tensor.
        strides: in elements, as the tensor came; None for what has none.
        memory_format: CONTIGUOUS, CHANNELS_LAST or CHANNELS_LAST_3D, as Java names it; None for what is no tensor.
        minimum: of the elements that are not NaN; of real and imaginary parts for complex ones; None without any.
        maximum: likewise.
        nans: how many elements are NaN.
        sha256: hexadecimal, of the elements in logical order, little-endian; of the text for other values.
        text: the value, where it is no tensor, cut.
    """

    place: str
    kind: str
    shape: tuple[int, ...] | None = None
    strides: tuple[int, ...] | None = None
    memory_format: str | None = None
    minimum: float | int | None = None
    maximum: float | int | None = None
    nans: int = 0
    sha256: str = ""
    text: str | None = None

    def same(self, other: Fingerprint) -> bool:
        """Tell whether both stand for equal values, to the bit; strides and place do not count."""
        return (self.kind, self.shape, self.memory_format, self.sha256) == (
            other.kind,
            other.shape,
            other.memory_format,
            other.sha256,
        )

    def __str__(self) -> str:
        """Return it in one line, without the place."""
        if self.shape is None:
            return f"{self.kind} {self.text} sha256 {self.sha256[:12]}"
        order = "" if self.memory_format == "CONTIGUOUS" else f" {self.memory_format}"
        return (
            f"{self.kind}{list(self.shape)}{order} min {_short(self.minimum)} max {_short(self.maximum)} "
            f"NaN {self.nans} sha256 {self.sha256[:12]}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return asdict(self)


def fingerprints(value: Any, place: str) -> list[Fingerprint]:
    """Return the fingerprint of each tensor and other value without parts in a nested value, in order."""
    if isinstance(value, torch.Tensor):
        return [of_tensor(value, place)]
    if is_mapping(value):
        return [found for key, item in items_of(value).items() for found in fingerprints(item, f"{place}[{key!r}]")]
    if isinstance(value, (list, tuple)) and not is_flat(value):
        return [found for index, item in enumerate(value) for found in fingerprints(item, f"{place}[{index}]")]
    text = repr(value)
    cut = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    return [Fingerprint(place, kind_of(value), sha256=hashlib.sha256(_encoded(text)).hexdigest(), text=cut)]


def is_flat(value: Any) -> bool:
    """Tell whether a value is a list of numbers or texts of one type, or an empty list: one row of a table."""
    if type(value) is not list:
        return False
    kinds = {type(item) for item in value}
    return not kinds or kinds in ({bool}, {int}, {float}, {complex}, {str})


def kind_of(value: Any) -> str:
    """Return the dtype of a tensor, or the type of another value."""
    if isinstance(value, torch.Tensor):
        return str(value.dtype).removeprefix("torch.")
    if is_flat(value):
        return f"list[{type(value[0]).__name__}]" if value else "list"
    return "None" if value is None else type(value).__name__


def of_tensor(tensor: torch.Tensor, place: str) -> Fingerprint:
    """Return the fingerprint of a tensor; sparse and quantized ones as the dense tensor that Java sees."""
    elements = plain(tensor)
    minimum, maximum, nans = _range(elements)
    strided = tensor.layout == torch.strided
    return Fingerprint(
        place,
        kind_of(elements),
        tuple(elements.shape),
        tuple(tensor.stride()) if strided else None,
        memory_format(tensor) if strided else "CONTIGUOUS",
        minimum,
        maximum,
        nans,
        hashlib.sha256(bits(elements).tobytes()).hexdigest(),
    )


def _range(elements: torch.Tensor) -> tuple[Any, Any, int]:
    found = numbers(torch.view_as_real(elements) if elements.is_complex() else elements)
    nan = numpy.isnan(found) if found.dtype.kind == "f" else numpy.zeros(found.shape, bool)
    count = int(numpy.isnan(numbers(elements)).sum()) if found.dtype.kind == "f" else 0
    known = found[~nan]
    return (known.min().item(), known.max().item(), count) if known.size else (None, None, count)


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
