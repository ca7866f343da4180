"""The comparison that verify and the pytest plugin use, on values made by hand."""

from __future__ import annotations

import hashlib
import struct
from collections import namedtuple

import pytest
import torch
from torch4j.verify import compare, fingerprints, tolerances

NAN, INF = float("nan"), float("inf")
Two = namedtuple("Two", "left right")


def payload(bits):
    return torch.tensor([bits], dtype=torch.int32).view(torch.float32)


def only(expected, found, tolerance=None):
    (output,) = compare(expected, found, tolerance).outputs
    return output


@pytest.mark.parametrize(
    "value",
    [
        torch.tensor([1.0, NAN, -0.0, INF]),
        torch.tensor([0, 1, 2**64 - 1], dtype=torch.uint64),
        torch.tensor([True, False]),
        torch.tensor(2 + 1j),
        torch.ones(2, 2).bfloat16(),
        torch.ones(2, 2).to(torch.float8_e4m3fn),
        torch.empty(0, 3),
        torch.eye(2).to_sparse(),
        torch.quantize_per_tensor(torch.ones(2), 0.5, 0, torch.quint8),
        torch.ones(2, dtype=torch.complex64).conj(),
        {"a": [1, 2], 3: (None, "text")},
        Two(1, 2.0),
        [],
        [1.5, NAN],
        1 << 70,
        torch.device("cpu"),
        object(),
    ],
    ids=repr,
)
def test_d1_a_value_is_identical_to_itself(value):
    comparison = compare(value, value)
    assert comparison.identical
    assert comparison.agrees
    assert comparison.first is None
    assert str(comparison) == "identical"


@pytest.mark.parametrize(
    ("expected", "found", "text"),
    [
        (torch.ones(2), torch.ones(2).double(), "outputs: float64[2] instead of float32[2]"),
        (torch.ones(2, 1), torch.ones(2), "outputs: float32[2] instead of float32[2, 1]"),
        (torch.ones(2), 1.0, "outputs: float instead of a tensor float32[2]"),
        ((1, 2), [1, 2], "outputs: list[int] instead of tuple"),
        ([1, 2], [1.0, 2.0], "outputs: list[float] instead of list[int]"),
        ([1, 2], [1], "outputs: 1 values instead of 2"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "outputs: keys ['b', 'a'] instead of ['a', 'b']"),
        (Two(1, 2), (1, 2), "outputs: fields without names instead of ('left', 'right')"),
        (None, 0, "outputs: int instead of None"),
        (True, 1, "outputs: int instead of bool"),
        (
            {"a": (1, ["x", "y"])},
            {"a": (1, ["x", "z"])},
            "outputs['a'][1]: 1 of 2 elements differ; at [1]: 'z' instead of 'y'",
        ),
        ({"a": (7,)}, {"a": (8,)}, "outputs['a'][0]: 1 of 1 elements differ; 8 instead of 7"),
    ],
)
def test_d1_what_differs_is_named(expected, found, text):
    comparison = compare(expected, found, "default")
    assert not comparison.agrees
    assert str(comparison) == text


def test_d1_the_first_element_that_differs_has_index_and_values():
    expected = torch.arange(6.0).reshape(2, 3)
    found = expected.clone()
    found[1, 0], found[1, 2] = 3.5, -5.0
    output = only(expected, found)
    assert (output.elements, output.identical, output.within) == (6, 4, 4)
    assert output.first.index == (1, 0)
    assert (output.first.expected, output.first.found) == ("3.0", "3.5")
    assert (output.max_absolute, output.max_relative) == (10.0, 2.0)
    assert not output.agrees


def test_d1_memory_format_counts():
    image = torch.rand(1, 3, 4, 4)
    output = only(image, image.to(memory_format=torch.channels_last))
    assert output.trouble == "memory format CHANNELS_LAST instead of CONTIGUOUS"
    assert (output.identical, output.same) == (48, False)
    assert compare(image.transpose(2, 3), image.transpose(2, 3).contiguous()).identical


def test_d1_bits_count_unless_there_is_a_tolerance():
    zeros, nans = (torch.tensor([0.0]), torch.tensor([-0.0])), (payload(0x7FC00001), payload(0x7FC00002))
    for pair in (zeros, nans):
        assert not compare(*pair).agrees
        assert compare(*pair, "default").agrees
        assert not compare(*pair, "default").identical
    output = only(*nans)
    assert (output.first.expected, output.first.found) == ("nan (0x7fc00001)", "nan (0x7fc00002)")
    assert (output.max_absolute, output.max_relative, output.max_ulp) == (0.0, 0.0, 0)
    assert not compare(0.0, -0.0).identical


@pytest.mark.parametrize(
    ("dtype", "left", "right", "steps"),
    [
        (torch.float32, 1.0, 1.0 + 2**-23, 1),
        (torch.float32, 1.0, 1.0 - 2**-23, 2),
        (torch.float32, 2.0**-149, -(2.0**-149), 2),
        (torch.float64, 1.0, 1.0 + 2**-50, 4),
        (torch.float16, 1.0, 1.0 + 2**-10, 1),
        (torch.bfloat16, 1.0, 1.0 + 2**-7, 1),
        (torch.complex64, 1j, 1j * (1 + 2**-22), 2),
        (torch.float64, -1.7976931348623157e308, 1.7976931348623157e308, 2 * 0x7FEFFFFFFFFFFFFF),
        (torch.float32, 0.0, -0.0, 0),
        (torch.float32, NAN, 1.0, 0),
    ],
)
def test_d5_ulps_are_steps_between_numbers(dtype, left, right, steps):
    assert only(torch.tensor([left], dtype=dtype), torch.tensor([right], dtype=dtype)).max_ulp == steps


