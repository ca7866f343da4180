"""Finds the first submodule that answers otherwise: each is run alone on both sides, with the inputs of one run."""

from __future__ import annotations

import dataclasses
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from torch4j.export.running import undisturbed
from torch4j.export.values import copied
from torch4j.verify.compare import Comparison, compare
from torch4j.verify.jobs import Answer, Case, Job, Ran
from torch4j.verify.model import Model
from torch4j.verify.running import line
from torch4j.verify.sides import both
from torch4j.verify.tolerances import Tolerances
from torch4j.verify.verification import SubmoduleCheck, Verification

_DEEPEST = 30
_MOST = 200  # calls of submodules of one module: a loop over layers, not over tokens


@dataclasses.dataclass(frozen=True)
class _Call:
    """A call of a submodule, or of a method of the module itself, and what it got.

    Attributes:
        path: attribute names from the module; empty for itself.
        case: method and arguments.
    """

    path: tuple[str, ...]
    case: Case

    @property
    def name(self) -> str:
        """The name in the module."""
        own = ".".join(self.path) or "self"
        return own if self.case.method == "forward" else f"{own}.{self.case.method}"


@dataclasses.dataclass(frozen=True)
class Search:
    """What is compared: Java with Python, or the file with a reference, both in Python."""

    allowed: Tolerances
    in_process: bool
    timeout: float
    against_reference: bool

    @property
    def sides(self) -> tuple[str, str]:
        """Names of the sides."""
        return ("reference", "this file") if self.against_reference else ("Python", "Java")


def locate(
    result: Verification,
    model: Model,
    reference: Model | None,
    cases: Sequence[Case],
    allowed: Tolerances,
    in_process: bool,
    timeout: float,
) -> None:
    """Compare the submodules by name in the order of the calls, and go down into the first that differs.

    The case is the first that differs, else the first of all. With a reference both files run in Python, unless it is
    Java that differs.

    Args:
        result: takes what is found.
        model: the file.
        reference: another file with submodules of the same names.
        cases: the inputs.
        allowed: tolerance.
        in_process: run Java in this process.
        timeout: seconds for each level.
    """
    differing = {check.kind: check for check in reversed(result.failures)}
    search = Search(allowed, in_process, timeout, reference is not None and "java" not in differing)
    check = differing.get("java") or differing.get("reference") or next(iter(result.failures), None)
    case = next((c for c in cases if check and (c.method, c.label) == (check.method, check.case)), cases[0])
    good = reference.module if reference is not None and search.against_reference else None
    _descend(result, search, model.module, good, case, "", 0)


def _descend(result: Verification, search: Search, module: Any, good: Any, case: Case, prefix: str, depth: int) -> None:
    """Compare the calls that a method makes; note them, and go down into the first that differs."""
    calls, notes = recorded(good or module, case)
    result.notes += [f"submodules{f' of {prefix}' if prefix else ''}: {note}" for note in notes]
    if not calls:
        return
    names = [_joined(prefix, call.name) for call in calls]
    for index, found in enumerate(_compared(search, module, good, calls, names)):
        result.submodules.append(found)
        differs = not found.agrees and found.comparison is not None
        if differs:
            result.differing_submodule = found.name
        if (differs or len(calls) == 1) and depth < _DEEPEST:  # one call alone is that of a wrapper
            call = calls[index]
            inner, better = at(module, call.path), at(good, call.path) if good is not None else None
            _descend(result, search, inner, better, call.case, _joined(prefix, ".".join(call.path)), depth + 1)
        if differs:
            return


def _joined(prefix: str, name: str) -> str:
    return ".".join(part for part in (prefix, name) if part)


def at(module: Any, path: Sequence[str]) -> Any:
    """Return a submodule by the names of the attributes that lead to it."""
    for name in path:
        module = getattr(module, name)
    return module


def recorded(module: Any, case: Case) -> tuple[list[_Call], list[str]]:
    """Run a method in Python, and return the calls that it makes with their arguments, in order.

    A copy of the method's graph returns, beside its result, the arguments of each call in it. Calls in branches and
    loops have no place there.

    Returns:
        the calls, and what could not be recorded.
    """
    try:
        graph = module._c._get_method(case.method).graph.copy()
        nodes = [node for node in graph.nodes() if node.kind() == "prim::CallMethod"]
        inner = sum(1 for node in graph.findAllNodes("prim::CallMethod", True)) - len(nodes)
        notes = [f"{inner} calls inside branches or loops are not compared"] if inner else []
        paths = [_path(next(node.inputs())) for node in nodes]
        known = [(node, path) for node, path in zip(nodes, paths, strict=True) if path is not None][:_MOST]
        values = _values(module, graph, [node for node, _ in known], case) if known else []
        return [_call(node, path, args) for (node, path), args in zip(known, values, strict=True)], notes
    except Exception as error:  # a graph that cannot be changed so, or a call that fails
        return [], [f"the calls cannot be recorded: {line(error)}"]


