"""Command lines of Java programs that use torch4j."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from torch4j._paths import jar_path, native_library

MIN_JAVA = 17
# From this JDK on System.load warns, and later fails, unless native access is allowed (JEP 472).
NATIVE_ACCESS_JAVA = 24
NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED"


def find_java(tool: str = "java") -> Path:
    """Return the path of a JDK tool: in JAVA_HOME, else on PATH.

    Raises FileNotFoundError with the command that installs one.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        path = Path(home) / "bin" / tool
        if path.is_file():
            return path
        raise FileNotFoundError(f"JAVA_HOME={home} has no bin/{tool}")
    found = shutil.which(tool)
    if found is None:
        raise FileNotFoundError(
            f"no {tool} on PATH and JAVA_HOME is not set; on Debian: apt-get install openjdk-17-jdk-headless"
        )
    return Path(found)


def java_version(java: Path) -> int:
    """Return the major version of a Java runtime.

    Raises RuntimeError with what it printed when it does not run.
    """
    run = subprocess.run([java, "-version"], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{java} -version ended with exit code {run.returncode}: {run.stderr.strip()}")
    found = re.search(r'version "(\d+)', run.stderr + run.stdout)
    if found is None:
        raise RuntimeError(f"{java} -version prints no version: {run.stderr}")
    return int(found.group(1))


def jvm_flags(major: int) -> list[str]:
    """Return the flags that a JVM of that version needs to load native libraries quietly."""
    return [NATIVE_ACCESS] if major >= NATIVE_ACCESS_JAVA else []


def java_command(
    main: str, *args: str, jvm_options: Sequence[str] = (), class_path: Sequence[str | Path] = ()
) -> list[str]:
    """Return the command line that runs a Java program with torch4j.

    Args:
        main: name of the main class.
        args: its arguments.
        jvm_options: options of the JVM, such as ``-Xmx64m``.
        class_path: further entries of the class path.

    Raises:
        FileNotFoundError: without a Java or without the files of torch4j.
        RuntimeError: when that Java is older than 17.
    """
    java = find_java()
    major = java_version(java)
    if major < MIN_JAVA:
        raise RuntimeError(f"{java} is Java {major}; torch4j needs {MIN_JAVA} or later")
    entries = os.pathsep.join(str(entry) for entry in (jar_path(), *class_path))
    library = f"-Dtorch4j.library={native_library()}"
    return [
        str(java),
        *jvm_flags(major),
        library,
        *jvm_options,
        "-cp",
        entries,
        main,
        *args,
    ]
