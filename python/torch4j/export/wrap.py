"""Puts code around a model: normalisation before it, a tuple instead of a dict behind it."""

from __future__ import annotations

from typing import Any

import torch

from torch4j.export.result import ExportError
from torch4j.export.values import items_of


class EagerWrap(torch.nn.Module):
    """What `script_wrap` makes, in eager mode: the reference that it is compared with."""

    def __init__(self, model: torch.nn.Module, before: torch.nn.Module | None, names: list[str] | None) -> None:
        super().__init__()
        self.model = model
        self.before = before
        self.names = names

    def forward(self, first: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the result of the model, as a tuple when names are given."""
        first = self.before(first) if self.before is not None else first
        result = self.model(first, *args, **kwargs)
        return tuple(items_of(result)[name] for name in self.names) if self.names else result


def script_wrap(
    model: torch.jit.ScriptModule, before: torch.nn.Module | None, names: list[str] | None
) -> torch.jit.ScriptModule:
    """Return a TorchScript module around another, with the same arguments.

    Raises:
        ExportError: when a type of the signature cannot be written down, such as a class of the model's own.
    """
    # A class of its own: torch compiles one type for equal modules of a class, and forward is defined once per type.
    wrapper = type(model.original_name, (torch.nn.Module,), {})()
    wrapper.model = model
    if before is not None:
        wrapper.before = torch.jit.script(before)
    scripted: torch.jit.ScriptModule = torch.jit.script(wrapper.eval())
    arguments = model._c._get_method("forward").schema.arguments[1:]
    try:
        scripted.define(_source(arguments, before is not None, names))
    except RuntimeError as error:
        raise ExportError(f"forward cannot be wrapped: {str(error).strip().splitlines()[0]}") from error
    return scripted


def _source(arguments: list[Any], before: bool, names: list[str] | None) -> str:
    parameters = ", ".join(["self", *map(_parameter, arguments)])
    values = [argument.name for argument in arguments]
    if before:
        if not values or str(arguments[0].type) != "Tensor":
            raise ExportError("preprocess: the first argument of forward is no tensor")
        values[0] = f"self.before.forward({values[0]})"
    result = ", ".join(f"result[{name!r}]" for name in names or [])
    return (
        f"def forward({parameters}):\n"
        f"    result = self.model.forward({', '.join(values)})\n"
        f"    return {f'({result},)' if names else 'result'}\n"
    )


def _parameter(argument: Any) -> str:
    default = f"={argument.default_value!r}" if argument.has_default_value() else ""
    return f"{argument.name}: {argument.type.annotation_str}{default}"
