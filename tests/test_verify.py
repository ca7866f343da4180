"""torch4j.verify: files that agree, files that are broken on purpose, and how the difference is named."""

from __future__ import annotations

import copy
import json
import os
import re
import warnings
from pathlib import Path

import numpy
import pytest
import test_scripts
import torch
import torch4j
from export_models import Counter, TwoMethods
from torch4j.verify import VerifyError, sides, verify
from torch4j.verify.jobs import packed, unpacked


class Block(torch.nn.Module):
    """A layer, a softmax whose last bits depend on the instructions used, and dropout."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
        self.soft = torch.nn.Softmax(1)
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.dropout(self.soft(self.layer(x)))


class Model(torch.nn.Module):
    """Two blocks; a sum that depends on the order of the dimensions."""

    def __init__(self):
        super().__init__()
        self.first, self.second = Block(), Block()

    def forward(self, x, scale: float = 1.0):
        return self.second(self.first(x)) * scale, x.sum(0)


def example():
    return torch.randn(4, 4, generator=torch.Generator().manual_seed(0))


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Model().eval()


@pytest.fixture(scope="module")
def good(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("verify") / "good.pt"
    torch4j.export(model, (example(),), path)
    return path


def scripted(module, path, **kwargs):
    torch.jit.save(torch.jit.script(module), path, **kwargs)
    return path


def wrong_weight(model):
    bad = copy.deepcopy(model)
    with torch.no_grad():
        bad.second.layer.weight[1, 2] += 0.25
    return bad


def kinds(found):
    return list(dict.fromkeys(check.kind for check in found.failures))


def test_d2_an_exported_file_is_identical_at_every_call_and_number_of_threads(good):
    found = verify(good, threads=(1, 2), calls=3)
    assert found.identical, str(found)
    assert found.verdict == "identical: Java gives what Python gives, to the bit"
    java = [check for check in found.checks if check.kind == "java"]
    assert [(check.threads, check.call) for check in java] == [(t, c) for t in (1, 2) for c in (1, 2, 3)]
    assert {check.kind for check in found.checks} == {"stored", "java", "repeat", "threads"}
    assert java[0].same_inputs
    assert java[0].inputs[0][0].place == "x"


def test_d9_both_sides_tell_the_files_they_mapped(good):
    found = verify(good, calls=1)
    python, java = found.environment["Python"], found.environment["Java"]
    assert python["mapped libtorch_cpu.so"] == java["mapped libtorch_cpu.so"]
    assert str(torch4j.native_library()) == java["mapped libtorch4j.so"]
    assert "libjvm.so" in java["mapped libjvm.so"]


def test_d1_a_wrong_weight_differs_from_the_stored_outputs(good, tmp_path):
    bad = torch.jit.load(good)
    with torch.no_grad():
        next(p for name, p in bad.named_parameters() if name.endswith("second.layer.weight"))[1, 2] += 0.25
    extra = {"torch4j.json": "", "torch4j.examples.pt": ""}
    torch.jit.load(good, _extra_files=extra)
    torch.jit.save(bad, tmp_path / "bad.pt", _extra_files=extra)
    found = verify(tmp_path / "bad.pt", calls=2)
    assert kinds(found) == ["stored"]
    assert "its weights or code were changed" in found.diagnosis[0]
    assert found.verdict.startswith("DIFFERS, stored in the file and Python now: forward, example 0, call 1")


def test_d1_a_wrong_weight_is_named_beside_a_reference(model, tmp_path, jvm):
    path, bad = scripted(model, tmp_path / "good.pt"), scripted(wrong_weight(model), tmp_path / "bad.pt")
    found = verify(bad, inputs=example(), reference=path, submodules=True, calls=2, in_process=True)
    assert kinds(found) == ["weights", "reference"]
    (row,) = [row for row in found.failures[0].comparison.outputs if not row.same]
    assert (row.place, row.identical, row.first.index) == ("second.layer.weight", 15, (1, 2))
    assert found.differing_submodule == "second.layer"
    names = [each.name for each in found.submodules]
    assert names == ["first", "second", "second.layer"]
    assert verify(path, inputs=example(), reference=path, calls=1, in_process=True).identical


def test_d1_a_transposed_input_is_another_input(good):
    found = verify(good, inputs=example(), java_inputs=example().t(), calls=1)
    assert kinds(found) == ["inputs", "application"]
    assert found.failures[0].comparison.first.place == "x"
    assert found.diagnosis[0].startswith("Other input: x: 12 of 16 elements differ; at [0, 1]: ")
    assert found.diagnosis[0].endswith("With the same input Java gives what Python gives.")


def test_d1_float32_where_python_had_float64_is_another_input(tmp_path, jvm):
    path = scripted(torch.nn.Softmax(1), tmp_path / "model.pt")
    found = verify(path, inputs=example().double(), java_inputs=example(), calls=1, in_process=True)
    assert kinds(found) == ["inputs", "application"]
    assert found.diagnosis[0].startswith("Other input: input: float32[4, 4] instead of float64[4, 4].")
    assert "float32[4, 4] instead of float64[4, 4]" in str(found)


def test_d4_a_model_in_train_mode_is_named(model, tmp_path, jvm):
    path = scripted(copy.deepcopy(model).train(), tmp_path / "model.pt")
    found = verify(path, inputs=example(), calls=2, in_process=True)
    assert "mode" in kinds(found)
    assert [check.error for check in found.failures if check.kind == "mode"] == [
        "first.dropout (aten::dropout)",
        "second.dropout (aten::dropout)",
    ]
    assert not found.passed
    assert found.diagnosis[0] == (
        "In train mode: first.dropout (aten::dropout), second.dropout (aten::dropout). "
        "Call model.eval() before exporting."
    )


def test_d4_train_mode_without_dropout_and_batch_norm_does_no_harm(tmp_path, jvm):
    assert verify(
        scripted(torch.nn.Linear(4, 2).train(), tmp_path / "m.pt"), inputs=example(), calls=1, in_process=True
    ).identical


def test_d5_java_with_other_instructions_is_another_result_in_a_submodule(model, tmp_path, monkeypatch):
    slow = {**os.environ, "ATEN_CPU_CAPABILITY": "default"}
    monkeypatch.setattr(sides, "environment_of", lambda side: slow if side == "java" else dict(os.environ))
    path = scripted(model, tmp_path / "model.pt")
    x = torch.randn(64, 4, generator=torch.Generator().manual_seed(0))
    found = verify(path, inputs=x, submodules=True, calls=2)
    if torch.backends.cpu.get_cpu_capability() == "DEFAULT":
        pytest.skip("this processor has no other instructions")
    assert kinds(found) == ["java"]
    assert found.differing_submodule == "first.soft"
    assert "Other result: both sides got the same input, to the bit" in found.diagnosis[0]
    (output,) = [row for row in found.failures[0].comparison.outputs if not row.same]
    assert output.place == "outputs[0]"
    assert 0 < output.max_ulp < 100
    assert any(note.startswith("the sides differ in CPU capability") for note in found.notes)
    assert verify(path, inputs=x, tolerance="default", calls=1).passed


def test_d2_a_model_with_state_agrees_and_its_changes_are_noted(tmp_path, jvm):
    found = verify(scripted(Counter(), tmp_path / "m.pt"), inputs=torch.ones(1), calls=3, in_process=True)
    assert found.identical
    assert "answers change from call to call (forward, input 0, call 2, 1 thread)" in found.notes[0]


def test_d1_an_input_that_java_alone_refuses_is_told(tmp_path, jvm):
    path = scripted(torch.nn.Identity(), tmp_path / "m.pt")
    found = verify(path, inputs=torch.eye(2).to_sparse(), calls=1, in_process=True)
    assert kinds(found) == ["java"]
    assert "Java fails and Python does not: TypeError: a tensor of layout torch.sparse_coo" in found.verdict


def test_d1_an_input_that_both_refuse_is_no_proof(good, jvm):
    found = verify(good, inputs=torch.ones(3, 7), calls=1, in_process=True)
    assert not found.passed
    assert "both fail: Python: RuntimeError: mat1 and mat2" in found.verdict


def test_d5_generated_inputs_cover_shapes_and_edge_values(good, jvm):
    found = verify(good, inputs="generated", seeds=(3, 4), calls=1, in_process=True)
    assert found.identical, str(found)
    assert found.seeds == (3, 4)
    labels = [check.case for check in found.checks if check.kind == "java"]
    assert labels == [
        *(f"seed {seed}, {size} shapes" for seed in (3, 4) for size in ("smallest", "larger")),
        *("zeros", "ones", "large", "tiny", "NaN"),
    ]
    nans = next(check for check in found.checks if check.case == "NaN")
    assert nans.inputs[0][0].nans == 1
    shapes = {check.inputs[0][0].shape for check in found.checks if check.kind == "java"}
    assert len(shapes) > 1


def test_d1_files_of_inputs(good, tmp_path):
    x = example()
    numpy.savez(tmp_path / "named.npz", x=x.numpy())
    numpy.savez(tmp_path / "unnamed.npz", x.numpy())
    torch.save({"x": x, "scale": 2.0}, tmp_path / "named.pt")
    torch.save([(x,), (x, 3.0)], tmp_path / "calls.pt")
    torch.save({"forward": (x,)}, tmp_path / "methods.pt")
    (tmp_path / "named.json").write_text(json.dumps({"x": x.tolist(), "scale": 2}))
    (tmp_path / "calls.json").write_text(
        json.dumps({"calls": [[x.tolist()], {"x": {"dtype": "float32", "data": x.tolist()}}]})
    )
    path = scripted(Model().eval(), tmp_path / "model.pt")
    from torch4j.verify.inputs import inputs_for
    from torch4j.verify.model import load

    for name, count, values in (
        ("named.npz", 1, (x, 1.0)),
        ("unnamed.npz", 1, (x,)),
        ("named.pt", 1, (x, 2.0)),
        ("calls.pt", 2, (x,)),
        ("methods.pt", 1, (x,)),
        ("named.json", 1, (x, 2.0)),
        ("calls.json", 2, (x,)),
    ):
        cases = inputs_for(load(path), tmp_path / name).cases
        assert len(cases) == count, name
        assert torch4j.verify.compare(values, cases[0].args).identical, name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"inputs": "nope.npz"}, "inputs: got nope.npz; no such file"),
        ({"inputs": "nope.csv"}, "inputs: got nope.csv; expected a file .npz, .pt or .json"),
        ({"inputs": 7}, "inputs: got int; expected a tensor, a tuple"),
        ({"inputs": {"nope": example()}}, "method: got 'nope'; model.pt has forward"),
        ({"method": "nope"}, "method: got 'nope'; model.pt has forward"),
        ({}, "inputs: got none, and none can be generated for forward: the file does not tell the shapes of x"),
        ({"inputs": example(), "tolerance": "nope"}, "tolerance: got 'nope'; expected exact, default"),
        ({"inputs": example(), "calls": 0}, "calls: got 0; expected 1 or more"),
        ({"inputs": example(), "threads": ()}, "threads: got []; expected numbers of 1 or more"),
        (
            {"inputs": example(), "reference": "nope.pt"},
            "reference: got nope.pt; expected a file of a TorchScript model",
        ),
        ({"inputs": example(), "java_inputs": [(example(),)] * 2}, "java_inputs: got 2 calls; the inputs have 1"),
    ],
)
def test_d1_what_cannot_be_verified_is_told(tmp_path, options, message):
    path = scripted(Model().eval(), tmp_path / "model.pt")
    with pytest.raises(VerifyError) as caught:
        verify(path, in_process=True, **options)
    assert str(caught.value).startswith(message)


def test_d1_what_is_no_model_is_told_by_what_it_is(tmp_path):
    torch.save({"weight": torch.ones(2)}, tmp_path / "state.pt")
    with pytest.raises(VerifyError, match="is a state dict"):
        verify(tmp_path / "state.pt")
    with pytest.raises(VerifyError, match="path: got nowhere.pt; expected a file of a TorchScript model"):
        verify("nowhere.pt")


def test_d9_a_child_that_dies_is_told(good, monkeypatch, tmp_path):
    monkeypatch.setenv("TORCH4J_LIBRARY", "/nowhere")
    found = verify(good, calls=1)
    assert kinds(found) == ["java"]
    assert "TORCH4J_LIBRARY=/nowhere: no such file" in found.verdict
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "sitecustomize.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    assert "Python's process was killed by SIGKILL: it said nothing" in verify(good, calls=1).verdict


def test_d9_a_side_that_takes_too_long_is_told(tmp_path):
    class Endless(torch.nn.Module):
        def forward(self, x):
            while bool(x.sum() < 1):
                x = x * 1.0
            return x

    path = scripted(Endless(), tmp_path / "m.pt")
    found = verify(path, inputs=torch.zeros(1), timeout=3)
    assert "Python: Python's side has not ended in time; allow more by timeout=" in found.verdict


def test_d1_in_process_gives_the_same(good, jvm):
    assert verify(good, in_process=True, calls=2).identical


def test_d1_several_methods_and_one_of_them(tmp_path, jvm):
    path = tmp_path / "m.pt"
    torch4j.export(TwoMethods(), {"encode": (torch.ones(2),), "decode": (torch.ones(2), 2.0)}, path)
    assert {check.method for check in verify(path, calls=1, in_process=True).checks} == {"encode", "decode"}
    found = verify(path, method="decode", inputs=(torch.ones(2), 3.0), calls=1, in_process=True)
    assert found.identical
    assert {check.method for check in found.checks} == {"decode"}


def test_d1_named_tuples_go_between_processes():
    from collections import namedtuple

    value = [{"a": namedtuple("Two", "left right")(torch.ones(1), (None, "text"))}]
    assert torch4j.verify.compare(value, unpacked(packed(value))).identical


@pytest.mark.parametrize("name", test_scripts.NAMES)
def test_d2_the_models_of_scripts_are_identical(name, tmp_path, jvm):
    module = test_scripts.script(name)
    path = tmp_path / f"{name}.pt"
    test_scripts.export_common.save(module.model(), module.example_inputs(), path)
    found = verify(path, calls=2, in_process=True)
    assert found.identical, str(found)
    assert any(check.kind == "stored" for check in found.checks)
    json.loads(found.to_json())
    assert verify(path, inputs="generated", calls=1, in_process=True).identical


def test_d5_the_documented_tolerances_are_those_of_the_code():
    page = (Path(__file__).parent.parent / "docs" / "verify.md").read_text()
    told = {}
    row = r"^\| ((?:\w*(?:float|complex)\d+(?:, )?)+) \| (\S+) \| (\S+) \|"
    for names, relative, absolute in re.findall(row, page, re.MULTILINE):
        told.update({name: (float(relative), float(absolute)) for name in names.split(", ")})
    table = torch4j.verify.DEFAULT.by_dtype.items()
    assert told == {str(dtype).removeprefix("torch."): (t.relative, t.absolute) for dtype, t in table}


def test_d1_a_reference_with_other_weights_names_them(model, tmp_path, jvm):
    path, other = scripted(model, tmp_path / "m.pt"), scripted(torch.nn.Softmax(1), tmp_path / "other.pt")
    found = verify(path, inputs=example(), reference=other, calls=1, in_process=True)
    assert kinds(found) == ["weights", "reference"]
    assert found.failures[0].error.startswith("with first.layer.weight, first.layer.bias")


def test_d9_threads_and_random_numbers_of_this_process_stay(good, jvm):
    threads, state = torch.get_num_threads(), torch.get_rng_state()
    verify(good, in_process=True, calls=1, threads=(threads + 1,))
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)


def test_d1_a_frozen_model_has_no_submodules(model, tmp_path):
    frozen = torch.jit.freeze(torch.jit.script(model))
    torch.jit.save(frozen, tmp_path / "m.pt")
    found = verify(tmp_path / "m.pt", inputs=example(), submodules=True, calls=1, in_process=True)
    assert found.identical
    assert (found.submodules, found.differing_submodule) == ([], None)
