"""Tables and plot of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench_figure import Extra
from bench_goal import interval, judged
from bench_sides import Round
from rich.table import Table

SIDES = ("C++", "C++ in the JVM", "Java", "Python")
TRUSTED_CONTROL = 0.05  # how far the 95 % interval of C++ against itself may reach from 1
TRUSTED_SPREAD = 0.25  # of a side's rounds between the quartiles; beyond, its times are of no use


@dataclass
class Measured:
    """All rounds of one work."""

    name: str
    rival: str
    goal: float | None
    rounds: dict[str, list[Round]]
    calls: int = 1  # in a round
    over: float | None = None
    heap_bytes: float = 0.0

    def micros(self, side: str) -> float:
        """Return the median of a side's means, in microseconds."""
        return median(each.mean for each in self.rounds[side]) / 1000

    def ratios(self, side: str, to: str) -> list[float]:
        """Return the ratios of two sides round by round, sorted."""
        pairs = zip(self.rounds[side], self.rounds[to], strict=True)
        return sorted(one.mean / other.mean for one, other in pairs)

    def differences(self, side: str, to: str) -> list[float]:
        """Return by how many microseconds a side took longer than another, round by round."""
        pairs = zip(self.rounds[side], self.rounds[to], strict=True)
        return [(one.mean - other.mean) / 1000 for one, other in pairs]

    def p99(self, side: str) -> float:
        """Return what 99 % of a side's calls do not exceed, in microseconds: each round's own if it has 100 calls."""
        found = sorted(each.p99 for each in self.rounds[side])
        return (median(found) if self.calls >= 100 else found[len(found) * 99 // 100]) / 1000

    def spread(self, side: str) -> float:
        """Return how far the quartiles of a side's rounds lie apart, as a share of their median."""
        means = sorted(each.mean for each in self.rounds[side])
        return (means[len(means) * 3 // 4] - means[len(means) // 4]) / median(means)


def _ratio(found: Measured, side: str, to: str) -> str:
    if to not in found.rounds:
        return ""
    ratios = found.ratios(side, to)
    return f"{median(ratios):.2f} ({ratios[len(ratios) // 4]:.2f}-{ratios[len(ratios) * 3 // 4]:.2f})"


def _goal(found: Measured) -> str:
    if found.over is not None:
        return judged(found.differences("Java", found.rival), found.over, f"µs over {found.rival}")
    if found.goal is not None:
        return judged(found.ratios("Java", found.rival), found.goal, f"of {found.rival}")
    return ""


def tables(found: Sequence[Measured], extras: Sequence[Extra]) -> Iterator[Table]:
    """Return the tables."""
    if found:
        heads = (*(f"{side} µs" for side in SIDES), "Java p99", "Java least", "heap B")
        table = Table("medians per call", *heads, title="time")
        for each in found:
            micros = [f"{each.micros(side):.2f}" for side in SIDES]
            least = min(one.least for one in each.rounds["Java"]) / 1000
            table.add_row(each.name, *micros, f"{each.p99('Java'):.2f}", f"{least:.2f}", f"{each.heap_bytes:.0f}")
        yield table
        heads = ("Java : C++ in the JVM", "Java : C++", "Python : C++", "Java : arraycopy", "C++ : C++", "goal")
        table = Table("ratios in the same round: median (quartiles)", *heads, title="ratios")
        for each in found:
            pairs = (
                ("Java", "C++ in the JVM"),
                ("Java", "C++"),
                ("Python", "C++"),
                ("Java", "arraycopy"),
                ("C++ again", "C++"),
            )
            table.add_row(each.name, *(_ratio(each, *pair) for pair in pairs), _goal(each))
        yield table
    if extras:
        table = Table("what", "median", "quartiles", "remark", title="beside")
        for extra in extras:
            low, middle, high = extra.quartiles
            table.add_row(extra.name, f"{middle:.4g} {extra.unit}", f"{low:.4g} to {high:.4g}", extra.remark)
        yield table


def _trusted(found: Measured) -> bool:
    low, high = interval(found.ratios("C++ again", "C++"))
    return low >= 1 - TRUSTED_CONTROL and high <= 1 + TRUSTED_CONTROL


def verdict(found: Sequence[Measured]) -> str:
    """Tell whether to trust the ratios, by the control, C++ against itself; and the times, by C++ alone."""
    if not found:
        return "no rounds of C++ to judge the machine by: run with small, bulk or nets"
    off = [each for each in found if not _trusted(each)]
    noisy = [each for each in found if each.spread("C++") > TRUSTED_SPREAD]
    said = [f"C++ against itself in the same round: within {TRUSTED_CONTROL:.0%} of 1 in all works"]
    if off:
        said = ["TOO NOISY to trust the ratios, by C++ against itself, of " + ", ".join(each.name for each in off)]
    if noisy:
        names = ", ".join(f"{each.name} ({each.spread('C++'):.0%})" for each in noisy)
        said.append(
            f"the processor's own speed changed too much to trust the times (ratios are judged above) of {names}"
        )
    return "\n".join(said)


def plot(found: Sequence[Measured], path: Path) -> None:
    """Draw each side's time as a multiple of C++, a row for each work."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(10, 1.2 + 0.42 * len(found)), layout="constrained")
    colours = {"Java": "#d1495b", "Python": "#3b6ea5", "C++ in the JVM": "#8a8a8a"}
    rows = range(len(found))
    for offset, (side, colour) in zip((-0.26, 0.0, 0.26), colours.items(), strict=True):
        values = [median(each.ratios(side, "C++")) for each in found]
        bars = axis.barh([row + offset for row in rows], values, 0.24, color=colour, label=side)
        axis.bar_label(bars, fmt="%.2f", padding=2, fontsize=7)
    axis.axvline(1, color="black", linewidth=0.8)
    axis.set_yticks(list(rows), [each.name for each in found], fontsize=8)
    axis.invert_yaxis()
    axis.set_xlabel("time as a multiple of a C++ program's on the same file, in the same round", fontsize=8)
    axis.legend(fontsize=8)
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)
