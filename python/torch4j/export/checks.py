"""All that a candidate is checked for before a file is written."""

from __future__ import annotations

from collections.abc import Callable

from torch4j.export.candidate import Candidate
from torch4j.export.options import Options
from torch4j.export.probe import Sizes, check_dims, check_sizes, check_values, frozen_sizes
from torch4j.export.randomness import check_randomness, check_training
from torch4j.export.result import ExportError
from torch4j.export.running import run
from torch4j.export.signature import places_of
from torch4j.export.values import difference
from torch4j.export.variants import Place

_STATE = "what a call leaves behind for the next one is not in the file"


def check(
    candidate: Candidate, options: Options, factor: float, findings: list[str], say: Callable[[str], None]
) -> dict[str, dict[Place, Sizes]]:
    """Compare a compiled model with the eager one on examples, other seeds, other values and other sizes.

    Returns:
        for each method the sizes that were tried.

    Raises:
        ExportError: at the first difference that would make Java answer wrongly.
    """
    say("comparing random seeds")
    check_randomness(candidate)
    check_training(candidate)
    say("comparing the examples")
    check_examples(candidate, factor)
    sizes = {}
    for method, calls in candidate.calls.items():
        if not calls:
            continue
        say(f"comparing {method} on changed values")
        accepted = check_values(candidate, method, calls[0], factor)
        if candidate.method == "trace" and not accepted:
            findings.append(f"{method}: no other values were compared: the model takes none of those that were tried")
        say(f"comparing {method} on other sizes")
        sizes[method] = check_sizes(candidate, method, calls[0], factor)
        findings.extend(frozen_sizes(candidate, method, calls[0], sizes[method]))
        if options.dims and method == "forward":
            check_dims(candidate, method, calls[0], places_of(candidate, method, options.dims), factor)
    return sizes


def check_examples(candidate: Candidate, factor: float) -> None:
    """Make the example calls one after another, the first one once more at the end: state shows there.

    Raises:
        ExportError: naming the call that differs.
    """
    for method, calls in candidate.calls.items():
        again = [*calls, *calls[:1]]
        expected, actual = run(candidate.reference, again, method), run(candidate.module, again, method)
        for index, (wanted, got) in enumerate(zip(expected, actual, strict=True)):
            place = f"{method}, example {index % len(calls)}" + (" called again" if index == len(calls) else "")
            if wanted.failed:
                raise ExportError(f"{place}: the model itself fails: {wanted.reason}") from wanted.error
            if got.failed:
                raise ExportError(f"{place}: the {candidate.method} fails: {got.reason}") from got.error
            if differs := difference(got.value, wanted.value, factor=factor):
                hint = f" ({_STATE})" if index == len(calls) and index else ""
                raise ExportError(f"{place}: the {candidate.method} does not agree with eager: {differs}{hint}")
