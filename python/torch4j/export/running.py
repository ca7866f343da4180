"""Runs models so that two runs can be compared: same state, same random numbers, one thread."""

from __future__ import annotations

import contextlib
import copy
import random
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import torch

from torch4j.export.calls import Call
from torch4j.export.values import copied


@dataclass(frozen=True)
class Outcome:
    """What a call gave: a value, or an error."""

    value: Any = None
    error: Exception | None = None

    @property
    def failed(self) -> bool:
        """Whether the call raised."""
        return self.error is not None

    @property
    def reason(self) -> str:
        """The last line of the error, which in TorchScript's messages is the cause."""
        lines = [line.strip() for line in str(self.error).splitlines() if line.strip()]
        return f"{type(self.error).__name__}: {lines[-1] if lines else ''}"


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """One intra-op thread and no gradients inside; threads and random numbers afterwards as before."""
    threads = torch.get_num_threads()
    states = random.getstate(), numpy.random.get_state()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(), torch.no_grad(), warnings.catch_warnings():
            # torch.jit announces its end at each call; libtorch 2.13 still is what runs in Java.
            warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"torch\.")
            yield
    finally:
        random.setstate(states[0])
        numpy.random.set_state(states[1])
        torch.set_num_threads(threads)


def seed(number: int) -> None:
    """Seed torch, numpy and Python."""
    torch.manual_seed(number)
    numpy.random.seed(number)
    random.seed(number)


def fresh(module: torch.nn.Module) -> torch.nn.Module:
    """Return a copy with state of its own, so that no run sees what another left in buffers or attributes.

    Parameters are shared, which saves memory: running a model does not change them. What cannot be copied is
    used as it is.
    """
    try:
        return copy.deepcopy(module, {id(parameter): parameter for parameter in module.parameters()})
    except (RuntimeError, TypeError, NotImplementedError):
        return module


def run(module: torch.nn.Module, calls: Sequence[Call], method: str = "forward", number: int = 0) -> list[Outcome]:
    """Make calls one after another on one fresh copy of a module; arguments and results are copies."""
    seed(number)
    ready = fresh(module)
    return [_call(ready, call, method) for call in calls]


def _call(module: torch.nn.Module, call: Call, method: str) -> Outcome:
    function = module if method == "forward" else getattr(module, method)
    try:
        return Outcome(copied(function(*copied(call.args), **copied(call.kwargs))))
    except Exception as error:  # a model may raise anything
        return Outcome(error=error)
