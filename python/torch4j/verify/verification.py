"""What verify found."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch4j.verify.compare import Comparison
from torch4j.verify.fingerprint import Fingerprint
from torch4j.verify.samples import Sample

# What is compared, in the order of the tables. The first differing one is the nearest to the cause.
KINDS = {
    "mode": "train mode",
    "inputs": "inputs: Python's and those that Java fed",
    "weights": "weights: reference and this file",
    "stored": "stored in the file and Python now",
    "reference": "reference and this file, both in Python",
    "java": "Python and Java",
    "application": "Python and Java with the inputs that it fed",
    "repeat": "call 1 and later calls of one side",
    "threads": "other numbers of threads, both in Java",
}


@dataclass(frozen=True)
class Check:
    """One comparison.

    Attributes:
        kind: key of `KINDS`.
        method: that was called.
        case: label of the inputs.
        sides: what the expected and the found value are, such as "Python" and "Java".
        threads: intra-op threads; call: number of the call, from 1.
        comparison: how the values compare; None where a side gave none.
        error: why a side gave none.
        decides: whether a difference makes the whole fail.
        inputs: fingerprints of what each side got.
        outputs: fingerprints of what each side gave; where they differ, and for the first call.
    """

    kind: str
    method: str
    case: str
    sides: tuple[str, str]
    threads: int = 0
    call: int = 1
    comparison: Comparison | None = None
    error: str | None = None
    decides: bool = True
    inputs: tuple[list[Fingerprint], list[Fingerprint]] = ((), ())  # type: ignore[assignment]
    outputs: tuple[list[Fingerprint], list[Fingerprint]] = ((), ())  # type: ignore[assignment]

    @property
    def agrees(self) -> bool:
        """Whether both values are there and within the tolerance."""
        return self.error is None and self.comparison is not None and self.comparison.agrees

    @property
    def identical(self) -> bool:
        """Whether both values are there and equal to the bit."""
        return self.error is None and self.comparison is not None and self.comparison.identical

    @property
    def same_inputs(self) -> bool:
        """Whether both sides got the same, to the bit."""
        pairs = zip(*self.inputs, strict=False)
        return len(self.inputs[0]) == len(self.inputs[1]) and all(one.same(other) for one, other in pairs)

    @property
    def place(self) -> str:
        """Where it was: method, inputs, call, threads."""
        threads = f", {self.threads} thread{'s' * (self.threads != 1)}" if self.threads else ""
        parts = [self.method, self.case, f"call {self.call}" if self.threads else ""]
        return ", ".join(part for part in parts if part) + threads

    def __str__(self) -> str:
        """Return in one line what differs and where."""
        return ": ".join(part for part in (self.place, self.error or str(self.comparison)) if part)

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **{name: getattr(self, name) for name in ("kind", "method", "case", "sides", "threads", "call", "error")},
            "identical": self.identical,
            "agrees": self.agrees,
            "decides": self.decides,
            "tolerance": self.comparison.tolerance.name if self.comparison else None,
            "outputs": self.comparison.as_dict()["outputs"] if self.comparison else [],
            "input_fingerprints": [[each.as_dict() for each in side] for side in self.inputs],
            "output_fingerprints": [[each.as_dict() for each in side] for side in self.outputs],
        }


@dataclass(frozen=True)
class SubmoduleCheck:
    """One call of a submodule on both sides with the same inputs: those that Python's run gave it.

    Attributes:
        name: such as "encoder.layers.0"; a method of the model itself is "self.decode".
        sides: what was compared.
        comparison: of its outputs; None where it could not be run alone.
        error: why not.
    """

    name: str
    sides: tuple[str, str]
    comparison: Comparison | None
    error: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether its outputs agree."""
        return self.error is None and self.comparison is not None and self.comparison.agrees

    def as_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        compared = self.comparison.as_dict() if self.comparison else None
        return {"name": self.name, "sides": self.sides, "error": self.error, "comparison": compared}


@dataclass
class Verification:
    """What verify found.

    Attributes:
        path: the file.
        source: where the inputs came from.
        checks: every comparison, in the order of `KINDS`.
        notes: what should be read beside.
        tolerance: as it was asked for.
        calls: how often each case was run.
        threads: numbers of intra-op threads.
        seeds: of generated inputs.
        environment: versions and mapped files of each side.
        submodules: comparisons by submodule, in the order of the calls; the last one is the innermost that differs.
        differing_submodule: the innermost submodule that differs with the same inputs, or None.
        samples: elements of both sides, for plots.
    """

    path: Path
    source: str
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tolerance: str = "exact"
    calls: int = 1
    threads: tuple[int, ...] = (1,)
    seeds: tuple[int, ...] = ()
    environment: dict[str, dict[str, str]] = field(default_factory=dict)
    submodules: list[SubmoduleCheck] = field(default_factory=list)
    differing_submodule: str | None = None
    samples: list[Sample] = field(default_factory=list)

    @property
    def failures(self) -> list[Check]:
        """The comparisons that make it fail; the first is the nearest to the cause."""
        return [check for check in self.checks if check.decides and not check.agrees]

    @property
    def passed(self) -> bool:
        """Whether everything that decides agrees."""
        return not self.failures and any(check.kind == "java" for check in self.checks)

    @property
    def identical(self) -> bool:
        """Whether it passed, and Java's results are Python's to the bit."""
        return self.passed and all(check.identical for check in self.checks if check.kind == "java")

    @property
    def verdict(self) -> str:
        """The whole in one sentence."""
        if self.identical:
            return "identical: Java gives what Python gives, to the bit"
        if self.passed:
            return f"passed: Java gives what Python gives within the tolerance {self.tolerance}"
        first = self.failures[0] if self.failures else None
        return f"DIFFERS, {KINDS[first.kind]}: {first}" if first else "nothing was compared: no call can be run"

    @property
    def diagnosis(self) -> list[str]:
        """What the differences mean: another input, or another result."""
        from torch4j.verify.diagnosis import diagnosis

        return diagnosis(self)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON has."""
        return {
            "path": str(self.path),
            "identical": self.identical,
            "passed": self.passed,
            "verdict": self.verdict,
            "diagnosis": self.diagnosis,
            **{name: getattr(self, name) for name in ("source", "tolerance", "calls", "threads", "seeds", "notes")},
            "environment": self.environment,
            "differing_submodule": self.differing_submodule,
            "submodules": [each.as_dict() for each in self.submodules],
            "checks": [check.as_dict() for check in self.checks],
        }

    def to_json(self) -> str:
        """Return everything as JSON; numbers that JSON does not have are texts."""
        return json.dumps(_plain(self.as_dict()), indent=2, ensure_ascii=False, allow_nan=False)

    def to_html(self) -> str:
        """Return a page of its own with tables and plots; needs the extra [report]."""
        from torch4j.verify.report import page

        return page(self)

    def __str__(self) -> str:
        """Return tables, then the verdict."""
        from torch4j.verify.tables import tables

        return tables(self)


def _plain(value: Any) -> Any:
    """Return a value with infinite numbers and NaN as texts."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, float) and not abs(value) < float("inf") else value
