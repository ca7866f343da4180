"""A benchmark as text."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.table import Table

from torch4j.bench.result import Bench
from torch4j.bench.times import Times

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
FIRST_CALLS = ("first call", "second call", "third call")
MEDIAN, P99 = "steady, median", "steady, p99"
_LAST_OF_SECTION = ("cold start", FIRST_CALLS[-1], P99)


def three_digits(value: float) -> str:
    """Return a number with three digits, never as a power of ten: 1.23, 12.3, 123, 12,345."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:#.3g}"


def duration(seconds: float) -> str:
    """Return a time with three digits and its unit."""
    size, unit = next((pair for pair in _UNITS if seconds >= pair[0] * 0.9995), _UNITS[-1])
    return f"{three_digits(seconds / size)} {unit}"


def _rows(bench: Bench) -> list[tuple[str, Callable[[Times], float], Callable[[float], str]]]:
    rows: list[tuple[str, Callable[[Times], float], Callable[[float], str]]] = [
        ("cold start", lambda times: times.start, duration)
    ]
    for index, name in enumerate(FIRST_CALLS):
        rows.append((name, lambda times, index=index: times.first(index), duration))  # type: ignore[misc]
    rows += [
        ("steady, fastest", lambda times: times.quantile(0), duration),
        (MEDIAN, lambda times: times.median, duration),
        (P99, lambda times: times.quantile(0.99), duration),
    ]
    for count in next(iter(bench.sides.values())).throughput:
        name = f"calls/s, {count} caller{'s' if count > 1 else ''}"
        rows.append((name, lambda times, count=count: times.rate(count), three_digits))  # type: ignore[misc]
    return rows


def _table(bench: Bench) -> Table:
    table = Table(title=f"torch4j bench {bench.path.name}")
    table.add_column("")
    for name in bench.sides:
        table.add_column(name, justify="right")
    others = [name for name in bench.sides if name != bench.reference]
    for name in others:
        table.add_column(f"{name} : {bench.reference}", justify="right")
    for name, value, show in _rows(bench):
        reference = value(bench.sides[bench.reference])
        ratios = [bench.ratio(other) if name == MEDIAN else value(bench.sides[other]) / reference for other in others]
        cells = [show(value(times)) for times in bench.sides.values()]
        table.add_row(name, *cells, *(f"{ratio:.2f}" for ratio in ratios), end_section=name in _LAST_OF_SECTION)
    return table


def text(bench: Bench) -> str:
    """Return the table, what was measured, and what speaks against it."""
    console = Console(width=100, markup=False, emoji=False)
    with console.capture() as capture:
        console.print(_table(bench))
        console.print(f"{bench.method}{bench.inputs}")
        console.print(", ".join(f"{name} {value}" for name, value in bench.environment.items()))
        console.print("Ratios of medians are those within a round, of which the median is shown.")
        for side, reason in bench.missing.items():
            console.print(f"without {side}: {reason}", style="yellow")
        if not bench.trusted:
            console.print("Do not trust these numbers:", style="red")
        for doubt in bench.doubts:
            console.print(f"  {doubt}", style="red")
    return capture.get().rstrip()
