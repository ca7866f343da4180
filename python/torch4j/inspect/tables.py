"""An inspection for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table

from torch4j.inspect.inspection import Inspection

WIDTH = 110
_MOST_ROWS = 200  # of tensors and members: --json has all of them


def tables(found: Inspection) -> str:
    """Return an inspection as text."""
    console = Console(width=WIDTH, markup=False, highlight=False, emoji=False)
    with console.capture() as capture:
        for table in _all(found):
            console.print(table)
    return capture.get().rstrip()


def _all(found: Inspection) -> Iterator[Table]:
    yield _table(f"torch4j inspect {found.path.name}", [], _facts(found))
    if found.methods:
        yield _table("methods", [], [(signature,) for signature in found.methods.values()])
    if found.tensors:
        yield _table("tensors", ["name", "role", "dtype", "shape", "bytes", "zeros", "device"], _tensors(found))
    if found.operators:
        marked = [f"{name} (missing here)" if _base(name) in found.missing else name for name in found.operators]
        yield _table("operators", [], [(", ".join(marked),)])
    if found.members:
        largest = sorted(found.members.items(), key=lambda item: -item[1])
        yield _table("members", ["name", "bytes"], _cut([(name, f"{size:,}") for name, size in largest]))


def _facts(found: Inspection) -> list[tuple[str, ...]]:
    facts: list[tuple[str, ...]] = [("is", found.kind.text), ("bytes", f"{found.size_bytes:,}")]
    if found.kind.advice:
        facts.append(("what to do", found.kind.advice))
    if found.exported:
        facts.append(("exported by", f"torch4j {found.exported.get('torch4j')}, {found.exported.get('method')}"))
        facts.append(("options", str(found.exported.get("options") or "none")))
    if found.methods or found.torch_version:
        facts.append(("torch", found.torch_version or "not told by the file"))
        facts.append(("devices in the code", ", ".join(found.code_devices) or "none"))
        facts.append(("train mode", ", ".join(name or "the model" for name in found.training) or "no"))
        facts.append(("extra files", ", ".join(f"{n} ({s:,})" for n, s in found.extra_files.items()) or "none"))
        facts.append(("missing operators", ", ".join(found.missing) or "none"))
    if found.damaged:
        facts.append(("damaged", ", ".join(found.damaged)))
    return facts + [("note", note) for note in found.notes]


def _tensors(found: Inspection) -> list[tuple[str, ...]]:
    return _cut(
        [
            (
                tensor.name,
                tensor.role,
                tensor.dtype,
                str(list(tensor.shape)),
                f"{tensor.nbytes:,}",
                "" if tensor.sparsity is None else f"{tensor.sparsity:.1%}",
                tensor.device,
            )
            for tensor in found.tensors
        ]
    )


def _cut(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    more = len(rows) - _MOST_ROWS
    return [*rows[:_MOST_ROWS], (f"and {more} more (--json has all)",)] if more > 0 else rows


def _base(operator: str) -> str:
    return operator.partition(".")[0]


def _table(title: str, columns: list[str], rows: list[tuple[str, ...]]) -> Table:
    table = Table(title=title, title_justify="left", show_header=bool(columns))
    for name in columns or [""] * max(map(len, rows)):
        table.add_column(name, overflow="fold", justify="right" if name in ("bytes", "zeros") else "left")
    for row in rows:
        table.add_row(*row)
    return table
