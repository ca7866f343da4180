"""Times Python, Java and C++ on the same file, threads and inputs.

The package is callable: ``torch4j.bench(path)`` is `torch4j.bench.bench(path)`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from torch4j.bench.bencher import bench
from torch4j.bench.result import Bench, BenchError

__all__ = ["Bench", "BenchError", "bench"]


class _CallablePackage(ModuleType):
    """Importing a package sets its name in the parent: the name torch4j.bench has to be function and package."""

    __call__ = staticmethod(bench)


sys.modules[__name__].__class__ = _CallablePackage
