"""Which Java is used."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch4j
from torch4j import _java_command
from torch4j._java_command import find_java, java_version, jvm_library, system_javas


def child(code, env=None):
    """Run Python code in a process of its own, and show all it said when it dies or stalls."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=120)


def jdk(folder, major, tools=("java",)):
    """Make a folder that looks like a JDK of a version."""
    (folder / "bin").mkdir(parents=True)
    for tool in tools:
        (folder / "bin" / tool).touch(mode=0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{major}.0.1"\n')
    return folder / "bin" / "java"


@pytest.fixture
def system(monkeypatch, tmp_path):
    """A system folder of our own, and nothing on PATH."""
    monkeypatch.setattr(_java_command, "SYSTEM_FOLDER", tmp_path / "jvm")
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return tmp_path / "jvm"


def test_the_newest_of_the_system_is_the_last_resort(system):
    old, new = jdk(system / "z-jdk-9", 9), jdk(system / "a-jdk-21", 21)
    (system / "default").symlink_to(system / "z-jdk-9")
    assert system_javas() == {new: 21, old: 9}
    assert find_java() == new


def test_path_comes_before_the_system_folder(system, tmp_path):
    jdk(system / "jdk", 21, ("java", "javac"))
    on_path = jdk(tmp_path / "other", 17)
    (tmp_path / "path").symlink_to(on_path.parent)
    assert find_java() == tmp_path / "path" / "java"
    with pytest.raises(FileNotFoundError, match="no javac on PATH"):  # that of the folder may be too new
        find_java("javac")


def test_java_home_is_final(system, monkeypatch, tmp_path):
    jdk(system / "jdk", 21)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError, match="JAVA_HOME="):
        find_java()


def test_without_any_java_the_error_says_how_to_get_one(system):
    with pytest.raises(FileNotFoundError, match="apt-get install"):
        find_java()


@pytest.mark.parametrize(("major", "flags"), [(17, []), (23, []), (24, ["--enable-native-access=ALL-UNNAMED"])])
def test_the_command_has_flags_library_and_class_path(monkeypatch, major, flags):
    monkeypatch.setattr(_java_command, "java_version", lambda java: major)
    command = torch4j.java_command("Main", "x", jvm_options=["-Xmx9m"], class_path=["a.jar"])
    library = f"-Dtorch4j.library={torch4j.native_library()}"
    entries = os.pathsep.join([str(torch4j.jar_path()), "a.jar"])
    assert command == [str(find_java()), *flags, library, "-Xmx9m", "-cp", entries, "Main", "x"]


def test_an_old_java_is_refused(monkeypatch):
    monkeypatch.setattr(_java_command, "java_version", lambda java: 11)
    with pytest.raises(RuntimeError, match="is Java 11; install 17 or later"):
        torch4j.java_command("Main")


STARTED = """
from torch4j import java
from torch4j._mapped import mapped_files
java.start_jvm()
java.start_jvm()
print(mapped_files()["libjvm.so"][0])
"""


def test_the_jvm_in_python_is_the_one_on_path(tmp_path):
    """JPype's own search would take another where PATH and the system's default differ."""
    newest = next((path for path, major in system_javas().items() if major >= 17), None)
    if newest is None:
        pytest.skip("no JDK in the system's folder")
    env = {**os.environ, "PATH": f"{newest.parent}{os.pathsep}{os.environ['PATH']}"}
    env.pop("JAVA_HOME", None)
    run = child(STARTED, env)
    assert run.returncode == 0, f"{run.returncode}: {run.stdout}{run.stderr}"
    assert run.stdout.strip() == str(jvm_library(newest).resolve())
    assert java_version(newest) >= 17


FOREIGN = """
import jpype
jpype.startJVM()
from torch4j import java
java.start_jvm()
"""


def test_a_jvm_without_torch4j_is_an_error():
    run = child(FOREIGN)
    assert run.returncode == 1
    assert "a JVM runs in this process that has no torch4j on its class path" in run.stderr


WARM = """
import os
from torch4j import java
import torch
java._warm_up()
before = len(os.listdir("/proc/self/task"))
torch.ones(512, 512) @ torch.ones(512, 512)
torch.ones(1 << 20).exp()
print(before, len(os.listdir("/proc/self/task")))
"""


def test_d8_after_the_warm_up_torch_starts_no_more_threads():
    run = child(WARM)
    assert run.returncode == 0, run.stderr
    before, after = run.stdout.split()
    assert before == after
