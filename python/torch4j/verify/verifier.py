"""Verifies a file: runs it in Python and in Java, and compares."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from torch4j.verify import checks
from torch4j.verify.errors import VerifyError
from torch4j.verify.inputs import Inputs, inputs_for
from torch4j.verify.jobs import Case, Job, Ran
from torch4j.verify.model import Model, load
from torch4j.verify.running import line
from torch4j.verify.samples import Collector
from torch4j.verify.sides import TIMEOUT, both
from torch4j.verify.tolerances import DEFAULT, Tolerances, tolerances
from torch4j.verify.training import in_train_mode
from torch4j.verify.verification import Check, Verification

CALLS = 5
_OF_JAVA = ("mapped libtorch4j.so", "mapped libjvm.so")  # Python's side need not have these
Progress = Callable[[str], None]


def verify(
    path: str | Path,
    *,
    inputs: Any = None,
    kwargs: Any = None,
    method: str | None = None,
    java_inputs: Any = None,
    reference: str | Path | None = None,
    tolerance: Tolerances | str | float | None = None,
    calls: int = CALLS,
    threads: Sequence[int] = (1,),
    seeds: Sequence[int] = (0,),
    submodules: bool = False,
    in_process: bool = False,
    timeout: float = TIMEOUT,
    progress: Progress | None = None,
) -> Verification:
    """Prove that Java gives what Python gives for a file, or tell where they part.

    Args:
        path: a TorchScript archive.
        inputs: None for the examples in the file, or generated inputs where it has none; "generated"; a file
            (.npz, .pt, .json); or values: a tensor, a tuple (one call), a list of tuples, a dict of these by method.
        kwargs: keyword arguments, for values.
        method: verify this one alone.
        java_inputs: what a Java application really fed, to be compared with the inputs; as `inputs`.
        reference: another file, which must give the same in Python.
        tolerance: None, "exact", "default", a number, text, or `Tolerances`. None is exact for Python against Java,
            and the default table for what another run gave: stored results, and other numbers of threads.
        calls: how often each input is run; every call is compared.
        threads: numbers of intra-op threads, the same on both sides.
        seeds: of generated inputs.
        submodules: find the first submodule that differs.
        in_process: run both sides in this process, instead of each in one of its own.
        timeout: seconds for running both sides, where they have processes of their own.
        progress: called with what is being done.

    Raises:
        VerifyError: when nothing can be verified: no such file, no inputs, a wrong argument.
    """
    say = progress or (lambda _: None)
    run = _Run(*_checked(calls, threads), in_process, timeout, _tolerances(tolerance), tolerance is None, say)
    say("loading the model")
    model = load(path)
    found = inputs_for(model, inputs, kwargs, method, seeds)
    if not found.cases:
        raise VerifyError(f"inputs: got no calls from {found.source}; expected at least one")
    fed = inputs_for(model, java_inputs, None, method).cases if java_inputs is not None else ()
    good = load(reference, "reference") if reference is not None else None
    result = run.all(model, found, fed, good)
    if submodules:
        from torch4j.verify.submodules import locate

        say("comparing submodules")
        locate(result, model, good, found.cases, run.allowed, in_process, timeout)
    return result


def _checked(calls: int, threads: Sequence[int]) -> tuple[int, tuple[int, ...]]:
    if calls < 1:
        raise VerifyError(f"calls: got {calls}; expected 1 or more")
    if not threads or any(number < 1 for number in threads):
        raise VerifyError(f"threads: got {list(threads)}; expected numbers of 1 or more")
    return calls, tuple(dict.fromkeys(threads))


def _tolerances(given: Tolerances | str | float | None) -> Tolerances:
    try:
        return tolerances(given)
    except ValueError as error:
        raise VerifyError(str(error)) from None


@dataclasses.dataclass(frozen=True)
class _Run:
    """What is asked for."""

    calls: int
    threads: tuple[int, ...]
    in_process: bool
    timeout: float
    allowed: Tolerances
    lenient: bool  # no tolerance was asked for: results of other runs have the default one
    say: Progress

    @property
    def other_runs(self) -> Tolerances:
        """The tolerance for what another machine, or another number of threads, gave."""
        return DEFAULT if self.lenient else self.allowed

    def all(self, model: Model, inputs: Inputs, fed: tuple[Case, ...], reference: Model | None) -> Verification:
        """Run both sides and compare."""
        names = {case.method: model.names(case.method) for case in (*inputs.cases, *fed)}
        job = Job(model.path, inputs.cases, self.calls, self.threads, names)
        once = dataclasses.replace(job, calls=1, threads=self.threads[:1])
        of_reference = [dataclasses.replace(once, path=reference.path)] if reference else []
        of_application = [dataclasses.replace(once, cases=fed)] if fed else []
        self.say("running both sides")
        python, java = both(
            [job, *of_reference], [job, *of_application], in_process=self.in_process, timeout=self.timeout
        )
        self.say("comparing")
        result = Verification(
            model.path,
            inputs.source,
            tolerance=self.allowed.name,
            calls=self.calls,
            threads=self.threads,
            seeds=inputs.seeds,
            environment={"Python": python[0].environment, "Java": java[0].environment},
        )
        self._compare(result, model, job, inputs, python[0], java[0])
        if reference:
            result.checks.append(checks.weights(reference.module, model.module, self.allowed))
            sides = ("reference", "this file")
            result.checks += checks.answers("reference", sides, python[1], _first(python[0]), once, self.allowed)
        if fed:
            result.checks += self._application(job, fed, python[0], java[1])
        _sort(result)
        return result

    def _compare(self, result: Verification, model: Model, job: Job, inputs: Inputs, python: Ran, java: Ran) -> None:
        collect = Collector()
        result.checks += _mode(model, result.notes)
        result.checks += checks.stored(inputs.results, python, job, self.other_runs)
        result.checks += checks.answers("java", ("Python", "Java"), python, java, job, self.allowed, collect)
        for side, ran in (("Python", python), ("Java", java)):
            result.checks += checks.repeats(side, ran, job, self.allowed)
        result.checks += checks.other_threads(java, job, self.other_runs)
        result.samples = collect.samples()
        result.notes += _notes(result, python, java, job)

    def _application(self, job: Job, fed: tuple[Case, ...], python: Ran, java: Ran) -> list[Check]:
        """Compare inputs with those fed, and Java's answers to those with Python's to its own."""
        if len(fed) != len(job.cases):
            raise VerifyError(f"java_inputs: got {len(fed)} calls; the inputs have {len(job.cases)}")
        pairs = zip(job.cases, fed, strict=True)
        found = [checks.given(one, other, job.names[one.method], self.allowed) for one, other in pairs]
        once = _first(python)
        return [*found, *checks.answers("application", ("Python", "Java"), once, java, job, self.allowed)]


def _first(ran: Ran) -> Ran:
    """Return what a side gave at the first call with the first number of threads."""
    threads = next(iter(ran.answers), (1, 0, 1))[0]
    kept = {key: answer for key, answer in ran.answers.items() if key[0] == threads and key[2] == 1}
    return dataclasses.replace(ran, answers=kept)


def _mode(model: Model, notes: list[str]) -> list[Check]:
    sides = ("eval mode", "this file")
    try:
        found = in_train_mode(model.module)
    except Exception as error:  # graphs of other exporters may hold anything; the rest can be verified nevertheless
        notes.append(f"dropout and batch norm in train mode were not looked for: {line(error)}")
        return []
    return [Check("mode", "", "", sides, error=f"{name} ({operator})") for name, operator in found.items()]


def _sort(result: Verification) -> None:
    from torch4j.verify.verification import KINDS

    order = list(KINDS)
    result.checks.sort(key=lambda check: order.index(check.kind))


def _notes(result: Verification, python: Ran, java: Ran, job: Job) -> list[str]:
    notes = []
    if count := checks.refused(python, java, job):
        notes.append(f"{count} of {len(job.cases)} generated inputs are refused by both sides: not compared")
    changing = [check for check in result.checks if check.kind == "repeat" and not check.identical]
    if changing:
        notes.append(
            f"answers change from call to call ({changing[0].place}): the model has state, or draws random numbers; "
            "both sides started from the same seed"
        )
    for name, one in python.environment.items():
        other = java.environment.get(name, one)
        if name not in _OF_JAVA and one != other:
            notes.append(f"the sides differ in {name}: Python {one}, Java {other}")
    return notes
