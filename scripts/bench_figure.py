"""One figure of the benchmark that is no race between sides."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import quantiles


@dataclass(frozen=True)
class Extra:
    """One figure, measured some times."""

    name: str
    unit: str
    values: list[float]
    remark: str = ""

    @property
    def quartiles(self) -> tuple[float, float, float]:
        """Return the lower quartile, the median and the upper quartile."""
        if len(self.values) < 2:
            return (self.values[0],) * 3
        low, middle, high = quantiles(self.values, n=4)
        return low, middle, high
