"""torch4j.export: what is written, and what is refused before anything is."""

from __future__ import annotations

import hashlib
import io
import json
import threading
import zipfile
import zlib

import pytest
import torch
import torch4j
from export_models import Branch, Classifier, Counter, Tokens, TwoMethods
from same import assert_same
from torch4j import java
from torch4j.export import ExportError


def extra(path, name):
    with zipfile.ZipFile(path) as archive:
        return archive.read(f"model/extra/{name}")


def signature(path):
    return json.loads(extra(path, "torch4j.json"))


def examples(path):
    return torch.jit.load(io.BytesIO(extra(path, "torch4j.examples.pt")))


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.pt"


@pytest.mark.parametrize("method", ["script", "trace"])
def test_java_gives_what_the_eager_model_gives(jvm, target, method):
    model, x = Classifier(), torch.randn(3, 4)
    result = torch4j.export(model, x, target, method=method)
    assert result.method == method
    assert result.path == target
    assert result.size_bytes == target.stat().st_size
    assert "aten::linear" in result.operators
    with java.Module(target) as module, torch.no_grad():
        assert_same(module(x), model.eval()(x))


def test_the_model_itself_is_left_as_it_is(target):
    model = Classifier().train()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    torch4j.export(model, torch.randn(3, 4), target, prune="l1_unstructured:0.5", dtype=torch.float16)
    assert model.training
    assert_same(dict(model.state_dict()), before)


def test_random_numbers_and_threads_are_left_as_they_are(target):
    model, threads = Classifier(), torch.get_num_threads()
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    torch4j.export(model, torch.ones(3, 4), target)
    assert torch.equal(torch.rand(3), expected)
    assert torch.get_num_threads() == threads


def test_auto_scripts_what_can_be_scripted(jvm, target):
    result = torch4j.export(Branch(), torch.ones(2, 3), target)
    assert result.method == "script"
    assert "torch.jit.script compiles the model" in result.reason
    with java.Module(target) as module:
        assert_same(module(-torch.ones(2, 3)), torch.ones(2, 3))


def test_auto_traces_the_rest_and_says_why(target):
    class Unscriptable(Classifier):
        def forward(self, x):
            return super().forward(*[x])

    result = torch4j.export(Unscriptable(), torch.ones(2, 4), target)
    assert result.method == "trace"
    assert result.reason.startswith("torch.jit.script does not work for the model: ")


def test_torchscript_is_taken_as_it_is(jvm, target):
    result = torch4j.export(torch.jit.script(Branch()), torch.ones(2, 3), target)
    assert result.reason == "the model is TorchScript already"
    with java.Module(target) as module:
        assert_same(module(-torch.ones(2, 3)), torch.ones(2, 3))


@pytest.mark.parametrize("compiled", [torch.jit.script, lambda model: torch.jit.trace(model, torch.ones(1, 4))])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("options", [{}, {"freeze": True}, {"preprocess": torch4j.Preprocess(0.5, 0.25)}], ids=str)
def test_torchscript_with_options(jvm, target, compiled, frozen, options):
    model, x = Classifier().eval(), torch.randn(2, 4)
    module = torch.jit.freeze(compiled(model)) if frozen else compiled(model)
    torch4j.export(module, x, target, **options)
    with java.Module(target) as in_java, torch.no_grad():
        assert_same(in_java(x), model((x - 0.5) / 0.25 if "preprocess" in options else x))


def test_a_file_can_be_exported_again(jvm, target):
    torch4j.export(Classifier(), torch.ones(2, 4), target)
    result = torch4j.export(torch.jit.load(target), torch.ones(2, 4), target, dtype=torch.float16)
    assert result.findings == ["floating point arguments are float16 now"]


def test_a_model_that_cannot_be_copied_keeps_its_mode(target):
    class Locked(Classifier):
        def __init__(self):
            super().__init__()
            self.lock = threading.Lock()

    model = Locked().train()
    assert torch4j.export(model, torch.ones(2, 4), target).findings[0].startswith("the model cannot be copied: ")
    assert model.training
    assert model.dropout.training
    with pytest.raises(ExportError, match="cannot be copied, which this option needs"):
        torch4j.export(model, torch.ones(2, 4), target, dtype=torch.float16)


