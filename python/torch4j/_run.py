"""Runs Java programs."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from torch4j._java_command import find_java, java_command
from torch4j._paths import jar_path


def compile_java(source: Path, into: Path) -> str:
    """Compile one .java file against torch4j; return the name of its main class.

    Raises FileNotFoundError without the file or a javac, RuntimeError when it does not compile.
    """
    if not source.is_file():
        raise FileNotFoundError(f"{source}: no such file")
    command = [str(find_java("javac")), "-cp", str(jar_path()), "-d", str(into), str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{source} does not compile:\n{result.stdout}{result.stderr}".rstrip())
    return source.stem


def run_java(main: str, args: Sequence[str], class_path: Sequence[Path], jvm_options: Sequence[str]) -> int:
    """Run a main class, or a .java file, in a JVM of its own; return its exit code."""
    with tempfile.TemporaryDirectory(prefix="torch4j-") as folder:
        entries = list(class_path)
        if main.endswith(".java"):
            main = compile_java(Path(main), Path(folder))
            entries.insert(0, Path(folder))
        command = java_command(main, *args, jvm_options=jvm_options, class_path=entries)
        return subprocess.run(command).returncode
