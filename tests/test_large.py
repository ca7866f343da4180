"""Tensors of more than 2^31-1 bytes, and memory segments on a later JDK."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import jpype
import pytest
import torch
import torch4j
from children import answers, run_child
from torch4j._java_command import java_version, jvm_flags
from torch4j.java import tensor_to_java

SIZE = (1 << 31) + 16


class Large(torch.nn.Module):
    def forward(self, size: int) -> torch.Tensor:
        x = torch.empty([size], dtype=torch.uint8)  # its pages are never touched, and cost nothing
        x[-1] = 7
        return x


@pytest.fixture
def model(tmp_path):
    torch.jit.script(Large()).save(str(tmp_path / "large.pt"))
    return tmp_path / "large.pt"


def test_what_cannot_hold_a_large_tensor_says_so_and_names_the_way(model):
    told = answers(run_child("Large", model))
    assert told["numel"] == told["nbytes"] == str(SIZE)
    for way in ("array", "official", "buffer"):
        assert re.search(r"tensor (of|needs) 2147483664 .*narrow\(\.\.\.\).*MemorySegment", told[way])
    assert told["text"] == "true"
    assert told["last"] == told["view"] == "7"


def later_jdk():
    """Return the folder of a JDK of version 22 or later, or None."""
    for folder in sorted(Path("/usr/lib/jvm").glob("*")):
        java = folder / "bin" / "java"
        if java.is_file() and java_version(java) >= 22:
            return folder
    return None


def test_memory_segment_on_a_later_jdk(model, tmp_path):
    jdk = later_jdk()
    if jdk is None:
        pytest.skip("no JDK of version 22 or later in /usr/lib/jvm")
    jar = str(torch4j.jar_path())
    source = Path(__file__).parent / "java22" / "Segments.java"
    subprocess.run([jdk / "bin" / "javac", "-cp", jar, "-d", tmp_path, source], check=True)
    flags = jvm_flags(java_version(jdk / "bin" / "java"))
    command = [str(jdk / "bin" / "java"), *flags, "-cp", os.pathsep.join((jar, str(tmp_path))), "Segments", str(model)]
    result = run_child("Segments", command=command)
    assert answers(result) == {"size": str(SIZE), "readonly": "true", "last": "7"}
    assert "WARNING" not in result.stderr


def test_views_by_type(jvm):
    tensor = tensor_to_java(torch.ones(2))
    view = tensor.as_
    assert view(jpype.java.nio.ByteBuffer.class_).capacity() == 8
    with pytest.raises(jpype.java.lang.IllegalArgumentException, match="viewType must be ByteBuffer or"):
        view(jpype.java.lang.String.class_)