@pytest.mark.parametrize(
    "dtype", [torch.uint16, torch.uint64, torch.float8_e4m3fn, torch.complex64, torch.bool, torch.int8], ids=str
)
def test_every_dtype_can_be_compared(target, dtype):
    class Same(torch.nn.Module):
        def forward(self, x):
            return x

    torch4j.export(Same(), torch.ones(3).to(dtype), target)
    assert signature(target)["methods"]["forward"]["arguments"][0]["dims"] == [[1, None]]


def test_a_dict_as_argument_stands_in_a_tuple(target):
    class Items(torch.nn.Module):
        def forward(self, items: dict[str, torch.Tensor]):
            return items["a"] + items["b"]

    items = {"a": torch.ones(2), "b": torch.ones(2)}
    torch4j.export(Items(), (items,), target)
    assert_same(examples(target).forward_0_args, (items,))
    with pytest.raises(ExportError, match="no method 'a' .* stands in a tuple"):
        torch4j.export(Items(), items, target)


def test_the_file_tells_its_signature(target):
    calls = [(torch.ones(2, 4),), (torch.ones(7, 4),)]
    torch4j.export(Classifier(), calls, target, method="trace")
    told = signature(target)
    assert {key: told[key] for key in ("format", "torch4j", "torch", "method", "options", "examples")} == {
        "format": 1,
        "torch4j": torch4j.__version__,
        "torch": torch.__version__.split("+")[0],
        "method": "trace",
        "options": {},
        "examples": {"forward": 2},
    }
    assert told["operators"] == sorted(torch.jit.export_opnames(torch.jit.load(target)))
    x = {"name": "x", "type": "Tensor", "dtype": "float32", "dims": [[1, None], [4, 4]], "default": None}
    assert told["methods"]["forward"] == {"arguments": [x], "returns": ["Tensor"]}


def test_the_file_holds_its_examples_with_defaults_filled_in(jvm, target):
    calls = [(["a", "b"],), (["c", "c", "d"], 3)]
    torch4j.export(Tokens(), calls, target)
    module, held = torch.jit.load(target), examples(target)
    assert_same(held.forward_0_args, (["a", "b"], 2, None))
    assert_same(held.forward_1_args, (["c", "c", "d"], 3, None))
    for index in range(2):
        assert_same(getattr(held, f"forward_{index}_result"), module(*getattr(held, f"forward_{index}_args")))
    with java.Module(target) as in_java:
        assert_same(in_java(*held.forward_1_args), held.forward_1_result)


def test_java_reads_the_examples(jvm, target):
    torch4j.export(Classifier(), torch.ones(2, 4), target)
    path = target.with_name("examples.pt")
    path.write_bytes(extra(target, "torch4j.examples.pt"))
    with java.Module(path) as module:
        value = java.to_python(module.java.attribute("forward_0_args"))
    assert_same(value, (torch.ones(2, 4),))


def test_the_digest_is_over_all_other_members_and_the_last(jvm, target):
    torch4j.export(Classifier(), torch.ones(2, 4), target)
    digest = hashlib.sha256()
    with zipfile.ZipFile(target) as archive:
        *members, last = archive.infolist()
        for info in members:
            digest.update(info.filename.split("/", 1)[1].encode() + b"\0")
            digest.update(
                len(archive.read(info)).to_bytes(8, "little") + zlib.crc32(archive.read(info)).to_bytes(4, "little")
            )
        assert last.filename == "model/extra/torch4j.sha256"
        assert archive.read(last).decode() == digest.hexdigest()
    damaged = bytearray(target.read_bytes())
    damaged[damaged.index(b'"format"')] ^= 1
    broken = target.with_name("broken.pt")
    broken.write_bytes(damaged)
    with pytest.raises(java.java_class("LoadException"), match="torch4j"):
        java.Module(broken)


def test_elements_of_tensors_are_aligned(target):
    torch4j.export(Classifier(), torch.ones(2, 4), target, extra_files={"ä.txt": "text"})
    reader = torch._C.PyTorchFileReader(str(target))
    assert {reader.get_record_offset(name) % 64 for name in reader.get_all_records()} == {0}


