"""Tensors of an archive with name, place, dtype, shape, and how many of their elements are zero."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from torch4j.inspect.members import Members
from torch4j.inspect.pickled import Storage, StoredTensor, object_of

# Storage classes as torch names them in pickles; dtypes for those that name the dtype itself.
_DTYPES = {
    "FloatStorage": torch.float32,
    "DoubleStorage": torch.float64,
    "HalfStorage": torch.float16,
    "BFloat16Storage": torch.bfloat16,
    "LongStorage": torch.int64,
    "IntStorage": torch.int32,
    "ShortStorage": torch.int16,
    "CharStorage": torch.int8,
    "ByteStorage": torch.uint8,
    "BoolStorage": torch.bool,
    "ComplexFloatStorage": torch.complex64,
    "ComplexDoubleStorage": torch.complex128,
    "QInt8Storage": torch.qint8,
    "QUInt8Storage": torch.quint8,
    "QInt32Storage": torch.qint32,
}
_RAW = {torch.qint8: torch.int8, torch.quint8: torch.uint8, torch.qint32: torch.int32}  # their zeros are not 0
_ROLES = {"_parameters": "parameter", "_buffers": "buffer", "_modules": ""}  # where an eager module keeps what it has


@dataclass(frozen=True)
class TensorFacts:
    """A tensor of a model.

    Attributes:
        name: such as ``layer.weight``.
        role: "parameter", "buffer", "attribute" or "constant".
        dtype: as torch names it, such as "float32".
        shape: sizes.
        nbytes: of its elements.
        sparsity: share of elements that are zero; None where they cannot be read as numbers.
        device: that it was saved on.
    """

    name: str
    role: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    sparsity: float | None
    device: str


@dataclass(frozen=True)
class Found:
    """A value somewhere in the tree of objects.

    Attributes:
        path: such as ``layer.weight``.
        owner: class of the object that has it.
        name: the last part of the path.
        value: the value.
        role: "parameter" or "buffer" where an eager module says so, else "".
    """

    path: str
    owner: str
    name: str
    value: Any
    role: str = ""


def walk(root: Any) -> Iterator[Found]:
    """Give every value below a root in order, without recursion: models may be nested deeper than Python's stack."""
    waiting = [Found("", "", "", root)]
    seen: set[int] = set()
    while waiting:
        found = waiting.pop()
        yield found
        children = _children(found.value)
        if children and id(found.value) not in seen:
            seen.add(id(found.value))
            owner = getattr(object_of(found.value), "kind", found.owner)
            prefix = f"{found.path}." if found.path else ""
            waiting += [Found(f"{prefix}{name}", owner, str(name), *rest) for name, *rest in reversed(children)]


def _children(value: Any) -> list[tuple[Any, Any, str]]:
    """Return name, value, role of everything directly below a value."""
    found = object_of(value)
    if found is not None:
        return [*_attributes(found.state), *_plain(found.items), *_plain(found.args)]
    return _plain(value)


def _plain(value: Any, role: str = "") -> list[tuple[Any, Any, str]]:
    if isinstance(value, dict):
        return [(name, item, role) for name, item in value.items()]
    return [(index, item, role) for index, item in enumerate(value)] if isinstance(value, (list, tuple)) else []


def _attributes(state: Any) -> list[tuple[Any, Any, str]]:
    """Return the attributes of an object; those of an eager module without the dicts that it keeps them in."""
    if not isinstance(state, dict):
        return _plain(state)
    found: list[tuple[Any, Any, str]] = []
    for name, value in state.items():
        if name in _ROLES and isinstance(value, dict):
            found += _plain(value, _ROLES[name])
        else:
            found.append((name, value, ""))
    return found


def facts_of(found: Found, role: str, members: Members, folder: str) -> TensorFacts:
    """Return what is known of a tensor; its elements are read from the member for the share of zeros."""
    tensor: StoredTensor = found.value
    storage = tensor.storage or Storage("", "", "cpu")
    dtype = dtype_of(storage.kind)
    count = 1
    for size in tensor.shape:
        count *= size
    return TensorFacts(
        name=found.path,
        role=role,
        dtype=str(dtype).removeprefix("torch.") if dtype else tensor.layout,
        shape=tensor.shape,
        nbytes=count * dtype.itemsize if dtype else 0,
        sparsity=_sparsity(tensor, dtype, members, f"{folder}/{storage.key}"),
        device=storage.device,
    )


def dtype_of(kind: str) -> torch.dtype | None:
    """Return the dtype of a storage class or of a dtype's name."""
    if kind in _DTYPES:
        return _DTYPES[kind]
    named = getattr(torch, kind, None)
    return named if isinstance(named, torch.dtype) else None


def _sparsity(tensor: StoredTensor, dtype: torch.dtype | None, members: Members, member: str) -> float | None:
    if dtype is None or dtype in _RAW or member not in members:
        return None
    if 0 in tensor.shape:
        return 0.0
    try:
        content = bytearray(members.read(member))
        elements = torch.frombuffer(content, dtype=dtype).as_strided(tensor.shape, tensor.stride, tensor.offset)
    except (RuntimeError, ValueError, zipfile.BadZipFile, EOFError):  # damaged, or the pickle does not fit it
        return None
    return 1.0 - torch.count_nonzero(elements).item() / elements.numel()