def test_d5_whole_numbers_have_no_ulps_and_exact_gaps():
    output = only(
        torch.tensor([0, 2**64 - 1], dtype=torch.uint64), torch.tensor([2**63, 2**64 - 1], dtype=torch.uint64)
    )
    assert (output.max_absolute, output.max_ulp, output.identical) == (2.0**63, None, 1)
    lowest = torch.iinfo(torch.int64)
    assert only(torch.tensor([lowest.min]), torch.tensor([lowest.max])).max_absolute == 2.0**64
    assert only(torch.tensor([0], dtype=torch.int8), torch.tensor([1], dtype=torch.int8)).max_relative == INF
    assert only(torch.tensor([True]), torch.tensor([False])).max_absolute == 1.0


@pytest.mark.parametrize(("left", "right"), [(NAN, 1.0), (1.0, NAN), (INF, -INF), (1.0, INF), (INF, 1.0)])
def test_d5_nan_and_infinity_are_no_tolerable_differences(left, right):
    output = only(torch.tensor([left]), torch.tensor([right]), "1e30")
    assert (output.max_absolute, output.agrees) == (INF, False)


def test_d5_the_default_tolerance_is_by_dtype():
    near = torch.tensor([1.0, 1.0 + 1e-6])
    assert compare(torch.ones(2), near, "default").agrees
    assert not compare(torch.ones(2), near).agrees
    assert not compare(torch.ones(2).double(), near.double(), "default").agrees
    assert not compare(torch.tensor([1]), torch.tensor([2]), "default").agrees


def test_d5_the_first_difference_is_one_outside_the_tolerance():
    output = only(torch.ones(3), torch.tensor([1.0, 1.0 + 1e-6, 2.0]), "default")
    assert (output.first.index, output.identical, output.within) == ((2,), 1, 2)
    assert only(torch.ones(2), torch.tensor([1.0, 1.0 + 1e-6]), "default").first.index == (1,)


def test_d5_tolerances_are_parsed():
    given = tolerances("float32=1e-4:1e-6,float16=1e-2")
    assert (given.of(torch.float32).relative, given.of(torch.float32).absolute) == (1e-4, 1e-6)
    assert (given.of(torch.float16).relative, given.of(torch.float16).absolute) == (1e-2, 1e-2)
    assert given.of(torch.float64) is None
    assert tolerances(0.5).of(torch.float64).absolute == 0.5
    assert tolerances(given) is given
    assert tolerances(None).of(torch.float32) is None


@pytest.mark.parametrize("text", ["", "nope", "float32=", "int64=1", "float33=1", "-1", "nan", "1:2:3", "__name__=1"])
def test_d5_a_wrong_tolerance_names_the_form(text):
    with pytest.raises(ValueError, match=r"^tolerance: got .*; expected exact, default, a number"):
        tolerances(text)


def test_d1_fingerprints_tell_everything_of_a_tensor():
    value = torch.tensor([[1.0, NAN, -2.0], [4.0, 5.0, 6.0]])
    (found,) = fingerprints(value.t(), "x")
    assert (found.place, found.kind, found.shape, found.strides) == ("x", "float32", (3, 2), (1, 3))
    assert (found.minimum, found.maximum, found.nans) == (-2.0, 6.0, 1)
    raw = struct.pack("<6f", 1, 4, NAN, 5, -2, 6)
    assert found.sha256 == hashlib.sha256(raw).hexdigest()
    assert str(found) == f"float32[3, 2] min -2 max 6 NaN 1 sha256 {found.sha256[:12]}"
    assert found.same(fingerprints(value.t().contiguous(), "y")[0])
    assert not found.same(fingerprints(value, "x")[0])


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        (torch.tensor([1, 2**64 - 1], dtype=torch.uint64), 1, 2**64 - 1),
        (torch.tensor([1 - 3j, NAN + 2j]), -3.0, 2.0),
        (torch.tensor([True, False]), False, True),
        (torch.tensor([1.5, 2]).bfloat16(), 1.5, 2.0),
        (torch.tensor([NAN]), None, None),
        (torch.empty(0, dtype=torch.int32), None, None),
    ],
)
def test_d1_fingerprints_of_every_dtype(value, low, high):
    (found,) = fingerprints(value, "x")
    assert (found.minimum, found.maximum) == (low, high)
    assert str(found)


def test_d1_fingerprints_of_nested_values_have_places():
    value = ({"a": torch.ones(1)}, [1, 2], "text", None, [torch.zeros(1), torch.ones(1)])
    found = {each.place: each for each in fingerprints(value, "x")}
    assert list(found) == ["x[0]['a']", "x[1]", "x[2]", "x[3]", "x[4][0]", "x[4][1]"]
    assert (found["x[1]"].kind, found["x[1]"].text) == ("list[int]", "[1, 2]")
    assert found["x[0]['a']"].same(found["x[4][1]"])
    assert str(found["x[2]"]).startswith("str 'text' sha256 ")
