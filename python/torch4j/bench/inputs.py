"""The arguments of the call that is timed, and the file from which all sides read them."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import torch

from torch4j.bench.result import BenchError
from torch4j.inspect.members import Members

EXAMPLES = "extra/torch4j.examples.pt"
SIGNATURE = "extra/torch4j.json"


@dataclass(frozen=True)
class Inputs:
    """All arguments of one call in the schema's order, and where they came from."""

    args: tuple[Any, ...]
    source: str

    def describe(self, names: list[str]) -> str:
        """Return names, dtypes and shapes in one line."""
        told = (f"{name}: {_describe(value)}" for name, value in zip(names, self.args, strict=True))
        return f"({', '.join(told)}), {self.source}"


def _describe(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    if isinstance(value, (bool, int, float, str, type(None))):
        return repr(value)[:40]
    return type(value).__name__


def inputs_of(path: Path, schema: Any, given: Any) -> Inputs:
    """Return the arguments: given ones, else the file's own example, else made from the file's signature.

    Args:
        path: the model.
        schema: of the method.
        given: None; a .pt or .npz file; a tensor; a tuple of arguments; a dict from name to argument.

    Raises:
        BenchError: when there are none, or they do not fit.
    """
    if isinstance(given, (str, Path)):
        return Inputs(_fitted(schema, _read(Path(given))), Path(given).name)
    if given is not None:
        return Inputs(_fitted(schema, given), "the caller")
    example = _example(path, schema.name)
    if example is not None:
        return Inputs(_fitted(schema, example), "the file's first example")
    return Inputs(_generated(path, schema), "its signature: ones")


def _example(path: Path, method: str) -> tuple[Any, ...] | None:
    with Members(path) as members:
        content = members.read(EXAMPLES) if EXAMPLES in members else None
    if content is None:
        return None
    found = getattr(torch.jit.load(io.BytesIO(content)), f"{method}_0_args", None)
    return None if found is None else tuple(found)


def _read(path: Path) -> Any:
    try:
        if path.suffix == ".npz":
            with numpy.load(path, allow_pickle=False) as arrays:
                named = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
            by_number = [f"arr_{index}" for index in range(len(named))]  # numpy.savez without names
            return tuple(named[name] for name in by_number) if list(named) == by_number else named
        return torch.load(path, weights_only=True)
    except (OSError, ValueError, TypeError, RuntimeError, pickle.UnpicklingError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else str(error).partition("\n")[0]
        raise BenchError(
            f"inputs: {path}: {reason}; expected .npz, or a .pt of torch.save with a tensor, a tuple or a dict"
        ) from None


def _fitted(schema: Any, given: Any) -> tuple[Any, ...]:
    """Return all arguments by position, defaults filled in."""
    arguments = schema.arguments[1:]
    names = [argument.name for argument in arguments]
    positional = () if isinstance(given, Mapping) else tuple(given) if isinstance(given, (tuple, list)) else (given,)
    named = dict(given) if isinstance(given, Mapping) else {}
    unknown = [name for name in named if name not in names]
    if unknown or len(positional) > len(names):
        got = f"the name {unknown[0]!r}" if unknown else f"{len(positional)} arguments"
        raise BenchError(f"inputs: got {got}; {schema.name} takes {', '.join(names) or 'none'}")
    values = list(positional)
    for argument in arguments[len(values) :]:
        if argument.name not in named and not argument.has_default_value():
            raise BenchError(f"inputs: got none for {argument.name!r}; {schema.name} takes {', '.join(names)}")
        values.append(named.get(argument.name, argument.default_value))
    return tuple(values)


def _generated(path: Path, schema: Any) -> tuple[Any, ...]:
    with Members(path) as members:
        told = json.loads(members.read(SIGNATURE)) if SIGNATURE in members else {}
    facts = {fact["name"]: fact for fact in told.get("methods", {}).get(schema.name, {}).get("arguments", [])}
    return tuple(_ones(path, argument, facts.get(argument.name, {})) for argument in schema.arguments[1:])


def _ones(path: Path, argument: Any, fact: dict[str, Any]) -> Any:
    if argument.has_default_value():
        return argument.default_value
    sizes = fact.get("dims")
    if fact.get("dtype") is None or sizes is None:
        raise BenchError(
            f"inputs: {path.name} has no example and no size for {argument.name!r}: "
            "give --inputs x.pt or x.npz, or export it with torch4j export"
        )
    return torch.ones([low or 1 for low, _ in sizes], dtype=getattr(torch, fact["dtype"]))


def write(inputs: Inputs, schema: Any, path: Path) -> None:
    """Write a TorchScript archive with the attribute ``args``: what all sides can read, typed by the schema.

    Raises:
        BenchError: when an argument is of another type.
    """
    make: Any = torch._C.ScriptModule  # torch describes less of it than there is
    module = make("__torch__.Inputs", torch._C.CompilationUnit(), True)
    types = [argument.type for argument in schema.arguments[1:]]
    try:
        module._register_attribute("args", torch._C.TupleType(types), inputs.args)
        module.save(str(path))
    except (RuntimeError, TypeError) as error:
        raise BenchError(f"inputs: {str(error).partition(chr(10))[0]}") from None
