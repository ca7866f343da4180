"""Options of torch4j.export: each changed model gives the same in Java and in Python."""

from __future__ import annotations

import json
import zipfile

import pytest
import torch
import torch4j
from export_models import Classifier, TwoMethods
from same import assert_same
from torch.nn.utils import prune
from torch4j import Preprocess, java
from torch4j.export import ExportError
from torch4j.export import prune as pruning


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.pt"


class Pictures(torch.nn.Module):
    """Convolution and batch norm, which freezing folds into one."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
        self.norm = torch.nn.BatchNorm2d(8)
        self.out = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.out(self.norm(self.conv(x)).relu().mean((2, 3)))


def same_in_java(target, *args):
    with java.Module(target) as module, torch.no_grad():
        assert_same(module(*args), torch.jit.load(target)(*args))


@pytest.mark.parametrize(
    "options",
    [
        {"freeze": True},
        {"quantize": "dynamic-int8"},
        {"dtype": torch.float16},
        {"dtype": torch.bfloat16},
        {"prune": "l1_unstructured:0.5"},
        {"prune": "global_unstructured:0.5", "quantize": "dynamic-int8", "freeze": True},
        {"optimize_for_inference": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("method", ["script", "trace"])
def test_each_option_gives_the_same_in_java(jvm, target, method, options):
    x = torch.randn(5, 4)
    result = torch4j.export(Classifier(), x, target, method=method, **options)
    told = {key: str(value).removeprefix("torch.") for key, value in options.items()}
    assert {key: str(value) for key, value in result.options.items()} == told
    with zipfile.ZipFile(target) as archive:
        assert json.loads(archive.read("model/extra/torch4j.json"))["options"] == result.options
    same_in_java(target, x.to(options.get("dtype", x.dtype)))


def test_frozen_stays_close_to_eager(jvm, target):
    model, x = Pictures(), torch.randn(2, 3, 8, 8)
    with torch.no_grad():
        for _ in range(3):
            model(x)  # running statistics other than 0 and 1
    result = torch4j.export(model, x, target, freeze=True)
    assert not any("batch_norm" in name for name in result.operators)
    same_in_java(target, x)


def test_frozen_keeps_the_other_methods(target):
    torch4j.export(TwoMethods(), {"encode": torch.ones(2), "decode": (torch.ones(2), 2.0)}, target, freeze=True)
    assert sorted(torch4j.inspect(target).methods) == ["decode", "encode"]


def test_optimized_that_does_not_load_is_refused(target):
    with pytest.raises(ExportError, match=r"LoadOptions.withOptimizeForInference\(true\)"):
        torch4j.export(Pictures(), torch.randn(2, 3, 8, 8), target, optimize_for_inference=True)
    assert not target.exists()


def test_sizes_before_and_after(target):
    model = torch.nn.Linear(512, 512)
    plain = torch4j.export(model, torch.ones(1, 512), target)
    assert plain.bytes_before == plain.size_bytes
    half = torch4j.export(model, torch.ones(1, 512), target, dtype=torch.float16)
    quantized = torch4j.export(model, torch.ones(1, 512), target, quantize="dynamic-int8")
    assert abs(half.bytes_before - plain.size_bytes) < 2048
    assert half.size_bytes < 0.55 * half.bytes_before
    assert quantized.size_bytes < 0.35 * quantized.bytes_before


@pytest.mark.parametrize(
    ("text", "zeros"),
    [
        ("l1_unstructured:0.5", 0.5),
        ("l1_unstructured:8", 8 / 32),
        ("random_unstructured:0.25", 0.25),
        ("ln_structured:0.5,n=1,dim=0", 0.5),
        ("ln_structured:0.25", 0.25),
        ("random_structured:0.5,dim=1", 0.5),
        ("global_unstructured:0.5", None),
        ("global_unstructured:0.5,by=random", None),
        ("identity", 0.0),
    ],
)
def test_every_method_of_pruning_is_permanent(jvm, target, text, zeros):
    x = torch.randn(2, 4)
    result = torch4j.export(Classifier(), x, target, prune=text)
    weights = {tensor.name: tensor for tensor in torch4j.inspect(target).tensors}
    assert set(weights) == {"first.weight", "first.bias", "second.weight", "second.bias"}
    if zeros is not None:
        assert weights["first.weight"].sparsity == zeros
    else:
        counts = [weights[f"{name}.weight"] for name in ("first", "second")]
        assert round(sum(tensor.sparsity * tensor.nbytes / 4 for tensor in counts)) == 28
    assert any(finding.startswith(f"pruned by {text.partition(':')[0]}: ") for finding in result.findings)
    same_in_java(target, x)


def test_pruning_is_that_of_torch(target):
    model = Classifier()
    torch4j.export(model, torch.ones(1, 4), target, prune="ln_structured:0.5,n=2,dim=0")
    prune.ln_structured(model.first, "weight", amount=0.5, n=2, dim=0)
    assert_same(torch.jit.load(target).first.weight, model.first.weight)


def test_no_method_of_torch_is_forgotten():
    of_torch = {name for name in vars(prune) if name.endswith("_structured") or name.endswith("_unstructured")}
    assert set(pruning.METHODS) == of_torch | {"identity"}


@pytest.mark.parametrize(
    "preprocess",
    [
        Preprocess(0.5, 0.25),
        Preprocess([0.485, 0.456, 0.406], [0.229, 0.224, 0.225], 1 / 255),
        Preprocess.parse("mean=0.485,0.456,0.406 std=0.229,0.224,0.225 scale=1/255"),
    ],
    ids=["scalars", "channels", "text"],
)
@pytest.mark.parametrize("method", ["script", "trace"])
def test_preprocess_is_baked_in(jvm, target, method, preprocess):
    model = Pictures().eval()
    x = torch.randint(0, 256, (2, 3, 8, 8), dtype=torch.uint8)
    torch4j.export(model, x, target, method=method, preprocess=preprocess)
    mean, std = (torch.tensor(numbers).reshape(-1, 1, 1) for numbers in (preprocess.mean, preprocess.std))
    with java.Module(target) as module, torch.no_grad():
        assert_same(module(x), model((x.float() * preprocess.scale - mean) / std))


def test_preprocess_in_front_of_half(jvm, target):
    x = torch.randint(0, 256, (2, 3, 8, 8), dtype=torch.uint8)
    torch4j.export(Pictures(), x, target, dtype=torch.float16, preprocess=Preprocess(0.5, 0.5, 1 / 255))
    with java.Module(target) as module:
        assert module(x).dtype == torch.float16
    same_in_java(target, x)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mean", "preprocess: got 'mean'; expected mean=..., std=... or scale=..."),
        ("mean=a", "preprocess: got 'a'; expected a number or a fraction such as 1/255"),
        ("std=0", "preprocess: std is 0"),
        ("mean=1,2 std=1,2,3", "preprocess: got [2, 3] numbers for mean and std"),
    ],
)
def test_wrong_preprocess_is_told(text, message):
    with pytest.raises(ExportError) as error:
        Preprocess.parse(text)
    assert str(error.value).startswith(message)


def test_extra_files_of_every_kind(jvm, target, tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("cat\ndog")
    torch4j.export(Classifier(), torch.ones(1, 4), target, extra_files={"a": b"\0\1", "ä/b.txt": "ü", "c": labels})
    read = {"a": "", "ä/b.txt": "", "c": ""}
    torch.jit.load(target, _extra_files=read)
    assert read == {"a": b"\0\1", "ä/b.txt": "ü".encode(), "c": b"cat\ndog"}
    with java.Module(target, extra_files=list(read)) as module:
        got = module.java.extraFiles()
        assert {name: bytes(got.get(name)) for name in read} == read


def test_an_extra_file_that_is_not_there_is_told(target, tmp_path):
    with pytest.raises(ExportError, match="extra_files: 'c': cannot read"):
        torch4j.export(Classifier(), torch.ones(1, 4), target, extra_files={"c": tmp_path / "nothing"})


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (torch.nn.ReLU(), {"prune": "l1_unstructured:0.5"}, "prune: the model has no linear or convolution layer"),
        (torch.nn.ReLU(), {"quantize": "dynamic-int8"}, "quantize: the model has no layer that dynamic-int8 knows"),
        (Classifier(), {"quantize": "dynamic-int8", "dtype": torch.float16}, "quantize: dynamic-int8 works on float32"),
        (torch.jit.script(Classifier()), {"prune": "identity"}, "prune, quantize: the model is TorchScript already"),
        (Classifier(), {"prune": "l1_unstructured:1000"}, "prune: l1_unstructured: "),
    ],
)
def test_options_that_do_not_fit_are_told(target, model, options, message):
    with pytest.raises(ExportError) as error:
        torch4j.export(model, torch.ones(1, 4), target, **options)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
    assert not target.exists()
