"""Processes that leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from types import TracebackType

from torch4j.bench.result import BenchError

_FEW = 3
MARK = "torch4j-bench "  # what a model prints has none


class Process:
    """A process in a group of its own: it is killed with all that it started, whatever ends the block.

    A group of its own also keeps Ctrl-C from it, so that it prints no traceback of its own.
    """

    def __init__(self, name: str, command: Sequence[str], timeout: float) -> None:
        """Start it.

        Args:
            name: what to call it in errors.
            command: its command line.
            timeout: seconds that each answer may take.
        """
        self._name = name
        self._timeout = timeout
        self._late = False
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115, closed with this
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )

    @property
    def id(self) -> int:
        """The id of the process."""
        return self._process.pid

    def elapsed(self) -> float:
        """Return the seconds since it was started."""
        return time.perf_counter() - self._began

    def __enter__(self) -> Process:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Kill it: all its answers are here, and a JVM would take its time."""
        self._kill()
        self._process.wait()
        for file in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(BrokenPipeError):
                file.close()  # type: ignore[union-attr]

    def ask(self, line: str) -> str:
        """Send a line and return the answer."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # answer() tells why it has ended
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        return self.answer()

    def answer(self) -> str:
        """Return the next answer.

        Raises:
            BenchError: with the last line of its standard error, when it ends without; or after the time-out.
        """
        assert self._process.stdout is not None
        timer = threading.Timer(self._timeout, self._too_late)
        timer.daemon = True  # an interrupted program must not wait for it
        try:
            timer.start()  # inside: Ctrl-C may come while it starts
            for line in self._process.stdout:
                if MARK in line:
                    return line.split(MARK)[1].strip()
        finally:
            timer.cancel()
        raise BenchError(self._reason())

    def _too_late(self) -> None:
        self._late = True
        self._kill()

    def _kill(self) -> None:
        # A process that has been waited for may have given its number to another one.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _reason(self) -> str:
        code = self._process.wait()
        if self._late:
            return f"{self._name}: no answer within {self._timeout:g} seconds"
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        # A traceback of Python ends with the reason, a JVM that does not start begins with it.
        traceback = any(line.startswith("Traceback") for line in said)
        told = said[-1:] if traceback else said[:_FEW]
        return f"{self._name} ended with {code}: {'; '.join(told) or 'no word why'}"


def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; what ends this before kills it with all that it started."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        output, _ = process.communicate()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return subprocess.CompletedProcess(command, process.returncode, output)
