"""Proves that Java answers as Python does, or tells where they part.

The package is callable: ``torch4j.verify(path)`` is `torch4j.verify.verify(path)`.
"""

from __future__ import annotations

import sys
from types import ModuleType

from torch4j.verify.compare import Comparison, Difference, Output, compare
from torch4j.verify.errors import VerifyError
from torch4j.verify.fingerprint import Fingerprint, fingerprints
from torch4j.verify.tolerances import DEFAULT, EXACT, Tolerance, Tolerances, tolerances
from torch4j.verify.verification import Verification
from torch4j.verify.verifier import verify

__all__ = [
    "DEFAULT",
    "EXACT",
    "Comparison",
    "Difference",
    "Fingerprint",
    "Output",
    "Tolerance",
    "Tolerances",
    "Verification",
    "VerifyError",
    "compare",
    "fingerprints",
    "tolerances",
    "verify",
]


class _CallablePackage(ModuleType):
    """Importing a package sets its name in the parent: the name torch4j.verify has to be function and package."""

    __call__ = staticmethod(verify)


sys.modules[__name__].__class__ = _CallablePackage
