"""The two sides, each in a process of its own, or both in this one."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from torch4j.verify.jobs import Job, Ran, packed, read, unpacked, write
from torch4j.verify.running import in_java, in_python

TIMEOUT = 600.0
_LONGEST = 400


def both(
    python_jobs: Sequence[Job], java_jobs: Sequence[Job], *, in_process: bool = False, timeout: float = TIMEOUT
) -> tuple[list[Ran], list[Ran]]:
    """Run jobs on both sides.

    Each side has a process of its own, so that Ctrl-C and the time-out end whatever libtorch is doing: they are killed
    when the caller is interrupted, and by the kernel when the caller dies.

    Args:
        python_jobs: for torch in Python.
        java_jobs: for Java.
        in_process: run both in this process instead, one after the other and without time-out.
        timeout: seconds for all of it.

    Returns:
        what each job gave. A process that dies, or takes too long, is the error of its jobs.
    """
    if in_process:
        return [in_python(job) for job in python_jobs], [in_java(job) for job in java_jobs]
    end = time.monotonic() + timeout
    with _child("python", python_jobs) as python, _child("java", java_jobs) as java:
        return python.answers(end), java.answers(end)


def environment_of(side: str) -> dict[str, str]:
    """Return the environment variables of a side's process: those of this one, whichever side it is."""
    return dict(os.environ)


class _Child:
    """A process that runs jobs on one side; none where there are no jobs."""

    def __init__(self, side: str, jobs: Sequence[Job], folder: Path) -> None:
        self._side, self._count = side.capitalize(), len(jobs)
        self._answers, self._log = folder / "answers.pt", folder / "log.txt"
        self._process: subprocess.Popen[bytes] | None = None
        if not jobs:
            return
        write([_packed(job) for job in jobs], folder / "jobs.pt")
        command = [sys.executable, "-W", "ignore", "-m", "torch4j.verify._worker", side]
        with self._log.open("wb") as log:
            # A session of its own: Ctrl-C in a terminal reaches the caller alone, which then ends this one.
            self._process = subprocess.Popen(
                [*command, str(folder / "jobs.pt"), str(self._answers), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=environment_of(side),
            )

    def kill(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def answers(self, end: float) -> list[Ran]:
        """Wait for the process; return what it gave, or why it gave nothing."""
        if self._process is None:
            return []
        try:
            code = self._process.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return self._failed(f"{self._side}'s side has not ended in time; allow more by timeout=")
        if code == 0 and self._answers.exists():
            return [_unpacked(ran) for ran in read(self._answers)]
        name = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        said = " ".join(self._log.read_text(errors="replace").split())[-_LONGEST:]
        return self._failed(f"{self._side}'s process {name}: {said or 'it said nothing'}")

    def _failed(self, reason: str) -> list[Ran]:
        return [Ran(error=reason) for _ in range(self._count)]


@contextlib.contextmanager
def _child(side: str, jobs: Sequence[Job]) -> Iterator[_Child]:
    with tempfile.TemporaryDirectory(prefix="torch4j-verify-") as folder:
        child = _Child(side, jobs, Path(folder))
        try:
            yield child
        finally:
            child.kill()


def _packed(job: Job) -> Job:
    cases = tuple(dataclasses.replace(c, args=packed(c.args), kwargs=packed(c.kwargs)) for c in job.cases)
    return dataclasses.replace(job, path=job.path.absolute(), cases=cases)


def _unpacked(ran: Ran) -> Ran:
    answers = {key: dataclasses.replace(a, value=unpacked(a.value)) for key, a in ran.answers.items()}
    return dataclasses.replace(ran, answers=answers)
