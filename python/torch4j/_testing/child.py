"""A JVM in a child process: one that dies takes no test session with it.

Run as ``python -m torch4j._testing.child FILE_DESCRIPTOR JVM_OPTION...``, this is the child.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from torch4j._testing.crossing import JavaError, receive, send

_SHOWN = 3000  # characters of what a dead child said

__tracebackhide__ = True  # a failure shows the test, not these frames


class Child:
    """The parent's view of the child."""

    def __init__(self, jvm_options: Sequence[str]) -> None:
        """Start it.

        Raises:
            JavaError: when its JVM does not start.
        """
        self._connection, theirs = Pipe()
        self._output = tempfile.TemporaryFile()  # noqa: SIM115, closed with this
        self._process = subprocess.Popen(
            [sys.executable, "-m", "torch4j._testing.child", str(theirs.fileno()), *jvm_options],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is for the session, which then closes this
        )
        theirs.close()
        try:
            self.ask("libraries")  # which starts the JVM
        except JavaError as error:
            said = self._said()  # the JVM prints why it does not start
            self.close()
            raise JavaError(f"{error}\n{said}".strip()) from None
        except BaseException:
            self.close()
            raise

    def ask(self, what: str, *details: Any) -> Any:
        """Send a request and return the answer.

        Raises:
            JavaError: with what Java threw, or with what the child printed when it has died.
        """
        try:
            send(self._connection, (what, details))
            ok, answer = receive(self._connection)
        except (EOFError, OSError):
            raise JavaError(self._last_words()) from None
        if not ok:
            raise JavaError(answer)
        return answer

    def _last_words(self) -> str:
        return f"the process of the JVM ended with {self._process.wait()}:\n{self._said()}"

    def _said(self) -> str:
        self._output.seek(0)
        return self._output.read().decode(errors="replace").strip()[:_SHOWN]

    def close(self) -> None:
        """Kill it: it holds nothing that has to be written."""
        with contextlib.suppress(ProcessLookupError):
            if self._process.returncode is None:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._connection.close()
        self._output.close()


class ChildModule:
    """A module in the child, with the methods of `torch4j.java.Module`."""

    def __init__(self, child: Child, path: str, **load_options: Any) -> None:
        """Load a model."""
        self._child = child
        self._number = child.ask("load", path, load_options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward``."""
        return self.run_method("forward", *args, **kwargs)

    def run_method(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Run a method."""
        return self._child.ask("call", self._number, "run_method", (name, *args), kwargs)

    def methods(self) -> list[str]:
        """Return the names of the methods."""
        found: list[str] = self._child.ask("call", self._number, "methods", (), {})
        return found

    def schema(self, name: str = "forward") -> str:
        """Return the signature of a method."""
        return str(self._child.ask("call", self._number, "schema", (name,), {}))

    def close(self) -> None:
        """Close the Java module."""
        self._child.ask("call", self._number, "close", (), {})

    def __enter__(self) -> ChildModule:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


def _serve(connection: Connection, jvm_options: Sequence[str]) -> None:
    """Answer requests until the other side has ended; the first one starts the JVM."""
    modules: list[Any] = []
    while True:
        try:
            what, details = receive(connection)
        except (EOFError, OSError):
            return
        try:
            answer = True, _answer(what, details, modules, jvm_options)
        except Exception as error:  # Java's are of any class
            answer = False, _told(error)
        send(connection, answer)


def _told(error: Exception) -> str:
    text = str(error)  # of Java's exceptions: with their class
    return text if text.startswith("org.pytorch.") or text.startswith("java.") else f"{type(error).__name__}: {text}"


def _answer(what: str, details: tuple[Any, ...], modules: list[Any], jvm_options: Sequence[str]) -> Any:
    from torch4j import java
    from torch4j._mapped import mapped_files
    from torch4j._testing.sides import in_java

    java.start_jvm(*jvm_options)
    if what == "libraries":
        return mapped_files()
    if what == "load":
        path, options = details
        modules.append(java.Module(path, **options))
        return len(modules) - 1
    if what == "call":
        number, name, args, kwargs = details
        return getattr(modules[number], name)(*args, **kwargs)
    return in_java(*details)


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])), sys.argv[2:])
