"""The bridge's own promises: it refuses what it would change, and leaves no Java tensor open."""

from __future__ import annotations

import pytest
import torch
from same import assert_same
from scripted import compiled, identity
from torch4j import java
from torch4j._dtypes import CROSSINGS

SMALLEST, LARGEST = -(1 << 63), (1 << 63) - 1


@pytest.mark.parametrize("value", [SMALLEST, LARGEST])
def test_the_ends_of_int_go_through(in_java, value):
    assert in_java(identity("int"))(value) == value


@pytest.mark.parametrize("value", [SMALLEST - 1, LARGEST + 1, (1 << 64) + 7])
@pytest.mark.parametrize("wrap", [lambda n: n, lambda n: [n], lambda n: (n, "x"), lambda n: {n: 0}, lambda n: {"a": n}])
def test_an_int_of_more_than_64_bits_is_refused(jvm, value, wrap):
    with pytest.raises(OverflowError):
        java.to_java(wrap(value))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda x: x.to_sparse(), "layout torch.sparse_coo"),
        (lambda x: x.to_mkldnn(), "layout torch._mkldnn"),
        (lambda x: x.to("meta"), "device meta"),
        (lambda x: x.to(torch.float8_e5m2), "dtype torch.float8_e5m2"),
        (lambda x: torch.nested.nested_tensor([x, x]), "layout nested"),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_tensors_without_dense_elements_are_refused_by_name(jvm, make, message):
    with pytest.raises(TypeError, match=message):
        java.tensor_to_java(make(torch.ones(2, 2)))


@pytest.mark.parametrize("dtype", list(CROSSINGS), ids=str)
@pytest.mark.parametrize(
    ("shape", "memory"), [((2, 3, 4, 5), torch.channels_last), ((2, 3, 2, 4, 5), torch.channels_last_3d)]
)
def test_channels_last_of_every_dtype_comes_back_as_such(in_java, dtype, shape, memory):
    raw = torch.randint(0, 256, (*shape, dtype.itemsize), dtype=torch.uint8)
    raw = raw % 2 if dtype == torch.bool else raw
    x = raw.view(dtype).reshape(shape).contiguous(memory_format=memory)
    result = in_java(identity("Tensor"))(x)
    assert_same(result, x)
    assert result.stride() == x.stride()


def test_named_tuples_of_the_same_fields_are_of_one_class(in_java):
    module = in_java(
        compiled(
            "class Made(torch.nn.Module):\n"
            "    def forward(self, n: int) -> List[Point]:\n"
            "        return [Point(torch.ones(1), i) for i in range(n)]\n"
        )
    )
    left, right = module(2)
    assert type(left) is type(right)
    assert left._fields == ("x", "y")


def spied(monkeypatch):
    """Collect the Java values that go in and come out of calls."""
    seen = []
    run = java.Module._run

    def spy(self, name, args, kwargs):
        seen.extend([*args, *kwargs.values()])
        result = run(self, name, args, kwargs)
        seen.append(result)
        return result

    monkeypatch.setattr(java.Module, "_run", spy)
    return seen


def test_java_tensors_are_closed_after_a_call(in_java, monkeypatch):
    seen = spied(monkeypatch)
    in_java(identity("Tensor"))(torch.ones(2))
    assert [value.toTensor().isClosed() for value in seen] == [True, True]


def test_java_tensors_are_closed_after_a_failed_call(in_java, monkeypatch):
    seen = spied(monkeypatch)
    module = in_java(identity("Tensor"))
    with pytest.raises(java.java_class("SchemaException")):
        module(torch.ones(2), 1)
    assert seen[0].toTensor().isClosed()


def test_load_options_are_checked_by_name(jvm, tmp_path):
    with pytest.raises(TypeError, match="unknown load option 'devise'"):
        java.Module(tmp_path / "x.pt", devise="cpu")
    with pytest.raises(ValueError, match=r"load option device: got 'tpu'; expected one of \['cpu', 'cuda', 'vulkan'\]"):
        java.Module(tmp_path / "x.pt", device="tpu")
