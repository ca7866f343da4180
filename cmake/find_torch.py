"""Print the folder of the torch package of this Python, or fail.

Reads paths only: importing torch costs seconds, and pip's isolated builds hide it from import.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path


def find() -> Path | None:
    """Return the folder of an installed torch that has libtorch, or None."""
    scheme = sysconfig.get_paths()
    folders = [scheme["platlib"], scheme["purelib"], *(entry for entry in sys.path if entry)]
    for folder in folders:
        torch = Path(folder) / "torch"
        if (torch / "lib" / "libtorch_cpu.so").is_file():
            return torch
    return None


if __name__ == "__main__":
    found = find()
    if found is None:
        sys.exit(1)
    print(found)
