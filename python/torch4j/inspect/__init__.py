"""What is in a model file.

The package is callable: ``torch4j.inspect(path)`` is `torch4j.inspect.inspect(path)`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from torch4j.inspect.inspection import Inspection
from torch4j.inspect.inspector import inspect
from torch4j.inspect.tensors import TensorFacts

__all__ = ["Inspection", "TensorFacts", "inspect"]


class _CallablePackage(ModuleType):
    """Importing a package sets its name in the parent: the name torch4j.inspect has to be function and package."""

    __call__ = staticmethod(inspect)


sys.modules[__name__].__class__ = _CallablePackage
