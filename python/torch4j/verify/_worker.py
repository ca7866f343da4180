"""One side in a process of its own: python -m torch4j.verify._worker python|java JOBS ANSWERS PARENT."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def _die_with(parent: int) -> None:
    """Ask the kernel to kill this process when its parent dies, however that dies."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("the process that started this one is gone")


def _start_jvm(error_file: Path) -> None:
    """Start the JVM; where it writes when it dies is not the user's folder."""
    from torch4j import java

    with contextlib.suppress(Exception):  # in_java starts it again, and tells why it cannot
        java.start_jvm(f"-XX:ErrorFile={error_file}")


def main(side: str, jobs_file: Path, answers_file: Path) -> None:
    """Run the jobs of a file; write what they gave."""
    from torch4j.verify.jobs import packed, read, unpacked, write
    from torch4j.verify.running import in_java, in_python

    if side == "java":
        _start_jvm(jobs_file.with_name("hs_err.log"))
    answers = []
    for job in read(jobs_file):
        cases = tuple(dataclasses.replace(c, args=unpacked(c.args), kwargs=unpacked(c.kwargs)) for c in job.cases)
        ran = (in_java if side == "java" else in_python)(dataclasses.replace(job, cases=cases))
        ran.answers = {key: dataclasses.replace(a, value=packed(a.value)) for key, a in ran.answers.items()}
        answers.append(ran)
    write(answers, answers_file)


if __name__ == "__main__":
    _die_with(int(sys.argv[4]))
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
