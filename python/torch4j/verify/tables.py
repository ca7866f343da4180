"""A verification for the terminal, and the rows that the report shows too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from torch4j.verify.compare import Output
from torch4j.verify.verification import KINDS, Check, Verification

WIDTH = 120
ONLY_DIFFERING = ("weights", "repeat")  # the rest of their rows says nothing
_MOST_ROWS = 60  # of outputs: --json and --report have all of them


@dataclass
class Row:
    """All comparisons of one output by one kind of check, added up.

    Attributes:
        kind: key of KINDS; sides, method, place: what was compared.
        dtype: dtype or type; shape: of the first call, as text.
        elements, identical: added up over all calls.
        max_absolute, max_relative, max_ulp: the largest.
        agrees: whether all are within the tolerance; same: whether all are equal to the bit.
        decides: whether a difference makes the whole fail.
    """

    kind: str
    sides: tuple[str, str]
    method: str
    place: str
    dtype: str = ""
    shape: str = ""
    elements: int = 0
    identical: int = 0
    max_absolute: float | None = None
    max_relative: float | None = None
    max_ulp: int | None = None
    agrees: bool = True
    same: bool = True
    decides: bool = True

    @property
    def verdict(self) -> str:
        """In a word."""
        if self.same:
            return "identical"
        return "within" if self.agrees else "differs" if self.decides else "changes"

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        what = f"{self.method} {self.place}".strip()
        numbers = (number(self.max_absolute), number(self.max_relative), number(self.max_ulp))
        kind = f"{self.dtype}{self.shape}"
        return (what, kind, f"{self.elements:,}", f"{self.identical:,}", *numbers, self.verdict)


COLUMNS = ("output", "type", "elements", "identical", "max abs", "max rel", "max ULP", "verdict")


def number(value: float | None) -> str:
    """Return a difference in three digits; a dash where there is none."""
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else "0" if value == 0 else f"{value:.3g}"


def rows(found: Verification) -> list[Row]:
    """Return the rows of the tables, by kind and output."""
    table: dict[tuple[str, ...], Row] = {}
    for check in found.checks:
        if check.comparison is None or check.error:
            key = (check.kind, *check.sides, check.method, str(check.error))
            place = f"{check.case}: {check.error}".removeprefix(": ")
            table[key] = Row(check.kind, check.sides, check.method, place, agrees=False, same=False)
            continue
        for output in check.comparison.outputs:
            key = (check.kind, *check.sides, check.method, output.place)
            row = table.setdefault(key, Row(check.kind, check.sides, check.method, output.place))
            _add(row, output, check)
    return list(table.values())


def _add(row: Row, output: Output, check: Check) -> None:
    row.dtype = row.dtype or output.kind
    row.shape = row.shape or ("" if output.shape is None else str(list(output.shape)))
    row.elements, row.identical = row.elements + output.elements, row.identical + output.identical
    row.max_absolute = _larger(row.max_absolute, output.max_absolute)
    row.max_relative = _larger(row.max_relative, output.max_relative)
    steps = _larger(row.max_ulp, output.max_ulp)
    row.max_ulp = None if steps is None else int(steps)
    row.agrees, row.same = row.agrees and output.agrees, row.same and output.same
    row.decides = check.decides


def _larger(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else max(one, other)


def failure_rows(check: Check) -> list[tuple[str, ...]]:
    """Return the fingerprints of a check as rows: place, side, and both sides beside each other."""
    found: list[tuple[str, ...]] = []
    for marks in (check.inputs, check.outputs):
        for index in range(max(map(len, marks))):
            for side, each in zip(check.sides, marks, strict=True):
                if index < len(each):
                    found.append((each[index].place, side, str(each[index])))
    return found


def tables(found: Verification) -> str:
    """Return a verification as text."""
    console = Console(width=WIDTH, markup=False, highlight=False, emoji=False)
    with console.capture() as capture:
        for table in _all(found):
            console.print(table, soft_wrap=isinstance(table, str))
        for text in (*found.diagnosis, *(f"note: {note}" for note in found.notes)):
            console.print(text, soft_wrap=True)
        console.print(found.verdict, soft_wrap=True)
    return capture.get().rstrip()


def sections(found: Verification) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Give each table but the first: title, columns, rows."""
    every = rows(found)
    for kind, title in KINDS.items():
        own = [row for row in every if row.kind == kind]
        shown = [row for row in own if kind not in ONLY_DIFFERING or not row.same]
        hidden = f" ({len(own) - len(shown)} more are identical)" if len(shown) < len(own) else ""
        for sides in dict.fromkeys(row.sides for row in shown):
            extra = f": {sides[0]} and {sides[1]}" if kind in ("repeat", "threads") else ""
            yield title + extra + hidden, COLUMNS, [row.cells() for row in shown if row.sides == sides]
    if found.submodules:
        yield "submodules, each alone with the inputs of Python's run", ("name", "outputs"), _submodules(found)
    check = next((check for check in found.failures if check.inputs[0] or check.outputs[0]), None)
    if check is not None:
        yield f"first difference: {check.place}", ("value", "side", "fingerprint"), failure_rows(check)


def _all(found: Verification) -> Iterator[Table | str]:
    yield f"torch4j verify {found.path.name}"
    yield _table((), _facts(found))
    for title, columns, cells in sections(found):
        yield title
        yield _table(columns, cells)


def _submodules(found: Verification) -> list[tuple[str, ...]]:
    return [(each.name, each.error or str(each.comparison)) for each in found.submodules]


def facts(found: Verification) -> list[tuple[str, str]]:
    """Return what was asked for and where it ran."""
    java, python = found.environment.get("Java", {}), found.environment.get("Python", {})
    told = [
        ("inputs", found.source + (f", seeds {', '.join(map(str, found.seeds))}" if found.seeds else "")),
        ("calls", _calls(found)),
        ("threads", ", ".join(map(str, found.threads))),
        ("tolerance", _tolerance(found)),
    ]
    for name in ("libtorch_cpu.so", "libc10.so"):
        one, other = python.get(f"mapped {name}", "-"), java.get(f"mapped {name}", "-")
        told.append((f"mapped {name}", f"{one} (both sides)" if one == other else f"Python {one}; Java {other}"))
    return told


def _calls(found: Verification) -> str:
    repeated = [check for check in found.checks if check.kind == "repeat"]
    same = all(check.identical for check in repeated)
    return f"1 to {found.calls}" + (", each side gives the same at all of them" if repeated and same else "")


def _tolerance(found: Verification) -> str:
    """Return the tolerance, and which comparisons have another one because none was asked for."""
    others = {KINDS[c.kind]: c.comparison.tolerance.name for c in found.checks if c.comparison is not None}
    return "; ".join(
        [found.tolerance, *(f"{name}: {title}" for title, name in others.items() if name != found.tolerance)]
    )


def _facts(found: Verification) -> list[tuple[str, ...]]:
    return [tuple(pair) for pair in facts(found)]


def _table(columns: tuple[str, ...], cells: list[tuple[str, ...]]) -> Table:
    table = Table(show_header=bool(columns))
    for name in columns or [""] * max(map(len, cells)):
        right = name in ("elements", "identical", "max abs", "max rel", "max ULP")
        table.add_column(name, overflow="fold", justify="right" if right else "left")
    for row in cells[:_MOST_ROWS]:
        table.add_row(*row)
    if len(cells) > _MOST_ROWS:
        table.add_row(f"and {len(cells) - _MOST_ROWS} more (--json has all)")
    return table
