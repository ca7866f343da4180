"""CASES.md, B10 to B13: finding and loading the native libraries. Each JVM is a child."""

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
from error_page import row, section
from test_failures import Scale
from test_install import RIGHT, plain
from test_large import later_jdk
from torch4j._java_command import java_version, jvm_flags


def thrown(model, *options, jar=None):
    """Return class and message of what ends the official program."""
    result = run_child("Official", command=[*plain(*options, jar=jar), "Official", str(model)])
    assert result.returncode == 1, result.stdout
    found = re.search(r'Exception in thread "main" (\S+?): (.*?)\n\tat ', result.stderr, re.DOTALL)
    assert found, result.stderr
    return found.groups()


def empty_library(folder, name):
    (folder / "empty.c").write_text("int nothing;")
    command = ["gcc", "-shared", f"-Wl,-soname,{name}", "-o", folder / name, folder / "empty.c"]
    subprocess.run(command, check=True)


def nothing_beside_the_jar(folder):
    return {"jar": shutil.copy(torch4j.jar_path(), folder / "torch4j.jar")}


def jni_library_alone(folder):
    library = shutil.copy(torch4j.native_library(), folder)
    return {"option": f"-Dtorch4j.library={library}"}


def cut_off(source, folder):
    """A tenth of a library: such a one maps, and touching what is missing is SIGBUS."""
    whole = source.read_bytes()
    (folder / source.name).write_bytes(whole[: len(whole) // 10])


def library_cut_off(folder):
    cut_off(torch4j.native_library(), folder)
    return {"option": f"-Dtorch4j.library={folder}"}


def libtorch_cut_off(folder):
    libraries = Path(torch.__file__).parent / "lib"
    for name in ("libc10.so", "libgomp.so.1"):
        for file in libraries.glob(name.removesuffix(".so") + "*"):
            (folder / file.name).symlink_to(file)
    cut_off(libraries / "libtorch_cpu.so", folder)
    return {"option": f"-Dtorch4j.libtorch={folder}"}


def libtorch_of_the_wheel_cut_off(folder):
    for name in ("torch4j", "torch"):
        (folder / name / "lib").mkdir(parents=True)
    for file in (torch4j.jar_path(), torch4j.native_library()):
        shutil.copy(file, folder / "torch4j" / "lib")
    cut_off(Path(torch.__file__).parent / "lib" / "libtorch_cpu.so", folder / "torch" / "lib")
    return {"jar": folder / "torch4j" / "lib" / "torch4j.jar"}


def no_libtorch(folder):
    return {"option": f"-Dtorch4j.libtorch={folder}"}


def part_of_libtorch(folder):
    (folder / "lib").mkdir()
    (folder / "lib" / "libc10.so").symlink_to(Path(torch.__file__).parent / "lib" / "libc10.so")
    return {"option": f"-Dtorch4j.libtorch={folder}"}


def libtorch_without_the_symbols(folder):
    for name in ("libc10.so", "libtorch_cpu.so"):
        empty_library(folder, name)
    return {"option": f"-Dtorch4j.libtorch={folder}"}


def jar_of_another_version(folder):
    jar = nothing_beside_the_jar(folder)["jar"]
    of_another_version(jar, "torch4j")
    return {"jar": jar, "option": f"-Dtorch4j.library={torch4j.native_library()}"}


MISTAKES = {
    nothing_beside_the_jar: ("the jar moved without libtorch4j.so (B10)", "libtorch4j.so: no such file"),
    jni_library_alone: ("libtorch4j.so moved away from torch (B10)", "libc10.so: cannot open shared object file"),
    library_cut_off: ("libtorch4j.so cut off, as by a full disk (B10)", "is cut off"),
    libtorch_cut_off: ("libtorch cut off (B10)", "is cut off"),
    libtorch_of_the_wheel_cut_off: ("libtorch of the same site-packages cut off (B10)", "is cut off"),
    no_libtorch: ("a libtorch folder with nothing in it (B10)", "expected a folder with libc10.so"),
    part_of_libtorch: ("only part of libtorch (B10)", "expected a folder with libtorch_cpu.so"),
    libtorch_without_the_symbols: ("another version of libtorch (B10)", "undefined symbol"),
    jar_of_another_version: ("jar and library of different versions", "the jar is 9.9.9"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Make each mistake in a JVM of its own; return class and message, paths as a reader would have them."""
    model = tmp_path_factory.mktemp("loader") / "scale.pt"
    torch.jit.script(Scale()).save(str(model))
    texts = {}
    for mistake in MISTAKES:
        folder = tmp_path_factory.mktemp("mistake")
        made = mistake(folder)
        kind, message = thrown(model, *([made["option"]] if "option" in made else []), jar=made.get("jar"))
        texts[mistake] = (kind, readable(message, folder))
    second = answers(run_child("Loaders", torch4j.jar_path(), model))
    assert second["first"] == "loaded"
    kind, message = second["second"].split(": ", 1)
    texts["second loader"] = (kind, readable(message, model.parent))
    return texts


def readable(message, folder):
    message = message.replace(str(folder), "/app").replace(str(torch4j.native_library().parent), "/site/torch4j/lib")
    message = re.sub(r"Java [\d.]+", "Java 17", message)
    message = re.sub(r"it has \d+ bytes of \d+", "it has 100000 bytes of 1000000", message)
    message = re.sub(r"undefined symbol: \w+", "undefined symbol: ...", message)
    # java.library.path of the JVM, which differs between machines
    return re.sub(r"(\n|\\n)  (/usr)?/(lib|java)[^\n\\]*: no such file", "", message)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_b10_wrong_files_are_told_with_what_to_do(told, mistake):
    kind, message = told[mistake]
    assert kind == "org.pytorch.LoadException"
    assert MISTAKES[mistake][1] in message


def test_b12_second_class_loader_is_told_what_to_do(told):
    assert "already loaded in another classloader" in told["second loader"][1]
    assert "class loader that both share" in told["second loader"][1]


def test_docs_hold_these_errors(told, request):
    rows = [row(what, *told[mistake]) for mistake, (what, _) in MISTAKES.items()]
    rows.append(row("a second class loader loads torch4j (B12)", *told["second loader"]))
    section("loading", rows, write=request.config.getoption("--write-docs"))


@pytest.mark.parametrize("entry", ["tensor", "torch", "module", "ivalue"])
def test_b11_any_entry_point_loads(entry, saved):
    told = answers(run_child("Entry", entry, saved(Scale())))
    assert told["ok"] == entry


def test_b13_two_jvms_at_once_read_only_home_and_noexec_tmp(tmp_path, saved):
    model = str(saved(Scale()))
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o555)
    options = ["-Djava.io.tmpdir=/proc", f"-Duser.home={home}"]  # nowhere to write: nothing is unpacked
    command = [*plain(*options), "Official", model]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in started:
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        assert f"shape={RIGHT['shape']}" in output


def test_b13_library_in_a_noexec_folder_is_told(tmp_path, saved):
    folder = tmp_path / "noexec"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("cannot mount here: " + mounted.stderr.decode().strip())
    try:
        library = shutil.copy(torch4j.native_library(), folder)
        command = [*plain(f"-Dtorch4j.library={library}"), "Official", str(saved(Scale()))]
        result = run_child("Official", command=command)
    finally:
        subprocess.run(["umount", folder], check=True)
    assert "failed to map segment from shared object" in result.stderr
    assert "mounted noexec" in result.stderr


@pytest.mark.parametrize("way", ["class path", "module path"])
def test_jdk_25_with_restricted_native_access(tmp_path, saved, way):
    jdk = later_jdk()
    if jdk is None:
        pytest.skip("no JDK of version 22 or later in /usr/lib/jvm")
    java = jdk / "bin" / "java"
    jar, classes = str(torch4j.jar_path()), str(compiled())
    deny = ["--illegal-native-access=deny"] if java_version(java) >= 24 else []
    if way == "class path":
        flags = [*jvm_flags(java_version(java)), "-cp", os.pathsep.join((jar, classes))]
    else:
        flags = ["--enable-native-access=org.pytorch,ALL-UNNAMED", "--module-path", jar, "--add-modules", "org.pytorch"]
        flags += ["-cp", classes]
    result = run_child("Official", command=[str(java), *deny, *flags, "Official", str(saved(Scale()))])
    assert answers(result) == RIGHT
    without = [str(java), *deny, "-cp", os.pathsep.join((jar, classes)), "Official", str(saved(Scale()))]
    result = run_child("Official", command=without)
    assert result.returncode == 1
    assert "--enable-native-access" in result.stderr
