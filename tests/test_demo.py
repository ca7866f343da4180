"""make demo: the whole chain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parent.parent / "scripts"


def test_demo_is_identical_to_the_bit_and_accurate():
    result = subprocess.run([sys.executable, str(SCRIPTS / "demo.py")], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "4500 of 4500" in result.stdout
    picture = SCRIPTS.parent / "build" / "demo" / "digits.png"
    assert str(picture.relative_to(SCRIPTS.parent)) in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
