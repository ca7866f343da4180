"""Export by torch.jit.script."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

import torch

from torch4j.export.calls import Calls
from torch4j.export.candidate import Candidate
from torch4j.export.dicts import literal_keys
from torch4j.export.result import ExportError
from torch4j.export.wrap import EagerWrap, script_wrap

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class ScriptRefusedError(ExportError):
    """TorchScript cannot compile the model."""


def by_script(model: torch.nn.Module, calls: Calls, before: torch.nn.Module | None) -> Candidate:
    """Script a model, its forward and the methods that calls name.

    Args:
        model: in eval mode.
        calls: by method name.
        before: a module for the first argument of forward, or None.

    Raises:
        ScriptRefusedError: with the first line of what TorchScript says.
    """
    scripted = model if isinstance(model, torch.jit.ScriptModule) else _scripted(model, list(calls))
    if before is not None and list(calls) != ["forward"]:
        raise ExportError("preprocess: the model has more methods than forward, and they would be lost")
    found = Candidate("script", scripted, model, calls)
    names = _literal_names(scripted, calls)
    if before is not None or names:
        found.module = script_wrap(scripted, before, names)
        found.reference = EagerWrap(model, before, names)
    if names:
        found.names["forward"] = names
        found.findings.append(f"the dict that forward returns is a tuple now: ({', '.join(names)})")
    return found


def _literal_names(scripted: torch.jit.ScriptModule, calls: Calls) -> list[str] | None:
    """Return the keys of a dict result; a model with more methods keeps all its results as they are."""
    if list(calls) != ["forward"]:
        return None
    return literal_keys(scripted._c._get_method("forward").graph)


def _scripted(model: torch.nn.Module, methods: list[str]) -> torch.jit.ScriptModule:
    with _exported(type(model), methods), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return torch.jit.script(model)
        except Exception as error:  # TorchScript's compiler raises whatever it met
            raise ScriptRefusedError(_reason(error)) from error


def _reason(error: Exception) -> str:
    lines = [_ADDRESS.sub("", line.strip()) for line in str(error).splitlines() if line.strip()]
    words = [line for line in lines if not line.startswith('File "')]
    places = [line for line in lines if line.startswith('File "')]
    return f"{words[0].rstrip(':') if words else type(error).__name__}{f' ({places[0]})' if places else ''}"


@contextlib.contextmanager
def _exported(kind: type, methods: list[str]) -> Iterator[None]:
    """Mark methods as torch.jit.export does, for as long as the model is compiled."""
    marked: list[Any] = []
    for name in methods:
        function = getattr(kind, name, None)
        if name != "forward" and callable(function) and not hasattr(function, "_torchscript_modifier"):
            torch.jit.export(function)
            marked.append(function)
    try:
        yield
    finally:
        for function in marked:
            del function._torchscript_modifier
