"""The export: prepare, compile, check, write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from torch4j.export.calls import Calls, calls_of
from torch4j.export.candidate import Candidate
from torch4j.export.checks import check
from torch4j.export.choose import chosen
from torch4j.export.operators import operators_of
from torch4j.export.options import Content, Dims, Options
from torch4j.export.prepare import check_methods, fitting, modes_kept, prepared
from torch4j.export.preprocess import Preprocess
from torch4j.export.probe import Sizes
from torch4j.export.result import ExportError, ExportResult
from torch4j.export.running import undisturbed
from torch4j.export.values import FROZEN_FACTOR
from torch4j.export.variants import Place
from torch4j.export.write import contents, folder_beside, load, publish, results_of, save, target_of

Progress = Callable[[str], None]


def export(
    model: torch.nn.Module,
    example_inputs: Any,
    path: str | Path,
    *,
    method: str = "auto",
    methods: Sequence[str] | Mapping[str, Any] | None = None,
    freeze: bool = False,
    optimize_for_inference: bool = False,
    quantize: str | None = None,
    dtype: torch.dtype | None = None,
    prune: str | None = None,
    extra_files: Mapping[str, Content] | None = None,
    preprocess: Preprocess | None = None,
    example_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    dims: Dims | None = None,
    progress: Progress | None = None,
) -> ExportResult:
    """Write a model as a TorchScript file that Java runs as Python does, once it has been checked.

    The model itself is left as it is. A file is written only when all checks hold, and appears whole.

    Args:
        model: an eager or TorchScript module, in eval or train mode.
        example_inputs: a tensor, a tuple (one call), a list of tuples (several calls made one after another), or
            a dict from method name to one of these.
        path: the file to write.
        method: "script", "trace", or "auto": script where that works, else trace.
        methods: further methods: names, or a dict from name to inputs.
        freeze: inline parameters and drop what inference does not need.
        optimize_for_inference: freeze, then torch.jit.optimize_for_inference.
        quantize: "dynamic-int8" for linear and recurrent layers.
        dtype: torch.float16 or torch.bfloat16 for the parameters and the floating point inputs.
        prune: ``method:amount``, with a method of torch.nn.utils.prune.
        extra_files: files to put into the archive: bytes, text, or a Path to read.
        preprocess: normalisation of the first argument, baked in.
        example_kwargs: keyword arguments of forward: a dict, or one for each call.
        dims: sizes by argument, a number or (smallest, largest or None) for each dimension; both ends are checked.
        progress: called with what is being done.

    Raises:
        ExportError: when a check does not hold or an argument is wrong; nothing is written then.
    """
    options = Options(
        method=method,
        freeze=freeze,
        optimize_for_inference=optimize_for_inference,
        quantize=quantize,
        dtype=dtype,
        prune=prune,
        preprocess=preprocess,
        extra_files=extra_files or {},
        dims=dims or {},
    )
    calls = calls_of(example_inputs, example_kwargs, methods)
    with undisturbed(), modes_kept(model):
        return _export(model, calls, target_of(path), options, progress or (lambda _: None))


def _export(model: torch.nn.Module, calls: Calls, target: Path, options: Options, say: Progress) -> ExportResult:
    findings: list[str] = []
    factor = FROZEN_FACTOR if options.frozen else 1.0
    say("preparing the model")
    ready = prepared(model, options, findings)
    check_methods(ready, calls)
    fitted = fitting(calls, options, findings)
    say("compiling")
    candidate = chosen(ready, fitted, options)
    findings.extend(candidate.findings)
    sizes = _checked(candidate, options, factor, findings, say)
    with folder_beside(target) as folder:
        say("saving and loading again")
        saved = folder / "model.pt"
        saved_bytes = save(candidate.module, saved)
        loaded = load(saved, candidate, options)
        results = results_of(loaded, candidate, factor, findings)
        files = contents(candidate, options, loaded, sizes, results, findings)
        say("writing")
        size = publish(saved, target, files, candidate, results)
        before = _bytes_before(model, calls, candidate, options, folder)
    return ExportResult(
        path=target,
        method=candidate.method,
        reason=candidate.reason,
        findings=findings,
        options=options.as_dict(),
        size_bytes=size,
        bytes_before=before + size - saved_bytes if before else size,
        operators=operators_of(loaded),
    )


def _checked(
    candidate: Candidate, options: Options, factor: float, findings: list[str], say: Progress
) -> dict[str, dict[Place, Sizes]]:
    """Check; where auto had to trace, a refusal also says why it did not script."""
    try:
        return check(candidate, options, factor, findings, say)
    except ExportError as error:
        if options.method == "auto" and candidate.method == "trace":
            raise ExportError(f"{error}. (Traced: {candidate.reason})") from error
        raise


def _bytes_before(model: torch.nn.Module, calls: Calls, candidate: Candidate, options: Options, folder: Path) -> int:
    """Return the bytes of the same model without options, or 0 when it has none or cannot be exported so."""
    if not options.as_dict():
        return 0
    plain = Options(method=candidate.method)
    try:
        return save(chosen(prepared(model, plain, []), calls, plain).module, folder / "before.pt")
    except ExportError:
        return 0
