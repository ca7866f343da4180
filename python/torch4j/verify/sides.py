"""The two sides: Python's in a thread of this process, Java's in a child process or in this one."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import tempfile
import threading
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

    Python's side runs in a thread, so that Ctrl-C reaches the caller at once whatever libtorch is doing. The child
    process is killed when the caller is interrupted, and by the kernel when the caller dies.

    Args:
        python_jobs: for torch in this process.
        java_jobs: for Java.
        in_process: run Java in a JVM of this process, after Python's side.
        timeout: seconds for all of it.

    Returns:
        what each job gave. A JVM that dies, or takes too long, is the error of Java's jobs.

    Raises:
        TimeoutError: when Python's side takes longer.
    """
    end = time.monotonic() + timeout
    if in_process:
        return _python(python_jobs, end), [in_java(job) for job in java_jobs]
    with _child(java_jobs) as child:
        return _python(python_jobs, end), child.answers(end)


def _python(jobs: Sequence[Job], end: float) -> list[Ran]:
    """Run jobs in a thread and wait for it.

    The thread is a daemon that stops before its next call: the caller waits for it no longer than it wants to.
    """
    results: list[Ran] = []
    errors: list[BaseException] = []
    stop = threading.Event()

    def work() -> None:
        try:
            results.extend(in_python(job, stop.is_set) for job in jobs)
        except BaseException as error:  # raised again where somebody sees it
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True, name="torch4j-verify-python")
    thread.start()
    try:
        thread.join(max(0.0, end - time.monotonic()))
    finally:
        stop.set()
    if thread.is_alive():
        raise TimeoutError("Python's side has not ended in time; allow more by timeout=")
    if errors:
        raise errors[0]
    return results


class _Child:
    """A process with a JVM that runs jobs."""

    def __init__(self, jobs: Sequence[Job], folder: Path) -> None:
        self._count = len(jobs)
        self._answers, self._log = folder / "answers.pt", folder / "log.txt"
        write([_packed(job) for job in jobs], folder / "jobs.pt")
        command = [sys.executable, "-W", "ignore", "-m", "torch4j.verify._worker"]
        with self._log.open("wb") as log:
            # A session of its own: Ctrl-C in a terminal reaches the caller alone, which then ends this one.
            self.process = subprocess.Popen(
                [*command, str(folder / "jobs.pt"), str(self._answers), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End the process and its JVM."""
        self.process.kill()
        self.process.wait()

    def answers(self, end: float) -> list[Ran]:
        """Wait for the process; return what it gave, or why it gave nothing."""
        try:
            code = self.process.wait(max(0.0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return self._failed("Java's side has not ended in time; allow more by timeout=")
        if code == 0 and self._answers.exists():
            return [_unpacked(ran) for ran in read(self._answers)]
        name = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        said = self._log.read_text(errors="replace").split()
        return self._failed(f"Java's process {name}: {' '.join(said)[-_LONGEST:] or 'it said nothing'}")

    def _failed(self, reason: str) -> list[Ran]:
        return [Ran(error=reason) for _ in range(self._count)]


@contextlib.contextmanager
def _child(jobs: Sequence[Job]) -> Iterator[_Child]:
    with tempfile.TemporaryDirectory(prefix="torch4j-verify-") as folder:
        child = _Child(jobs, Path(folder))
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
