"""What is wrong with a call of verify itself."""

from __future__ import annotations


class VerifyError(ValueError):
    """Nothing was verified: the file cannot be run in Python, or there are no inputs. One line says why."""
