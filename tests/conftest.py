"""One JVM for the session, under -Xcheck:jni, whose warnings fail the run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import values_table
from torch4j import java

VM_LOG = Path(tempfile.mkdtemp(prefix="torch4j-jvm-")) / "vm.log"


@pytest.fixture(scope="session")
def jvm() -> None:
    """Start the JVM: its own output, JNI warnings included, goes to a file that the session's end reads."""
    java.start_jvm(
        "-Xcheck:jni",
        "-Xmx512m",
        "-ea",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+LogVMOutput",
        f"-XX:LogFile={VM_LOG}",
    )


def jni_warnings(text: str) -> list[str]:
    """Return the warnings of -Xcheck:jni that torch4j's own native methods caused.

    JPype's calls are checked too; those have no frame of org.pytorch below them.
    """
    blocks = text.replace("FATAL ERROR in native method", "WARNING in native method").split("WARNING")
    return ["WARNING" + block for block in blocks[1:] if "org.pytorch." in block]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the session on JNI warnings."""
    found = jni_warnings(VM_LOG.read_text(errors="replace")) if VM_LOG.exists() else []
    if found:
        print(f"\n{len(found)} JNI warnings; the first:\n{found[0]}")
        session.exitstatus = 1


@pytest.fixture
def saved(tmp_path: Path) -> Callable[[Any], Path]:
    """Return a function that scripts a module, saves it and returns the path."""

    def save(module: torch.nn.Module, name: str = "model.pt", **kwargs: Any) -> Path:
        path = tmp_path / name
        scripted = module if isinstance(module, torch.jit.ScriptModule) else torch.jit.script(module)
        torch.jit.save(scripted, path, **kwargs)
        return path

    return save


@pytest.fixture
def in_java(jvm: None, saved: Callable[[Any], Path]) -> Iterator[Callable[[Any], java.Module]]:
    """Return a function that gives a Python module as a Java module; all are closed at the end."""
    opened: list[java.Module] = []

    def load(module: torch.nn.Module, **options: Any) -> java.Module:
        opened.append(java.Module(saved(module), **options))
        return opened[-1]

    yield load
    for module in opened:
        module.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that write the generated pages of docs/."""
    parser.addoption("--write-docs", action="store_true", help="write docs/errors.md from test_failures.py")
    parser.addoption("--values-table", type=Path, help="write the table of test_values_table.py there")


CELLS: dict[tuple[str, str], bool] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the cells of the table: a cell holds when its test passed."""
    cell = dict(report.user_properties).get("cell")
    if cell is not None:
        CELLS[cell] = CELLS.get(cell, True) and report.passed


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write the table."""
    path = config.getoption("--values-table")
    if path is not None:
        path.write_text(values_table.document(CELLS))
