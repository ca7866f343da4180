"""A cold start: what is ready before libtorch is, and a JVM that ends too early."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import torch4j
from children import answers, run_child
from test_failures import Scale


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("start") / "scale.pt"
    torch.jit.script(Scale()).save(str(path))
    return path


def log_of(model, tmp_path):
    """What the JVM loads and links, in order; the last answer tells that it all went well."""
    log = tmp_path / "jvm.log"
    option = f"-Xlog:class+load,jni+resolve=debug:file={log}:tags"
    result = run_child("Official", model, jvm_options=["-Xshare:auto", option])
    assert answers(result)["shape"] == "[2, 3]"
    return log.read_text().splitlines()


def named(lines, pattern):
    return [found.group(1) for line in lines if (found := re.search(pattern, line))]


def test_what_the_first_call_needs_is_ready_before_the_library_is(model, tmp_path):
    """PreparedClasses lists it: a class that is missing there is one that a first call waits for."""
    lines = log_of(model, tmp_path)
    [linked] = [at for at, line in enumerate(lines) if "native method org.pytorch.NativeModule.load" in line]
    assert len(named(lines[:linked], r"\] org\.pytorch\.(\w+)")) > 40
    anonymous = r"\$\d"
    late = [name for name in named(lines[linked:], r"\] org\.pytorch\.(\S+) source") if not re.search(anonymous, name)]
    assert late == []


def test_nothing_on_the_way_to_the_first_answer_is_a_lambda(model, tmp_path):
    """The first lambda of a program takes some milliseconds, and links native methods, which waits for libtorch."""
    lines = log_of(model, tmp_path)
    assert named(lines, r"\] (org\.pytorch\.\S*Lambda\S*)") == []


def test_nothing_waits_for_the_dynamic_linker(model, tmp_path):
    """A native method of the JDK that is first called while libtorch is mapped would: EarlyStart calls them before."""
    lines = log_of(model, tmp_path)
    linking = r"Dynamic-linking native method (\S+)"
    [start] = [at for at, line in enumerate(lines) if "org.pytorch.SharedObject source" in line]
    [end] = [at for at, line in enumerate(lines) if "native method org.pytorch.NativeTorch.versions" in line]
    from_here = [at for at in range(start, end) if "org.pytorch.DeepStack source" in lines[at]]
    assert from_here, "classes are made ready while libtorch is mapped"
    late = named(lines[from_here[0] : end], linking)
    assert late == []


@pytest.mark.parametrize("how", ["returns", "exits"])
def test_jvm_that_ends_while_libtorch_is_mapped(model, how):
    """libtorch's destructors must not meet its initializers."""
    for milliseconds in (0, 10, 40, 80, 120, 160):
        result = run_child("EarlyEnd", model, how, milliseconds)
        assert result.returncode == 0, result.stdout + result.stderr


def test_missing_model_does_not_load_the_library(tmp_path):
    log = tmp_path / "jvm.log"
    result = run_child("Official", tmp_path / "none.pt", jvm_options=[f"-Xlog:class+load:file={log}:tags"])
    assert result.returncode == 1
    assert "no such file" in result.stderr
    assert "org.pytorch.SharedObject" not in log.read_text()


def heap_of(options, model):
    return answers(run_child("Heap", model, jvm_options=options))


def test_the_heap_is_ready_for_libtorch(model):
    """Its initializers allocate 57 MB in small pieces: in huge pages, where the kernel gives them on request."""
    told = heap_of([], model)
    assert told["mapped"] == "true"
    if "[never]" not in Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text():
        assert int(told["huge"]) > 20 << 10


@pytest.mark.parametrize("how", ["missing", "cut off"])
def test_without_the_heap_library_it_is_only_slower(model, tmp_path, how):
    (tmp_path / "torch").symlink_to(Path(torch.__file__).parent)
    folder = tmp_path / "torch4j" / "lib"
    folder.mkdir(parents=True)
    shutil.copy(torch4j.native_library(), folder)
    if how == "cut off":
        whole = torch4j.native_library().with_name("libtorch4j_heap.so").read_bytes()
        (folder / "libtorch4j_heap.so").write_bytes(whole[: len(whole) // 2])
    told = heap_of([f"-Dtorch4j.library={folder}"], model)
    assert told["mapped"] == "false"
    assert "forward" in told["methods"]


def test_the_heap_is_left_alone_when_libtorch_is_there_already(model):
    """As in Python's process, whose heap is its own business."""
    code = (
        "import torch, ctypes, re; from torch4j import native_library\n"
        "from pathlib import Path\n"
        "library = ctypes.CDLL(str(native_library().with_name('libtorch4j_heap.so')))\n"
        "peak = lambda: int(re.search(r'VmPeak:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])\n"
        "before = peak(); library.JNI_OnLoad(None, None); print(peak() - before)\n"
    )
    grown = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert int(grown.stdout) < 10 << 10


def test_first_model_of_a_program_belongs_to_the_scope_around_it(model):
    assert answers(run_child("ScopeFirst", model)) == {"module": "true", "kept": "false", "after": "true"}
