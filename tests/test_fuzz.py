"""A short fuzz run; make fuzz is the long one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
from fuzz import fuzz


def test_b2_fuzz_no_death_no_silent_change_no_empty_message():
    counts = fuzz(archives=250, calls=500, seed=1)
    assert counts["archives"] == 250
    assert counts["calls"] == 500
    assert counts["exceptions"] > 300
    assert (counts["deaths"], counts["silent"], counts["empty"]) == (0, 0, 0)
