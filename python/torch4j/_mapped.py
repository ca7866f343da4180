"""The native files that a process has really mapped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

LIBRARIES = ("libtorch4j.so", "libtorch_cpu.so", "libc10.so", "libgomp", "libjvm.so")


def mapped_files(process: int | str = "self") -> dict[str, list[str]]:
    """Return for each library of interest the files that a process has mapped under that name."""
    lines = Path(f"/proc/{process}/maps").read_text().splitlines()
    paths = sorted({line.split(None, 5)[5] for line in lines if line.count("/") > 0})
    return {name: [path for path in paths if Path(path).name.startswith(name)] for name in LIBRARIES}


@cache
def check_one_libtorch() -> None:
    """Raise RuntimeError when Python's torch and Java's libtorch come from two files; looks once a process."""
    files = mapped_files()
    for name in ("libtorch_cpu.so", "libc10.so"):
        if len(files[name]) > 1:
            raise RuntimeError(
                f"Python and Java use different files of {name}: {' and '.join(files[name])}. "
                "Unset LIBTORCH_HOME and -Dtorch4j.libtorch, or point them to Python's torch"
            )
