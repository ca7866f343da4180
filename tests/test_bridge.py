"""The bridge: values through a scripted module, in Java as in Python."""

from __future__ import annotations

from typing import NamedTuple

import pytest
import torch
from same import assert_same
from torch4j._dtypes import CROSSINGS


class Identity(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


@pytest.mark.parametrize("dtype", list(CROSSINGS), ids=str)
@pytest.mark.parametrize("shape", [(), (0, 4), (3,), (2, 3, 4, 5)], ids=str)
def test_every_dtype_and_shape_goes_through(in_java, dtype, shape):
    x = torch.randint(0, 256, (*shape, dtype.itemsize), dtype=torch.uint8)
    x = (x % 2).to(torch.uint8) if dtype == torch.bool else x
    value = x.view(dtype).reshape(shape)
    assert_same(in_java(Identity())(value), value)


class Everything(torch.nn.Module):
    def forward(
        self,
        flag: bool,
        lists: dict[int, list[torch.Tensor]],
        table: dict[str, tuple[torch.Tensor, torch.Tensor | None, float]],
        text: str,
        number: complex,
    ):
        return flag, lists, table, text, number


def test_a1_every_kind_both_ways_nested(in_java):
    x = torch.rand(2, 3)
    args = (
        True,
        {-1: [x, x.t()], 7: []},
        {"z": (x, None, 0.1), "a": (x, x, -0.0)},
        "é😀\0",
        1 - 2j,
    )
    module = in_java(Everything())
    assert_same(module(*args), args)


class Pair(NamedTuple):
    left: torch.Tensor
    right: int


class Named(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Pair:
        return Pair(x + 1, 3)


def test_a3_named_tuple_keeps_its_field_names(in_java):
    x = torch.rand(3)
    result = in_java(Named())(x)
    assert result._fields == ("left", "right")
    assert_same(result, Named()(x))


class Channels(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x)


def test_a10_channels_last_in_and_out(in_java):
    x = torch.rand(2, 3, 8, 9).to(memory_format=torch.channels_last)
    model = Channels().eval()
    result = in_java(model)(x)
    with torch.inference_mode():
        expected = torch.jit.script(model)(x)
    assert_same(result, expected)
    assert result.is_contiguous(memory_format=torch.channels_last)
