"""Makes checks of what the sides gave."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch4j.verify.compare import Comparison, compare
from torch4j.verify.fingerprint import fingerprints
from torch4j.verify.jobs import Answer, Case, Job, Key, Ran
from torch4j.verify.samples import Collector
from torch4j.verify.tolerances import Tolerances
from torch4j.verify.verification import Check

Sides = tuple[str, str]


def answers(
    kind: str, sides: Sides, expected: Ran, found: Ran, job: Job, allowed: Tolerances, collect: Collector | None = None
) -> Iterator[Check]:
    """Compare what two sides gave for each case, call and number of threads."""
    if expected.error or found.error:
        side = sides[0] if expected.error else sides[1]
        yield Check(kind, "", "", sides, error=f"{side}: {expected.error or found.error}")
        return
    for key, answer in expected.answers.items():
        case = job.cases[key[1]]
        got = found.answers.get(key, Answer(error="gave no answer"))
        check = _check(kind, sides, case, key, answer, got, allowed)
        if check is None:
            continue
        inputs = expected.inputs.get(key[1], []), found.inputs.get(key[1], [])
        yield _with_fingerprints(check, inputs, answer, got)
        if collect is not None and check.comparison is not None and key[2] == 1:
            collect.add(f"{case.method}, {case.label}", sides, answer.value, got.value, check.comparison)


def _check(
    kind: str, sides: Sides, case: Case, key: Key, expected: Answer, found: Answer, allowed: Tolerances
) -> Check | None:
    """Return a check; None where nobody gave the inputs and both sides refuse them."""
    error, comparison = None, None
    if expected.error and found.error:
        if case.generated:
            return None
        error = f"both fail: {sides[0]}: {expected.error}; {sides[1]}: {found.error}"
    elif expected.error or found.error:
        fails, works = (0, 1) if expected.error else (1, 0)
        error = f"{sides[fails]} fails and {sides[works]} does not: {expected.error or found.error}"
    else:
        comparison = compare(expected.value, found.value, allowed)
    return Check(kind, case.method, case.label, sides, key[0], key[2], comparison, error)


def _with_fingerprints(check: Check, inputs: Any, expected: Answer, found: Answer) -> Check:
    """Add fingerprints; of outputs only for the first call and where they differ, as hashing takes time."""
    outputs: Any = ([], [])
    if check.call == 1 or not check.agrees:
        outputs = tuple(fingerprints(a.value, "outputs") if a.error is None else [] for a in (expected, found))
    return Check(**{**check.__dict__, "inputs": inputs, "outputs": outputs})


def refused(expected: Ran, found: Ran, job: Job) -> int:
    """Return how many generated cases both sides refuse."""
    keys = [key for key in expected.answers if key[0] == job.threads[0] and key[2] == 1]
    both = (expected.answers[key].error and found.answers.get(key, Answer()).error for key in keys)
    return sum(bool(each) for each, key in zip(both, keys, strict=True) if job.cases[key[1]].generated)


def stored(results: dict[int, Any], now: Ran, job: Job, allowed: Tolerances) -> Iterator[Check]:
    """Compare what the file says that Python gave with what Python gives now, at the first call."""
    threads = job.threads[0]
    for number, result in results.items():
        case, answer = job.cases[number], now.answers.get((threads, number, 1))
        if answer is None:
            continue
        sides = ("stored", "Python")
        check = _check("stored", sides, case, (threads, number, 1), Answer(result), answer, allowed)
        if check is not None:
            inputs = now.inputs.get(number, [])
            yield _with_fingerprints(check, (inputs, inputs), Answer(result), answer)


def repeats(side: str, ran: Ran, job: Job, allowed: Tolerances) -> Iterator[Check]:
    """Compare call 1 with the later ones. They do not decide: a model with state may answer otherwise each time."""
    for (threads, number, call), answer in ran.answers.items():
        first = ran.answers.get((threads, number, 1))
        if call == 1 or first is None or first.error or answer.error:
            continue
        case = job.cases[number]
        sides = (f"{side}, call 1", f"{side}, later calls")
        comparison = compare(first.value, answer.value, allowed)
        yield Check("repeat", case.method, case.label, sides, threads, call, comparison, decides=False)


def other_threads(ran: Ran, job: Job, allowed: Tolerances) -> Iterator[Check]:
    """Compare Java's first call with one number of threads with that with others."""
    first = job.threads[0]
    for (threads, number, call), answer in ran.answers.items():
        base = ran.answers.get((first, number, call))
        if threads == first or call != 1 or base is None or base.error or answer.error:
            continue
        case = job.cases[number]
        sides = (_threads(first), _threads(threads))
        yield Check("threads", case.method, case.label, sides, threads, 1, compare(base.value, answer.value, allowed))


def _threads(number: int) -> str:
    return f"{number} thread{'s' * (number != 1)}"


def given(python: Case, java: Case, names: list[str], allowed: Tolerances) -> Check:
    """Compare the inputs of Python with those that the Java application fed."""
    wanted, got = python.inputs(names), java.inputs(names)
    parts = [compare(wanted[name], got[name], allowed, name) for name in wanted if name in got]
    outputs = tuple(output for part in parts for output in part.outputs)
    error = None if list(wanted) == list(got) else f"arguments {', '.join(got)} instead of {', '.join(wanted)}"
    marks: Any = tuple(
        [each for name, value in side.items() for each in fingerprints(value, name)] for side in (wanted, got)
    )
    sides = ("Python's inputs", "Java's inputs")
    return Check(
        "inputs", python.method, python.label, sides, comparison=Comparison(outputs, allowed), error=error, inputs=marks
    )


def weights(reference: Any, module: Any, allowed: Tolerances) -> Check:
    """Compare the parameters and buffers of two loaded models by name."""
    wanted, got = (dict(each.state_dict()) for each in (reference, module))
    sides = ("reference", "this file")
    if list(wanted) != list(got):
        missing, more = [n for n in wanted if n not in got], [n for n in got if n not in wanted]
        told = [f"without {', '.join(missing)}"] * bool(missing) + [f"with {', '.join(more)}"] * bool(more)
        return Check("weights", "", "", sides, error=" and ".join(told) or "in another order")
    rows = [row for name in wanted for row in compare(wanted[name], got[name], allowed, name).outputs]
    return Check("weights", "", "", sides, comparison=Comparison(tuple(rows), allowed))
