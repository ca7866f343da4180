"""Export by torch.jit.trace."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import torch
from torch.jit._trace import TracerWarning

from torch4j.export.calls import Call, Calls
from torch4j.export.candidate import Candidate
from torch4j.export.dicts import as_tuple, holds_tensors, left_out, names_of
from torch4j.export.result import ExportError
from torch4j.export.running import Outcome, fresh, run, seed
from torch4j.export.values import copied, describe, is_mapping


class _Plan:
    """Which arguments of a call are inputs of the trace, and which stay as they are in all calls."""

    def __init__(self, model: torch.nn.Module, method: str, call: Call) -> None:
        positional = self._positional_names(model, method, len(call.args))
        given = [*zip(positional, call.args, strict=True), *call.kwargs.items()]
        self.count = len(call.args)
        self.keywords = list(call.kwargs)
        self.names = [name for name, value in given if holds_tensors(value)]
        self.fixed = {name: value for name, value in given if not holds_tensors(value)}
        self.order = [name for name, _ in given]

    @staticmethod
    def _positional_names(model: torch.nn.Module, method: str, count: int) -> list[str]:
        kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(getattr(model, method)).parameters.values()
        names = [parameter.name for parameter in parameters if parameter.kind in kinds]
        return (names + [f"arg{index}" for index in range(len(names), count)])[:count]

    @property
    def plain(self) -> bool:
        """Whether the trace can take the model's own arguments."""
        return not self.fixed and not self.keywords

    def inputs(self, call: Call) -> Call:
        """Return a call of the trace from a call of the model."""
        values = dict(zip(self.order, [*call.args, *call.kwargs.values()], strict=False))
        values.update(call.kwargs)
        changed = [name for name, value in self.fixed.items() if not _same(values.get(name), value)]
        if changed or set(values) != set(self.order):
            named = ", ".join(changed or sorted(set(values) ^ set(self.order)))
            raise ExportError(f"argument {named}: differs between the example calls, and a trace has it fixed")
        return Call(tuple(values[name] for name in self.names))

    def call(self, inputs: tuple[Any, ...]) -> Call:
        """Return a call of the model from the inputs of the trace."""
        values = {**self.fixed, **dict(zip(self.names, inputs, strict=True))}
        positional = self.order[: self.count]
        return Call(tuple(values[name] for name in positional), {name: values[name] for name in self.keywords})


def _same(left: Any, right: Any) -> bool:
    return type(left) is type(right) and bool(left == right)


class _Traceable(torch.nn.Module):
    """A model with tensors as its only arguments, by position, and tensors or tuples as its result."""

    def __init__(
        self, model: torch.nn.Module, plan: _Plan, before: torch.nn.Module | None, names: list[str] | None
    ) -> None:
        super().__init__()
        self.model = model
        self.before = before
        self.plan = plan
        self.names = names

    def forward(self, *inputs: Any) -> Any:
        """Return the model's result, dicts as tuples."""
        if self.before is not None:
            inputs = (self.before(inputs[0]), *inputs[1:])
        call = self.plan.call(inputs)
        return as_tuple(self.model(*call.args, **call.kwargs), self.names)


def _traceable(
    model: torch.nn.Module, plan: _Plan, before: torch.nn.Module | None, names: list[str] | None
) -> torch.nn.Module:
    """Return the wrapper of a model, whose forward shows the names of the arguments: the trace takes them over."""

    def forward(self: _Traceable, *inputs: Any) -> Any:
        return _Traceable.forward(self, *inputs)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    shown = [inspect.Parameter(name, kind) for name in ("self", *plan.names)]
    forward.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    wrapper = type(type(model).__name__, (_Traceable,), {"forward": forward, "__module__": type(model).__module__})
    made: torch.nn.Module = wrapper(model, plan, before, names).eval()
    return made


