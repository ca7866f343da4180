"""CASES.md, section C: threads, with the number of the row in each name. Each JVM is a child."""

from __future__ import annotations

import pytest
import torch
import torch4j
from children import answers, compiled, run_child
from test_large import later_jdk
from torch4j._java_command import java_version, jvm_flags


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.weight = torch.nn.Parameter(torch.ones(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.weight

    @torch.jit.export
    def count(self) -> int:
        self.calls += 1
        return self.calls

    @torch.jit.export
    def forked(self, x: torch.Tensor) -> torch.Tensor:
        future = torch.jit.fork(self.forward, x)
        return self.forward(x) + torch.jit.wait(future)

    @torch.jit.export
    def grad(self) -> tuple[bool, bool]:
        return torch.is_grad_enabled(), (self.weight * 2).requires_grad


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("threads") / "model.pt"
    torch.jit.script(Model()).save(str(path))
    return path


def threads(what, model, *options, env=None):
    flags = ["-Xcheck:jni", f"-Dmodel={model}", *options]
    return answers(run_child("Threads", what, jvm_options=flags, env=env))


def test_c7_default_follows_the_processors_of_the_jvm(model):
    told = threads("intra", model, "-XX:ActiveProcessorCount=1")
    assert told["default"] == "1"
    assert "JVM processors: 1" in told["info"]
    assert "intra-op threads: 1" in told["info"]


def test_c7_a_lower_number_of_libtorch_stays(model):
    assert threads("intra", model, "-XX:ActiveProcessorCount=2", env={"OMP_NUM_THREADS": "1"})["default"] == "1"


def test_c7_a_new_number_reaches_threads_that_have_worked(model):
    told = threads("intra", model)
    assert told["before"] == "1"
    assert told["after"] == told["here"] == told["there"] == "3"


def test_c8_inter_op_threads_are_set_once(model):
    told = threads("inter", model)
    assert told["set"] == "3"
    assert told["again"] == told["after work"]
    assert told["again"].endswith("it is 3")
    assert told["forked"] == "42.0"


def test_c9_copies_have_attributes_of_their_own(model):
    told = threads("copies", model)
    assert [told[f"thread {i}"] for i in range(4)] == ["100", "200", "300", "400"]
    assert told["original"] == "1"


def test_c10_no_grad_in_any_thread(model):
    told = threads("grad", model)
    assert told["main"] == told["new thread"]
    assert "true" not in told["main"].lower()


def test_c3_first_calls_at_once(model):
    assert threads("first", model)["right"] == "160"


def test_c12_virtual_threads(model):
    jdk = later_jdk()
    if jdk is None:
        pytest.skip("no JDK of version 22 or later in /usr/lib/jvm")
    java = jdk / "bin" / "java"
    path = f"{torch4j.jar_path()}:{compiled()}"
    command = [str(java), *jvm_flags(java_version(java)), "-Xmx64m", f"-Dmodel={model}", "-cp", path]
    told = answers(run_child("Threads", command=[*command, "Threads", "virtual"]))
    assert told == {"right": "10000", "tensors": "0"}
