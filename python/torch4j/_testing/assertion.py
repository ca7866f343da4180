"""What assert_same_in_java compares, and what it tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from torch4j._testing.compare import differences, limits
from torch4j._testing.fingerprint import lines
from torch4j._testing.model_file import model_file
from torch4j._testing.session import Jvm
from torch4j._testing.sides import Answers, in_python

__tracebackhide__ = True  # a failure shows the test, not these frames
_MOST = 10  # tensors that are told one by one


def difference(jvm: Jvm, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tolerance: Any) -> str | None:
    """Return None when Java answers as Python does, else where they part and what both had.

    Raises:
        TypeError: when the tolerance is none.
        Exception: whatever the model raises in Python.
    """
    allowed = limits(tolerance)
    with tempfile.TemporaryDirectory(prefix="torch4j-") as folder:
        path = model_file(model, args, kwargs, Path(folder))
        python = in_python(str(path), args, kwargs)
        java = jvm.answers(path, list(python.inputs), args, kwargs)
    index, told = _first(python, java, allowed)
    if not told:
        return None
    name = path.name if path == model else type(model).__name__
    hint = ["Python ran it in train mode, as it was saved; Java runs in eval mode: call eval() before saving"]
    given = lines(python.inputs, java.inputs, "inputs")
    made = lines(python.results[index], (java.results[index:] or [None])[0], "outputs")
    return "\n".join(
        [
            f"{name}, call {index + 1} of {len(python.results)}: {told[0]}",
            *told[1:],
            *(hint if python.training else []),
            *(["given:", *given] if given else []),
            *(["made:", *made] if made else []),
        ]
    )


def _first(python: Answers, java: Answers, allowed: tuple[float, float] | None) -> tuple[int, list[str]]:
    """Return which call differs first, and how; no text when none does."""
    for index, expected in enumerate(python.results):
        if index == len(java.results):
            return index, ["Java fails where Python does not", f"  {java.error}"]
        found = list(differences(expected, java.results[index], allowed))
        if found:
            rest = [f"  and {len(found) - _MOST} more"] if len(found) > _MOST else []
            return index, ["Java and Python differ", *(f"  {place}: {text}" for place, text in found[:_MOST]), *rest]
    return 0, []