def test_members_beyond_two_gigabytes_are_aligned_and_load(target, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)  # as zipfile and torch4j would write them
    model, x = torch.nn.Linear(64, 64), torch.ones(1, 64)
    torch4j.export(model, x, target)
    assert target.read_bytes().count(b"\1\0\x10\0") > 3  # the zip64 field
    reader = torch._C.PyTorchFileReader(str(target))
    assert {reader.get_record_offset(name) % 64 for name in reader.get_all_records()} == {0}
    with torch.no_grad():
        assert_same(torch.jit.load(target)(x), model(x))
    assert torch4j.inspect(target).loadable


def test_the_same_model_gives_the_same_bytes(target):
    torch.manual_seed(0)
    model = Classifier()
    torch4j.export(model, torch.ones(2, 4), target)
    torch4j.export(model, torch.ones(2, 4), target.with_name("other name.pt"))
    assert target.read_bytes() == target.with_name("other name.pt").read_bytes()


def test_methods_without_a_forward(jvm, target):
    model = TwoMethods()
    x = torch.randn(2, 4)
    torch4j.export(model, {"encode": x, "decode": [(x, 2.0), (x, 3.0)]}, target)
    assert signature(target)["examples"] == {"encode": 1, "decode": 2}
    with java.Module(target) as module:
        assert sorted(module.methods()) == ["decode", "encode"]
        assert_same(module.run_method("decode", x, 3.0), model.decode(x, 3.0))


def test_methods_are_compiled_without_a_mark(target):
    torch4j.export(Classifier(), torch.ones(2, 4), target, methods={"scores": torch.ones(2, 4)})
    assert not hasattr(Classifier.scores, "_torchscript_modifier")
    assert sorted(signature(target)["methods"]) == ["forward", "scores"]


def test_state_starts_as_the_model_has_it(jvm, target):
    torch4j.export(Counter(), [(torch.ones(1),), (torch.ones(1),)], target)
    with java.Module(target) as module:
        assert [module(torch.ones(1)).item() for _ in range(2)] == [1.0, 2.0]
    assert examples(target).forward_1_result.item() == 2.0


def test_paths_of_any_characters(jvm, tmp_path):
    folder = tmp_path / "модель 🙂 ü"
    folder.mkdir()
    torch4j.export(Classifier(), torch.ones(2, 4), folder / "größe 1.pt")
    assert [path.name for path in folder.iterdir()] == ["größe 1.pt"]
    with java.Module(folder / "größe 1.pt") as module:
        assert module(torch.ones(2, 4)).shape == (2, 3)
    assert torch4j.inspect(folder / "größe 1.pt").loadable


def test_a_failed_export_leaves_what_was_there(tmp_path, target):
    target.write_text("old")
    with pytest.raises(ExportError, match="the model itself fails"):
        torch4j.export(Classifier(), torch.ones(2, 5), target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"example_inputs": "text"}, "example_inputs: got str; expected a tensor, a tuple"),
        ({"example_inputs": []}, "example_inputs: got list"),
        ({"method": "magic"}, "method: got 'magic'; expected one of auto, script, trace"),
        ({"quantize": "int4"}, "quantize: got 'int4'; expected one of None, dynamic-int8"),
        ({"dtype": torch.int8}, "dtype: got torch.int8"),
        ({"prune": "l2"}, "prune: got method 'l2'; expected one of l1_unstructured"),
        ({"prune": "l1_unstructured:2.5"}, "prune: got amount '2.5'"),
        ({"extra_files": {"torch4j.json": b""}}, "torch4j.* is torch4j's own"),
        ({"dims": {"y": [1, 4]}}, "dims: got 'y'; forward has the tensors x"),
        ({"dims": {"x": [1]}}, "dims: got 1 for 'x'; its example has 2 dimensions"),
        ({"methods": ["nope"]}, "methods: the model has no method 'nope'"),
        ({"path": "/nowhere/model.pt"}, "path: the folder /nowhere does not exist"),
    ],
)
def test_wrong_arguments_are_named(target, arguments, message):
    given = {"example_inputs": torch.ones(2, 4), "path": target, **arguments}
    with pytest.raises(ExportError) as error:
        torch4j.export(Classifier(), **given)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert not target.exists()
