"""torch4j.bench: prepares the sides, measures them, says what to think of the numbers."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from torch4j._java_command import java_command
from torch4j._run import compile_java
from torch4j.bench import cpp
from torch4j.bench.environment import doubts, environment
from torch4j.bench.inputs import inputs_of, write
from torch4j.bench.measure import Plan, measure
from torch4j.bench.result import Bench, BenchError, noise

SIDES = Path(__file__).parent / "sides"


def bench(
    path: str | Path,
    *,
    inputs: Any = None,
    method: str = "forward",
    threads: Sequence[int] | None = None,
    seconds: float = 2.0,
    rounds: int = 5,
    starts: int = 3,
    intra_op: int = 1,
    jvm_options: Sequence[str] = (),
    timeout: float = 300.0,
    progress: Callable[[str], None] = lambda step: None,
) -> Bench:
    """Time Python, Java and, where a compiler is there, C++ on the same file, threads and inputs.

    Each side is a process of its own, and they take turns, so that noise of the machine hits all alike.

    Args:
        path: a TorchScript archive.
        inputs: a .pt or .npz file, a tensor, a tuple of arguments, or a dict from name to argument. None takes the
            first example in the file, else ones of the sizes that its signature tells.
        method: the method to call.
        threads: numbers of callers on one module, for throughput; None is 1, 2, 4, as far as there are processors.
        seconds: how long each side is called by one caller; the same again for throughput.
        rounds: turns over which the seconds are spread.
        starts: processes started of each side, for cold starts.
        intra_op: threads that libtorch may use inside one call.
        jvm_options: options of the JVM, such as ``-Xmx1g``.
        timeout: seconds that a single answer of a side may take.
        progress: called with each step.

    Raises:
        BenchError: when a file is missing, inputs do not fit, a call fails, or a side does not answer.
        FileNotFoundError, RuntimeError: without a JDK of Java 17 or later.
    """
    plan = Plan(_callers(threads), seconds, rounds, starts)
    plan.check(intra_op)
    busy = doubts()
    with tempfile.TemporaryDirectory(prefix="torch4j-bench-") as name:
        folder = Path(name)
        told = _prepare(Path(path), folder, method, inputs, intra_op)
        arguments = [str(folder / "model.pt"), str(folder / "inputs.pt"), method, str(intra_op)]
        commands, missing = _commands(folder, arguments, jvm_options, progress)
        sides, libtorch = measure(commands, plan, folder, timeout, progress)
    if len(set(libtorch.values())) > 1:
        busy.append("the sides ran different files of libtorch: " + ", ".join(f"{s} {f}" for s, f in libtorch.items()))
    found = environment(intra_op, next(iter(libtorch.values())))
    return Bench(Path(path), method, told, found, sides, missing, busy + noise(sides))


def _callers(threads: Sequence[int] | None) -> tuple[int, ...]:
    if threads is not None:
        return tuple(dict.fromkeys(threads))
    processors = len(os.sched_getaffinity(0))
    return tuple(count for count in (1, 2, 4) if count <= processors)


def _prepare(path: Path, folder: Path, method: str, given: Any, intra_op: int) -> str:
    """Put the model and its inputs into the folder; return what the inputs are."""
    if not path.is_file():
        raise BenchError(f"{path}: no such file")
    # Under a name that every JVM can express in its locale.
    (folder / "model.pt").symlink_to(path.resolve())
    model = _loaded(path)
    if not model._c._has_method(method):
        raise BenchError(f"method: got {method!r}; {path.name} has {', '.join(model._c._method_names())}")
    schema = model._c._get_method(method).schema
    inputs = inputs_of(path, schema, given)
    write(inputs, schema, folder / "inputs.pt")
    _try(model, method, inputs.args, intra_op)
    return inputs.describe([argument.name for argument in schema.arguments[1:]])


def _loaded(path: Path) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return torch.jit.load(str(path), map_location="cpu").eval()
    except (RuntimeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise BenchError(f"{path} does not load: {reason}; torch4j inspect tells what it is") from None


def _try(model: Any, method: str, args: tuple[Any, ...], intra_op: int) -> None:
    """Call once, so that inputs that do not work are told in Python's words."""
    before = torch.get_num_threads()
    torch.set_num_threads(intra_op)
    try:
        with torch.inference_mode():
            getattr(model, method)(*args)
    except Exception as error:  # whatever a model raises
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise BenchError(f"{method} fails with these inputs: {lines[-1] if lines else type(error).__name__}") from None
    finally:
        torch.set_num_threads(before)


def _commands(
    folder: Path, arguments: list[str], jvm_options: Sequence[str], progress: Callable[[str], None]
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the command line of each side that can be run, and why one cannot."""
    commands: dict[str, list[str]] = {}
    missing: dict[str, str] = {}
    progress("compiling the C++ side (the first time only)")
    try:
        commands["C++"] = [str(cpp.program()), *arguments]
    except cpp.MissingError as error:
        missing["C++"] = str(error)
    progress("compiling the Java side")
    main = compile_java(SIDES / "BenchSide.java", folder)
    commands["Java"] = java_command(main, *arguments, jvm_options=jvm_options, class_path=[folder])
    commands["Python"] = [sys.executable, str(SIDES / "python_side.py"), *arguments]
    return commands, missing
