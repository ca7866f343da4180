"""Proves that Java answers as Python does, or tells where they part."""

from __future__ import annotations

from torch4j.verify.compare import Comparison, Difference, Output, compare
from torch4j.verify.fingerprint import Fingerprint, fingerprints
from torch4j.verify.tolerances import DEFAULT, EXACT, Tolerance, Tolerances, tolerances

__all__ = [
    "DEFAULT",
    "EXACT",
    "Comparison",
    "Difference",
    "Fingerprint",
    "Output",
    "Tolerance",
    "Tolerances",
    "compare",
    "fingerprints",
    "tolerances",
]
