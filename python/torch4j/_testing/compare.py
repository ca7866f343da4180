"""What Python and Java gave, element by element."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from torch4j._to_java import _memory_format
from torch4j.export.values import dense, describe

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def bits(tensor: torch.Tensor) -> torch.Tensor:
    """Return the elements of a dense tensor as integers of the same bits, in logical order; complex ones as pairs."""
    plain = tensor.contiguous()
    if plain.dtype.is_complex:
        plain = torch.view_as_real(plain)
    return plain.view(_BITS[plain.element_size()])


def limits(tolerance: Any) -> tuple[float, float] | None:
    """Return the relative and absolute tolerance, or None for equality to the bit.

    Raises:
        TypeError: for anything but None, a number for both, or a pair of them.
    """
    if tolerance is None:
        return None
    pair = (tolerance, tolerance) if isinstance(tolerance, (int, float)) else tolerance
    if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(limit, (int, float)) for limit in pair)):
        raise TypeError(f"tolerance: got {tolerance!r}; expected None, a number, or a pair (relative, absolute)")
    return pair


def differences(
    python: Any, java: Any, allowed: tuple[float, float] | None, place: str = "outputs"
) -> Iterator[tuple[str, str]]:
    """Give where two values differ, and how, for each tensor and other value inside.

    Args:
        python: what Python gave.
        java: what Java gave.
        allowed: relative and absolute tolerance for floating point numbers; None for equality to the bit.
        place: what to call the value.
    """
    if isinstance(python, torch.Tensor) and isinstance(java, torch.Tensor):
        text = _of_tensors(dense(python), java, allowed)
    elif isinstance(python, (float, complex)) and type(python) is type(java):
        text = _of_tensors(_scalar(python), _scalar(java), allowed)
    elif isinstance(python, dict) and isinstance(java, dict) and _same_keys(python, java):
        for key, left, right in zip(python, python.values(), java.values(), strict=True):
            yield from differences(left, right, allowed, f"{place}[{key!r}]")
        return
    elif _sequences(python, java):
        for index, (left, right) in enumerate(zip(python, java, strict=True)):
            yield from differences(left, right, allowed, f"{place}[{index}]")
        return
    else:
        text = None if _same_simple(python, java) else _both(_short(python), _short(java))
    if text is not None:
        yield place, text


def _scalar(value: float | complex) -> torch.Tensor:
    return torch.tensor(value, dtype=torch.complex128 if isinstance(value, complex) else torch.float64)


def _same_keys(python: dict[Any, Any], java: dict[Any, Any]) -> bool:
    """Tell whether keys are the same in the same order; those may be tensors, which are equal to themselves only."""
    return len(python) == len(java) and not list(differences(list(python), list(java), None))


def _same_simple(python: Any, java: Any) -> bool:
    return not isinstance(python, (torch.Tensor, list, tuple, dict)) and type(python) is type(java) and python == java


def _sequences(python: Any, java: Any) -> bool:
    if not isinstance(python, (list, tuple)) or isinstance(python, list) != isinstance(java, list):
        return False
    names = getattr(python, "_fields", None) == getattr(java, "_fields", None)
    return isinstance(java, (list, tuple)) and names and len(python) == len(java)


def _short(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return describe(value)
    if isinstance(value, (list, tuple, dict)):
        keys = f" with keys {list(value)}" if isinstance(value, dict) else ""
        return f"{type(value).__name__} of {len(value)}{keys}"
    return repr(value)


def _both(python: object, java: object) -> str:
    return f"Python {python}, Java {java}"


def _of_tensors(python: torch.Tensor, java: torch.Tensor, allowed: tuple[float, float] | None) -> str | None:
    if (python.dtype, python.shape) != (java.dtype, java.shape):
        return _both(describe(python), describe(java))
    if _memory_format(python) != _memory_format(java):
        return _both(_memory_format(python), _memory_format(java))
    wrong = _wrong(python, java, allowed)
    if not bool(wrong.any()):
        return None
    index = tuple(int(number) for number in wrong.nonzero()[0])
    at = f" at {list(index)}" if index else ""
    values = _both(_exact(python[index]), _exact(java[index]))
    return f"{int(wrong.sum())} of {wrong.numel()} elements differ; the first{at}: {values}{_largest(python, java)}"


def _wrong(python: torch.Tensor, java: torch.Tensor, allowed: tuple[float, float] | None) -> torch.Tensor:
    """Return a bool tensor of the elements that differ."""
    if allowed is None or not (python.is_floating_point() or python.is_complex()):
        different = bits(python) != bits(java)
        return different.any(-1) if python.is_complex() else different
    left, right = _wide(python), _wide(java)
    return ~torch.isclose(right, left, rtol=allowed[0], atol=allowed[1], equal_nan=True)


def _wide(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(torch.complex128 if tensor.is_complex() else torch.float64)


def _largest(python: torch.Tensor, java: torch.Tensor) -> str:
    if python.dtype == torch.bool:
        return ""
    gap = (_wide(python) - _wide(java)).abs().nan_to_num(0.0)
    return f"; largest difference {gap.max().item():.6g}"


def _exact(element: torch.Tensor) -> str:
    """Return a value with the digits that its bits need; NaN with its bits, as it has many."""
    value = element.item()
    text = repr(value)
    if "nan" in text:
        raw = bits(element.reshape(1)).flatten().tolist()
        text += f" (bits {' '.join(hex(number & (1 << 8 * element.element_size()) - 1) for number in raw)})"
    return text
