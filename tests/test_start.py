"""A cold start: what is ready before libtorch is, and a JVM that ends too early."""

from __future__ import annotations

import re

import pytest
import torch
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
