"""Names that TorchScript saves and cannot load again."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Iterator

import torch

_BREAKS_TEXT = '"\\\n\r'  # names that are no identifiers are written as texts, without escapes


def suspicious_names(model: torch.nn.Module, methods: list[str]) -> list[str]:
    """Return the names in a model that TorchScript's code cannot hold, each with what it names."""
    found = [f"{what} {name!r}" for what, name in _names(model, methods) if _is_suspicious(name.split(".")[-1])]
    return list(dict.fromkeys(found))


def _is_suspicious(name: str) -> bool:
    return not name.isascii() or keyword.iskeyword(name) or any(mark in name for mark in _BREAKS_TEXT)


def _names(model: torch.nn.Module, methods: list[str]) -> Iterator[tuple[str, str]]:
    for name, _ in model.named_parameters():
        yield "parameter", name
    for name, _ in model.named_buffers():
        yield "buffer", name
    for name, part in model.named_modules():
        yield "submodule", name
        yield "class", type(part).__name__
        for attribute in vars(part):
            yield "attribute", attribute
    yield from _signature_names(model, methods)


def _signature_names(model: torch.nn.Module, methods: list[str]) -> Iterator[tuple[str, str]]:
    for method in methods:
        yield "method", method
        for name in inspect.signature(getattr(model, method)).parameters:
            yield "argument", name


def load_failure(error: Exception, names: list[str]) -> str:
    """Return why a file that was just saved does not load: one line, with the names that may be the cause."""
    if names:
        listed = ", ".join(names)
        return (
            f"{listed}: TorchScript saves such a name and cannot load it again; rename it to plain ASCII letters, "
            "digits and _ that are no keyword"
        )
    lines = [line.strip() for line in _text(error).splitlines() if line.strip()]
    return f"TorchScript saves this model and cannot load it again: {lines[0] if lines else type(error).__name__}"


def _text(error: Exception) -> str:
    """Return the message; one about a broken name may hold broken UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        return error.object.decode(errors="replace")
    return str(error)
