"""The table of native/guard.cpp: a test for each row, through a library that throws on demand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import torch
from children import answers, run_child
from torch4j._java_command import find_java

ROOT = Path(__file__).parent.parent
SOURCES = ("guard", "error_text", "java_exception", "java_bytes")
ROWS = {
    "a pending Java exception": (0, "java.io.EOFException: of Java | "),
    "Failure": (1, "org.pytorch.SchemaException: failure | trace"),
    "JITException": (2, "org.pytorch.ScriptException: message of JITException | "),
    "c10::Error, with broken UTF-8": (3, "org.pytorch.TorchException: broken \ufffd text | broken \ufffd text"),
    "std::bad_alloc": (4, "java.lang.OutOfMemoryError: native memory is exhausted (std::bad_alloc); "),
    "ios_base::failure": (5, "java.io.UncheckedIOException: java.io.IOException: disk"),
    "invalid_argument": (6, "java.lang.IllegalArgumentException: argument | "),
    "out_of_range": (7, "java.lang.ArrayIndexOutOfBoundsException: index | "),
    "other std::exception": (8, "org.pytorch.TorchException: runtime | "),
    "allocator": (9, "java.lang.OutOfMemoryError: libtorch cannot allocate 77 bytes"),
    "a Java exception pending already": (10, "java.io.EOFException: wins | "),
    "anything else": (11, "org.pytorch.TorchException: unknown C++ exception | "),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Compile the library, throw everything in one child."""
    folder = tmp_path_factory.mktemp("guard")
    codes = ROOT / "java/src/main/java/org/pytorch/NativeCodes.java"
    subprocess.run([find_java("javac"), "-h", folder, "-d", folder, codes], check=True)
    jdk = find_java("javac").resolve().parent.parent
    torch_root = Path(torch.__file__).parent
    includes = [jdk / "include", jdk / "include/linux", torch_root / "include", folder, ROOT / "native"]
    includes.append(torch_root / "include/torch/csrc/api/include")
    files = [ROOT / "tests/native/throws.cpp", *(ROOT / "native" / f"{name}.cpp" for name in SOURCES)]
    library = folder / "libthrows.so"
    command = ["g++", "-std=c++20", "-shared", "-fPIC", "-O0", "-o", library, *(f"-I{path}" for path in includes)]
    subprocess.run([*command, *files, f"-L{torch_root}/lib", "-ltorch_cpu", "-lc10"], check=True)
    options = ["-Xcheck:jni", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]
    return answers(run_child("Throws", library, len(ROWS), jvm_options=options))


@pytest.mark.parametrize("row", ROWS)
def test_row(told, row):
    number, expected = ROWS[row]
    assert told[str(number)].startswith(expected)
