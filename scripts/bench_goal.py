"""What rows of the benchmark are to reach, and whether they do."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the values' median, by their ranks (the binomial distribution's)."""
    ranked = sorted(values)
    reach = 0.98 * len(ranked) ** 0.5  # 1.96 standard deviations of sqrt(n) / 2
    low = max(0, int(len(ranked) / 2 - reach))
    return ranked[low], ranked[-1 - low]


def judged(values: Sequence[float], goal: float, of: str, least: bool = False) -> str:
    """Tell whether the median reaches a goal: at most so much, or at least."""
    middle = median(values)
    reached = middle >= goal if least else middle <= goal
    low, high = interval(values)
    bound = "at least" if least else "at most"
    return f"{bound} {goal:.2f} {of}: {'reached' if reached else 'NOT REACHED'} (95 %: {low:.2f} to {high:.2f})"
