"""docs/values.md, from the results of test_values_table.py."""

from __future__ import annotations

COLUMNS = ("in", "out", "nested", "empty")
HEAD = """# Values

Every kind of TorchScript value and every dense dtype, between Java and libtorch, compared to the bit with torch in
Python. This table is generated: `make docs` runs tests/test_values_table.py, and each cell is the result of one test.

- **in**: Java sends it, and TorchScript looks at what came.
- **out**: TorchScript makes it, and Java reads it.
- **nested**: as `Dict[str, List[...]]` through a model and back.
- **empty**: the empty value of the kind, or a tensor of shape [0, 4].

"""
TAIL = """
## Rules

- The schema of the method decides the types: an empty list is the list that the method wants. An int widens to float,
  both to complex; nothing else converts. A str fits `torch.device`. None fits `Optional` alone.
- `NamedTuple`s keep their field names; a plain tuple of as many elements fits too. Enums go in and out as their value.
- Dicts keep their insertion order both ways.
- A future is waited for. Objects of TorchScript classes have no Java value and are refused by type and by place:
  `outputs[1]["boxes"][0]`.
- Where the schema says `Any`, the type of a list or dict is that of its elements if they have one in common, else
  `Any`. TorchScript itself cannot load a model that writes a list literal where `Any` is expected: torch 2.13.0
  crashes, in Python too.
- Quantized, sparse and mkldnn tensors come out dense. Conjugate and negative views come out resolved. Nested tensors,
  meta tensors and dtypes without an `org.pytorch.DType` (float8) are refused by name.
- Nesting deeper than 500 is refused.
- More than 2^31-1 bytes or elements: read a tensor in parts with `narrow`, or `as(MemorySegment.class)` on Java 22.
"""


def document(cells: dict[tuple[str, str], bool]) -> str:
    """Return the page. A cell is "yes", "no" where its test failed, or "-" where there is none."""
    rows = list(dict.fromkeys(row for row, _ in cells))
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for row in rows:
        marks = ({True: "yes", False: "no", None: "-"}[cells.get((row, column))] for column in COLUMNS)
        lines.append(f"| `{row}` | " + " | ".join(marks) + " |")
    return HEAD + "\n".join(lines) + "\n" + TAIL
