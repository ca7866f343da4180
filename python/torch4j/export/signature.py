"""torch4j.json: what the file says about itself."""

from __future__ import annotations

import json
from typing import Any

import torch

import torch4j
from torch4j.export.calls import Call
from torch4j.export.candidate import Candidate
from torch4j.export.options import Dims, Options
from torch4j.export.probe import Bounds, Sizes
from torch4j.export.result import ExportError
from torch4j.export.variants import Place, tensors_of

FORMAT = 1
JSON = "torch4j.json"


def arguments_of(schema: Any, call: Call) -> tuple[Any, ...]:
    """Return all arguments of a call, defaults filled in, in the schema's order."""
    arguments = schema.arguments[1:]
    values = list(call.args)
    for argument in arguments[len(values) :]:
        values.append(call.kwargs.get(argument.name, argument.default_value))
    return tuple(values)


def places_of(candidate: Candidate, method: str, dims: Dims) -> dict[Place, tuple[int, int | None]]:
    """Return the ranges that the user gave, by place in the first call.

    Raises:
        ExportError: naming the argument, when they do not fit it.
    """
    call = candidate.calls[method][0]
    numbers = {name: (n, t) for n, (name, t) in enumerate(tensors_of(call, candidate.argument_names(method)))}
    ranges: dict[Place, tuple[int, int | None]] = {}
    for name, sizes in dims.items():
        if name not in numbers:
            raise ExportError(f"dims: got {name!r}; {method} has the tensors {', '.join(numbers)}")
        number, tensor = numbers[name]
        if len(sizes) != tensor.ndim:
            raise ExportError(f"dims: got {len(sizes)} for {name!r}; its example has {tensor.ndim} dimensions")
        for dim, size in enumerate(sizes):
            low, high = size if isinstance(size, tuple) else (size, size)
            ranges[number, dim] = (low, high)
    return ranges


def document(
    candidate: Candidate, options: Options, operators: list[str], sizes: dict[str, dict[Place, Sizes]], examples: int
) -> bytes:
    """Return the content of torch4j.json."""
    names = candidate.module._c._method_names()
    content = {
        "format": FORMAT,
        "torch4j": torch4j.__version__,
        "torch": torch.__version__.split("+")[0],
        "method": candidate.method,
        "options": options.as_dict(),
        "operators": operators,
        "methods": {name: _method(candidate, name, options, sizes.get(name, {})) for name in names},
        "examples": {name: len(given) if examples else 0 for name, given in candidate.calls.items()},
    }
    return json.dumps(content, indent=1, ensure_ascii=False).encode()


def _method(candidate: Candidate, method: str, options: Options, sizes: dict[Place, Sizes]) -> dict[str, Any]:
    schema = candidate.schema(method)
    calls = candidate.calls.get(method, [])
    bounds = _bounds(candidate, method, options, sizes) if calls else {}
    columns = [arguments_of(schema, call) for call in calls]
    told = {
        "arguments": [
            _argument(argument, [values[index] for values in columns], bounds.get(argument.name))
            for index, argument in enumerate(schema.arguments[1:])
        ],
        "returns": [value.type.annotation_str for value in schema.returns],
    }
    if method in candidate.names:
        told["names"] = candidate.names[method]
    return told


def _argument(argument: Any, values: list[Any], bounds: list[Bounds] | None) -> dict[str, Any]:
    dtypes = {str(value.dtype).removeprefix("torch.") for value in values if isinstance(value, torch.Tensor)}
    return {
        "name": argument.name,
        "type": argument.type.annotation_str,
        "dtype": dtypes.pop() if len(dtypes) == 1 else None,
        "dims": bounds,
        "default": repr(argument.default_value) if argument.has_default_value() else None,
    }


def _bounds(
    candidate: Candidate, method: str, options: Options, sizes: dict[Place, Sizes]
) -> dict[str, list[Bounds] | None]:
    """Return for each tensor the range of each dimension: given, else seen, else the example's size."""
    given = places_of(candidate, method, options.dims) if method == "forward" and options.dims else {}
    names = candidate.argument_names(method)
    found: dict[str, list[Bounds] | None] = {}
    for number, (name, tensor) in enumerate(tensors_of(candidate.calls[method][0], names)):
        found[name] = []
        for dim, size in enumerate(tensor.shape):
            seen = sizes.get((number, dim), Sizes()).bounds(size)
            found[name].append(list(given.get((number, dim), seen)))  # type: ignore[union-attr]
    for call in candidate.calls[method][1:]:
        for name, tensor in tensors_of(call, names):
            found[name] = _wider(found.get(name), list(tensor.shape))
    return found


def _wider(bounds: list[Bounds] | None, shape: list[int]) -> list[Bounds] | None:
    """Return ranges with the sizes of another example in them; None when the number of dimensions varies."""
    if bounds is None or len(bounds) != len(shape):
        return None
    wider: list[Bounds] = []
    for (low, high), size in zip(bounds, shape, strict=True):
        wider.append([min(low or 0, size), None if high is None else max(high, size)])
    return wider
