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
SYSTEM_FOLDER = Path("/usr/lib/jvm")


def _release(tool: Path) -> int:
    """Return the major version that the release file of a JDK's folder tells, or 0."""
    file = tool.parents[1] / "release"
    found = re.search(r'^JAVA_VERSION="(\d+)', file.read_text(), re.MULTILINE) if file.is_file() else None
    return int(found.group(1)) if found else 0


def system_javas(tool: str = "java") -> dict[Path, int]:
    """Return that tool of each JDK in the system's folder with its major version, the newest first."""
    paths = {path.resolve() for path in SYSTEM_FOLDER.glob(f"*/bin/{tool}") if path.is_file()}
    return {path: _release(path) for path in sorted(paths, key=lambda path: (-_release(path), path))}


def find_java(tool: str = "java") -> Path:
    """Return the path of a JDK tool: in JAVA_HOME, else on PATH, else the newest in the system's folder.

    Raises FileNotFoundError with the command that installs one.
    """
    home = os.environ.get("JAVA_HOME")
    if home:
        path = Path(home) / "bin" / tool
        if path.is_file():
            return path
        raise FileNotFoundError(f"JAVA_HOME={home} has no bin/{tool}")
    found = shutil.which(tool)
    # A javac of the folder might be too new for the java on PATH.
    if found is None and shutil.which("java") is None:
        found = next((str(path) for path in system_javas(tool)), None)
    if found is None:
        raise FileNotFoundError(
            f"no {tool} on PATH and JAVA_HOME is not set; on Debian: apt-get install openjdk-17-jdk-headless"
        )
    return Path(found)


def _property(java: Path, name: str) -> str:
    """Ask a Java runtime for a system property: `java` may be a link, or a script of a version manager.

    Raises RuntimeError when it does not answer.
    """
    command = [str(java), "-XshowSettings:properties", "-version"]
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise RuntimeError(f"{java} cannot be run: {error.strerror}; set JAVA_HOME to another JDK") from error
    found = re.search(rf"^ *{re.escape(name)} = (.+)$", run.stderr + run.stdout, re.MULTILINE)
    if run.returncode != 0:
        said = " ".join(run.stderr.split())
        raise RuntimeError(f"{java} -version ended with exit code {run.returncode}: {said}")
    if found is None:
        raise RuntimeError(f"{java} -version does not tell its {name}; set JAVA_HOME to another JDK")
    return found.group(1)


def java_version(java: Path) -> int:
    """Return the major version of a Java runtime."""
    return int(_property(java, "java.specification.version").removeprefix("1."))  # 1.8 is Java 8


def jvm_library(java: Path) -> Path:
    """Return the libjvm.so of a Java runtime."""
    path = Path(_property(java, "java.home")) / "lib" / "server" / "libjvm.so"
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file; set JAVA_HOME to a JDK with a server VM")
    return path


def supported_java() -> tuple[Path, int]:
    """Return the Java to use and its major version.

    Raises FileNotFoundError without one, RuntimeError when it is too old.
    """
    java = find_java()
    major = java_version(java)
    if major < MIN_JAVA:
        raise RuntimeError(f"{java} is Java {major}; install {MIN_JAVA} or later, or set JAVA_HOME")
    return java, major


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
    java, major = supported_java()
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
