"""Inputs: the file's own examples, a file of inputs, values given, or generated ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torch4j.export import ExportError
from torch4j.export.calls import calls_of
from torch4j.export.examples import stored
from torch4j.verify.errors import VerifyError
from torch4j.verify.generate import generated
from torch4j.verify.input_files import read_inputs
from torch4j.verify.jobs import Case
from torch4j.verify.model import Model

GENERATED = "generated"


@dataclasses.dataclass(frozen=True)
class Inputs:
    """Cases, and where they came from.

    Attributes:
        cases: the calls to make.
        source: for people.
        results: what Python answered when the file was written, by number of the case.
        seeds: of generated inputs.
    """

    cases: tuple[Case, ...]
    source: str
    results: dict[int, Any] = dataclasses.field(default_factory=dict)
    seeds: tuple[int, ...] = ()


def inputs_for(
    model: Model, given: Any = None, kwargs: Any = None, method: str | None = None, seeds: Sequence[int] = (0,)
) -> Inputs:
    """Return the inputs to verify with.

    Args:
        model: the file.
        given: None for the file's examples, or generated ones where it has none; "generated"; a file (.npz, .pt,
            .json); or values as `torch4j.export` takes them: a tensor, a tuple, a list of tuples, a dict by method.
        kwargs: keyword arguments, for values.
        method: only this one; for values and files of inputs the one that they are for, forward by default.
        seeds: of generated inputs.

    Raises:
        VerifyError: when there are no inputs, or they cannot be read.
    """
    if method is not None:
        model.schema(method)
    if isinstance(given, (str, Path)) and str(given) != GENERATED:
        path = Path(given)
        return Inputs(_cases(model, read_inputs(path, model, method or _default(model)), None, method), path.name)
    if given is not None and not isinstance(given, str):
        return Inputs(_cases(model, given, kwargs, method), "given")
    if kwargs:
        return Inputs(_cases(model, None, kwargs, method), "given")
    found = _examples(model, method) if given is None else None
    return found or Inputs(generated(model, method, seeds), "generated from the signature", seeds=tuple(seeds))


def _default(model: Model) -> str:
    methods = model.methods
    return methods[0] if "forward" not in methods and len(methods) == 1 else "forward"


def _cases(model: Model, given: Any, kwargs: Any, method: str | None) -> tuple[Case, ...]:
    by_method = given if isinstance(given, Mapping) else {method or _default(model): given}
    cases: list[Case] = []
    for name, inputs in by_method.items():
        model.schema(name)
        try:
            calls = calls_of({"forward": inputs} if inputs is not None else None, kwargs, None)["forward"]
        except ExportError as error:
            raise VerifyError(
                str(error).replace("example_inputs", "inputs").replace("example_kwargs", "kwargs")
            ) from None
        cases += [Case(name, f"input {index}", call.args, call.kwargs) for index, call in enumerate(calls)]
    return tuple(cases)


def _examples(model: Model, method: str | None) -> Inputs | None:
    try:
        by_method = stored(model.path)
    except ValueError as error:
        raise VerifyError(str(error)) from None
    cases: list[Case] = []
    results: dict[int, Any] = {}
    for name, pairs in by_method.items():
        for index, (args, result) in enumerate(pairs):
            if method in (None, name):
                results[len(cases)] = result
                cases.append(_example(model, name, index, args))
    return Inputs(tuple(cases), "examples of the file", results) if cases else None


def _example(model: Model, method: str, index: int, args: tuple[Any, ...]) -> Case:
    arguments = model.schema(method).arguments[1:]
    named = {a.name: value for a, value in zip(arguments, args, strict=True) if a.kwarg_only}
    return Case(method, f"example {index}", args[: len(args) - len(named)], named)
