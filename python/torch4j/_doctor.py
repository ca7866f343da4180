"""Examines an install: what torch4j doctor prints."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from torch4j._java_command import supported_java, system_javas
from torch4j._paths import jar_path, native_library

PROBE_SECONDS = 120


@dataclass
class Report:
    """What was found: facts by name, and for each trouble what to do."""

    facts: dict[str, str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether Java can run models here."""
        return not self.troubles

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {"ok": self.ok, **asdict(self)}

    def note(self, name: str, find: Callable[[], Any]) -> None:
        """Note a fact; one that cannot be found is a trouble with its own words."""
        try:
            self.facts[name] = str(find())
        except (OSError, RuntimeError, KeyError, PackageNotFoundError, zipfile.BadZipFile) as error:
            self.facts[name] = "missing"
            self.troubles.append(f"{name}: {error}")

    def show(self, console: Console) -> None:
        """Print a table, then "ok" or what to do."""
        table = Table("name", "value", title="torch4j doctor", show_header=False)
        table.columns[1].overflow = "fold"  # a path must stay whole
        for name, value in self.facts.items():
            table.add_row(name, value)
        console.print(table)
        for trouble in self.troubles:
            console.print(f"what to do: {trouble}", style="red", markup=False, soft_wrap=True)
        if self.ok:
            console.print("ok", style="green")


def _java() -> str:
    java, major = supported_java()
    return f"{major} ({java})"


def _javas() -> str:
    return ", ".join(f"{major or '?'} ({path})" for path, major in system_javas().items()) or "none"


def _jar_version() -> str:
    with zipfile.ZipFile(jar_path()) as jar:
        return jar.read("org/pytorch/torch4j.version").decode().strip()


def _cpu_features() -> str:
    flags = set(Path("/proc/cpuinfo").read_text().split())
    return " ".join(name for name in ("avx2", "fma", "avx512f", "amx_tile") if name in flags)


def _libc() -> str:
    name, number = platform.libc_ver()
    if name != "glibc":
        raise RuntimeError("libtorch is built for glibc; on musl (Alpine) use a Debian based image")
    return f"{name} {number}"


def _probe() -> dict[str, str]:
    """Load the library in a process of its own, which may die, and ask it what it sees."""
    run = subprocess.run(
        [sys.executable, "-m", "torch4j._probe"],
        capture_output=True,
        text=True,
        timeout=PROBE_SECONDS,
    )
    if run.returncode < 0:
        name = signal.Signals(-run.returncode).name
        raise RuntimeError(f"{name} killed the process that loaded the native library; try another JDK by JAVA_HOME")
    if run.returncode != 0:
        last = (run.stderr.strip() or f"exit code {run.returncode}").splitlines()[-1]
        raise RuntimeError(f"Java cannot load the native library: {last}")
    facts: dict[str, str] = json.loads(run.stdout.splitlines()[-1])
    if "error" in facts:
        raise RuntimeError(f"Java cannot load the native library: {facts['error']}")
    return facts


def examine() -> Report:
    """Examine this install."""
    report = Report()
    report.note("torch4j", lambda: version("torch4j"))
    report.note("Python", lambda: f"{platform.python_version()} ({sys.executable})")
    report.note("torch", lambda: version("torch"))
    report.note("Java", _java)
    report.note("JDKs of the system", _javas)
    report.note("C library", _libc)
    report.note("jar", jar_path)
    report.note("jar version", _jar_version)
    report.note("native library", native_library)
    report.note("CPU features", _cpu_features)
    report.note("processors", lambda: len(os.sched_getaffinity(0)))
    if report.ok:
        try:
            report.facts.update(_probe())
        except (RuntimeError, subprocess.SubprocessError) as error:
            report.troubles.append(str(error))
    return report
