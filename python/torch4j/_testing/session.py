"""The one JVM of a test session: in its process, or in a child."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jpype
import torch

from torch4j import java
from torch4j._mapped import mapped_files
from torch4j._testing.child import Child, ChildModule
from torch4j._testing.model_file import model_file
from torch4j._testing.sides import Answers, in_java

__tracebackhide__ = True  # a failure shows the test, not these frames


class Jvm:
    """Starts the JVM when it is first asked for, and only once."""

    def __init__(self, options: Sequence[str], in_child: bool) -> None:
        """Remember how; start nothing.

        Args:
            options: options of the JVM.
            in_child: whether it runs in a process of its own.
        """
        self._options = list(options)
        self._in_child = in_child
        self._child: Child | None = None
        self._started = False

    def _start(self) -> Child | None:
        """Start the JVM; return the child that has it.

        Raises:
            RuntimeError: when a JVM runs already that was started without the options.
        """
        if self._in_child:
            self._child = self._child or Child(self._options)
        elif not self._started:
            if self._options and jpype.isJVMStarted():
                raise RuntimeError(
                    f"--java-option={self._options[0]}: a JVM runs in this process already, started by other code; "
                    "start it there with these options, or use --java-child"
                )
            # Warms torch up first, with a matrix product and a convolution: threads that BLAS and oneDNN start after
            # the JVM would find its signal handlers and stack limits, which has crashed both (see java._warm_up).
            java.start_jvm(*self._options)
            self._started = True
        return self._child

    def libraries(self) -> dict[str, dict[str, list[str]]]:
        """Return the native files that each side has mapped, or nothing when no JVM was started."""
        if self._child is not None:
            return {"Python": mapped_files(), "Java": self._child.ask("libraries")}
        return {"Python and Java": mapped_files()} if self._started else {}

    @contextlib.contextmanager
    def module(self, model: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Iterator[Any]:
        """Give a model as a Java module for the length of a block.

        Args:
            model: a path or a module.
            args: inputs to trace with, where it cannot be scripted.
            options: load options of `torch4j.java.Module`.
        """
        child = self._start()
        with tempfile.TemporaryDirectory(prefix="torch4j-") as folder:
            path = model_file(model, args, {}, Path(folder))
            opened = ChildModule(child, str(path), **options) if child else java.Module(path, **options)
        try:
            yield opened
        finally:
            opened.close()

    def answers(self, path: Path, names: list[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answers:
        """Return what Java makes of a file: see `torch4j._testing.sides.in_java`."""
        child = self._start()
        threads = torch.get_num_threads()
        if child is None:
            return in_java(str(path), names, args, kwargs, threads)
        found: Answers = child.ask("answers", str(path), names, args, kwargs, threads)
        return found

    def close(self) -> None:
        """End the child, if there is one: a JVM in this process cannot be ended."""
        if self._child is not None:
            self._child.close()
            self._child = None
