"""The command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch4j
from test_failures import Scale
from torch4j._java_command import find_java

PROGRAMS = Path(__file__).parent / "java"


def cli(*args, env=None):
    import os

    command = [sys.executable, "-m", "torch4j.cli", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(env or {})})


def test_classpath():
    assert cli("classpath").stdout.strip() == str(torch4j.jar_path())
    assert json.loads(cli("classpath", "--json").stdout)["library"] == str(torch4j.native_library())


def test_run_compiles_and_runs_a_java_file(tmp_path):
    torch.jit.script(Scale()).save(str(tmp_path / "scale.pt"))
    result = cli("run", PROGRAMS / "Official.java", tmp_path / "scale.pt")
    assert result.returncode == 0
    assert "shape=[2, 3]" in result.stdout


def test_run_passes_the_exit_code_and_options(tmp_path):
    source = tmp_path / "Exit.java"
    source.write_text(
        "public class Exit { public static void main(String[] a) {"
        " System.out.println(Runtime.getRuntime().maxMemory()); System.exit(a.length); } }"
    )
    result = cli("run", "-J", "-Xmx64m", source, "--json", "b", "c")
    assert result.returncode == 3
    assert int(result.stdout) <= 64 << 20


def test_run_says_what_is_wrong():
    result = cli("run", "Nope.java")
    assert result.returncode == 1
    assert result.stderr.strip() == "torch4j: Nope.java: no such file"


def test_run_tells_what_a_broken_java_printed(tmp_path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho no heap >&2\nexit 3\n")
    java.chmod(0o755)
    result = cli("run", "Main", env={"JAVA_HOME": str(tmp_path)})
    assert result.returncode == 1
    assert result.stderr.strip() == f"torch4j: {java} -version ended with exit code 3: no heap"


def test_doctor_is_ok_here():
    result = cli("doctor")
    assert result.returncode == 0
    assert result.stdout.strip().endswith("ok")
    report = json.loads(cli("doctor", "--json").stdout)
    assert report["ok"]
    assert str(torch4j.native_library()) in report["facts"]["mapped libtorch4j.so"]
    assert Path(torch.__file__).parent.name == "torch"
    assert str(Path(torch.__file__).parent) in report["facts"]["mapped libtorch_cpu.so"]


def test_doctor_says_what_to_do():
    result = cli("doctor", env={"TORCH4J_LIBRARY": "/nowhere"})
    assert result.returncode == 1
    assert "what to do: native library: TORCH4J_LIBRARY=/nowhere: no such file" in result.stdout


def test_version_and_help():
    assert cli("--version").stdout.strip() == torch4j.__version__
    assert "doctor" in cli("--help").stdout


HELPER = "package help; public class Helper { public static int n() { return 7; } }"
USER = "package a.b; public class User { public static void main(String[] x) { System.exit(help.Helper.n()); } }"


def test_run_compiles_with_the_class_path_and_in_any_package(tmp_path):
    (tmp_path / "Helper.java").write_text(HELPER)
    (tmp_path / "User.java").write_text(USER)
    classes = tmp_path / "classes"
    subprocess.run([str(find_java("javac")), "-d", str(classes), str(tmp_path / "Helper.java")], check=True)
    result = cli("run", "--class-path", classes, tmp_path / "User.java")
    assert result.returncode == 7, result.stderr


def test_run_says_that_the_file_has_no_class_of_its_name(tmp_path):
    source = tmp_path / "Other.java"
    source.write_text("class Main { public static void main(String[] args) {} }")
    result = cli("run", source)
    assert result.returncode == 1
    assert f"torch4j: {source} has no class Other" in result.stderr


def test_run_tells_a_killed_program_as_a_shell_does(tmp_path):
    source = tmp_path / "Killed.java"
    source.write_text(
        "public class Killed { public static void main(String[] a) throws Exception {"
        ' new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();'
        " Thread.sleep(60000); } }"
    )
    assert cli("run", source).returncode == 128 + 9


@pytest.mark.parametrize("mode", [0o644, 0o755])
def test_a_java_that_cannot_be_started_is_told_in_one_line(tmp_path, mode):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("no script")
    java.chmod(mode)
    result = cli("run", "Main", env={"JAVA_HOME": str(tmp_path)})
    assert result.returncode == 1
    assert result.stderr.startswith(f"torch4j: {java} cannot be run: ")
    assert result.stderr.count("\n") == 1


def test_doctor_tells_why_the_library_does_not_load(tmp_path):
    library = tmp_path / "libtorch4j.so"
    library.write_text("no library")
    result = cli("doctor", env={"TORCH4J_LIBRARY": str(library)})
    assert result.returncode == 1
    trouble = result.stdout.strip().splitlines()[-1]
    assert trouble.startswith("what to do: Java cannot load the native library: ")
    assert "not a shared library" in trouble


def test_doctor_tells_versions():
    facts = json.loads(cli("doctor", "--json").stdout)["facts"]
    assert facts["jar version"] == torch4j.__version__
    assert facts["JDKs of the system"]
