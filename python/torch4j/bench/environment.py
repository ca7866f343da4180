"""Where a benchmark ran, and what speaks against the place."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import torch

from torch4j._java_command import supported_java

BUSY = 0.5  # of the processors


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def environment(intra_op: int, libtorch: str) -> dict[str, str]:
    """Return versions and machine by name.

    Args:
        intra_op: threads inside one call.
        libtorch: the file that the sides had mapped.
    """
    return {
        "torch": torch.__version__,
        "Java": str(supported_java()[1]),
        "Python": platform.python_version(),
        "processor": _processor(),
        "processors": str(len(os.sched_getaffinity(0))),
        "intra-op threads": str(intra_op),
        "libtorch": libtorch,
    }


def doubts() -> list[str]:
    """Return what speaks against this machine now: others at work, which slow all rounds alike and so do not show."""
    load, processors = os.getloadavg()[0], len(os.sched_getaffinity(0))
    if load <= BUSY * processors:
        return []
    return [f"other programs were at work at the start: load {load:.1f} on {processors} processors"]
