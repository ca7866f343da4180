"""Saves a model of 400 nested modules; argument: path."""

from __future__ import annotations

import sys
import threading

import torch

DEPTH = 400


class Leaf(torch.nn.Module):
    """The innermost module."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x + 1."""
        return x + 1


class Wrap(torch.nn.Module):
    """One level."""

    def __init__(self, inner: torch.nn.Module) -> None:
        """Wrap a module."""
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Call the inner module."""
        return self.inner(x)


def main() -> None:
    """Nest, script, save."""
    module = torch.jit.script(Leaf())
    for _ in range(DEPTH):
        module = torch.jit.script(Wrap(module))
    module.save(sys.argv[1])


sys.setrecursionlimit(100_000)
threading.stack_size(512 << 20)
thread = threading.Thread(target=main)
thread.start()
thread.join()
