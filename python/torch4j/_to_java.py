"""Python values to Java values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jpype
import numpy
import torch

from torch4j._dtypes import CROSSINGS
from torch4j._memory_format import memory_format


def _class(name: str) -> Any:
    return jpype.JClass(f"org.pytorch.{name}")


def java_string(text: str) -> Any:
    """Return a java.lang.String of the same text, NUL, emoji and lone surrogates included."""
    # Through UTF-16 code units: JNI's own conversion has no lone surrogates and cuts nothing only by luck.
    units = numpy.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype=numpy.uint16)
    return jpype.JString(jpype.JArray(jpype.JChar)(units))


def tensor_to_java(tensor: torch.Tensor) -> Any:
    """Return an org.pytorch.Tensor of the same dtype, shape and elements, in channels-last where it is so.

    Raises TypeError for a dtype that Java has none for, and for what is not dense and on the CPU.
    """
    crossing = CROSSINGS.get(tensor.dtype)
    if crossing is None:
        raise TypeError(f"dtype {tensor.dtype} has no org.pytorch.DType")
    _check_dense(tensor)
    source = tensor.detach()
    memory = memory_format(source)
    stored = _in_memory_order(source, memory).resolve_conj().resolve_neg().contiguous().reshape(-1)
    if source.dtype.is_complex:
        stored = torch.view_as_real(stored).reshape(-1)
    raw = numpy.ascontiguousarray(stored.view(crossing.view).numpy())
    array = jpype.JArray(crossing.java_primitive)(raw)
    shape = jpype.JArray(jpype.JLong)(list(source.shape))
    make = getattr(_class("Tensor"), crossing.factory)
    return make(array, shape, _class("MemoryFormat").valueOf(memory))


def _check_dense(tensor: torch.Tensor) -> None:
    if tensor.is_nested or tensor.layout != torch.strided:
        layout = "nested" if tensor.is_nested else str(tensor.layout)
        raise TypeError(f"a tensor of layout {layout} has no org.pytorch.Tensor; make it dense first, as by to_dense()")
    if tensor.device.type != "cpu":
        raise TypeError(f"a tensor on device {tensor.device} has no elements that Java can read; move it to the CPU")


def _in_memory_order(tensor: torch.Tensor, memory: str) -> torch.Tensor:
    if memory == "CHANNELS_LAST":
        return tensor.permute(0, 2, 3, 1)
    return tensor.permute(0, 2, 3, 4, 1) if memory == "CHANNELS_LAST_3D" else tensor


class Arguments:
    """Java values of one call; their tensors are closed at the end of the block."""

    def __init__(self) -> None:
        """Start without values."""
        self._tensors: list[Any] = []

    def __enter__(self) -> Arguments:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the Java tensors made."""
        for tensor in self._tensors:
            tensor.close()

    def add(self, value: Any) -> Any:
        """Return the IValue of a Python value.

        Raises TypeError for a value that TorchScript has no type for.
        """
        ivalue = _class("IValue")
        if value is None:
            return ivalue.optionalNull()
        if isinstance(value, torch.Tensor):
            return ivalue.from_(self._tensor(value))
        if isinstance(value, (list, tuple)):
            return self._sequence(value)
        if isinstance(value, Mapping):
            return self._mapping(value)
        return scalar_to_java(value)

    def _tensor(self, value: torch.Tensor) -> Any:
        tensor = tensor_to_java(value)
        self._tensors.append(tensor)
        return tensor

    def _sequence(self, value: Any) -> Any:
        ivalue = _class("IValue")
        array = jpype.JArray(ivalue)
        if isinstance(value, list):
            return self._list(value)
        fields = getattr(value, "_fields", None)
        values = array([self.add(element) for element in value])
        if fields is None:
            return ivalue.tupleFrom(values)
        return ivalue.namedTupleFrom([java_string(field) for field in fields], values)

    def _list(self, value: list[Any]) -> Any:
        """Use the typed list where all elements are of one such type, as a Java user would."""
        ivalue = _class("IValue")
        kinds = {type(element) for element in value}
        if kinds == {bool}:
            return ivalue.listFrom(jpype.JArray(jpype.JBoolean)(value))
        if kinds == {int}:
            return ivalue.listFrom(jpype.JArray(jpype.JLong)(value))
        if kinds == {float}:
            return ivalue.listFrom(jpype.JArray(jpype.JDouble)(value))
        if kinds == {torch.Tensor}:
            tensors = [self._tensor(element) for element in value]
            return ivalue.listFrom(jpype.JArray(_class("Tensor"))(tensors))
        return ivalue.listOf(jpype.java.util.ArrayList([self.add(element) for element in value]))

    def _mapping(self, value: Mapping[Any, Any]) -> Any:
        ivalue = _class("IValue")
        java_map = jpype.java.util.LinkedHashMap()
        kinds = {type(key) for key in value}
        for key, element in value.items():
            java_map.put(self._key(key, kinds), self.add(element))
        if kinds == {str}:
            return ivalue.dictStringKeyFrom(java_map)
        return ivalue.dictLongKeyFrom(java_map) if kinds == {int} else ivalue.dictFrom(java_map)

    def _key(self, key: Any, kinds: set[type]) -> Any:
        if kinds == {str}:
            return java_string(key)
        return jpype.java.lang.Long(key) if kinds == {int} else self.add(key)


def _checked(value: int) -> int:
    """Refuse what a long cannot hold: jpype.JLong would keep its low 64 bits and say nothing."""
    if not -(1 << 63) <= value < 1 << 63:
        raise OverflowError(f"int {value} does not fit the 64 bits of TorchScript's int")
    return value


def scalar_to_java(value: Any) -> Any:
    """Return the IValue of a bool, int, float, complex, str or torch.device."""
    ivalue = _class("IValue")
    make = ivalue.from_
    if isinstance(value, bool):  # before int, which bool is too
        return make(jpype.JBoolean(value))
    if isinstance(value, int):
        return make(jpype.JLong(_checked(value)))
    if isinstance(value, float):
        return make(jpype.JDouble(value))
    if isinstance(value, complex):
        return ivalue.complexFrom(value.real, value.imag)
    if isinstance(value, str):
        return make(java_string(value))
    if isinstance(value, torch.device):
        return ivalue.deviceFrom(str(value))
    raise TypeError(f"a {type(value).__name__} has no TorchScript value: {value!r:.200}")


def to_java(value: Any) -> Any:
    """Return the IValue of a Python value; its tensors are the caller's to close, or the GC's."""
    return Arguments().add(value)
