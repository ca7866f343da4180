"""Every public method of the official bindings is there with its signature (tests/official_api.txt)."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
import torch4j
from torch4j._java_command import find_java

LINES = (Path(__file__).parent / "official_api.txt").read_text().splitlines()


@cache
def methods(name: str) -> set[str]:
    """Return the public methods of a class and what it inherits, as modifiers, types and name."""
    javap = [str(find_java("javap")), "-cp", str(torch4j.jar_path())]
    text = subprocess.run([*javap, f"org.pytorch.{name}"], capture_output=True, text=True, check=True).stdout
    inherited = "org.pytorch.TensorFactories" if name == "Tensor" else None
    if inherited:
        text += subprocess.run([*javap, inherited], capture_output=True, text=True, check=True).stdout
    return {normal(line.strip().rstrip(";")) for line in text.splitlines() if "(" in line}


def normal(signature: str) -> str:
    """Drop packages, parameter names and blanks."""
    plain = re.sub(r"\b(?:[a-z]\w*\.)+(?=[A-Z])", "", signature)
    head, parameters = plain.rstrip(")").split("(", 1)
    types = [re.sub(r"\s+\w+$", "", part.strip()) for part in re.split(r",(?![^<]*>)", parameters)]
    return f"{head}({', '.join(types)})".replace(", ", ",")


@pytest.mark.parametrize("line", LINES)
def test_signature_is_kept(line):
    name, signature = line.split(": ", 1)
    assert normal(signature) in methods(name)


@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("DType", ["UINT8", "INT8", "INT32", "FLOAT32", "INT64", "FLOAT64"]),
        ("Device", ["CPU", "VULKAN"]),
        ("MemoryFormat", ["CONTIGUOUS", "CHANNELS_LAST", "CHANNELS_LAST_3D"]),
    ],
)
def test_enum_constants_come_first_in_the_official_order(jvm, name, constants):
    from torch4j.java import java_class

    values = [str(value.name()) for value in java_class(name).values()]
    assert values[: len(constants)] == constants
