"""Values that models take and return, nested at will: walking, copying, comparing."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

# Allowed for results that are not equal to the bit, relative and absolute, by dtype: the defaults of torch.testing.
# Scripted code may fuse what eager code rounds in between, and the rest of the dtypes have to be exact.
TOLERANCES = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: (1.3e-6, 1e-5),
    torch.complex64: (1.3e-6, 1e-5),
    torch.float64: (1e-7, 1e-7),
    torch.complex128: (1e-7, 1e-7),
}
# Folding batch norms into weights, as freezing does, rounds the weights anew.
FROZEN_FACTOR = 100.0


def is_mapping(value: Any) -> bool:
    """Tell whether a value has named items: a dict, or a dataclass such as Hugging Face's ModelOutput."""
    return isinstance(value, Mapping) or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def items_of(value: Any) -> dict[str, Any]:
    """Return the named items of a mapping or dataclass, in order."""
    if isinstance(value, Mapping):
        return dict(value)
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def map_tensors(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """Return a value with each tensor replaced, in the order that `leaves` has."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_tensors(item, change) for item in value))
    if type(value) in (list, tuple):
        return type(value)(map_tensors(item, change) for item in value)
    if type(value) is dict:
        return {key: map_tensors(item, change) for key, item in value.items()}
    return value


def copied(value: Any) -> Any:
    """Return a value whose tensors are copies with the same strides."""
    return map_tensors(value, lambda tensor: tensor.detach().clone())


def leaves(value: Any, place: str) -> Iterator[tuple[str, torch.Tensor]]:
    """Give each tensor of a value with its place, such as ``x[0]['mask']``."""
    if isinstance(value, torch.Tensor):
        yield place, value
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from leaves(item, f"{place}[{index}]")
    elif is_mapping(value):
        for key, item in items_of(value).items():
            yield from leaves(item, f"{place}[{key!r}]")


def describe(value: Any) -> str:
    """Return a value in a few words: dtype and shape of a tensor, type of anything else."""
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    return type(value).__name__


def difference(actual: Any, expected: Any, place: str = "outputs", factor: float | None = 1.0) -> str | None:
    """Return where and how two values differ, or None.

    Args:
        actual: what the compiled model gave.
        expected: what the eager model gave.
        place: what to call the value.
        factor: of the tolerances; None asks for equality to the bit.
    """
    if isinstance(expected, torch.Tensor) and isinstance(actual, torch.Tensor):
        return _tensor_difference(actual, expected, place, factor)
    if is_mapping(expected) and is_mapping(actual):
        wanted, found = items_of(expected), items_of(actual)
        if list(wanted) != list(found):
            return f"{place}: keys {list(found)} instead of {list(wanted)}"
        return _first(((found[key], wanted[key], f"{place}[{key!r}]") for key in wanted), factor)
    if isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            return f"{place}: {len(actual)} values instead of {len(expected)}"
        pairs = zip(actual, expected, strict=True)
        return _first(((left, right, f"{place}[{i}]") for i, (left, right) in enumerate(pairs)), factor)
    return _scalar_difference(actual, expected, place)


def _first(pairs: Iterator[tuple[Any, Any, str]], factor: float | None) -> str | None:
    found = (difference(left, right, place, factor) for left, right, place in pairs)
    return next((text for text in found if text), None)


def _scalar_difference(actual: Any, expected: Any, place: str) -> str | None:
    if type(actual) is not type(expected):
        return f"{place}: {describe(actual)} instead of {describe(expected)}"
    if isinstance(expected, (float, complex)):
        same = torch.allclose(torch.tensor(actual), torch.tensor(expected), equal_nan=True)
        return None if same else f"{place}: {actual} instead of {expected}"
    # A custom class has no equality to go by.
    comparable = isinstance(expected, (bool, int, str, type(None), torch.device, torch.dtype))
    return f"{place}: {actual!r} instead of {expected!r}" if comparable and actual != expected else None


def _tensor_difference(actual: torch.Tensor, expected: torch.Tensor, place: str, factor: float | None) -> str | None:
    if (actual.dtype, actual.shape) != (expected.dtype, expected.shape):
        return f"{place}: {describe(actual)} instead of {describe(expected)}"
    left, right = dense(actual), dense(expected)
    if left.dtype not in TOLERANCES:
        return None if torch.equal(_comparable(left), _comparable(right)) else f"{place}: other values"
    rtol, atol = TOLERANCES[left.dtype]
    factor = factor or 0.0
    if torch.allclose(left, right, rtol=rtol * factor, atol=atol * factor, equal_nan=True):
        return None
    gap = (left.to(torch.complex128) - right.to(torch.complex128)).abs().nan_to_num(math.inf, math.inf)
    return f"{place}: differs by up to {gap.max().item():.3g}"


def _comparable(tensor: torch.Tensor) -> torch.Tensor:
    """Return floating point numbers of 8 bits as bytes: torch does not compare those."""
    eight = tensor.is_floating_point() and tensor.itemsize == 1
    return tensor.contiguous().view(torch.uint8) if eight else tensor


def dense(tensor: torch.Tensor) -> torch.Tensor:
    """Return a plain strided tensor of the same values."""
    tensor = tensor.detach()
    if tensor.is_quantized:
        tensor = tensor.dequantize()
    if tensor.layout != torch.strided:
        tensor = tensor.to_dense()
    return tensor.resolve_conj().resolve_neg()
