"""Module.signature() and Module.selfTest(): what torch4j.export wrote, read in Java without any Python."""

from __future__ import annotations

import jpype
import pytest
import torch
import torch4j
from archives import rewrite
from export_common import by_method
from torch4j import java
from torch4j.java import java_class


class Classifier(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, x: torch.Tensor, scale: float = 1.0) -> tuple[torch.Tensor, list[str], dict[str, torch.Tensor]]:
        y = self.linear(x) * scale
        return y, ["a", "b"], {"best": y.argmax(1), "none": torch.zeros(0)}


class Counter(torch.nn.Module):
    """Answers differ from call to call."""

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count += 1
        return x * self.count


@pytest.fixture
def exported(jvm, tmp_path):
    def export(model, inputs, **options):
        path = tmp_path / "model.pt"
        torch4j.export(model, inputs, path, **options)
        return path

    return export


def replace_weights(path, weights):
    def change(name, content):
        if name.endswith("sha256"):
            return {}
        return {name: weights if name == "data/0" else content}

    rewrite(path, change)


def test_self_test_passes_for_what_was_exported(exported):
    path = exported(Classifier(), [(torch.rand(3, 4),), (torch.rand(1, 4), 2.5)])
    with java.Module(path) as module:
        result = module.java.selfTest()
        assert result.passed(), str(result)
        # 3 x 2 logits, 2 strings, 3 indices, 2 keys and nothing of the empty tensor
        assert str(result).splitlines() == [
            "passed",
            "forward, example 0: 13 of 13 identical",
            "forward, example 1: 7 of 7 identical",
        ]


def test_self_test_runs_on_fresh_copies(exported):
    path = exported(Counter(), [(torch.ones(2),), (torch.ones(2),)], method="script")
    with java.Module(path) as module:
        for _ in range(2):  # the first leaves no trace in the module
            result = module.java.selfTest()
            assert result.passed(), str(result)


def test_self_test_finds_a_wrong_weight_and_tells_where(exported):
    torch.manual_seed(0)
    model = Classifier()
    path = exported(model, torch.rand(3, 4))
    weights = model.linear.weight.detach().clone()
    weights[1, 2] += 1
    replace_weights(path, weights.numpy().tobytes())
    with java.Module(path) as module:
        result = module.java.selfTest()
    assert not result.passed()
    [only] = result.results()
    assert only.identical() < only.elements()
    assert only.largestDifference() > 0.01
    assert str(only.difference()).startswith("outputs[0]: element 1 (in logical order): ")


def test_threads_are_as_before_after_a_self_test(exported):
    torch_class = java_class("Torch")
    before = torch_class.getNumThreads()
    with java.Module(exported(Classifier(), torch.rand(3, 4))) as module:
        module.java.selfTest()
    assert torch_class.getNumThreads() == before


def test_signature_tells_dtypes_ranges_and_names(exported):
    path = exported(Classifier(), [(torch.rand(3, 4),), (torch.rand(1, 4), 2.5)], dims={"x": [(1, 64), 4]})
    with java.Module(path) as module:
        signature = module.java.signature()
    assert str(signature.torch()) == torch.__version__.split("+")[0]
    assert str(signature.how()) == "script"
    method = signature.methods().get("forward")
    assert [str(argument) for argument in method.arguments()] == [
        "x: Tensor float32[1..64, 4]",
        "scale: float = 1.0",
    ]
    assert method.examples() == 2
    assert "Dict[str, Tensor]" in str(method.returns().get(0))


def test_from_memory_the_extra_files_are_asked_for(exported):
    path = exported(Classifier(), torch.rand(3, 4))
    data = jpype.JArray(jpype.JByte)(path.read_bytes())
    module = java_class("Module")
    with pytest.raises(jpype.java.lang.IllegalStateException, match="not loaded from a file; ask for it with"):
        module.load(data).signature()
    options = java_class("LoadOptions").defaults().withExtraFiles("torch4j.json", "torch4j.examples.pt")
    for source in (data, jpype.java.io.ByteArrayInputStream(data), jpype.java.nio.ByteBuffer.wrap(data)):
        assert module.load(source, options).selfTest().passed()


def test_a_file_of_another_tool_is_told(in_java):
    with pytest.raises(jpype.java.lang.IllegalStateException, match="no torch4j.json: write its file with torch4j exp"):
        in_java(torch.nn.Linear(4, 2)).java.signature()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"format": 2}', "has format 2.0, this torch4j reads 1"),
        (b"[]", "is not what torch4j export writes"),
        (b'{"format": 1}', "is not what torch4j export writes"),
        (b"\xff\xfe", "is not what torch4j export writes: .*no JSON"),
    ],
)
def test_a_broken_signature_is_told(saved, jvm, content, message):
    path = saved(torch.nn.Linear(4, 2), _extra_files={"torch4j.json": content})
    with java.Module(path) as module, pytest.raises(java_class("LoadException"), match=message):
        module.java.signature()


SCRIPTS = ("classifier", "detector", "encoder", "features", "methods", "pruned", "quantized", "recurrent", "tokenizer")


@pytest.mark.parametrize("name", SCRIPTS)
def test_models_of_the_scripts_pass_their_self_test(exported, name):
    script = __import__(f"export_{name}")
    calls = script.example_inputs()
    with java.Module(exported(script.model(), calls)) as module:
        result = module.java.selfTest()
        assert result.passed(), str(result)
        assert len(result.results()) == sum(len(given) for given in by_method(calls).values())
