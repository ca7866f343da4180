"""Inputs generated from the signature in the file: other shapes within their ranges, other values, edge values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from torch4j.export.examples import stored
from torch4j.export.values import map_tensors
from torch4j.verify.errors import VerifyError
from torch4j.verify.jobs import Case
from torch4j.verify.model import Model

_MORE = 3  # sizes beyond the smallest, where a dimension has no upper end
_LARGE = {torch.float16: 3e4, torch.bfloat16: 1e10, torch.float32: 1e10, torch.float64: 1e100}
_PLAIN: dict[str, Any] = {"int": 1, "float": 0.5, "bool": True, "str": "text", "complex": 1 + 1j}


@dataclass(frozen=True)
class _Argument:
    """An argument of a method: type, dtype and ranges as the file tells them, and one example of it or none."""

    name: str
    kind: str
    dtype: torch.dtype | None
    dims: list[list[int | None]] | None
    default: Any
    has_default: bool
    examples: tuple[Any, ...] = ()


Make = Callable[[torch.dtype, tuple[int, ...], torch.Generator], torch.Tensor]


def generated(model: Model, method: str | None, seeds: Sequence[int]) -> tuple[Case, ...]:
    """Return cases for the methods that the signature in the file describes.

    For each seed random values in the smallest and in larger shapes, then edge values: zeros, ones, large, tiny, NaN.

    Raises:
        VerifyError: when the file tells no shapes.
    """
    wanted = [method] if method else _described(model)
    return tuple(case for name in wanted for case in _of_method(model, name, seeds))


def _described(model: Model) -> list[str]:
    counts = model.told.get("examples", {})
    return list(counts) or (["forward"] if "forward" in model.methods else model.methods)


def _of_method(model: Model, method: str, seeds: Sequence[int]) -> list[Case]:
    arguments = _arguments(model, method)
    cases = []
    for seed in seeds:
        for size, larger in (("smallest shapes", False), ("larger shapes", True)):
            generator = torch.Generator().manual_seed(seed)
            cases.append(_case(method, f"seed {seed}, {size}", arguments, larger, _random, generator))
    if any(argument.dims is not None for argument in arguments):
        generator = torch.Generator().manual_seed(seeds[0] if seeds else 0)
        cases += [_case(method, name, arguments, True, make, generator) for name, make in _EDGES.items()]
    return cases


def _case(
    method: str, label: str, arguments: list[_Argument], larger: bool, make: Make, generator: torch.Generator
) -> Case:
    values = tuple(_value(argument, larger, make, generator, method) for argument in arguments)
    return Case(method, label, values, generated=True)


def _arguments(model: Model, method: str) -> list[_Argument]:
    told = {row["name"]: row for row in model.told.get("methods", {}).get(method, {}).get("arguments", [])}
    arguments = model.schema(method).arguments[1:]
    examples = _example(model, method) or [()] * len(arguments)
    return [_argument(a, told.get(a.name, {}), example) for a, example in zip(arguments, examples, strict=True)]


def _example(model: Model, method: str) -> list[tuple[Any, ...]]:
    try:
        calls = stored(model.path).get(method, [])
    except ValueError:  # told where the examples themselves are asked for
        return []
    return [(value,) for value in calls[0][0]] if calls else []


def _argument(argument: Any, told: dict[str, Any], examples: tuple[Any, ...]) -> _Argument:
    dtype = getattr(torch, told["dtype"]) if told.get("dtype") else None
    known = argument.has_default_value()
    return _Argument(
        argument.name,
        argument.type.annotation_str,
        dtype,
        told.get("dims"),
        argument.default_value if known else None,
        known,
        examples,
    )


def _value(argument: _Argument, larger: bool, make: Make, generator: torch.Generator, method: str) -> Any:
    if argument.dims is not None and argument.dtype is not None:
        return make(argument.dtype, _shape(argument.dims, larger), generator)
    if argument.examples:  # lists of tensors and the like: other values in the shapes of the example
        return map_tensors(argument.examples[0], lambda tensor: make(tensor.dtype, tuple(tensor.shape), generator))
    if argument.has_default:
        return argument.default
    if argument.kind in _PLAIN:
        return _PLAIN[argument.kind]
    if argument.kind.startswith("Optional["):
        return None
    if argument.kind.startswith("List[") and argument.kind[5:-1] in _PLAIN:
        return [_PLAIN[argument.kind[5:-1]]] * (2 if larger else 1)
    raise VerifyError(
        f"inputs: got none, and none can be generated for {method}: the file does not tell the shapes of "
        f"{argument.name} ({argument.kind}). Give them, as by --inputs file.npz, or export with torch4j.export"
    )


def _shape(dims: list[list[int | None]], larger: bool) -> tuple[int, ...]:
    sizes = []
    for low, high in dims:
        least = max(1, low or 0)
        most = least + _MORE if high is None else high
        sizes.append(min(most, least + _MORE) if larger else least)
    return tuple(sizes)


def _random(dtype: torch.dtype, shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    if dtype.is_floating_point or dtype.is_complex:
        wide = torch.complex64 if dtype.is_complex else torch.float32
        return torch.randn(shape, generator=generator, dtype=wide).to(dtype)
    # Small numbers: ids, lengths and masks are rarely refused there.
    return torch.randint(2, shape, generator=generator).to(dtype)


def _filled(value: Callable[[torch.dtype], Any]) -> Make:
    def make(dtype: torch.dtype, shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
        known = value(dtype)
        return (
            _random(dtype, shape, generator)
            if known is None
            else torch.full(shape, known, dtype=torch.float64).to(dtype)
        )

    return make


def _with_nan(dtype: torch.dtype, shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    found = _random(dtype, shape, generator)
    if (dtype.is_floating_point or dtype.is_complex) and found.numel():
        found.reshape(-1)[0] = float("nan")
    return found


def _real(dtype: torch.dtype) -> torch.dtype:
    return {torch.complex64: torch.float32, torch.complex128: torch.float64}.get(dtype, dtype)


def _tiny(dtype: torch.dtype) -> float | None:
    # Below the smallest normal number: where one side flushes such numbers to zero, it shows.
    return torch.finfo(dtype).tiny / 4 if dtype.is_floating_point or dtype.is_complex else None


_EDGES: dict[str, Make] = {
    "zeros": _filled(lambda _: 0.0),
    "ones": _filled(lambda _: 1.0),
    "large": _filled(lambda dtype: _LARGE.get(_real(dtype))),
    "tiny": _filled(_tiny),
    "NaN": _with_nan,
}
