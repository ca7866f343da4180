"""Scripted modules made from the names of types."""

from __future__ import annotations

import itertools
import linecache
import typing

import torch

_COUNT = itertools.count()


# A NamedTuple of the tests. TorchScript wants its field types as types and not, as in this file, as texts.
POINT = "class Point(NamedTuple):\n    x: Tensor\n    y: int\n\n\n"


def compiled(source: str) -> torch.jit.ScriptModule:
    """Return the scripted module of the class Made that a source text defines."""
    source = POINT + source
    filename = f"<scripted {next(_COUNT)}>"
    # torch.jit.script reads the source through inspect, and that through linecache.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {**vars(typing), "torch": torch, "Tensor": torch.Tensor, "__name__": "made"}
    exec(compile(source, filename, "exec", dont_inherit=True), names)
    return torch.jit.script(names["Made"]())


def identity(kind: str) -> torch.jit.ScriptModule:
    """Return a module whose forward gives its argument of a type back."""
    return compiled(f"class Made(torch.nn.Module):\n    def forward(self, x: {kind}) -> {kind}:\n        return x\n")


def constant(kind: str, expression: str) -> torch.jit.ScriptModule:
    """Return a module whose forward makes a value from a TorchScript expression in t: Tensor."""
    return compiled(
        "class Made(torch.nn.Module):\n"
        f"    def forward(self, t: Tensor) -> {kind}:\n"
        f"        x: {kind} = {expression}\n"
        "        return x\n"
    )


def receiver(kind: str, expression: str) -> torch.jit.ScriptModule:
    """Return a module that takes (x: kind, t: Tensor) and tells whether an expression in both holds."""
    return compiled(
        "class Made(torch.nn.Module):\n"
        f"    def forward(self, x: {kind}, t: Tensor) -> bool:\n"
        f"        return {expression}\n"
    )
