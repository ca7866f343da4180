"""Comparison to the bit of what Java and Python answer."""

from __future__ import annotations

from typing import Any

import torch

_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def bits(tensor: torch.Tensor) -> torch.Tensor:
    """Return the elements of a tensor as integers of the same bits, in logical order."""
    dense = tensor.detach().resolve_conj().resolve_neg().contiguous()
    if dense.dtype.is_complex:
        dense = torch.view_as_real(dense)
    return dense.view(_BITS[dense.element_size()])


def assert_same(java: Any, python: Any, place: str = "outputs") -> None:
    """Assert that two values are of the same type, structure, dtype, shape and bits."""
    if isinstance(python, torch.Tensor):
        assert isinstance(java, torch.Tensor), place
        assert (java.dtype, java.shape) == (python.dtype, python.shape), place
        assert torch.equal(bits(java), bits(python)), f"{place}: {java} and {python}"
    elif isinstance(python, dict):
        assert_same(list(java), list(python), f"{place} keys")
        for key, (left, right) in zip(python, zip(java.values(), python.values())):
            assert_same(left, right, f"{place}[{key!r}]")
    elif isinstance(python, (list, tuple)):
        assert isinstance(java, list) == isinstance(python, list), place
        assert getattr(java, "_fields", None) == getattr(python, "_fields", None), place
        assert len(java) == len(python), place
        for index, (left, right) in enumerate(zip(java, python)):
            assert_same(left, right, f"{place}[{index}]")
    elif isinstance(python, float):
        assert type(java) is float, place
        assert_same(
            torch.tensor(java, dtype=torch.float64),
            torch.tensor(python, dtype=torch.float64),
            place,
        )
    elif isinstance(python, complex):
        assert type(java) is complex, place
        assert_same([java.real, java.imag], [python.real, python.imag], place)
    else:
        assert type(java) is type(python), place
        assert java == python, place
