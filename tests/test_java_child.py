"""Java in a child process, as the pytest plugin has it with --java-child."""

from __future__ import annotations

import os
import signal
from typing import NamedTuple

import pytest
import torch
from same import assert_same
from torch4j._testing.child import Child, ChildModule
from torch4j._testing.crossing import JavaError

IMAGE = torch.arange(16.0).reshape(1, 2, 2, 4)


class Pair(NamedTuple):
    first: torch.Tensor
    second: int


class Kinds(torch.nn.Module):
    def forward(self, x: torch.Tensor, pair: Pair):
        return pair, {"x": x.to(torch.bfloat16)}, x.to(memory_format=torch.channels_last), "text"


def test_a_child_answers_as_a_module_does_and_ends(saved):
    child = Child(["-Xmx64m"])
    process = child._process.pid
    try:
        with ChildModule(child, str(saved(Kinds()))) as module:
            given = (IMAGE, Pair(torch.ones(1), 2))
            assert_same(module(*given), torch.jit.load(str(saved(Kinds(), "again.pt")))(*given))
            assert module.methods() == ["forward"]
            assert module.schema().startswith("forward(")
            with pytest.raises(JavaError, match=r"^org\.pytorch\.SchemaException: "):
                module.run_method("forward", 1)
        with pytest.raises(JavaError, match="module is closed"):
            module(*given)
        os.kill(process, signal.SIGKILL)
        with pytest.raises(JavaError, match="the process of the JVM ended with -9"):
            module.methods()
    finally:
        child.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
