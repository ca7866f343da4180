"""Java programs of tests/java in JVMs of their own, for what may kill one."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import torch4j
from torch4j._java_command import find_java

SOURCES = Path(__file__).parent / "java"
SECONDS = 120


@cache
def compiled() -> Path:
    """Compile all programs once a session; return the folder of the classes."""
    folder = Path(mkdtemp(prefix="torch4j-classes-"))
    files = [str(path) for path in sorted(SOURCES.glob("*.java"))]
    command = [str(find_java("javac")), "-Xlint:all", "-Werror", "-cp", str(torch4j.jar_path())]
    subprocess.run([*command, "-d", str(folder), *files], check=True)
    return folder


def run_child(
    main: str,
    *args: object,
    jvm_options: Sequence[str] = (),
    env: dict[str, str] | None = None,
    command: Sequence[str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program; the JVM must end by itself, neither killed by a signal nor stuck."""
    whole = command or torch4j.java_command(
        main, *(str(arg) for arg in args), jvm_options=jvm_options, class_path=[compiled()]
    )
    folder = mkdtemp(prefix="torch4j-child-")  # of its own, for hs_err files
    result = subprocess.run(
        list(whole),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env={**os.environ, **(env or {})},
        cwd=folder,
    )
    assert result.returncode in (0, 1), f"JVM died: {result.returncode}\n{result.stdout[-3000:]}"
    assert not list(Path(folder).glob("hs_err*")), result.stdout[-3000:]
    assert "in native method" not in result.stdout, result.stdout[-3000:]
    return result


def answers(result: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Return the name=text lines that a program printed."""
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr[-2000:]
    lines = (line.split("=", 1) for line in result.stdout.splitlines() if "=" in line)
    return dict(lines)


def of_another_version(jar: str | Path, title: str) -> None:
    """Make a jar say that it is 9.9.9: of torch4j in its manifest too, of another title beside the classes only."""
    with zipfile.ZipFile(jar) as archive:
        members = {info: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(jar, "w") as archive:
        for info, content in members.items():
            changed = content
            if info.filename == "org/pytorch/torch4j.version":
                changed = b"9.9.9\n"
            elif info.filename == "META-INF/MANIFEST.MF":
                text = content.decode().replace("Implementation-Title: torch4j", f"Implementation-Title: {title}")
                version = "9.9.9" if title == "torch4j" else "3.1"
                changed = re.sub(r"(Implementation-Version: )[^\r\n]*", rf"\g<1>{version}", text).encode()
            archive.writestr(info, changed)
