"""Where the files of an install are found."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch4j
from torch4j import _paths


def test_importing_is_cheap():
    code = "import sys, torch4j; print([name for name in ('torch', 'numpy', 'jpype', 'rich') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_the_library_lies_beside_the_jar(monkeypatch):
    monkeypatch.delenv("TORCH4J_LIBRARY", raising=False)
    assert torch4j.jar_path().is_file()
    assert torch4j.native_library() == torch4j.jar_path().with_name("libtorch4j.so")


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """Sources, and site-packages of this interpreter, that hold no built files."""
    monkeypatch.setattr(_paths, "__file__", str(tmp_path / "source" / "_paths.py"))
    monkeypatch.setattr(_paths.sysconfig, "get_path", lambda scheme: str(tmp_path / scheme))
    return tmp_path


def test_an_editable_install_of_another_site_packages_is_found(monkeypatch, elsewhere):
    built = elsewhere / "base" / "torch4j"
    (built / "lib").mkdir(parents=True)
    (built / "lib" / "torch4j.jar").touch()
    monkeypatch.setattr(torch4j, "__path__", [str(built), str(elsewhere / "source")])
    assert torch4j.jar_path() == built / "lib" / "torch4j.jar"


def test_a_missing_jar_names_every_place_tried(monkeypatch, elsewhere):
    monkeypatch.setattr(torch4j, "__path__", [str(elsewhere / "path")])
    with pytest.raises(FileNotFoundError) as caught:
        torch4j.jar_path()
    for place in ("source/lib", "path/lib", "platlib/torch4j/lib", "purelib/torch4j/lib"):
        assert str(elsewhere / place / "torch4j.jar") in str(caught.value)


def test_the_variable_names_a_file_or_a_folder_and_is_final(monkeypatch, tmp_path):
    library = tmp_path / "libtorch4j.so"
    monkeypatch.setenv("TORCH4J_LIBRARY", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="TORCH4J_LIBRARY"):
        torch4j.native_library()
    library.touch()
    assert torch4j.native_library() == library
    monkeypatch.setenv("TORCH4J_LIBRARY", str(library))
    assert torch4j.native_library() == library
