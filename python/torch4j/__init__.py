"""PyTorch models in Java, proven equal to Python.

Importing this package imports neither torch nor a JVM: `torch4j.java` does.
"""

from __future__ import annotations

from importlib.metadata import version as _version

from torch4j._java_command import java_command
from torch4j._paths import jar_path, native_library

__version__ = _version("torch4j")

__all__ = ["__version__", "jar_path", "java_command", "native_library"]
