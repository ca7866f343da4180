"""What was measured on one side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy
from numpy.typing import NDArray


def spread(values: Sequence[float]) -> float:
    """Return how far apart values are, as a share of their median."""
    return (max(values) - min(values)) / median(values) if len(values) > 1 else 0.0


@dataclass
class Times:
    """The times of one side, in seconds.

    Attributes:
        starts: from the start of a process to its first answer, for each process.
        first_calls: the first three calls of each process.
        rounds: for each round the times of all calls of one caller, float64.
        throughput: for each number of callers the calls per second of each round.
    """

    starts: list[float] = field(default_factory=list)
    first_calls: list[list[float]] = field(default_factory=list)
    rounds: list[NDArray[numpy.float64]] = field(default_factory=list)
    throughput: dict[int, list[float]] = field(default_factory=dict)

    @property
    def calls(self) -> NDArray[numpy.float64]:
        """The times of all calls of all rounds."""
        return numpy.concatenate(self.rounds)

    @property
    def start(self) -> float:
        """Median of the cold starts."""
        return median(self.starts)

    def first(self, index: int) -> float:
        """Return the median of the first (0), second or third call."""
        return median(calls[index] for calls in self.first_calls)

    def quantile(self, share: float) -> float:
        """Return a quantile of all calls of all rounds; 0 is the fastest."""
        return float(numpy.quantile(self.calls, share))

    @property
    def median(self) -> float:
        """The median of the medians of the rounds: quick rounds, which have more calls, count no more than others."""
        return median(self.medians())

    def medians(self) -> list[float]:
        """Return the median of each round."""
        return [float(numpy.median(calls)) for calls in self.rounds]

    def rate(self, threads: int) -> float:
        """Return the median of the calls per second with that many callers."""
        return median(self.throughput[threads])

    def as_dict(self) -> dict[str, Any]:
        """Return everything but the single calls as values that JSON has."""
        quantiles = {"minimum": 0.0, "p90": 0.9, "p99": 0.99}
        return {
            "cold_start_seconds": {"median": self.start, "all": self.starts},
            "first_calls_seconds": [self.first(index) for index in range(len(self.first_calls[0]))],
            "steady_seconds": {
                "calls": len(self.calls),
                "median": self.median,
                **{name: self.quantile(share) for name, share in quantiles.items()},
                "medians_of_rounds": self.medians(),
            },
            "calls_per_second": {
                str(threads): {"median": self.rate(threads), "rounds": rates}
                for threads, rates in self.throughput.items()
            },
        }
