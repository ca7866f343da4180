"""Values and failures between the test's process and a child with a JVM."""

from __future__ import annotations

import io
import pickle
from collections import namedtuple
from multiprocessing.connection import Connection
from typing import Any


class JavaError(RuntimeError):
    """An exception of Java in a child process: its class and message."""


def _named(names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    return namedtuple("NamedTuple", names)(*values)


class _Pickler(pickle.Pickler):
    """Takes named tuples apart: their class need not be importable on the other side."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return _named, (value._fields, tuple(value))
        return NotImplemented


def send(connection: Connection, value: Any) -> None:
    """Send a value."""
    buffer = io.BytesIO()
    _Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    connection.send_bytes(buffer.getvalue())


def receive(connection: Connection) -> Any:
    """Return the next value.

    Raises:
        EOFError, OSError: when the other side has ended.
    """
    return pickle.loads(connection.recv_bytes())
