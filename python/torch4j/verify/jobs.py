"""What a side has to run, and what it gave. Both go between processes as files of torch.save."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from torch4j.verify.fingerprint import Fingerprint


@dataclass(frozen=True)
class Case:
    """One call to make.

    Attributes:
        method: name.
        label: what it is, for people: "example 0", "seed 0, zeros".
        args: positional arguments.
        kwargs: keyword arguments.
        generated: whether nobody gave it: then both sides may refuse it.
    """

    method: str
    label: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    generated: bool = False

    def inputs(self, names: list[str]) -> dict[str, Any]:
        """Return the arguments by name."""
        shown = [*names, *(f"argument {index}" for index in range(len(names), len(self.args)))]
        return {**dict(zip(shown, self.args, strict=False)), **self.kwargs}


@dataclass(frozen=True)
class Job:
    """Cases to run on one file, each `calls` times, for each number of threads.

    Attributes:
        path: the model.
        cases: of a method one after another, then once more; each method on a model loaded anew.
        calls: how often.
        threads: numbers of intra-op threads.
        names: of the arguments, by method.
    """

    path: Path
    cases: tuple[Case, ...]
    calls: int = 1
    threads: tuple[int, ...] = (1,)
    names: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What a call gave: a value, or an error in one line."""

    value: Any = None
    error: str | None = None


Key = tuple[int, int, int]  # threads; number of the case; number of the call, from 1


@dataclass
class Ran:
    """What a side gave for a job.

    Attributes:
        answers: by threads, case and call.
        inputs: fingerprints of the arguments as the side's model got them, by case.
        environment: versions, and the files mapped.
        error: why nothing was run, in one line.
    """

    answers: dict[Key, Answer] = field(default_factory=dict)
    inputs: dict[int, list[Fingerprint]] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True)
class _Named:
    """A value of a namedtuple, whose class a pickle could not find again."""

    fields: tuple[str, ...]
    values: tuple[Any, ...]


def write(value: Any, path: Path) -> None:
    """Write jobs or answers for the other process."""
    torch.save(value, path)


def read(path: Path) -> Any:
    """Return what `write` wrote; only ever a file that this package wrote itself."""
    return torch.load(path, weights_only=False)


def packed(value: Any) -> Any:
    """Return a value that a pickle can hold: namedtuples by their fields."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return _Named(tuple(value._fields), tuple(packed(item) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(packed(item) for item in value)
    if isinstance(value, dict):
        return {key: packed(item) for key, item in value.items()}
    return value


def unpacked(value: Any) -> Any:
    """Return what was packed."""
    if isinstance(value, _Named):
        from torch4j._to_python import named_type

        return named_type(value.fields)(*(unpacked(item) for item in value.values))
    if isinstance(value, (list, tuple)):
        return type(value)(unpacked(item) for item in value)
    if isinstance(value, dict):
        return {key: unpacked(item) for key, item in value.items()}
    return value
