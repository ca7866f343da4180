"""How each dtype crosses: Java's name, the numpy type of its raw elements, and Java's primitive type."""

from __future__ import annotations

from dataclasses import dataclass

import jpype
import numpy
import torch


@dataclass(frozen=True)
class Crossing:
    """How one dtype goes through the Java API.

    Attributes:
        dtype: torch's dtype.
        name: name in org.pytorch.DType.
        factory: static factory of Tensor that takes an array of raw elements.
        getter: getter of Tensor that gives the same.
        raw: numpy type of the raw elements, as Java holds them.
        view: torch dtype of the same bits that numpy knows.
        primitive: name of Java's primitive type.
    """

    dtype: torch.dtype
    name: str
    factory: str
    getter: str
    raw: type[numpy.generic]
    view: torch.dtype
    primitive: str

    @property
    def java_primitive(self) -> type:
        """jpype's class of the primitive type."""
        found: type = getattr(jpype, f"J{self.primitive.capitalize()}")
        return found


_I8, _I16, _I32, _I64 = torch.int8, torch.int16, torch.int32, torch.int64
_ROWS = (
    (torch.uint8, "fromBlobUnsigned", "getDataAsUnsignedByteArray", numpy.int8, _I8, "byte"),
    (torch.int8, "fromBlob", "getDataAsByteArray", numpy.int8, _I8, "byte"),
    (torch.int32, "fromBlob", "getDataAsIntArray", numpy.int32, _I32, "int"),
    (torch.float32, "fromBlob", "getDataAsFloatArray", numpy.float32, torch.float32, "float"),
    (torch.int64, "fromBlob", "getDataAsLongArray", numpy.int64, _I64, "long"),
    (torch.float64, "fromBlob", "getDataAsDoubleArray", numpy.float64, torch.float64, "double"),
    (torch.bool, "fromBlob", "toBooleanArray", numpy.bool_, torch.bool, "boolean"),
    (torch.int16, "fromBlob", "toShortArray", numpy.int16, _I16, "short"),
    (torch.uint16, "fromBlobUnsigned", "toShortArray", numpy.int16, _I16, "short"),
    (torch.uint32, "fromBlobUnsigned", "toIntArray", numpy.int32, _I32, "int"),
    (torch.uint64, "fromBlobUnsigned", "toLongArray", numpy.int64, _I64, "long"),
    (torch.float16, "fromHalf", "toShortArray", numpy.int16, _I16, "short"),
    (torch.bfloat16, "fromBfloat16", "toShortArray", numpy.int16, _I16, "short"),
    (torch.complex64, "fromComplex", "toFloatArray", numpy.float32, torch.float32, "float"),
    (torch.complex128, "fromComplex", "toDoubleArray", numpy.float64, torch.float64, "double"),
)

CROSSINGS = {row[0]: Crossing(row[0], str(row[0]).removeprefix("torch.").upper(), *row[1:]) for row in _ROWS}
BY_NAME = {crossing.name: crossing for crossing in CROSSINGS.values()}
