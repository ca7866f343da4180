"""Export of models to files that Java runs as Python does.

The package is callable: ``torch4j.export(model, inputs, path)`` is `torch4j.export.export(...)`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from torch4j.export.exporter import export
from torch4j.export.preprocess import Preprocess
from torch4j.export.result import ExportError, ExportResult

__all__ = ["ExportError", "ExportResult", "Preprocess", "export"]


class _CallablePackage(ModuleType):
    """Importing a package sets its name in the parent: the name torch4j.export has to be function and package."""

    __call__ = staticmethod(export)


sys.modules[__name__].__class__ = _CallablePackage
