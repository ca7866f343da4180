"""Operators that a compiled model needs."""

from __future__ import annotations

import torch


def operators_of(module: torch.jit.ScriptModule) -> list[str]:
    """Return operators with overloads, such as ``aten::add.Tensor``, sorted."""
    return sorted(torch.jit.export_opnames(module))
