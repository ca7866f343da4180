"""What torch4j.export finds out before it writes: CASES.md D3, D4, D6, D7."""

from __future__ import annotations

import collections
import dataclasses
import json
import random
import zipfile

import numpy
import pytest
import torch
import torch4j
from export_models import Branch, Classifier, LiteralDropout, Reshape
from same import assert_same
from torch4j import java
from torch4j.export import ExportError


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.pt"


def forward_of(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("model/extra/torch4j.json"))["methods"]["forward"]


def dims_of(path):
    return {argument["name"]: argument["dims"] for argument in forward_of(path)["arguments"]}


def refusal(*args, **kwargs):
    """Return the one line with which an export is refused; nothing may have been written."""
    with pytest.raises(ExportError) as error:
        torch4j.export(*args, **kwargs)
    assert not args[2].exists()
    assert "\n" not in str(error.value)
    return str(error.value)


# D3: what a trace froze


def test_d3_a_decision_on_values_is_refused_by_argument(target):
    told = refusal(Branch(), torch.ones(2, 3), target, method="trace")
    assert "the trace froze what the values of argument 'x' decide" in told
    assert "sign flipped" in told


def test_d3_the_deciding_one_of_two_arguments_is_named(target):
    class Two(torch.nn.Module):
        def forward(self, x, flag):
            return x * 2 if bool(flag) else x

    told = refusal(Two(), (torch.ones(2, 3), torch.tensor(True)), target, method="trace")
    assert "argument 'flag' decide: for the values of the example negated" in told


def test_d3_a_number_taken_from_a_tensor_is_refused(target):
    class Repeat(torch.nn.Module):
        def forward(self, x, count):
            return torch.stack([x * i for i in range(int(count))]).sum(0)

    told = refusal(Repeat(), (torch.ones(2), torch.tensor(3)), target, method="trace")
    assert "argument 'count'" in told


def test_d3_auto_scripts_the_decision(jvm, target):
    assert torch4j.export(Branch(), torch.ones(2, 3), target).method == "script"
    with java.Module(target) as module:
        for x in (torch.ones(2, 3), -torch.ones(2, 3)):
            assert_same(module(x), Branch()(x))


def test_d3_a_frozen_size_is_told_by_argument(target):
    result = torch4j.export(Reshape(), torch.ones(2, 3, 4), target, method="trace")
    (told,) = [finding for finding in result.findings if "froze" in finding]
    assert told.startswith("forward: argument 'x', dimension 0: the trace froze its size 2: with size 8, ")
    assert dims_of(target) == {"x": [[2, 2], [1, None], [1, None]]}


def test_d3_sizes_that_vary_together_are_found(target):
    class Add(torch.nn.Module):
        def forward(self, x, y):
            return x + y.reshape(x.shape)

    result = torch4j.export(Add(), (torch.ones(3, 4), torch.ones(3, 4)), target, method="trace")
    assert result.findings == ["train mode switched to eval mode: the model"]
    assert dims_of(target) == {"x": [[1, None], [1, None]], "y": [[1, None], [1, None]]}


def test_d3_ranges_asked_for_are_checked_at_both_ends(target):
    torch4j.export(Classifier(), torch.ones(2, 4), target, method="trace", dims={"x": [(1, 64), 4]})
    assert dims_of(target) == {"x": [[1, 64], [4, 4]]}


def test_d3_a_range_that_the_trace_froze_is_refused(target):
    told = refusal(Reshape(), torch.ones(2, 3, 4), target, method="trace", dims={"x": [(1, 64), 3, 4]})
    assert told.startswith("dims: forward with the smallest sizes of x: ")


def test_d3_a_range_that_the_model_does_not_take_is_refused(target):
    told = refusal(Classifier(), torch.ones(2, 4), target, dims={"x": [(1, 64), (4, 8)]})
    assert told.startswith("dims: forward with the largest sizes of x: eager fails: ")


def test_d3_state_that_a_trace_loses_is_refused(target):
    class Attribute(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            return x * self.calls

    assert "example 0 called again" in refusal(Attribute(), torch.ones(2), target, method="trace")


# D4: eval mode, randomness


def test_d4_train_mode_is_switched_to_eval_and_told(jvm, target):
    model, x = Classifier().train(), torch.randn(2, 4)
    result = torch4j.export(model, x, target)
    assert result.findings[0] == "train mode switched to eval mode: the model and 3 more"
    assert not torch.jit.load(target).training
    with java.Module(target) as module, torch.no_grad():
        assert_same(module(x), model.eval()(x))


def test_d4_one_part_in_train_mode_is_named(target):
    model = Classifier().eval()
    model.dropout.train()
    assert torch4j.export(model, torch.ones(2, 4), target).findings[0].endswith("eval mode: dropout")


@pytest.mark.parametrize("method", ["auto", "script", "trace"])
def test_d4_dropout_with_a_literal_true_is_refused(target, method):
    told = refusal(LiteralDropout(), torch.ones(50), target, method=method)
    assert told.startswith("forward is random in eval mode: two runs with different seeds give outputs: differs")
    assert "Random operators: aten::dropout" in told
    assert "self.training" in told


def test_d4_traced_in_train_mode_is_refused(target):
    traced = torch.jit.trace(Classifier().train(), torch.ones(2, 4), check_trace=False)
    assert "the model was compiled in train mode" in refusal(traced, torch.ones(2, 4), target)


def test_d4_scripted_in_train_mode_is_switched(target):
    scripted = torch.jit.script(Classifier().train())
    assert torch4j.export(scripted, torch.ones(2, 4), target).findings[0].startswith("train mode switched to eval")
    assert scripted.training


def test_d4_batch_norm_traced_in_train_mode_is_refused(target):
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))
    traced = torch.jit.trace(model.train(), torch.randn(5, 4), check_trace=False)
    told = refusal(traced, torch.randn(5, 4), target)
    assert told.startswith("forward has aten::batch_norm in train mode: it was compiled before model.eval()")


@pytest.mark.parametrize("draw", [numpy.random.rand, random.random])
def test_d4_random_numbers_of_python_are_refused(target, draw):
    class Noise(torch.nn.Module):
        def forward(self, x):
            return x + float(draw())

    assert "draws from numpy or Python" in refusal(Noise(), torch.ones(2), target, method="trace")


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
    assert told.startswith("argument return_dict: differs between the example calls")


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
