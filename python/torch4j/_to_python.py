"""Java values to Python values."""

from __future__ import annotations

from collections import namedtuple
from functools import lru_cache
from typing import Any

import jpype
import numpy
import torch

from torch4j._dtypes import BY_NAME, Crossing


def python_string(text: Any) -> str:
    """Return the text of a java.lang.String, NUL, emoji and lone surrogates included."""
    units = numpy.array(text.toCharArray(), dtype=numpy.uint16)
    return units.tobytes().decode("utf-16-le", "surrogatepass")


def tensor_to_python(tensor: Any) -> torch.Tensor:
    """Return the torch tensor of an org.pytorch.Tensor, and close that one."""
    try:
        return _copy(tensor)
    finally:
        tensor.close()


def _copy(tensor: Any) -> torch.Tensor:
    crossing = BY_NAME[str(tensor.dtype().name())]
    shape = [int(size) for size in tensor.shape()]
    memory = str(tensor.memoryFormat().name())
    elements = numpy.array(getattr(tensor, crossing.getter)(), dtype=crossing.raw, copy=True)
    flat = _typed(torch.from_numpy(elements), crossing)
    official = crossing.getter.startswith("getDataAs")
    if memory == "CONTIGUOUS" or not official:
        logical = flat.reshape(shape)
        return logical if memory == "CONTIGUOUS" else logical.contiguous(memory_format=_FORMATS[memory])
    # The official getters give channels-last in memory order.
    return flat.reshape([shape[0], *shape[2:], shape[1]]).movedim(-1, 1)


_FORMATS = {"CHANNELS_LAST": torch.channels_last, "CHANNELS_LAST_3D": torch.channels_last_3d}


def _typed(raw: torch.Tensor, crossing: Crossing) -> torch.Tensor:
    return torch.view_as_complex(raw.reshape(-1, 2)) if crossing.dtype.is_complex else raw.view(crossing.dtype)


def _named(value: Any, values: tuple[Any, ...]) -> Any:
    return named_type(tuple(python_string(name) for name in value.fieldNames()))(*values)


@lru_cache(maxsize=256)  # making a class takes longer than all the rest of a conversion
def named_type(names: tuple[str, ...]) -> Any:
    """Return a namedtuple class of these fields."""
    # The class name is lost in the value, and namedtuple equality does not ask for it.
    return namedtuple("NamedTuple", names)


def to_python(value: Any) -> Any:
    """Return the Python value of an IValue, as TorchScript itself would return it; closes its tensors."""
    kind = str(value.kind().name())
    if kind in _SIMPLE:
        return _SIMPLE[kind](value)
    if kind in ("TUPLE", "NAMED_TUPLE"):
        values = tuple(to_python(element) for element in value.toTuple())
        return values if kind == "TUPLE" else _named(value, values)
    return {_key(entry.getKey()): to_python(entry.getValue()) for entry in _entries(value, kind)}


def _entries(value: Any, kind: str) -> Any:
    if kind == "DICT_STRING_KEY":
        return value.toDictStringKey().entrySet()
    return (value.toDictLongKey() if kind == "DICT_LONG_KEY" else value.toDict()).entrySet()


def _key(key: Any) -> Any:
    if isinstance(key, jpype.java.lang.String):
        return python_string(key)
    return int(key) if isinstance(key, jpype.java.lang.Long) else to_python(key)


def _array(array: Any, dtype: Any) -> list[Any]:
    values: list[Any] = numpy.array(array, dtype=dtype).tolist()
    return values


_SIMPLE = {
    "NONE": lambda value: None,
    "TENSOR": lambda value: tensor_to_python(value.toTensor()),
    "BOOL": lambda value: bool(value.toBool()),
    "LONG": lambda value: int(value.toLong()),
    "DOUBLE": lambda value: float(value.toDouble()),
    "STRING": lambda value: python_string(value.toStr()),
    "COMPLEX": lambda value: complex(*value.toComplex()),
    "DEVICE": lambda value: torch.device(str(value.toDevice())),
    "BOOL_LIST": lambda value: _array(value.toBoolList(), numpy.bool_),
    "LONG_LIST": lambda value: _array(value.toLongList(), numpy.int64),
    "DOUBLE_LIST": lambda value: _array(value.toDoubleList(), numpy.float64),
    "TENSOR_LIST": lambda value: [tensor_to_python(tensor) for tensor in value.toTensorList()],
    "LIST": lambda value: [to_python(element) for element in value.toList()],
}
