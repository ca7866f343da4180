"""Names in torch4j.export: of results and arguments (D6), and those that do not load (D7)."""

from __future__ import annotations

import collections
import dataclasses

import pytest
import torch
import torch4j
from exported import dims_of, forward_of, refusal
from same import assert_same
from torch4j import java


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.pt"


# D6: named results, keyword arguments


@dataclasses.dataclass
class Output(collections.OrderedDict):
    """As Hugging Face's ModelOutput: a dict and a dataclass, without what is None."""

    logits: torch.Tensor | None = None
    hidden: tuple | None = None
    loss: torch.Tensor | None = None
    cache: object = None

    def __post_init__(self):
        for field in dataclasses.fields(self):
            if getattr(self, field.name) is not None:
                self[field.name] = getattr(self, field.name)


class Encoder(torch.nn.Module):
    """Optional masks and named results."""

    def __init__(self, kind=Output):
        super().__init__()
        self.table = torch.nn.Embedding(10, 4)
        self.kind = kind

    def forward(self, input_ids=None, attention_mask=None, return_dict=True, **rest):
        hidden = self.table(input_ids)
        if attention_mask is not None:
            hidden = hidden * attention_mask.unsqueeze(-1)
        return self.kind(logits=hidden.sum(-1), hidden=(hidden, hidden * 2))


IDS, MASK = torch.tensor([[1, 2, 3]]), torch.tensor([[1.0, 1.0, 0.0]])


@pytest.mark.parametrize("kind", [dict, Output])
def test_d6_named_results_are_a_tuple_in_order(jvm, target, kind):
    model = Encoder(kind).eval()
    keywords = {"attention_mask": MASK, "input_ids": IDS}
    result = torch4j.export(model, (), target, example_kwargs=keywords)
    assert result.method == "trace"
    assert f"the {kind.__name__} that forward returns is a tuple now: (logits, hidden)" in result.findings
    told = forward_of(target)
    assert told["names"] == ["logits", "hidden"]
    assert told["returns"] == ["Tuple[Tensor, Tuple[Tensor, Tensor]]"]
    assert [argument["name"] for argument in told["arguments"]] == ["attention_mask", "input_ids"]
    with java.Module(target) as module, torch.no_grad():
        expected = model(**keywords)
        assert_same(module(input_ids=IDS, attention_mask=MASK), (expected["logits"], expected["hidden"]))


def test_d6_what_is_no_tensor_is_fixed_and_told(target):
    result = torch4j.export(Encoder(), (IDS,), target, example_kwargs={"return_dict": True, "attention_mask": MASK})
    assert "argument 'return_dict': fixed at True, as a trace has tensors as its only arguments" in result.findings
    assert list(dims_of(target)) == ["input_ids", "attention_mask"]


def test_d6_what_a_tuple_cannot_hold_is_left_out_and_told(target):
    class Cached(Encoder):
        def forward(self, input_ids, **rest):
            result = super().forward(input_ids, **rest)
            result["cache"] = object()
            return result

    result = torch4j.export(Cached(), (IDS,), target)
    assert "left out of the result, as a trace returns tensors: cache (object)" in result.findings


def test_d6_calls_that_differ_in_a_fixed_argument_are_refused(target):
    keywords = [{"return_dict": True}, {"return_dict": False}]
    told = refusal(Encoder(), (IDS,), target, example_kwargs=keywords)
    assert "torch.jit.trace: argument return_dict: differs between the example calls" in told


class Literal(torch.nn.Module):
    """TorchScript compiles it, and its keys are the same in every call."""

    def forward(self, x, mask: torch.Tensor | None = None):
        result = {"double": x * 2}
        result["masked"] = x if mask is None else x * mask
        return result


def test_d6_a_scripted_dict_of_fixed_keys_is_a_tuple_and_the_mask_stays_optional(jvm, target):
    x, mask = torch.ones(2), torch.tensor([0.0, 1.0])
    result = torch4j.export(Literal(), [(x,), (x, mask)], target)
    assert result.method == "script"
    told = forward_of(target)
    assert told["names"] == ["double", "masked"]
    assert told["arguments"][1] == {
        "name": "mask",
        "type": "Optional[Tensor]",
        "dtype": "float32",
        "dims": None,
        "default": "None",
    }
    with java.Module(target) as module:
        assert_same(module(x), (x * 2, x))
        assert_same(module(x, mask=mask), (x * 2, x * mask))


def test_d6_a_dict_inside_a_scripted_one_stays_a_dict(jvm, target):
    class Nested(torch.nn.Module):
        def forward(self, x):
            return {"a": {"b": x * 2}, "c": {"b": x * 3}}

    assert torch4j.export(Nested(), torch.ones(2), target).method == "script"
    assert forward_of(target)["names"] == ["a", "c"]
    with java.Module(target) as module:
        assert_same(module(torch.ones(2)), ({"b": torch.full((2,), 2.0)}, {"b": torch.full((2,), 3.0)}))


def test_d6_nested_results_of_a_trace_are_tuples(jvm, target):
    class Nested(torch.nn.Module):
        def forward(self, x, **rest):
            return {"a": x, "b": {"c": x * 2, "d": [x, x]}}

    torch4j.export(Nested(), torch.ones(2), target)
    one, two = torch.ones(2), torch.full((2,), 2.0)
    with java.Module(target) as module:
        assert_same(module(one), (one, (two, [one, one])))


def test_d6_a_dict_whose_keys_depend_on_the_input_stays_a_dict(jvm, target):
    class Named(torch.nn.Module):
        def forward(self, x, name: str):
            return {name: x}

    torch4j.export(Named(), (torch.ones(2), "a"), target)
    assert "names" not in forward_of(target)
    with java.Module(target) as module:
        assert_same(module(torch.ones(2), "b"), {"b": torch.ones(2)})


# D7: names that do not load


def theta(model):
    model.register_parameter("x_θ", torch.nn.Parameter(torch.ones(2)))


def submodule(model):
    model.add_module("größe", torch.nn.Linear(2, 2))


@pytest.mark.parametrize("method", ["script", "trace"])
def test_d7_a_parameter_that_would_not_load_is_refused(target, method):
    class Theta(torch.nn.Module):
        def __init__(self):
            super().__init__()
            theta(self)

        def forward(self, x):
            return x * self.x_θ

    told = refusal(Theta(), torch.ones(2), target, method=method)
    assert told.startswith("parameter 'x_θ': TorchScript saves such a name and cannot load it again; rename it")


def test_d7_the_submodule_is_named(target):
    class Part(torch.nn.Module):
        def __init__(self):
            super().__init__()
            submodule(self)

        def forward(self, x):
            return self.größe(x)

    assert "submodule 'größe'" in refusal(Part(), torch.ones(2), target)


def test_d7_the_argument_is_named(target):
    class Argument(torch.nn.Module):
        def forward(self, größe):
            return größe * 2

    assert "argument 'größe'" in refusal(Argument(), torch.ones(2), target)


def test_d7_a_keyword_is_named(target):
    class Keyword(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("class", torch.ones(2))

        def forward(self, x):
            return x * 2

    assert "buffer 'class'" in refusal(Keyword(), torch.ones(2), target, method="script")


def test_d7_names_that_do_load_are_let_through(target):
    class Fine(torch.nn.Module):
        def forward(self, x):
            größe = x * 2
            return größe + 1

    torch4j.export(Fine(), torch.ones(2), target)
