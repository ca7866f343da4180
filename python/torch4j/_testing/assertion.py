"""What assert_same_in_java compares, and what it tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from torch4j._testing.model_file import model_file
from torch4j._testing.session import Jvm
from torch4j._testing.sides import Answers, in_python
from torch4j.verify import Output, Tolerances, compare, fingerprints, tolerances

__tracebackhide__ = True  # a failure shows the test, not these frames
_MOST = 10  # outputs that are told one by one
_TRAIN = "Python ran it in train mode, as it was saved; Java runs in eval mode: call eval() before saving"


def difference(jvm: Jvm, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tolerance: Any) -> str | None:
    """Return None when Java answers as Python does, else where they part and what both had.

    Raises:
        ValueError: when the tolerance is none.
        Exception: whatever the model raises in Python.
    """
    allowed = tolerances(tolerance)
    with tempfile.TemporaryDirectory(prefix="torch4j-") as folder:
        path = model_file(model, args, kwargs, Path(folder))
        python = in_python(str(path), args, kwargs)
        java = jvm.answers(path, list(python.inputs), args, kwargs)
    index, differing = _first(python, java, allowed)
    if not differing:
        return None
    name = path.name if path == model else type(model).__name__
    lines = [f"{name}: Java and Python differ in call {index + 1} of {len(python.results)}", *differing]
    if python.training:
        lines.append(_TRAIN)
    lines += _fingerprints("given", python.inputs, java.inputs, "inputs")
    if index < len(java.results):
        lines += _fingerprints("made", python.results[index], java.results[index], "outputs")
    return "\n".join(lines)


def _first(python: Answers, java: Answers, allowed: Tolerances) -> tuple[int, list[str]]:
    """Return which call differs first, and how; no text when none does."""
    for index, expected in enumerate(python.results):
        if index == len(java.results):
            return index, [f"  Java fails: {java.error}"]
        compared = compare(expected, java.results[index], allowed)
        if not compared.agrees:
            differing = [_told(output) for output in compared.outputs if not output.agrees]
            rest = [f"  and {len(differing) - _MOST} more"] if len(differing) > _MOST else []
            return index, differing[:_MOST] + rest
    return 0, []


def _told(output: Output) -> str:
    parts = [f"Java gives {output.trouble}"] if output.trouble else []
    if output.first is not None and output.within < output.elements:
        at = f" at {list(output.first.index)}" if output.first.index else ""
        parts.append(f"{output.elements - output.within} of {output.elements} elements differ")
        parts.append(f"the first{at}: Python {output.first.expected}, Java {output.first.found}")
        if output.max_absolute is not None:
            parts.append(f"largest difference {output.max_absolute:.6g}")
    return f"  {output.place}: {'; '.join(parts)}"


def _fingerprints(title: str, python: Any, java: Any, place: str) -> list[str]:
    """Return what both sides had, in one line where that is the same."""
    left, right = ({found.place: found for found in fingerprints(value, place)} for value in (python, java))
    lines = [f"{title}:"]
    for where in dict.fromkeys([*left, *right]):
        one, other = left.get(where), right.get(where)
        if one is not None and other is not None and one.same(other):
            lines.append(f"  {where}: both {one}")
        else:
            lines += [f"  {where}: Python {one or 'nothing'}", f"  {' ' * len(where)}  Java   {other or 'nothing'}"]
    return lines if len(lines) > 1 else []
