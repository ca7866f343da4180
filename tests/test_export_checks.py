"""What torch4j.export finds out before it writes: what a trace froze (D3), what is random (D4)."""

from __future__ import annotations

import random

import numpy
import pytest
import torch
import torch.nn.functional as F  # noqa: N812
import torch4j
from export_models import Branch, Classifier, LiteralDropout, Reshape
from exported import dims_of, refusal
from same import assert_same
from torch4j import java


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.pt"


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


def test_d3_a_refusal_also_says_why_auto_traced(target):
    class Unscriptable(Branch):
        def forward(self, x):
            return super().forward(*[x])

    told = refusal(Unscriptable(), torch.ones(2, 3), target)
    assert "froze what the values of argument 'x' decide" in told
    assert "(Traced: torch.jit.script does not work for the model: " in told


def test_d3_inputs_that_cannot_be_changed_are_told(target):
    class Picky(torch.nn.Module):
        def forward(self, x):
            if x.tolist() != [1.0, 2.0]:
                raise ValueError("not mine")
            return x * 2

    told = torch4j.export(Picky(), torch.tensor([1.0, 2.0]), target, method="trace").findings
    assert "forward: no other values were compared: the model takes none of those that were tried" in told


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


def test_d3_a_size_that_varies_with_another_is_not_told_as_frozen(target):
    class Gathered(torch.nn.Module):
        def forward(self, x, mask):
            return x * mask[torch.arange(x.shape[0]).clamp(max=mask.shape[0] - 1)]

    result = torch4j.export(Gathered(), (torch.ones(2, 3), torch.ones(2, 3)), target, method="trace")
    assert not [finding for finding in result.findings if "froze" in finding]
    assert dims_of(target)["mask"][0] == [1, None]


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
    assert "compiled" in refusal(traced, torch.ones(2, 4), target)


def test_d4_scripted_in_train_mode_is_switched(target):
    scripted = torch.jit.script(Classifier().train())
    assert torch4j.export(scripted, torch.ones(2, 4), target).findings[0].startswith("train mode switched to eval")
    assert scripted.training


def test_d4_batch_norm_traced_in_train_mode_is_refused(target):
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))
    traced = torch.jit.trace(model.train(), torch.randn(5, 4), check_trace=False)
    told = refusal(traced, torch.randn(5, 4), target)
    assert told.startswith("forward has aten::batch_norm in train mode: it was compiled before model.eval()")


class Hidden(torch.nn.Module):
    """Random, and not with an input of zeros."""

    def __init__(self, train):
        super().__init__()
        self.train_always = train

    def forward(self, x):
        if self.training:
            x = F.dropout(x, 0.5, True)
        return F.dropout(x, 0.5, self.train_always)


@pytest.mark.parametrize("method", ["script", "trace"])
def test_d4_dropout_that_the_examples_do_not_show_is_refused(target, method):
    told = refusal(Hidden(True), torch.zeros(4), target, method=method)
    assert told.startswith("forward has aten::dropout in train mode")
    torch4j.export(Hidden(False), torch.zeros(4), target, method=method)


def test_d4_attention_with_a_literal_dropout_is_refused(target):
    class Attention(torch.nn.Module):
        def forward(self, x):
            return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)

    told = refusal(Attention(), torch.zeros(1, 2, 3, 4), target)
    assert "aten::scaled_dot_product_attention" in told


def test_d4_a_recurrent_layer_traced_in_train_mode_is_refused(target):
    model = torch.nn.LSTM(2, 3, num_layers=2, dropout=0.5)
    traced = torch.jit.trace(model.train(), torch.zeros(4, 2), check_trace=False)
    assert "aten::lstm" in refusal(traced, torch.zeros(4, 2), target)


@pytest.mark.parametrize("draw", [numpy.random.rand, random.random])
def test_d4_random_numbers_of_python_are_refused(target, draw):
    class Noise(torch.nn.Module):
        def forward(self, x):
            return x + float(draw())

    assert "draws from numpy or Python" in refusal(Noise(), torch.ones(2), target, method="trace")
