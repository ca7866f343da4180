"""Runs Java programs."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from torch4j._java_command import find_java, java_command
from torch4j._paths import jar_path


def compile_java(source: Path, into: Path, class_path: Sequence[str | Path] = ()) -> str:
    """Compile one .java file against torch4j and further entries; return the full name of its main class.

    Raises FileNotFoundError without the file or a javac, RuntimeError when it does not compile.
    """
    if not source.is_file():
        raise FileNotFoundError(f"{source}: no such file")
    entries = os.pathsep.join(str(entry) for entry in (jar_path(), *class_path))
    command = [str(find_java("javac")), "-cp", entries, "-d", str(into), str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{source} does not compile:\n{result.stdout}{result.stderr}".rstrip())
    return _main_class(source, into)


def _main_class(source: Path, into: Path) -> str:
    """Return the class named as its file, in whichever package the file declares."""
    classes = sorted(into.rglob(f"{source.stem}.class"))
    if not classes:
        raise RuntimeError(f"{source} has no class {source.stem}; the class with main must be named as the file")
    return ".".join(classes[0].relative_to(into).with_suffix("").parts)


def run_java(main: str, args: Sequence[str], class_path: Sequence[Path], jvm_options: Sequence[str]) -> int:
    """Run a main class, or a .java file, in a JVM of its own; return its exit code as a shell tells it."""
    with tempfile.TemporaryDirectory(prefix="torch4j-") as folder:
        entries = list(class_path)
        if main.endswith(".java"):
            main = compile_java(Path(main), Path(folder), class_path)
            entries.insert(0, Path(folder))
        command = java_command(main, *args, jvm_options=jvm_options, class_path=entries)
        code = subprocess.run(command).returncode
        return code if code >= 0 else 128 - code  # killed by signal -code
