"""From a checked candidate to a file: saved, loaded again, compared, written, renamed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from torch4j.export import examples
from torch4j.export.archive import write_archive
from torch4j.export.candidate import Candidate
from torch4j.export.names import load_failure, suspicious_names
from torch4j.export.operators import operators_of
from torch4j.export.options import Options
from torch4j.export.probe import Sizes
from torch4j.export.result import ExportError
from torch4j.export.running import run
from torch4j.export.signature import JSON, document
from torch4j.export.values import difference
from torch4j.export.variants import Place


def target_of(path: str | Path) -> Path:
    """Return the path to write.

    Raises:
        ExportError: when there can be no such file.
    """
    target = Path(path).absolute()
    if not target.parent.is_dir():
        raise ExportError(f"path: the folder {target.parent} does not exist")
    if target.is_dir():
        raise ExportError(f"path: {target} is a folder")
    if not os.access(target.parent, os.W_OK):
        raise ExportError(f"path: no permission to write into the folder {target.parent}")
    return target


@contextlib.contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """Give a folder for files on their way to a target; on the same file system they can be renamed to it."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=".torch4j-", dir=target.parent)
    except OSError as error:
        raise ExportError(f"path: cannot write into {target.parent}: {error.strerror or error}") from error
    with folder:
        yield Path(folder.name)


def save(module: torch.jit.ScriptModule, path: Path) -> int:
    """Save a module; return the bytes of the file.

    Raises:
        ExportError: with TorchScript's reason.
    """
    try:
        torch.jit.save(module, path)
    except OSError as error:
        raise ExportError(f"cannot write: {error}") from error
    except Exception as error:  # whatever the serializer met
        raise ExportError(f"TorchScript cannot save the model: {_line(error)}") from error
    return path.stat().st_size


def _line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def load(path: Path, candidate: Candidate, options: Options) -> torch.jit.ScriptModule:
    """Load what was saved, as every user of the file will.

    Raises:
        ExportError: when it does not load, with the names that may be the cause.
    """
    try:
        loaded: torch.jit.ScriptModule = torch.jit.load(path)
        return loaded
    except Exception as error:  # a UnicodeDecodeError where the message quotes a broken name
        if options.optimize_for_inference:
            raise ExportError(
                "optimize_for_inference: TorchScript cannot load what it made of this model; export with freeze, and "
                "load with LoadOptions.withOptimizeForInference(true)"
            ) from error
        names = suspicious_names(candidate.reference, list(candidate.calls))
        raise ExportError(load_failure(error, names)) from error


def results_of(
    loaded: torch.jit.ScriptModule, candidate: Candidate, factor: float, findings: list[str]
) -> dict[str, list[Any]]:
    """Return what the loaded file gives for the example calls, once it has been compared with eager.

    Raises:
        ExportError: where they differ by more than the tolerance.
    """
    results: dict[str, list[Any]] = {}
    for method, calls in candidate.calls.items():
        expected, actual = run(candidate.reference, calls, method), run(loaded, calls, method)
        for index, (wanted, got) in enumerate(zip(expected, actual, strict=True)):
            place = f"{method}, example {index}"
            if got.failed:
                raise ExportError(f"{place}: the file fails where eager does not: {got.reason}") from got.error
            if differs := difference(got.value, wanted.value, "outputs", factor):
                raise ExportError(f"{place}: the file does not agree with eager: {differs}")
            if differs := difference(got.value, wanted.value, "outputs", None):
                findings.append(f"{place}: close to eager and not equal to the bit: {differs}")
        results[method] = [outcome.value for outcome in actual]
    return results


def contents(
    candidate: Candidate,
    options: Options,
    loaded: torch.jit.ScriptModule,
    sizes: dict[str, dict[Place, Sizes]],
    results: dict[str, list[Any]],
    findings: list[str],
) -> dict[str, bytes]:
    """Return the extra files: the user's, then torch4j's."""
    files = options.extra_contents()
    try:
        stored = examples.archive(candidate, results)
    except RuntimeError as error:
        stored = b""
        findings.append(f"the examples are not in the file, TorchScript cannot hold them: {_line(error)}")
    files[JSON] = document(candidate, options, operators_of(loaded), sizes, len(stored))
    if stored:
        files[examples.EXAMPLES] = stored
    return files


def check_again(path: Path, candidate: Candidate, results: dict[str, list[Any]]) -> None:
    """Load the finished file and make the first call of each method.

    Raises:
        ExportError: when it gives something else than before; that would be an error of torch4j.
    """
    loaded = torch.jit.load(path)
    for method, calls in candidate.calls.items():
        for got, wanted in zip(run(loaded, calls[:1], method), results[method], strict=False):
            if got.failed or difference(got.value, wanted, factor=None):
                raise ExportError(f"{method}: the finished file does not give what it gave before it was finished")


def publish(saved: Path, target: Path, files: dict[str, bytes], candidate: Candidate, results: Any) -> int:
    """Write the archive beside the saved one, check it, rename it to the target; return its bytes."""
    finished = saved.with_name("finished.pt")
    try:
        write_archive(saved, finished, files)
        check_again(finished, candidate, results)
        finished.replace(target)
    except OSError as error:
        raise ExportError(f"path: cannot write {target}: {error.strerror or error}") from error
    return target.stat().st_size
