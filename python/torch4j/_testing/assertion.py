"""What assert_same_in_java compares, and what it tells."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from torch4j._testing.model_file import model_file
from torch4j._testing.session import Jvm
from torch4j._testing.sides import CALLS, Answers, in_python


def difference(jvm: Jvm, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tolerance: Any) -> str | None:
    """Return None when Java answers as Python does, else where they part and what both had.

    Raises:
        Exception: whatever the model raises in Python.
    """
    with tempfile.TemporaryDirectory(prefix="torch4j-") as folder:
        path = model_file(model, args, kwargs, Path(folder))
        python = in_python(str(path), args, kwargs)
        java = jvm.answers(path, args, kwargs)
    return _told(model, python, java, tolerance)
