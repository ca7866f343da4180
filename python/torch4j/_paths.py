"""Where the jar and the native library of this install are."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

JAR = "torch4j.jar"
LIBRARY = "libtorch4j.so"
LIBRARY_VARIABLE = "TORCH4J_LIBRARY"


def _folders() -> list[Path]:
    """Places of torch4j/lib: beside this file, and in site-packages for editable installs.

    scikit-build-core leaves the Python sources of an editable install where they are, and puts what
    CMake built into site-packages. Its import hook names both in __path__; this interpreter's own
    site-packages need not be the one (user site, a venv on top of another).
    """
    import torch4j  # at the call: this module is imported by the package

    here = str(Path(__file__).resolve().parent)
    schemes = (sysconfig.get_path("platlib"), sysconfig.get_path("purelib"))
    packages = [here, *torch4j.__path__, *(f"{scheme}/torch4j" for scheme in schemes)]
    return list(dict.fromkeys(Path(package) / "lib" for package in packages))


def _find(name: str) -> Path:
    tried = [folder / name for folder in _folders()]
    for path in tried:
        if path.is_file():
            return path
    places = ", ".join(str(path) for path in tried)
    raise FileNotFoundError(f"{name} of torch4j is missing; looked at {places}. Install again: pip install torch4j")


def jar_path() -> Path:
    """Return the path of torch4j.jar.

    Raises FileNotFoundError naming the places tried.
    """
    return _find(JAR)


def native_library() -> Path:
    """Return the path of libtorch4j.so: the one named by TORCH4J_LIBRARY, else this install's.

    Raises FileNotFoundError naming the places tried.
    """
    explicit = os.environ.get(LIBRARY_VARIABLE)
    if not explicit:
        return _find(LIBRARY)
    path = Path(explicit)
    path = path / LIBRARY if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(f"{LIBRARY_VARIABLE}={explicit}: no such file: {path}")
    return path
