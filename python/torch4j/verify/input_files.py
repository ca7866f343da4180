"""Reads inputs from .npz, .pt and .json."""

from __future__ import annotations

import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy
import torch

from torch4j.verify.errors import VerifyError
from torch4j.verify.model import Model

_UNNAMED = "arr_"  # numpy.savez names positional arrays arr_0, arr_1 and so on


def read_inputs(path: Path, model: Model, method: str) -> Any:
    """Return the inputs in a file, as a tuple, a list of tuples, or a dict of these by method.

    - ``.npz``: arrays by argument name, or positional ones (``numpy.savez(file, x, y)``).
    - ``.pt``: what ``torch.save`` wrote: a tensor, a tuple, a list of tuples, values by argument, calls by method.
    - ``.json``: values by argument, a list of positional ones, or ``{"calls": [...]}`` of either. A tensor is
      nested lists, where the signature asks for one, or ``{"dtype": "float64", "data": ...}``.

    Raises:
        VerifyError: when the file cannot be read as any of these.
    """
    readers = {".npz": _npz, ".pt": _pt, ".pth": _pt, ".json": _json}
    if path.suffix not in readers:
        raise VerifyError(f"inputs: got {path}; expected a file .npz, .pt or .json")
    if not path.is_file():
        raise VerifyError(f"inputs: got {path}; no such file")
    try:
        return readers[path.suffix](path, model, method)
    except VerifyError:
        raise
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
        RuntimeError,
        zipfile.BadZipFile,
        pickle.UnpicklingError,
    ) as error:
        raise VerifyError(f"inputs: {path} cannot be read: {str(error).splitlines()[0]}") from error


def _npz(path: Path, model: Model, method: str) -> Any:
    with numpy.load(path, allow_pickle=False) as arrays:
        values = {name: _from_numpy(arrays[name]) for name in arrays.files}
    if all(name.startswith(_UNNAMED) for name in values):
        return tuple(values[f"{_UNNAMED}{index}"] for index in range(len(values)))
    return _by_name(values, model, method)


def _from_numpy(array: Any) -> Any:
    return str(array) if array.dtype.kind == "U" else torch.from_numpy(numpy.ascontiguousarray(array))


def _pt(path: Path, model: Model, method: str) -> Any:
    value = torch.load(path, weights_only=True, map_location="cpu")
    if not isinstance(value, dict):
        return value
    return value if set(value) <= set(model.methods) else _by_name(value, model, method)


def _json(path: Path, model: Model, method: str) -> Any:
    value = json.loads(path.read_text())
    calls = value["calls"] if isinstance(value, dict) and set(value) == {"calls"} else [value]
    return [_json_call(call, model, method) for call in calls]


def _json_call(call: Any, model: Model, method: str) -> Any:
    arguments = model.schema(method).arguments[1:]
    types = {argument.name: argument.type.annotation_str for argument in arguments}
    if isinstance(call, dict):
        return _by_name({name: _value(item, types.get(name, "")) for name, item in call.items()}, model, method)
    if len(call) > len(arguments):
        raise VerifyError(f"inputs: got {len(call)} values; {method} takes {len(arguments)}")
    return tuple(_value(item, kind) for item, kind in zip(call, types.values(), strict=False))


def _value(item: Any, kind: str) -> Any:
    """Return a value of JSON as the type in the signature asks for it."""
    if isinstance(item, dict) and "data" in item and set(item) <= {"dtype", "data"}:
        return torch.tensor(item["data"], dtype=getattr(torch, item.get("dtype", "float32")))
    if "Tensor" in kind and isinstance(item, (list, int, float)) and not kind.startswith(("List", "Tuple", "Dict")):
        return torch.tensor(item)
    if kind == "List[Tensor]":
        return [torch.tensor(part) for part in item]
    if kind.startswith("Tuple") and isinstance(item, list):
        return tuple(item)
    return float(item) if kind == "float" else item


def _by_name(values: dict[str, Any], model: Model, method: str) -> tuple[Any, ...]:
    """Return the arguments in the order of the signature, defaults filled in."""
    found = []
    arguments = model.schema(method).arguments[1:]
    unknown = set(values) - {argument.name for argument in arguments}
    if unknown:
        raise VerifyError(
            f"inputs: got {', '.join(sorted(unknown))}; {method} takes {', '.join(a.name for a in arguments)}"
        )
    for argument in arguments:
        if argument.name not in values and not argument.has_default_value():
            raise VerifyError(f"inputs: got no {argument.name}; {method} needs it")
        found.append(values.get(argument.name, argument.default_value))
    return tuple(found)
