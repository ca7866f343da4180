"""What one side makes of calls: what it was given, as it sees it, and what it answers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from torch4j.export.values import copied

# libtorch's executor watches the first call, optimises in the second, and runs that in the third.
CALLS = 3
SEED = 0


@dataclass(frozen=True)
class Answers:
    """One side.

    Attributes:
        inputs: the arguments by name, as that side sees them.
        results: what each call returned.
        error: class and message of the exception that ended the calls, or None.
        training: whether any part of the model was in train mode.
    """

    inputs: dict[str, Any]
    results: list[Any]
    error: str | None = None
    training: bool = False


def in_python(path: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answers:
    """Return what Python makes of the file, in the mode in which it was saved. What the model raises comes out."""
    with warnings.catch_warnings(), torch.random.fork_rng(), torch.inference_mode():
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"torch\.")
        model = torch.jit.load(path)
        results: list[Any] = []
        torch.manual_seed(SEED)
        for _ in range(CALLS):
            results.append(copied(model(*copied(args), **copied(kwargs))))
    names = [argument.name for argument in model._c._get_method("forward").schema.arguments[1:]]
    inputs = {**dict(zip(names, args, strict=False)), **kwargs}  # a call that works has not more than there are
    return Answers(inputs, results, training=any(module.training for module in model.modules()))


def in_java(path: str, names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any], threads: int) -> Answers:
    """Return what Java makes of the file, in this process.

    Args:
        path: the file.
        names: of all arguments given.
        args: arguments by position.
        kwargs: arguments by name.
        threads: that libtorch may use inside a call; Java's calls run on this thread.
    """
    from torch4j import java

    torch.set_num_threads(threads)
    given = zip(names, [*args, *kwargs.values()], strict=True)
    seen = {name: java.to_python(java.to_java(value)) for name, value in given}
    results: list[Any] = []
    with torch.random.fork_rng(), java.Module(Path(path)) as module:
        java.java_class("Torch").manualSeed(SEED)
        for _ in range(CALLS):
            try:
                results.append(module(*args, **kwargs))
            except Exception as error:  # Java's are of any class
                return Answers(seen, results, str(error))
    return Answers(seen, results)
