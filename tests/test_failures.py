"""What goes wrong is an exception that says what to do, and the JVM lives: in a child process."""

from __future__ import annotations

import re

import pytest
import torch
from children import answers, run_child
from error_page import row, section


class Scale(torch.nn.Module):
    def forward(self, x: torch.Tensor, times: float = 1.0) -> torch.Tensor:
        if times == -1.0:
            return x.reshape(7, 7)
        if times == -2.0:
            raise ValueError("times must not be -2 €")
        return x * times

    @torch.jit.export
    def say(self, text: str) -> str:
        return text

    @torch.jit.export
    def allocate(self, size: int) -> torch.Tensor:
        return torch.empty(size)


SIGNATURE = r"\nSignature: forward(x: Tensor, times: float = 1.) -> Tensor"
EXPECTED = {
    "missing": "org.pytorch.LoadException: cannot load model '/no/such/model.pt': no such file",
    "wrong": "org.pytorch.LoadException: cannot load model '{wrong}': it is an HTML page. What to do: ",
    "folder": "org.pytorch.LoadException: cannot load model '{folder}': not a regular file",
    "bytes": "org.pytorch.LoadException: cannot load model from 3 bytes in memory: it is no model of torch",
    "no bytes": "org.pytorch.LoadException: cannot load model from 0 bytes in memory: it is empty",
    "null path": "java.lang.NullPointerException: modelPath must be not null",
    "null device": "java.lang.NullPointerException: device must be not null",
    "type": "org.pytorch.SchemaException: forward: argument 'x': expected Tensor, got str" + SIGNATURE,
    "too few": "org.pytorch.SchemaException: forward: argument 'x' (Tensor) is missing" + SIGNATURE,
    "too many": "org.pytorch.SchemaException: forward: takes at most 2 arguments, got 3" + SIGNATURE,
    "null array": "java.lang.NullPointerException: inputs must be not null",
    "null element": "java.lang.NullPointerException: inputs[1] must be not null",
    "null tensor": "java.lang.NullPointerException: input must be not null",
    "undefined": "java.lang.IllegalArgumentException: Undefined method nope. The model has [",
    "null method": "java.lang.NullPointerException: methodName must be not null",
    "operator": "org.pytorch.ScriptException: shape '[7, 7]' is invalid for input of size 2",
    "raise": "org.pytorch.ScriptException: ValueError: times must not be -2 €",
    "surrogate": "java.lang.IllegalArgumentException: string has a lone surrogate \\ud800 at index 1",
    "memory": "java.lang.OutOfMemoryError: cannot allocate 4503599627370496 bytes: ",
    "closed tensor": "java.lang.IllegalStateException: tensor is closed",
    "closed module": "java.lang.IllegalStateException: module is closed",
    "closed schema": "java.lang.IllegalStateException: module is closed",
}


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Run all failures in one child; return what it told, and the paths."""
    folder = tmp_path_factory.mktemp("failures")
    torch.jit.script(Scale()).save(str(folder / "scale.pt"))
    wrong = folder / "wrong.pt"
    wrong.write_text("<html>not a model</html>")
    result = run_child(
        "Failures",
        folder / "scale.pt",
        wrong,
        folder,
        jvm_options=["-Xcheck:jni", "-Dfile.encoding=UTF-8", "-Dtorch4j.memoryLimit=2g", "-Dstdout.encoding=UTF-8"],
    )
    told = answers(result)
    told["memory"] = re.sub(r"\d+ bytes are in use", "1024 bytes are in use", told["memory"])
    return {**told, "paths": {"wrong": wrong, "folder": folder}}


@pytest.mark.parametrize("name", EXPECTED)
def test_failure_is_told(told, name):
    assert told[name].startswith(EXPECTED[name].format(**told["paths"]) if "{" in EXPECTED[name] else EXPECTED[name])


def test_load_error_says_what_to_do(told):
    assert "torch.jit.script(model).save(path)" in told["bytes"]


WHAT = {
    "missing": "`Module.load` of a path where nothing is",
    "wrong": "a file that is no model: here a web page",
    "folder": "a folder",
    "bytes": "`Module.load(byte[])` of something else",
    "no bytes": "no bytes at all",
    "null path": "null as path",
    "null device": "null as device",
    "type": "an argument of the wrong type",
    "too few": "an argument without default left out",
    "too many": "too many arguments",
    "null array": "null for the array of arguments",
    "null element": "null as an argument",
    "null tensor": "null as a tensor",
    "undefined": "a method that the model has not",
    "null method": "null as method name",
    "operator": "an operator fails inside the model",
    "raise": "the model raises a Python exception",
    "surrogate": "a string that UTF-8 cannot carry",
    "memory": "a tensor larger than memory",
    "closed tensor": "a closed tensor as argument",
    "closed module": "a call of a closed module",
    "closed schema": "a question to a closed module",
}


def test_docs_hold_these_errors(told, request):
    assert list(WHAT) == list(EXPECTED)
    folder = str(told["paths"]["folder"])  # the folder of the test stands as /models
    rows = [row(what, *told[name].replace(folder, "/models").split(": ", 1)) for name, what in WHAT.items()]
    section("calling", rows, write=request.config.getoption("--write-docs"))


def test_jvm_lives(told):
    assert told["alive"] == "yes"


def test_c3_close_while_threads_are_in_forward(tmp_path):
    path = tmp_path / "linear.pt"
    torch.jit.script(torch.nn.Linear(4, 2)).save(str(path))
    counts = answers(run_child("Stress", path, 4, 60, jvm_options=["-Xmx32m"]))
    assert int(counts["right"]) >= 60 * 50
    assert counts["closed"] == str(4 * 60)
    assert counts["wrong"] == "0"
