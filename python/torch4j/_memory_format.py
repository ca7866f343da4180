"""The memory format that Java has a name for."""

from __future__ import annotations

import torch


def memory_format(tensor: torch.Tensor) -> str:
    """Return the name in org.pytorch.MemoryFormat; any other order of the elements is CONTIGUOUS in Java."""
    if tensor.is_contiguous():
        return "CONTIGUOUS"
    if tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last):
        return "CHANNELS_LAST"
    if tensor.dim() == 5 and tensor.is_contiguous(memory_format=torch.channels_last_3d):
        return "CHANNELS_LAST_3D"
    return "CONTIGUOUS"
