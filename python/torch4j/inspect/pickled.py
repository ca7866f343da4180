"""Reads the pickles of torch's archives without building anything: no class of theirs is imported, nothing runs."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Storage:
    """Elements of tensors: the member that holds them, their type as torch names it, their device."""

    kind: str
    key: str
    device: str


@dataclass(frozen=True)
class StoredTensor:
    """A tensor that is described and not read."""

    storage: Storage | None
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    layout: str = "strided"


@dataclass
class StoredObject:
    """An object of any class: its state, and what it was made of."""

    kind: str
    args: tuple[Any, ...] = ()
    state: Any = None
    items: dict[Any, Any] = field(default_factory=dict)


class _Made:
    """What the unpickler makes of a class: remembers its name and state. Its subclasses stand for the classes."""

    kind = ""
    found: StoredObject

    def __new__(cls, *args: Any, **_: Any) -> Any:
        made = super().__new__(cls)
        made.found = StoredObject(cls.kind, args)
        return made

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        self.found.state = state

    def __setitem__(self, key: Any, value: Any) -> None:
        self.found.items[key] = value

    def append(self, value: Any) -> None:
        """Take an item of a list."""
        self[len(self.found.items)] = value

    def extend(self, values: Any) -> None:
        """Take items of a list."""
        for value in values:
            self.append(value)

    def __hash__(self) -> int:
        return id(self)


def _dense(storage: Any, offset: int, shape: Any, stride: Any, *_: Any) -> StoredTensor:
    return StoredTensor(storage, offset, tuple(shape), tuple(stride))


def _dense_typed(storage: Any, offset: int, shape: Any, stride: Any, *rest: Any) -> StoredTensor:
    """Return a tensor whose storage has no type: torch writes the dtype beside it."""
    kind = next((item.kind for item in rest if isinstance(item, _Named)), "UntypedStorage")
    return StoredTensor(Storage(kind, storage.key, storage.device), offset, tuple(shape), tuple(stride))


def _sparse(layout: Any, data: Any) -> StoredTensor:
    shape = data[2] if len(data) > 2 and isinstance(data[2], (tuple, list)) else ()
    return StoredTensor(None, 0, tuple(shape), (), str(getattr(layout, "kind", layout)))


class _Named:
    """A name in torch that is no class to make: a dtype, a layout, a storage class."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __call__(self, *args: Any) -> Any:
        """Stand for what torch would make of the first argument, such as a torch.Size."""
        return args[0] if args else None


class _Ordered(dict[Any, Any]):
    """A dict that may have attributes, as state dicts have."""


def _first(value: Any, *_: Any) -> Any:
    return value


_KNOWN = {
    ("torch._utils", "_rebuild_tensor"): _dense,
    ("torch._utils", "_rebuild_tensor_v2"): _dense,
    ("torch._utils", "_rebuild_tensor_v3"): _dense_typed,
    ("torch._utils", "_rebuild_qtensor"): _dense,
    ("torch._utils", "_rebuild_sparse_tensor"): _sparse,
    ("torch._utils", "_rebuild_parameter"): _first,
    ("torch._utils", "_rebuild_parameter_with_state"): _first,
    ("torch.jit._pickle", "restore_type_tag"): _first,
    ("torch", "device"): _first,
    ("torch.serialization", "_get_layout"): _first,
    ("collections", "OrderedDict"): _Ordered,
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Give a stand-in for every name."""
        if (module, name) in _KNOWN:
            return _KNOWN[module, name]
        if module == "torch.jit._pickle" and name.startswith("build_"):
            return _first
        if module == "torch" or module == "torch.storage":
            return _Named(name)
        return type("Made", (_Made,), {"kind": f"{module}.{name}"})

    def persistent_load(self, pid: Any) -> Any:
        """Give a storage's description for ("storage", class, key, device, count)."""
        _, kind, key, device, *_ = pid
        return Storage(getattr(kind, "kind", str(kind)), str(key), str(device))


def read_pickle(content: bytes) -> Any:
    """Return a pickle's value, with `StoredTensor` for tensors and stand-ins for objects.

    Raises:
        ValueError: when it cannot be read.
    """
    try:
        return _Reader(io.BytesIO(content)).load()
    except Exception as error:  # pickles of any origin fail in any way
        raise ValueError(f"{type(error).__name__}: {error}") from error


def object_of(value: Any) -> StoredObject | None:
    """Return what is known of an object, or None for another value."""
    return value.found if isinstance(value, _Made) else None
