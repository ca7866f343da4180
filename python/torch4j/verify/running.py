"""Runs a job on one side, in this process."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import torch

from torch4j._mapped import mapped_files
from torch4j.export.running import seed, undisturbed
from torch4j.export.values import copied
from torch4j.verify.fingerprint import Fingerprint, fingerprints
from torch4j.verify.jobs import Answer, Case, Job, Key, Ran

SEED = 0  # of random numbers that a model draws: the same on both sides, and that of the stored examples
Run = Callable[[Case], Any]


def in_python(job: Job) -> Ran:
    """Run a job on torch in Python."""
    ran = Ran(environment=_environment())
    with undisturbed():
        for threads in job.threads:
            torch.set_num_threads(threads)
            for method in _methods(job):
                try:
                    module = torch.jit.load(str(job.path))
                except Exception as error:  # libtorch raises anything
                    ran.error = line(error)
                    return ran
                seed(SEED)
                with torch.inference_mode():
                    _run(job, method, threads, partial(_call, module), ran)
    return ran


def in_java(job: Job) -> Ran:
    """Run a job in the JVM of this process, through the public API of torch4j."""
    from torch4j import java

    ran = Ran()
    try:
        java.start_jvm()
        ran.environment = {**_environment(), **_java_environment()}
        torch_class = java.java_class("Torch")
        with undisturbed():  # threads and random numbers are those of the one libtorch of this process
            for threads in job.threads:
                torch_class.setNumThreads(threads)
                for method in _methods(job):
                    with java.Module(job.path) as module:
                        torch_class.manualSeed(SEED)
                        _run(job, method, threads, partial(_call_java, module), ran, seen=_seen_by_java)
    except Exception as error:  # of Java, and of starting a JVM
        ran.error = line(error)
    return ran


def _methods(job: Job) -> list[str]:
    return list(dict.fromkeys(case.method for case in job.cases))


def _keys(job: Job, method: str, threads: int) -> Iterator[tuple[Key, Case]]:
    for call in range(1, job.calls + 1):
        for number, case in enumerate(job.cases):
            if case.method == method:
                yield (threads, number, call), case


def _run(
    job: Job,
    method: str,
    threads: int,
    run: Run,
    ran: Ran,
    seen: Callable[[Any], Any] = lambda value: value,
) -> None:
    for key, case in _keys(job, method, threads):
        try:
            if key[1] not in ran.inputs:
                ran.inputs[key[1]] = inputs_of(case, job.names.get(method, []), seen)
            ran.answers[key] = Answer(run(case))
        except Exception as error:  # a model may raise anything
            ran.answers[key] = Answer(error=line(error))


def inputs_of(case: Case, names: list[str], seen: Callable[[Any], Any] = lambda value: value) -> list[Fingerprint]:
    """Return the fingerprints of all arguments of a case, each as `seen` gives it."""
    return [found for name, value in case.inputs(names).items() for found in fingerprints(seen(value), name)]


def _call(module: Any, case: Case) -> Any:
    function = module if case.method == "forward" else getattr(module, case.method)
    return copied(function(*copied(case.args), **copied(case.kwargs)))


def _call_java(module: Any, case: Case) -> Any:
    return module.run_method(case.method, *case.args, **case.kwargs)


def _seen_by_java(value: Any) -> Any:
    """Return a value as Java's getters give it back."""
    from torch4j import java

    return java.to_python(java.to_java(value))


def line(error: Exception) -> str:
    """Return an error in one line: of TorchScript's messages the last, which is the cause; of Java's the first."""
    lines = [part.strip() for part in str(error).splitlines() if part.strip()]
    kind = type(error).__name__
    if not lines:
        return kind
    if hasattr(error, "getClass"):
        return lines[0].removeprefix("org.pytorch.")
    return lines[-1] if lines[-1].startswith(f"{kind}: ") else f"{kind}: {lines[-1]}"


def _environment() -> dict[str, str]:
    facts = {
        "Python": platform.python_version(),
        "torch": torch.__version__,
        "CPU capability": torch.backends.cpu.get_cpu_capability(),
        "machine": f"{platform.machine()}, {platform.platform()}",
    }
    files = mapped_files()
    for name in ("libtorch_cpu.so", "libc10.so", "libtorch4j.so", "libjvm.so"):
        facts[f"mapped {name}"] = ", ".join(files[name]) or "none"
    return facts


def _java_environment() -> dict[str, str]:
    import jpype

    system = jpype.java.lang.System
    return {name: str(system.getProperty(name)) for name in ("java.vm.name", "java.vm.version")}
