"""Finding the library: what works with nothing set, and the one error when nothing works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import torch
import torch4j
from children import answers, compiled, of_another_version, run_child
from test_failures import Scale
from torch4j._java_command import find_java


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("install") / "scale.pt"
    torch.jit.script(Scale()).save(str(path))
    return path


def plain(*options, jar=None):
    """A java command that sets nothing but what is given."""
    entries = os.pathsep.join(str(entry) for entry in (jar or torch4j.jar_path(), compiled()))
    return [str(find_java()), *options, "-cp", entries]


RIGHT = {"shape": "[2, 3]", "data": "[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]"}


def test_official_program_runs_with_class_path_only(model):
    result = run_child("Official", command=[*plain(), "Official", str(model)])
    assert answers(result) == RIGHT


@pytest.fixture
def jar_alone(tmp_path):
    return shutil.copy(torch4j.jar_path(), tmp_path / "alone.jar")


def test_java_library_path(model, jar_alone):
    option = f"-Djava.library.path={torch4j.native_library().parent}"
    result = run_child("Official", command=[*plain(option, jar=jar_alone), "Official", str(model)])
    assert answers(result) == RIGHT


@pytest.mark.parametrize("how", ["property", "variable"])
def test_explicit_library(model, jar_alone, how):
    library = str(torch4j.native_library())
    options = [f"-Dtorch4j.library={library}"] if how == "property" else []
    env = {"TORCH4J_LIBRARY": library} if how == "variable" else {}
    command = [*plain(*options, jar=jar_alone), "Official", str(model)]
    assert answers(run_child("Official", command=command, env=env)) == RIGHT


def test_every_place_tried_is_told(model, jar_alone, tmp_path):
    (tmp_path / "libs").mkdir()
    (tmp_path / "libs" / "libtorch4j.so").write_text("no library")
    option = f"-Djava.library.path={tmp_path / 'nowhere'}{os.pathsep}{tmp_path / 'libs'}"
    result = run_child("Official", command=[*plain(option, jar=jar_alone), "Official", str(model)])
    assert result.returncode == 1
    assert "org.pytorch.LoadException: cannot load libtorch4j.so" in result.stderr
    assert f"{tmp_path / 'libtorch4j.so'}: no such file" in result.stderr
    assert f"{tmp_path / 'nowhere' / 'libtorch4j.so'}: no such file" in result.stderr
    assert re.search(r"libs/libtorch4j.so: .*not a shared library", result.stderr)
    assert "pip install torch4j" in result.stderr


def test_explicit_library_is_final(model):
    command = [*plain("-Dtorch4j.library=/nowhere/x.so"), "Official", str(model)]
    result = run_child("Official", command=command)
    assert result.returncode == 1
    assert "/nowhere/x.so: no such file" in result.stderr
    assert str(torch4j.native_library()) not in result.stderr


def test_explicit_libtorch_is_final(model, tmp_path):
    command = [*plain(f"-Dtorch4j.libtorch={tmp_path}"), "Official", str(model)]
    result = run_child("Official", command=command)
    assert f"-Dtorch4j.libtorch={tmp_path}: expected a folder with libc10.so" in result.stderr
    home = Path(torch.__file__).parent
    command = [*plain(f"-Dtorch4j.libtorch={home}"), "Official", str(model)]
    assert answers(run_child("Official", command=command)) == RIGHT


def test_b11_first_failure_is_thrown_again(model, jar_alone):
    command = [*plain(jar=jar_alone), "LoadTwice"]
    told = answers(run_child("LoadTwice", command=command))
    assert told["first"].startswith("org.pytorch.LoadException: cannot load libtorch4j.so")
    assert told["again"] == told["first"]


@pytest.mark.parametrize("title", ["torch4j", "an application with all its jars in one"])
def test_versions_of_jar_and_library_are_compared(model, jar_alone, title):
    of_another_version(jar_alone, title)
    option = f"-Dtorch4j.library={torch4j.native_library()}"
    command = [*plain(option, jar=jar_alone), "Official", str(model)]
    result = run_child("Official", command=command)
    assert f"is torch4j {torch4j.__version__}, the jar is 9.9.9" in result.stderr


def elf(*options):
    command = ["readelf", "--wide", *options, str(torch4j.native_library())]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_library_finds_torch_beside_it_and_binds_at_once():
    dynamic = elf("--dynamic")
    assert "RUNPATH" in dynamic
    assert "[$ORIGIN/../../torch/lib]" in dynamic
    assert "BIND_NOW" in dynamic or "NOW" in dynamic


def test_library_has_no_executable_stack():
    stack = next(line for line in elf("--program-headers").splitlines() if "GNU_STACK" in line)
    assert "RWE" not in stack


def exported():
    command = ["nm", "--dynamic", "--defined-only", str(torch4j.native_library())]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[-1] for line in lines}


def declared():
    """Return the JNI names of all native methods in the jar."""
    jar = str(torch4j.jar_path())
    names = set()
    for name in ("NativeModule", "NativeTensor", "NativeTorch"):
        command = [str(find_java("javap")), "-private", "-cp", jar, f"org.pytorch.{name}"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        methods = re.findall(r" native .* (\w+)\(", text)
        names |= {f"Java_org_pytorch_{name}_{method}" for method in methods}
    return names


def test_every_native_method_is_exported_and_nothing_else():
    assert len(declared()) > 20
    assert exported() == declared() | {"JNI_OnLoad", "JNI_OnUnload"}


def test_native_methods_are_declared_in_these_classes_only():
    names = subprocess.run(
        [str(find_java("jar")), "--list", "--file", str(torch4j.jar_path())],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    classes = [name.removesuffix(".class").replace("/", ".") for name in names if name.endswith(".class")]
    command = [str(find_java("javap")), "-private", "-cp", str(torch4j.jar_path()), *classes]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert len(re.findall(r" native ", text)) == len(declared())
