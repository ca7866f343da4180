"""PyTorch models in Java, proven equal to Python.

Importing this package imports neither torch nor a JVM: `torch4j.java` does.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from torch4j._java_command import java_command
from torch4j._paths import jar_path, native_library

__version__ = _version("torch4j")

if TYPE_CHECKING:
    from torch4j.bench import Bench, BenchError, bench
    from torch4j.export import ExportError, ExportResult, Preprocess, export
    from torch4j.inspect import Inspection, inspect
    from torch4j.verify import Verification, VerifyError, verify

__all__ = [
    "Bench",
    "BenchError",
    "ExportError",
    "ExportResult",
    "Inspection",
    "Preprocess",
    "Verification",
    "VerifyError",
    "__version__",
    "bench",
    "export",
    "inspect",
    "jar_path",
    "java_command",
    "native_library",
    "verify",
]

# Names that are imported when they are first asked for: with torch, which takes seconds. The packages are callable.
_LAZY = {
    "Bench": "bench",
    "BenchError": "bench",
    "ExportError": "export",
    "ExportResult": "export",
    "Preprocess": "export",
    "Inspection": "inspect",
    "Verification": "verify",
    "VerifyError": "verify",
}


def __getattr__(name: str) -> Any:
    """Import what needs torch when it is asked for."""
    if name in ("bench", "export", "inspect", "verify"):
        return _import_module(f"torch4j.{name}")
    if name in _LAZY:
        return getattr(_import_module(f"torch4j.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'torch4j' has no attribute {name!r}")
