"""torch4j.inspect: what is in a file, mostly found out without building the model."""

from __future__ import annotations

import json
import zipfile

import archives
import pytest
import torch
import torch4j
from export_models import Classifier, Tokens, TwoMethods
from torch4j.inspect import code, kinds
from torch4j.inspect.kinds import Kind


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.pt"


def scripted(model, target, **extra):
    torch.jit.save(torch.jit.script(model), target, **extra)
    return target


class Normed(torch.nn.Module):
    """A parameter, buffers, a tensor attribute, a tensor constant, a device constant."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)
        self.scale = torch.tensor([0.0, 2.0, 0.0, 0.0])

    def forward(self, x):
        return self.norm(x) * self.scale + torch.zeros(4, device=torch.device("cpu"))


def test_tensors_have_role_dtype_shape_and_sparsity(target):
    found = torch4j.inspect(scripted(Normed().half(), target))
    told = {tensor.name: (tensor.role, tensor.dtype, tensor.shape, tensor.sparsity) for tensor in found.tensors}
    assert told == {
        "norm.weight": ("parameter", "float16", (4,), 0.0),
        "norm.bias": ("parameter", "float16", (4,), 1.0),
        "norm.running_mean": ("buffer", "float16", (4,), 1.0),
        "norm.running_var": ("buffer", "float16", (4,), 0.0),
        "norm.num_batches_tracked": ("buffer", "int64", (), 1.0),
        "scale": ("attribute", "float32", (4,), 0.75),
    }
    assert sum(tensor.nbytes for tensor in found.tensors) == 4 * 8 + 8 + 16


def test_sparsity_is_that_of_a_view(target):
    class View(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.view = torch.tensor([[1.0, 0.0], [1.0, 0.0]])[:, 1]

        def forward(self, x):
            return x + self.view

    (view,) = torch4j.inspect(scripted(View(), target)).tensors
    assert (view.shape, view.sparsity) == ((2,), 1.0)


def test_methods_have_the_schemas_that_torch_gives(target):
    module = torch.jit.script(Tokens())
    torch.jit.save(module, target)
    found = torch4j.inspect(target)
    assert found.methods == {
        "forward": "forward(words: List[str], times: int=2, only: Optional[str]=None) -> Dict[str, int]"
    }
    assert sorted(torch4j.inspect(scripted(TwoMethods(), target)).methods) == ["decode", "encode"]


# What the code's syntax stands for, such as x[0] or int(x): only building tells these.
SYNTAX = {"aten::__getitem__", "aten::Int", "aten::IntImplicit", "aten::_set_item", "prim::TupleUnpack"}
SYNTAX |= {"prim::unchecked_cast"}


@pytest.mark.parametrize("model", [Classifier(), Tokens(), Normed(), torch.nn.LSTM(2, 3)])
def test_operators_are_those_of_torch(target, model):
    module = torch.jit.script(model)
    torch.jit.save(module, target)
    found = torch4j.inspect(target)
    assert found.built
    assert found.operators == sorted(torch.jit.export_opnames(module))
    without = torch4j.inspect(target, build=False)
    assert not without.built
    named = {name.partition(".")[0] for name in found.operators} - SYNTAX
    assert named <= set(without.operators)
    assert "without overloads" in without.notes[0]


def test_nothing_is_built_where_the_file_tells_it(target):
    result = torch4j.export(Classifier(), torch.ones(2, 4), target, extra_files={"labels.txt": "a\nb"})
    found = torch4j.inspect(target)
    assert not found.built
    assert found.operators == result.operators
    assert found.torch_version == torch.__version__.split("+")[0]
    assert found.extra_files["labels.txt"] == 3
    assert found.training == []
    assert found.loadable
    assert sum(found.members.values()) < found.size_bytes == target.stat().st_size


def test_training_flags_and_devices_are_told(target):
    found = torch4j.inspect(scripted(Normed(), target))
    assert found.training == ["", "norm"]
    assert found.code_devices == ["cpu"]
    model = Normed().eval()
    model.norm.train()
    assert torch4j.inspect(scripted(model, target)).training == ["norm"]


def test_quantized_parameters_are_told(target):
    torch4j.export(Classifier(), torch.ones(2, 4), target, quantize="dynamic-int8")
    found = torch4j.inspect(target)
    assert {tensor.dtype for tensor in found.tensors} == {"qint8", "float32"}
    assert found.training == []


@pytest.mark.parametrize(("call", "name"), [("ops.strange.linear", "strange::linear"), ("torch.newer", "aten::newer")])
def test_missing_operators_are_told_and_nothing_is_built(target, call, name):
    scripted(Classifier(), target)

    def with_foreign(member, content):
        foreign = content.replace(b"torch.linear(", f"{call}(".encode())
        return {member: foreign if member.endswith(".py") else content}

    archives.rewrite(target, with_foreign)
    found = torch4j.inspect(target)
    assert found.missing == [name]
    assert not found.built
    assert not found.loadable
    assert f"operators that this torch does not have: {name}" in found.trouble


def test_a_flipped_bit_is_told(target):
    scripted(Classifier(), target)
    archives.flip_bit(target, archives.data_offset(target, "data/0") + 2)
    found = torch4j.inspect(target)
    assert found.damaged == ["data/0"]
    assert found.methods
    assert not found.built


def test_a_wrong_digest_is_told(target):
    torch4j.export(Classifier(), torch.ones(2, 4), target)
    archives.rewrite(target, lambda name, content: {name: b"0" * 64 if name.endswith("sha256") else content})
    assert torch4j.inspect(target).damaged == ["extra/torch4j.sha256"]


def exported_program(path):
    torch.export.save(torch.export.export(torch.nn.Linear(4, 2), (torch.ones(1, 4),)), path)


FILES = {
    Kind.STATE_DICT: lambda path: torch.save(torch.nn.Linear(4, 2).state_dict(), path),
    Kind.EAGER_PICKLE: lambda path: torch.save(torch.nn.Linear(4, 2), path),
    Kind.EXPORTED_PROGRAM: exported_program,
    Kind.ONNX: lambda path: path.write_bytes(b"\x08\x07\x12\x07pytorch" + b"\0" * 50),
    Kind.HTML: lambda path: path.write_text("<!DOCTYPE html><html></html>"),
    Kind.LFS_POINTER: lambda path: path.write_text("version https://git-lfs.github.com/spec/v1\n"),
    Kind.SAFETENSORS: lambda path: path.write_bytes((10).to_bytes(8, "little") + b'{"a": 1}  ' + b"\0" * 8),
    Kind.EMPTY: lambda path: path.write_bytes(b""),
    Kind.TRUNCATED: lambda path: path.write_bytes(scripted(Classifier(), path).read_bytes()[:1000]),
    Kind.ZIP: lambda path: zipfile.ZipFile(path, "w").writestr("a/b.txt", "text"),
    Kind.UNKNOWN: lambda path: path.write_text("something else"),
}


@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.name)
def test_other_files_are_told_with_what_to_do(jvm, target, kind):
    FILES[kind](target)
    found = torch4j.inspect(target)
    assert found.kind is kind
    assert found.trouble == f"{target} is {kind.text}. What to do: {kind.advice}"
    assert kind.text in str(found)
    assert json.loads(found.to_json())["kind"] == kind.name.lower()
    assert not found.built


@pytest.mark.parametrize("name", ["models/config.json", "archive_format", "data/aotinductor/x"])
def test_names_of_extra_files_say_nothing(jvm, target, name):
    from torch4j import java

    torch4j.export(Classifier(), torch.ones(2, 4), target, extra_files={name: "{}"})
    assert torch4j.inspect(target).kind is Kind.TORCHSCRIPT
    told = java.java_class("ModelFile").of(java.jpype.java.nio.file.Path.of(str(target))).kind()
    assert str(told.name()) == "TORCHSCRIPT"


@pytest.mark.parametrize("kind", FILES, ids=lambda kind: kind.name)
def test_java_says_the_same(jvm, target, kind):
    from torch4j import java

    FILES[kind](target)
    told = java.java_class("ModelFile").of(java.jpype.java.nio.file.Path.of(str(target))).kind()
    assert str(told.name()) == kind.name
    assert str(told.text()) == kind.text


def test_kinds_are_those_of_java(jvm):
    from torch4j import java

    assert [str(kind.name()) for kind in java.jpype.JClass("org.pytorch.ModelFile$Kind").values()] == [
        kind.name for kind in kinds.Kind
    ]


@pytest.mark.parametrize("kind", [Kind.STATE_DICT, Kind.EAGER_PICKLE])
def test_tensors_of_pickles_are_told_without_unpickling(target, kind):
    FILES[kind](target)
    told = {tensor.name: (tensor.dtype, tensor.shape) for tensor in torch4j.inspect(target).tensors}
    assert told == {"weight": ("float32", (2, 4)), "bias": ("float32", (2,))}


def test_a_pickle_that_would_run_code_does_not(target, tmp_path):
    class Harmful:
        def __reduce__(self):
            return (open, (str(tmp_path / "made"), "w"))

    torch.save({"weight": torch.ones(2), "x": Harmful()}, target)
    found = torch4j.inspect(target)
    assert [tensor.name for tensor in found.tensors] == ["weight"]
    assert not (tmp_path / "made").exists()


def test_a_broken_pickle_is_noted(target):
    scripted(Classifier(), target)
    archives.rewrite(target, lambda name, content: {name: content[:50] if name == "data.pkl" else content})
    found = torch4j.inspect(target)
    assert any(note.startswith("data.pkl cannot be read: ") for note in found.notes)
    assert found.operators


def test_deep_models_are_walked(target):
    model = torch.nn.Linear(1, 1)
    for _ in range(150):
        model = torch.nn.Sequential(model)
    torch.jit.trace(model, torch.ones(1, 1)).save(str(target))
    names = [tensor.name for tensor in torch4j.inspect(target, build=False).tensors]
    assert names[0] == ".".join("0" * 150) + ".weight"


def test_text_in_the_code_is_no_operator():
    text = {"code/a.py": 'class A(Module):\n  def f(self: A) -> str:\n    return "ops.a.b( torch.c("\n'}
    assert code.operators_of(text) == []


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        torch4j.inspect(tmp_path / "nothing")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        torch4j.inspect(tmp_path)


def test_tables_show_it(target):
    torch4j.export(Classifier(), torch.ones(2, 4), target, prune="l1_unstructured:0.5", extra_files={"a.txt": "b"})
    shown = str(torch4j.inspect(target))
    for part in ("forward(x: Tensor) -> Tensor", "first.weight", "50.0%", "aten::linear", "a.txt (1)", "torch4j.json"):
        assert part in shown
