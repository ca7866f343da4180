"""CASES.md, section C: memory, with the number of the row in each name. Each JVM is a child."""

from __future__ import annotations

import pytest
import soak
import torch
from children import answers, compiled, run_child


@pytest.fixture(scope="module")
def add_one(tmp_path_factory):
    path = tmp_path_factory.mktemp("memory") / "add_one.pt"
    torch.jit.script(soak.AddOne()).save(str(path))
    return path


def memory(what, *args, options=("-Xmx64m",)):
    return run_child("Memory", what, *args, jvm_options=["-Xcheck:jni", *options])


# Enough that without reclaiming, the process would hold 6 GB; a step of 64 MiB goes with a limit of 512.
SHORT = {"left": 6000, "closed": 4000, "scoped": 4000, "throws": 4000, "kinds": 8000, "reload": 200}
SHORT |= {"reload-left": 200, "buffers": 600, "sizes": 2200, "threads": 800}
ROWS = {way.name: way.what.split()[0].lower() for way in soak.WAYS}


@pytest.mark.parametrize("way", soak.WAYS, ids=lambda way: f"{ROWS[way.name]}_{way.name}")
def test_memory_stays_flat(way):
    run = soak.soak(way, SHORT[way.name], compiled(), options=(*soak.HEAP, "-Dtorch4j.memoryLimit=512m"))
    assert run.flat, run
    assert run.peak < 900, "MiB: the JVM itself, and at most the limit"
    assert len(run.samples) == 100


def test_every_way_of_the_soak_has_a_short_one():
    assert set(SHORT) == {way.name for way in soak.WAYS}


def test_c1_a_program_that_closes_nothing_is_reclaimed_before_the_limit(add_one):
    told = answers(memory("limit", add_one, options=("-Xmx64m", "-Dtorch4j.memoryLimit=100m")))
    assert told["reclaimed"] == "true"
    assert 90 <= int(told["held"]) <= 100
    assert told["error"].startswith("java.lang.OutOfMemoryError: cannot allocate 1048576 bytes: ")
    assert "and the native memory limit is 104857600; alive are " in told["error"]
    assert told["in a model"].startswith("java.lang.OutOfMemoryError: cannot allocate 1048576 bytes: ")
    assert told["still right"] == "2.0"
    assert told["after close"] == str(1 << 18)


def test_c1_where_collections_cannot_be_asked_for_the_limit_is_an_exception(add_one):
    result = memory("limit", add_one, options=("-Xmx64m", "-Dtorch4j.memoryLimit=100m", "-XX:+DisableExplicitGC"))
    assert result.returncode == 1
    assert "java.lang.OutOfMemoryError: cannot allocate 1048576 bytes: " in result.stderr


def test_c2_closed_twice_and_used_after_close(add_one):
    told = answers(memory("closing", add_one))
    assert told == {"module": "module is closed", "tensor": "tensor is closed"}


def test_c2_last_reference_dropped_before_the_call(add_one):
    assert answers(memory("dropped", add_one, options=("-Xmx32m",)))["right"] == "60"


def test_c3_eight_threads_while_a_ninth_closes_and_reloads(tmp_path):
    path = tmp_path / "linear.pt"
    torch.jit.script(torch.nn.Linear(4, 2)).save(str(path))
    counts = answers(run_child("StressReload", path, 8, 5, jvm_options=["-Xmx32m"]))
    assert counts["wrong"] == "0"
    assert int(counts["right"]) > 1000
    assert int(counts["reloads"]) > 10


def test_c4_buffer_lives_as_long_as_the_tensor(add_one):
    assert answers(memory("buffer", add_one))["element"] == "42.0"


def test_memory_stats_count_each_block_once():
    told = answers(memory("counts"))
    counted = {
        name: told[name] for name in ("tensors", "mebibytes", "held by the view", "left", "tensors left", "peak")
    }
    expected = ("11", "10", "1", "0", "0", "10")
    assert counted == dict(zip(counted, expected, strict=True))
    assert int(told["kept for reuse"]) == 10
    assert told["released"] == "0"
    assert told["text"].startswith("0 tensors and 0 modules, 0.0 MiB (peak 10.0 MiB, limit ")


def test_reuse_can_be_switched_off():
    told = answers(memory("counts", options=("-Dtorch4j.cacheLimit=0",)))
    assert told["kept for reuse"] == "0"


@pytest.mark.parametrize("tunables", ["", "glibc.malloc.trim_threshold=131072"])
def test_malloc_keeps_what_the_next_call_needs(tunables):
    """As it does in a C++ process; what the user sets with GLIBC_TUNABLES stays in force, and costs what it did."""
    told = answers(run_child("Faults", env={"GLIBC_TUNABLES": tunables}))
    faults = int(told["a round"])
    assert faults > 100 if tunables else faults < 2, faults


def test_what_is_released_goes_back_to_the_system():
    """All but the small tensors that are still alive, and the pages that they lie in."""
    told = answers(memory("release", options=("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch")))
    assert int(told["taken"]) > 100
    assert int(told["left"]) < 15


def test_traced_handles_tell_where_they_were_made():
    result = memory("traced", options=("-Dtorch4j.traceHandles=true",))
    told = answers(result)
    assert "at Memory.forgotten(Memory.java:" in told["count 3"]
    assert result.stderr.count("torch4j: tensor was left to the GC; it was made") == 1


def test_memory_bean():
    assert answers(memory("bean")) == {"tensors": "1", "attributes": "7", "bytes": "1"}


@pytest.mark.parametrize("text", ["lots", "-1", "9999999999g", "m"])
def test_a_wrong_limit_is_told(text):
    result = memory("counts", options=(f"-Dtorch4j.memoryLimit={text}",))
    assert result.returncode == 1
    assert f"torch4j.memoryLimit is '{text}': expected a number of bytes such as 500m or 2g" in result.stderr