def by_trace(model: torch.nn.Module, calls: Calls, before: torch.nn.Module | None) -> Candidate:
    """Trace a model on the first call of each method.

    Args:
        model: in eval mode.
        calls: by method name.
        before: a module for the first argument of forward, or None.

    Raises:
        ExportError: when the model cannot be traced.
    """
    found = Candidate("trace", None, model, calls)  # type: ignore[arg-type]  # the module follows
    bare = [name for name, given in calls.items() if not given]
    if bare:
        raise ExportError(f"methods: {bare[0]!r} has no example inputs, and a trace needs them; give a dict")
    firsts = {name: given[0] for name, given in calls.items()}
    for name, first in firsts.items():
        _eager(model, name, first, before)
    if list(calls) == ["forward"]:
        _shape_forward(found, firsts["forward"], before)
    elif any(call.kwargs for call in firsts.values()) or before is not None:
        raise ExportError("methods: keyword arguments and preprocess work with forward alone; use method='script'")
    found.module, warned = _traced(found.reference, {name: given[0].args for name, given in found.calls.items()})
    found.findings.extend(warned)
    return found


def _eager(model: torch.nn.Module, method: str, call: Call, before: torch.nn.Module | None) -> Outcome:
    if before is not None and call.args:
        call = Call((before(call.args[0]), *call.args[1:]), call.kwargs)
    outcome = run(model, [call], method)[0]
    if outcome.failed:
        raise ExportError(f"example_inputs: the model itself fails on them: {outcome.reason}") from outcome.error
    return outcome


def _shape_forward(found: Candidate, first: Call, before: torch.nn.Module | None) -> None:
    """Wrap the model where its arguments or its result are not what a trace can have."""
    model = found.reference
    plan = _Plan(model, "forward", first)
    if not plan.names:
        raise ExportError("example_inputs: have no tensor, and a trace has tensors as its only arguments")
    if before is not None and (not first.args or plan.order[0] not in plan.names):
        raise ExportError("preprocess: the first argument of forward is no positional tensor")
    result = _eager(model, "forward", first, before).value
    names = names_of(result) if is_mapping(result) else None
    if names is None and not holds_tensors(result):
        raise ExportError(f"a trace returns tensors, and forward returns {describe(result)}; use method='script'")
    if not plan.plain or before is not None or _has_mapping(result):
        found.reference = _traceable(model, plan, before, names)
        found.calls = {"forward": [plan.inputs(call) for call in found.calls["forward"]]}
    _tell(found, plan, names, result)


def _has_mapping(value: Any) -> bool:
    if is_mapping(value):
        return True
    return isinstance(value, (list, tuple)) and any(map(_has_mapping, value))


def _tell(found: Candidate, plan: _Plan, names: list[str] | None, result: Any) -> None:
    for name, value in plan.fixed.items():
        found.findings.append(f"argument {name!r}: fixed at {value!r}, as a trace has tensors as its only arguments")
    if names is not None:
        found.names["forward"] = names
        kind = type(result).__name__
        found.findings.append(f"the {kind} that forward returns is a tuple now: ({', '.join(names)})")
        if left_out(result):
            found.findings.append(f"left out of the result, as a trace returns tensors: {', '.join(left_out(result))}")


def _traced(model: torch.nn.Module, inputs: dict[str, tuple[Any, ...]]) -> tuple[torch.jit.ScriptModule, list[str]]:
    """Trace a fresh copy and put its buffers back to what they were: tracing runs the model."""
    ready = fresh(model)
    seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            traced = torch.jit.trace_module(ready, copied(inputs), check_trace=False)
        except Exception as error:  # tracing runs the model, which may raise anything
            raise ExportError(f"the trace failed: {Outcome(error=error).reason}") from error
    before = dict(model.named_buffers())
    for name, buffer in traced.named_buffers():
        if name in before:
            buffer.copy_(before[name])
    return traced, _warned(caught)


def _warned(caught: list[warnings.WarningMessage]) -> list[str]:
    places = [
        f"{warning.filename}:{warning.lineno}" for warning in caught if issubclass(warning.category, TracerWarning)
    ]
    if not places:
        return []
    more = f" and {len(set(places)) - 1} more places" if len(set(places)) > 1 else ""
    return [f"the tracer warns that values became constants at {places[0]}{more}"]
