"""scripts/export_*.py: each runs as a command, and Java and Python agree on its file to the bit."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from same import assert_same
from torch4j import java

SCRIPTS = Path(__file__).parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
import export_common

NAMES = (
    "classifier",
    "detector",
    "encoder",
    "features",
    "methods",
    "pruned",
    "quantized",
    "recurrent",
    "tokenizer",
)
CALLS = 3  # the first ones are profiled, the later ones optimized


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the files."""
    return tmp_path_factory.mktemp("models")


def written(name: str, folder: Path) -> Path:
    """Return the file of a script, which runs once."""
    path = folder / f"{name}.pt"
    if not path.exists():
        command = [sys.executable, str(SCRIPTS / f"export_{name}.py"), "--folder", str(folder)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        assert str(path) in run.stdout.replace("\n", "")
    return path


def script(name: str) -> Any:
    """Return a script as a module."""
    return importlib.import_module(f"export_{name}")


def assert_agree(path: Path, calls: dict[str, export_common.Calls], rounds: int = CALLS) -> None:
    """Run all calls in Java and in Python, in the same order on both sides, and compare each answer."""
    loaded = torch.jit.load(str(path))
    with java.Module(path) as module, torch.inference_mode():
        for turn in range(rounds):
            for method, examples in calls.items():
                for index, arguments in enumerate(examples):
                    expected = getattr(loaded, method)(*arguments)
                    place = f"{path.stem}.{method}, example {index}, call {turn + 1}"
                    assert_same(module.run_method(method, *arguments), expected, place)


def test_every_script_is_tested() -> None:
    found = {path.stem.removeprefix("export_") for path in SCRIPTS.glob("export_*.py")}
    assert found - {"common", "table"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_same_in_java_and_python(name: str, folder: Path, jvm: None) -> None:
    calls = export_common.by_method(script(name).example_inputs())
    assert all(calls.values())
    assert_agree(written(name, folder), calls)


@pytest.mark.parametrize("name", NAMES)
def test_the_file_answers_as_the_eager_model(name: str, folder: Path) -> None:
    """Call once: what is compared is that the script wrote its model, and wrote it whole."""
    loaded, eager = torch.jit.load(str(written(name, folder))), script(name).model()
    with torch.inference_mode():
        for method, examples in export_common.by_method(script(name).example_inputs()).items():
            for index, arguments in enumerate(examples):
                expected = getattr(eager, method)(*arguments)
                assert_same(getattr(loaded, method)(*arguments), expected, f"{name}.{method}, example {index}")


@pytest.mark.parametrize("name", NAMES)
def test_every_method_of_the_file_has_an_example(name: str, folder: Path, jvm: None) -> None:
    calls = export_common.by_method(script(name).example_inputs())
    with java.Module(written(name, folder)) as module:
        own = {method for method in module.methods() if not method.startswith("__")}
        assert own >= set(calls)
        assert {method for method in own if hasattr(script(name).model(), method)} - set(calls) <= HELPERS[name]


# Methods that others call: compiled into the file, and covered through their callers.
HELPERS: dict[str, set[str]] = {name: set() for name in NAMES} | {
    "tokenizer": {"pieces"},
    "detector": {"boxes", "detect"},
}
