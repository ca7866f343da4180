"""The cells of the table in docs/values.md: rows are kinds and dtypes, columns are in, out, nested, empty.

in: TorchScript looks at what Java sent. out: Java reads what TorchScript made. nested: through a dict of lists and
back. empty: the empty value through an identity.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
import values_table
from same import assert_same
from scripted import constant, identity, receiver
from torch4j._dtypes import CROSSINGS

NamedPoint = namedtuple("NamedPoint", ["x", "y"])
T = torch.tensor([1.0, 2.0])


@dataclass(frozen=True)
class Row:
    """A kind: its TorchScript type, a value, the same as TorchScript writes it, and what holds of it there."""

    name: str
    type: str
    value: Any
    source: str
    holds: str
    empty: Any = None


KINDS = [
    Row("None", "Optional[int]", None, "None", "x is None"),
    Row("bool", "bool", True, "True", "x"),
    Row("int", "int", -(1 << 63), "-9223372036854775807 - 1", "x + 1 == -9223372036854775807"),
    Row("float", "float", 0.1, "0.1", "x == 0.1"),
    Row("complex", "complex", 1 - 2j, "complex(1.0, -2.0)", "x == complex(1.0, -2.0)"),
    Row("str", "str", "é😀", '"é😀"', 'x == "é😀"', empty=""),
    Row("device", "torch.device", torch.device("cuda:1"), 'torch.device("cuda:1")', "x == torch.device(\"cuda:1\")"),
    Row("List[bool]", "List[bool]", [True, False], "[True, False]", "x == [True, False]", []),
    Row("List[int]", "List[int]", [1, -2], "[1, -2]", "x == [1, -2]", []),
    Row("List[float]", "List[float]", [0.5, 2.0], "[0.5, 2.0]", "x == [0.5, 2.0]", []),
    Row("List[Tensor]", "List[Tensor]", [T, T], "[t, t]", "bool((x[1] == t).all())", []),
    Row("List[str]", "List[str]", ["a", ""], '["a", ""]', 'x == ["a", ""]', []),
    Row("List[complex]", "List[complex]", [1j, 2j], "[complex(0, 1), complex(0, 2)]", "x[1] == 2j", []),
    Row("List[List[int]]", "List[List[int]]", [[1], []], "[[1], torch.jit.annotate(List[int], [])]",
        "x[0] == [1] and len(x[1]) == 0", []),
    Row("List[Optional[int]]", "List[Optional[int]]", [None, 3], "[None, 3]", "x[0] is None and x[1] is not None", []),
    Row("Tuple", "Tuple[int, str]", (1, "a"), '(1, "a")', 'x[0] == 1 and x[1] == "a"'),
    Row("NamedTuple", "Point", NamedPoint(T, 3), "Point(t, 3)", "x.y == 3 and bool((x.x == t).all())"),
    Row("Dict[str, ...]", "Dict[str, int]", {"z": 1, "a": 2}, '{"z": 1, "a": 2}', 'list(x.keys()) == ["z", "a"]', {}),
    Row("Dict[int, ...]", "Dict[int, Tensor]", {-1: T}, "{-1: t}", "bool((x[-1] == t).all())", {}),
    Row("Dict[float, ...]", "Dict[float, int]", {2.5: 1}, "{2.5: 1}", "x[2.5] == 1", {}),
    Row("Dict[bool, ...]", "Dict[bool, int]", {True: 1, False: 0}, "{True: 1, False: 0}", "x[True] == 1", {}),
    Row("Dict[complex, ...]", "Dict[complex, int]", {1j: 1}, "{1j: 1}", "x[1j] == 1", {}),
    Row("Dict[Tensor, ...]", "Dict[Tensor, int]", {T: 1}, "{t: 1}", "list(x.values()) == [1]", {}),
    Row("Optional", "Optional[List[int]]", [1], "[1]", "x is not None", []),
    Row("Union", "Union[str, List[int]]", [1, 2], "[1, 2]", "isinstance(x, List[int])", []),
    # No list here: torch 2.13.0 itself, Python's too, dies loading a list literal where Any is expected.
    Row("Any", "Any", "text", '"text"', "isinstance(x, str)", []),
]  # fmt: skip


def dtype_row(dtype: torch.dtype) -> Row:
    """Return the row of a dtype: 0 and 1, made by both sides on their own."""
    value = torch.tensor([0, 1]).to(dtype)
    holds = f"x.dtype == {dtype} and bool((x.to(torch.float64) == torch.arange(2)).all())"
    return Row(str(dtype), "Tensor", value, f"torch.arange(2).to({dtype})", holds, torch.zeros(0, 4).to(dtype))


ROWS = KINDS + [dtype_row(dtype) for dtype in CROSSINGS]
CELLS = [(row, column) for row in ROWS for column in values_table.COLUMNS if column != "empty" or row.empty is not None]


@pytest.mark.parametrize(("row", "column"), CELLS, ids=[f"{row.name}-{column}" for row, column in CELLS])
def test_cell(in_java, record_property, row, column):
    record_property("cell", (row.name, column))
    if column == "in":
        assert in_java(receiver(row.type, row.holds))(row.value, T) is True
    elif column == "out":
        scripted = constant(row.type, row.source)
        result = in_java(scripted)(T)
        compare(result, scripted(T))
        compare(result, row.value)
    elif column == "nested":
        value = {"a": [row.value, row.value], "b": []}
        compare(in_java(identity(f"Dict[str, List[{row.type}]]"))(value), value)
    else:
        compare(in_java(identity(row.type))(row.empty), row.empty)


def compare(java: Any, python: Any) -> None:
    """Compare to the bit; dicts with tensors as keys by their lists, since tensors have no equality to look up by."""
    if isinstance(python, dict) and python and isinstance(next(iter(python)), torch.Tensor):
        assert_same([list(java), list(java.values())], [list(python), list(python.values())])
    elif isinstance(python, dict) and "a" in python and isinstance(python["a"], list):
        for left, right in zip(java["a"], python["a"], strict=True):
            compare(left, right)
        assert java["b"] == []
    else:
        assert_same(java, python)


def test_docs_hold_this_table():
    """docs/values.md is what these tests give when all pass; if not: make docs."""
    page = Path(__file__).parent.parent / "docs" / "values.md"
    assert page.read_text() == values_table.document({(row.name, column): True for row, column in CELLS})
