"""Elements of tensors as numpy arrays: their bits, their numbers, and how far two of them are apart."""

from __future__ import annotations

from typing import Any

import numpy
import torch

from torch4j.export.values import dense
from torch4j.verify.tolerances import Tolerance

Array = numpy.ndarray[Any, Any]

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_UNSIGNED = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.uint32, 8: numpy.uint64}


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """Return a dense, contiguous tensor of the same logical elements, on the CPU."""
    return dense(tensor).cpu().contiguous()


def bits(tensor: torch.Tensor) -> Array:
    """Return the elements as unsigned integers of the same bits, flat; complex ones as two of them, last dimension."""
    real = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    flat = real.reshape(-1)
    found: Array = flat.view(_BITS[flat.element_size()]).numpy().view(_UNSIGNED[flat.element_size()])
    return found.reshape(-1, 2) if tensor.is_complex() else found


def numbers(tensor: torch.Tensor) -> Array:
    """Return the elements as numpy's numbers, flat; complex ones stay complex, small floats become float32."""
    flat = tensor.reshape(-1)
    if flat.is_floating_point() and flat.dtype not in (torch.float32, torch.float64):
        flat = flat.float()
    found: Array = flat.numpy()
    return found


def same_bits(expected: torch.Tensor, found: torch.Tensor) -> Array:
    """Return for each element whether both have the same bits."""
    same: Array = bits(expected) == bits(found)
    whole: Array = numpy.all(same, axis=-1) if same.ndim == 2 else same
    return whole


def gaps(expected: torch.Tensor, found: torch.Tensor) -> Array:
    """Return abs(found - expected) as float64: 0 for two NaN or two equal infinities, infinite for NaN and a number."""
    left, right = numbers(expected), numbers(found)
    if left.dtype.kind in "iu":
        high, low = (pick(left, right).astype(numpy.uint64) for pick in (numpy.maximum, numpy.minimum))
        apart: Array = (high - low).astype(numpy.float64)
        return apart
    wide = numpy.complex128 if left.dtype.kind == "c" else numpy.float64
    left, right = left.astype(wide), right.astype(wide)
    with numpy.errstate(all="ignore"):
        gap: Array = numpy.abs(right - left)
    gap[numpy.isnan(gap)] = numpy.inf
    gap[(left == right) | (numpy.isnan(left) & numpy.isnan(right))] = 0.0
    return gap


def sizes(expected: torch.Tensor) -> Array:
    """Return abs(expected) as float64."""
    found = numbers(expected)
    wide = numpy.complex128 if found.dtype.kind == "c" else numpy.float64
    with numpy.errstate(all="ignore"):
        size: Array = numpy.abs(found.astype(wide))
    return size


def relative(gap: Array, size: Array) -> Array:
    """Return gap / size; 0 without a gap, infinite for a gap to zero."""
    with numpy.errstate(all="ignore"):
        found: Array = gap / size
    found[gap == 0] = 0.0
    found[numpy.isnan(found)] = numpy.inf
    return found


def within(gap: Array, size: Array, tolerance: Tolerance) -> Array:
    """Return for each element whether the gap is one that the tolerance allows."""
    with numpy.errstate(all="ignore"):
        allowed = tolerance.absolute + tolerance.relative * size
    fits: Array = (gap == 0) | (numpy.isfinite(gap) & (gap <= numpy.nan_to_num(allowed, nan=0.0)))
    return fits


def ulps(expected: torch.Tensor, found: torch.Tensor) -> int | None:
    """Return the largest number of representable steps between two elements, NaN left out; None for whole numbers."""
    if not (expected.is_floating_point() or expected.is_complex()):
        return None
    left, right = _steps(expected), _steps(found)
    known = ~(_nans(expected) | _nans(found))
    if not known.any():
        return 0
    apart = numpy.maximum(left, right) - numpy.minimum(left, right)
    return int(apart[known].max())


def _steps(tensor: torch.Tensor) -> Array:
    """Return unsigned integers in the order of the numbers, one apart for neighbours, the same for both zeros."""
    raw = bits(tensor).reshape(-1).astype(numpy.uint64)
    width = 8 * (tensor.element_size() // (2 if tensor.is_complex() else 1))
    sign = numpy.uint64(1 << (width - 1))
    magnitude = raw & (sign - numpy.uint64(1))
    found: Array = numpy.where(raw & sign, sign - magnitude, sign + magnitude)
    return found


def _nans(tensor: torch.Tensor) -> Array:
    real = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    found: Array = numpy.isnan(numbers(real))
    return found
