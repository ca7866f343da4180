"""Compares a compiled model with the eager one on calls that are not the examples."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch4j.export.calls import Call
from torch4j.export.candidate import Candidate
from torch4j.export.result import ExportError
from torch4j.export.running import Outcome, run
from torch4j.export.values import describe, difference
from torch4j.export.variants import (
    Place,
    Variant,
    groups_of,
    larger,
    other_values,
    sizes_to_try,
    tensors_of,
    with_sizes,
)

Bounds = list[int | None]  # smallest size, largest size or None for no limit seen


@dataclass
class Sizes:
    """Sizes of one dimension that eager accepts: those where the compiled model agrees, and those where not."""

    agreed: set[int] = field(default_factory=set)
    frozen: dict[int, str] = field(default_factory=dict)

    def settled(self, size: int) -> bool:
        """Whether larger sizes than that of the example were accepted, and all were right."""
        return not self.frozen and max(self.agreed, default=0) > size

    def bounds(self, size: int) -> Bounds:
        """Return the range that is known to work. Sizes grow without limit where the largest one tried did."""
        limit = min((other for other in self.frozen if other > size), default=None)
        floor = max((other for other in self.frozen if other < size), default=0)
        works = [size, *(other for other in self.agreed if other > floor)]
        grown = max(works) >= larger(size) and limit is None
        return [min(works), None if grown else max(other for other in works if limit is None or other < limit)]


def compare(candidate: Candidate, method: str, call: Call, factor: float) -> tuple[Outcome, str | None]:
    """Run a call on both sides, each in a fresh state.

    Returns:
        what eager gave, and how the compiled model differs from it; eager errors are no difference.
    """
    expected = run(candidate.reference, [call], method)[0]
    if expected.failed:
        return expected, None
    actual = run(candidate.module, [call], method)[0]
    if actual.failed:
        return expected, f"eager gives {describe(expected.value)}, and the {candidate.method} fails: {actual.reason}"
    return expected, difference(actual.value, expected.value, factor=factor)


def check_values(candidate: Candidate, method: str, call: Call, factor: float) -> int:
    """Compare on changed values; return how many calls eager accepted.

    Raises:
        ExportError: naming the argument whose values decide something that the compiled model has fixed.
    """
    accepted = 0
    for variant in other_values(call, candidate.argument_names(method)):
        expected, differs = compare(candidate, method, variant.call, factor)
        accepted += not expected.failed
        if differs:
            raise ExportError(_frozen_values(candidate, method, variant, differs))
    return accepted


def _frozen_values(candidate: Candidate, method: str, variant: Variant, differs: str) -> str:
    named = ", ".join(repr(name) for name in variant.arguments)
    if candidate.method == "script":
        return f"{method}: the script does not agree with eager for argument {named} {variant.change}: {differs}"
    return (
        f"{method}: the trace froze what the values of argument {named} decide: for the values of the example "
        f"{variant.change}, {differs}. Write the decision so that torch.jit.script compiles it, or with torch.where"
    )


def check_sizes(candidate: Candidate, method: str, call: Call, factor: float) -> dict[Place, Sizes]:
    """Compare on other sizes of each dimension that eager lets vary, alone or with others of the same size."""
    names = candidate.argument_names(method)
    tensors = tensors_of(call, names)
    found: dict[Place, Sizes] = {}
    for places in groups_of(call, names):
        number, dim = places[0]
        example = tensors[number][1].shape[dim]
        if all(found.get(place, Sizes()).settled(example) for place in places):
            continue  # each varies alone: together they tell nothing new
        for size in sizes_to_try(example):
            variant = with_sizes(call, names, dict.fromkeys(places, size), f"with size {size}")
            expected, differs = compare(candidate, method, variant.call, factor)
            if not expected.failed:
                _note(found, variant, differs)
    return found


def _note(found: dict[Place, Sizes], variant: Variant, differs: str | None) -> None:
    for place in variant.places:
        sizes = found.setdefault(place, Sizes())
        if not differs:
            # With others of its size, such as every batch dimension: that is how it varies, whatever it does alone.
            sizes.agreed.add(variant.size)
            sizes.frozen.pop(variant.size, None)
        elif variant.size not in sizes.agreed:
            sizes.frozen[variant.size] = differs


def frozen_sizes(candidate: Candidate, method: str, call: Call, found: dict[Place, Sizes]) -> list[str]:
    """Return what to tell about dimensions that eager lets vary and the compiled model does not."""
    tensors = tensors_of(call, candidate.argument_names(method))
    told = []
    for (number, dim), sizes in sorted(found.items()):
        if sizes.frozen:
            name, tensor = tensors[number]
            size, differs = next(iter(sizes.frozen.items()))
            told.append(
                f"{method}: argument {name!r}, dimension {dim}: the {candidate.method} froze its size "
                f"{tensor.shape[dim]}: with size {size}, {differs}"
            )
    return told


def check_dims(
    candidate: Candidate, method: str, call: Call, wanted: dict[Place, tuple[int, int | None]], factor: float
) -> None:
    """Compare at both ends of the ranges that the user asks for, all dimensions together.

    Raises:
        ExportError: when eager or the compiled model does not accept them.
    """
    names = candidate.argument_names(method)
    for end, text in ((0, "smallest"), (1, "largest")):
        sizes = {place: size for place, bounds in wanted.items() if (size := bounds[end]) is not None}
        if not sizes:
            continue
        variant = with_sizes(call, names, sizes, text)
        expected, differs = compare(candidate, method, variant.call, factor)
        trouble = f"eager fails: {expected.reason}" if expected.failed else differs
        if trouble:
            raise ExportError(f"dims: {method} with the {text} sizes of {', '.join(variant.arguments)}: {trouble}")
