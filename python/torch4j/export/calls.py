"""Example inputs: the calls that an export is checked with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from torch4j.export.result import ExportError


@dataclass(frozen=True)
class Call:
    """Arguments of one call."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


Calls = dict[str, list[Call]]


def calls_of(inputs: Any, kwargs: Any, methods: Any) -> Calls:
    """Return the calls by method.

    Args:
        inputs: a tensor, a tuple (one call) or a list of tuples (several calls), for ``forward``; or a dict
            from method name to one of these.
        kwargs: keyword arguments of ``forward``: a dict, or a list of one per call.
        methods: None, names, or a dict from name to inputs.

    Raises:
        ExportError: when inputs are none of these.
    """
    by_method: dict[str, Any] = {}
    if isinstance(inputs, Mapping):
        by_method.update(inputs)
    elif inputs is not None or kwargs is not None:
        by_method["forward"] = inputs
    if isinstance(methods, Mapping):
        by_method.update(methods)
    bare = [name for name in methods or () if name not in by_method]
    calls = {name: _of_method(given, kwargs if name == "forward" else None) for name, given in by_method.items()}
    if not any(calls.values()):
        raise ExportError("example_inputs: got none; expected at least one call, to check the export with")
    return {**calls, **{name: [] for name in bare}}


def _of_method(inputs: Any, kwargs: Any) -> list[Call]:
    positional = _positional(inputs)
    named = list(kwargs) if isinstance(kwargs, Sequence) else [kwargs or {}] * len(positional)
    if len(positional) == 1:
        positional = positional * len(named)
    if len(named) != len(positional):
        raise ExportError(f"example_kwargs: got {len(named)} for {len(positional)} calls; expected one for each call")
    return [Call(args, dict(names)) for args, names in zip(positional, named, strict=True)]


def _positional(inputs: Any) -> list[tuple[Any, ...]]:
    if inputs is None:
        return [()]
    if isinstance(inputs, torch.Tensor):
        return [(inputs,)]
    if isinstance(inputs, tuple):
        return [inputs]
    if isinstance(inputs, list) and inputs and all(isinstance(item, (tuple, torch.Tensor)) for item in inputs):
        return [item if isinstance(item, tuple) else (item,) for item in inputs]
    raise ExportError(
        f"example_inputs: got {type(inputs).__name__}; expected a tensor, a tuple of the arguments of one call, "
        "or a list of such tuples"
    )
