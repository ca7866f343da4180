"""The command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import torch
import torch4j
from test_failures import Scale

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
