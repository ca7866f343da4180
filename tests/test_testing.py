"""What the pytest plugin compares, tells, and runs in a child."""

from __future__ import annotations

import os
import signal
from collections import namedtuple
from typing import NamedTuple

import pytest
import torch
from same import assert_same
from torch4j._testing.child import Child, ChildModule
from torch4j._testing.compare import differences, limits
from torch4j._testing.crossing import JavaError
from torch4j._testing.fingerprint import fingerprint, lines

Pair = namedtuple("Pair", "a b")
NAN = float("nan")


def quiet_nan(payload):
    return torch.tensor([0x7FC00000 + payload], dtype=torch.int32).view(torch.float32)


T = torch.tensor
IMAGE = torch.arange(16.0).reshape(1, 2, 2, 4)
DIFFERENT = [
    (
        T([1.0, 2.0]),
        T([1.0, 2.5]),
        "1 of 2 elements differ; the first at [1]: Python 2.0, Java 2.5; largest difference 0.5",
    ),
    (T(0.0), T(-0.0), "1 of 1 elements differ; the first: Python 0.0, Java -0.0; largest difference 0"),
    (quiet_nan(1), quiet_nan(2), "Python nan (bits 0x7fc00001), Java nan (bits 0x7fc00002)"),
    (T([True, False]), T([True, True]), "1 of 2 elements differ; the first at [1]: Python False, Java True"),
    (T([1 + 2j]), T([1 + 3j]), "the first at [0]: Python (1+2j), Java (1+3j); largest difference 1"),
    (T([1], dtype=torch.uint64), T([2], dtype=torch.uint64), "Python 1, Java 2"),
    (T([1.0], dtype=torch.bfloat16), T([2.0], dtype=torch.bfloat16), "Python 1.0, Java 2.0"),
    (T([1.0]), T([1.0], dtype=torch.float64), "Python float32[1], Java float64[1]"),
    (torch.ones(2, 1), torch.ones(1, 2), "Python float32[2, 1], Java float32[1, 2]"),
    (IMAGE, IMAGE.contiguous(memory_format=torch.channels_last), "Python CONTIGUOUS, Java CHANNELS_LAST"),
    (1, True, "Python 1, Java True"),
    (1.5, 2.5, "Python 1.5, Java 2.5"),
    (0.0, -0.0, "Python 0.0, Java -0.0"),
    ("a", None, "Python 'a', Java None"),
    ([1], (1,), "Python list of 1, Java tuple of 1"),
    ((1, 2), (1,), "Python tuple of 2, Java tuple of 1"),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "Python dict of 2 with keys ['a', 'b'], Java dict of 2 with keys ['b', 'a']"),
    ({1: 2}, {True: 2}, "Python dict of 1 with keys [1], Java dict of 1 with keys [True]"),
    (Pair(1, 2), (1, 2), "Python Pair of 2, Java tuple of 2"),
]


@pytest.mark.parametrize(("python", "java", "text"), DIFFERENT)
def test_differences_are_told(python, java, text):
    ((place, told),) = differences(python, java, None)
    assert place == "outputs"
    assert text in told


def test_places_are_told():
    python = {"a": [T([1.0]), (T([1.0]), 1)]}
    java = {"a": [T([1.0]), (T([2.0]), 2)]}
    assert [place for place, _ in differences(python, java, None)] == ["outputs['a'][1][0]", "outputs['a'][1][1]"]


SAME = [
    T([NAN, -0.0, float("inf")]),
    T([NAN, 1j]),
    T([[1, 2], [3, 4]]).t(),
    torch.ones(2, 3).to_sparse(),
    torch.ones(0, 3),
    Pair(T(1), None),
    {1: "x", 2: NAN, 3: torch.device("cpu")},
    {T(1): T(2)},
]


@pytest.mark.parametrize("value", SAME)
def test_what_is_same_is_none(value):
    dense = value.to_dense() if isinstance(value, torch.Tensor) and value.is_sparse else value
    assert list(differences(value, dense, None)) == []


def test_tolerances():
    python, java = T([100.0, 0.0, NAN]), T([100.5, 0.0, NAN])
    assert list(differences(python, java, limits(0.01))) == []
    assert len(list(differences(python, java, limits((0.001, 0.1))))) == 1
    assert len(list(differences(T([1]), T([2]), limits(10.0)))) == 1  # integers have to be equal
    assert list(differences(1.0, 1.001, limits(0.01))) == []
    assert limits(None) is None
    with pytest.raises(TypeError, match=r"tolerance: got 'x'; expected None, a number, or a pair"):
        limits("x")


def test_fingerprints():
    assert fingerprint(T([[1.5, NAN], [-2.0, 3.0]]).t()).startswith(
        "float32[2, 2] strides [1, 2] min -2 max 3 NaN 1 sha"
    )
    # Of the logical bytes: strides do not matter.
    left, right = (fingerprint(tensor).split()[-1] for tensor in (IMAGE, IMAGE.mT.contiguous().mT))
    assert left == right
    for value in (T([True]), T([1], dtype=torch.uint16), T([1j]), torch.ones(0), T([NAN]), torch.ones(2).to_sparse()):
        assert "sha256" in fingerprint(value)


def test_lines_tell_both_sides_where_they_differ():
    python, java = [T([1]), T([2])], [T([1]), T([3]), T([4])]
    told = [line.split(" sha256")[0] for line in lines(python, java, "x")]
    assert told == [
        *("  x[0]: both int64[1] strides [1] min 1 max 1", "  x[1]: Python int64[1] strides [1] min 2 max 2"),
        *("        Java   int64[1] strides [1] min 3 max 3", "  x[2]: Python none"),
        "        Java   int64[1] strides [1] min 4 max 4",
    ]


class Kinds(torch.nn.Module):
    def forward(self, x: torch.Tensor, pair: Pair2):
        return pair, {"x": x.to(torch.bfloat16)}, x.to(memory_format=torch.channels_last), "text"


class Pair2(NamedTuple):
    first: torch.Tensor
    second: int


def test_a_child_answers_as_a_module_does_and_ends(saved):
    child = Child(["-Xmx64m"])
    process = child._process.pid
    try:
        with ChildModule(child, str(saved(Kinds()))) as module:
            given = (IMAGE, Pair2(torch.ones(1), 2))
            assert_same(module(*given), torch.jit.load(str(saved(Kinds(), "again.pt")))(*given))
            assert module.methods() == ["forward"]
            assert module.schema().startswith("forward(")
            with pytest.raises(JavaError, match=r"^org\.pytorch\.SchemaException: "):
                module.run_method("forward", 1)
        with pytest.raises(JavaError, match="module is closed"):
            module(*given)
        os.kill(process, signal.SIGKILL)
        with pytest.raises(JavaError, match="the process of the JVM ended with -9"):
            module.methods()
    finally:
        child.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
