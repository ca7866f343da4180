"""What a benchmark tells."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from torch4j.bench.times import Times, spread

# From round to round the medians of an idle machine differ by a few hundredths.
NOISY = 0.15


class BenchError(RuntimeError):
    """The benchmark could not be run. The message is one line."""


@dataclass
class Bench:
    """Times of all sides that could be run.

    Attributes:
        path: the model.
        method: the method called.
        inputs: where the arguments came from, and what they are.
        environment: versions, processor, threads.
        sides: times by side, in the order "C++", "Java", "Python".
        missing: why a side is not there, by side.
        doubts: what speaks against the numbers, one sentence each.
    """

    path: Path
    method: str
    inputs: str
    environment: dict[str, str]
    sides: dict[str, Times]
    missing: dict[str, str] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)

    @property
    def trusted(self) -> bool:
        """Whether the machine was quiet enough, and all sides ran the same libtorch."""
        return not self.doubts

    @property
    def reference(self) -> str:
        """The side that others are compared with: C++ where it is there, else Python."""
        return "C++" if "C++" in self.sides else "Python"

    def ratio(self, side: str) -> float:
        """Return the time of a call of one side to that of the reference: the median over the rounds."""
        pairs = zip(self.sides[side].medians(), self.sides[self.reference].medians(), strict=True)
        return median(time / reference for time, reference in pairs)

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the single calls as values that JSON has."""
        return {
            "path": str(self.path),
            "method": self.method,
            "inputs": self.inputs,
            "environment": self.environment,
            "sides": {name: times.as_dict() for name, times in self.sides.items()},
            "steady_ratio": {"to": self.reference, **{name: self.ratio(name) for name in self.sides}},
            "missing": self.missing,
            "trusted": self.trusted,
            "doubts": self.doubts,
        }

    def to_json(self) -> str:
        """Return everything but the single calls as JSON."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False)

    def plot(self, path: str | Path) -> None:
        """Draw cold starts, latencies and throughput.

        Args:
            path: the file to write; its suffix says the format, such as .png or .svg.

        Raises:
            BenchError: without matplotlib, or when it cannot write that format.
        """
        from torch4j.bench.plot import plot

        plot(self, Path(path))

    def __str__(self) -> str:
        """Return a table."""
        from torch4j.bench.table import text

        return text(self)


def noise(sides: dict[str, Times]) -> list[str]:
    """Return which numbers changed too much from round to round to be trusted."""
    found = []
    for name, times in sides.items():
        series = {"the median": times.medians()}
        series |= {f"calls per second of {count}": rates for count, rates in times.throughput.items()}
        noisy = {what: spread(values) for what, values in series.items() if spread(values) > NOISY}
        if noisy:
            told = ", ".join(f"{what} by {share:.0%}" for what, share in noisy.items())
            found.append(f"{name} differs from round to round: {told}")
    return found