def _call(node: Any, path: tuple[str, ...], args: tuple[Any, ...]) -> _Call:
    return _Call(path, Case(node.s("name"), "", args))


def _path(value: Any) -> tuple[str, ...] | None:
    """Return the names of the attributes that lead to a module; None where it is no attribute of the model."""
    node = value.node()
    if node.kind() == "prim::Param":
        return ()
    if node.kind() != "prim::GetAttr":
        return None
    owner = _path(next(node.inputs()))
    return None if owner is None else (*owner, node.s("name"))


def _values(module: Any, graph: Any, nodes: list[Any], case: Case) -> list[tuple[Any, ...]]:
    """Return the arguments of each of these calls when the method runs."""
    counts = []
    values = []
    for node in nodes:
        given = list(node.inputs())[1:]
        counts.append(len(given))
        values += given
    whole = graph.create("prim::TupleConstruct", values, 1)
    graph.appendNode(whole)
    output = next(whole.outputs())
    output.setType(torch._C.TupleType([value.type() for value in values]))
    for _ in list(graph.outputs()):
        graph.eraseOutput(0)
    graph.registerOutput(output)
    function: Any = torch._C._create_function_from_graph(f"recorded_{case.method}", graph)
    with undisturbed(), torch.inference_mode():
        flat = list(copied(function(module._c, *_positional(module, case))))
    return [tuple(flat.pop(0) for _ in range(count)) for count in counts]


def _positional(module: Any, case: Case) -> tuple[Any, ...]:
    """Return all arguments in the schema's order, defaults filled in."""
    arguments = module._c._get_method(case.method).schema.arguments[1:]
    named = {argument.name: argument.default_value for argument in arguments if argument.has_default_value()}
    named.update(case.kwargs)
    return (*copied(case.args), *(named[argument.name] for argument in arguments[len(case.args) :]))


def _compared(search: Search, module: Any, good: Any, calls: list[_Call], names: list[str]) -> Iterator[SubmoduleCheck]:
    with tempfile.TemporaryDirectory(prefix="torch4j-submodules-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        jobs = _jobs(module, calls, Path(folder), "this")
        expected = _jobs(good, calls, Path(folder), "reference") if good is not None else jobs
        able = [index for index, pair in enumerate(zip(expected, jobs, strict=True)) if _runs(pair)]
        left, right = _ran(search, [expected[i] for i in able], [jobs[i] for i in able])
        pairs = dict(zip(able, zip(left, right, strict=True), strict=True))
        for index, name in enumerate(names):
            trouble = next((each for each in (expected[index], jobs[index]) if isinstance(each, str)), None)
            yield _check(name, search, trouble, *pairs.get(index, (Ran(), Ran())))


def _runs(pair: tuple[Any, Any]) -> bool:
    return all(isinstance(job, Job) for job in pair)


def _jobs(module: Any, calls: list[_Call], folder: Path, side: str) -> list[Any]:
    """Return a job for each call, whose file is the submodule alone; or why there is none."""
    jobs: list[Any] = []
    files: dict[tuple[str, ...], Path] = {}
    for call in calls:
        try:
            if call.path not in files:
                path = folder / f"{side}-{len(files)}.pt"
                torch.jit.save(at(module, call.path), path)
                files[call.path] = path
            jobs.append(Job(files[call.path], (call.case,)))
        except Exception as error:  # what cannot be saved alone, or is not in the reference
            jobs.append(f"cannot be run alone: {line(error)}")
    return jobs


def _ran(search: Search, left: list[Job], right: list[Job]) -> tuple[list[Ran], list[Ran]]:
    if not search.against_reference:
        return both(left, right, in_process=search.in_process, timeout=search.timeout)
    ran, _ = both([*left, *right], [], in_process=search.in_process, timeout=search.timeout)
    return ran[: len(left)], ran[len(left) :]


def _check(name: str, search: Search, trouble: str | None, left: Ran, right: Ran) -> SubmoduleCheck:
    one, other = (next(iter(ran.answers.values()), Answer(error=ran.error)) for ran in (left, right))
    error = trouble or one.error or other.error
    if trouble or (one.error and other.error):
        return SubmoduleCheck(name, search.sides, None, error)
    comparison: Comparison | None = compare(one.value, other.value, search.allowed) if not error else Comparison(())
    return SubmoduleCheck(name, search.sides, comparison, error)
