"""Tensors in one line each, so that "other input" and "other result" are told apart."""

from __future__ import annotations

import hashlib
from typing import Any

import torch

from torch4j._testing.compare import bits
from torch4j.export.values import dense, leaves

_DIGITS = 12  # of the hash: enough to see whether two are the same


def fingerprint(tensor: torch.Tensor) -> str:
    """Return dtype, shape, strides, smallest and largest value, number of NaN, and a hash of the logical bytes."""
    plain = dense(tensor)
    dtype = str(tensor.dtype).removeprefix("torch.")
    digest = hashlib.sha256(bits(plain).contiguous().numpy().tobytes()).hexdigest()[:_DIGITS]
    strides = list(tensor.stride()) if tensor.layout == torch.strided else str(tensor.layout)
    return f"{dtype}{list(tensor.shape)} strides {strides} {_range(plain)}sha256 {digest}"


def _range(plain: torch.Tensor) -> str:
    if plain.numel() == 0 or plain.is_complex():
        return ""
    wide = plain.to(torch.float64) if plain.is_floating_point() else plain
    missing = int(wide.isnan().sum()) if plain.is_floating_point() else 0
    told = f"NaN {missing} " if plain.is_floating_point() else ""
    known = wide[~wide.isnan()] if plain.is_floating_point() else wide
    if known.numel() == 0:
        return told
    if plain.dtype in (torch.bool, torch.uint16, torch.uint32, torch.uint64):  # torch has no minimum of these
        numbers = known.flatten().tolist()
        return f"min {min(numbers)} max {max(numbers)} {told}"
    return f"min {known.min().item():.6g} max {known.max().item():.6g} {told}"


def lines(python: Any, java: Any, place: str) -> list[str]:
    """Return the tensors of both sides by place; one line where they are the same.

    Args:
        python: a nested value.
        java: a nested value.
        place: what to call it.
    """
    left, right = ({where: fingerprint(tensor) for where, tensor in leaves(value, place)} for value in (python, java))
    told = []
    for where in dict.fromkeys([*left, *right]):
        if left.get(where) == right.get(where):
            told.append(f"  {where}: both {left[where]}")
        else:
            told.append(f"  {where}: Python {left.get(where, 'none')}")
            told.append(f"  {' ' * len(where)}  Java   {right.get(where, 'none')}")
    return told
