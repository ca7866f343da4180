"""Chooses between script and trace."""

from __future__ import annotations

import torch
from torch.jit._trace import TopLevelTracedModule

from torch4j.export.calls import Calls
from torch4j.export.candidate import Candidate
from torch4j.export.checks import check_examples
from torch4j.export.options import Options
from torch4j.export.result import ExportError
from torch4j.export.script import by_script
from torch4j.export.trace import by_trace
from torch4j.export.values import FROZEN_FACTOR


def chosen(model: torch.nn.Module, calls: Calls, options: Options) -> Candidate:
    """Compile a model by the method asked for, or by the first that works.

    Args:
        model: in eval mode.
        calls: by method name.
        options: what was asked for.

    Raises:
        ExportError: when no method works, with the reason of each.
    """
    before = options.preprocess.module(options.dtype or torch.float32) if options.preprocess else None
    if isinstance(model, torch.jit.ScriptModule):
        found = _as_it_is(model, calls, options, before)
    elif options.method == "auto":
        found = _first_that_works(model, calls, before)
    else:
        found = (by_script if options.method == "script" else by_trace)(model, calls, before)
        found.reason = "asked for"
    return _frozen(found, options)


def _as_it_is(
    model: torch.jit.ScriptModule, calls: Calls, options: Options, before: torch.nn.Module | None
) -> Candidate:
    """Return a model that is TorchScript already."""
    traced = isinstance(model, TopLevelTracedModule)
    if options.method == "trace" and not traced:
        raise ExportError("method: got 'trace' for a scripted model; leave it out, or give the eager model")
    found = by_script(model, calls, before)
    found.method = "trace" if traced else "script"
    found.reason = "the model is TorchScript already"
    return found


def _first_that_works(model: torch.nn.Module, calls: Calls, before: torch.nn.Module | None) -> Candidate:
    try:
        found = by_script(model, calls, before)
        check_examples(found, FROZEN_FACTOR)
        found.reason = "torch.jit.script compiles the model, all its branches included"
        return found
    except ExportError as error:
        refused = str(error)
    try:
        found = by_trace(model, calls, before)
    except ExportError as error:
        raise ExportError(f"neither method works. torch.jit.script: {refused}. torch.jit.trace: {error}") from error
    found.reason = f"torch.jit.script does not work for the model: {refused}"
    return found


def _frozen(found: Candidate, options: Options) -> Candidate:
    if not options.frozen:
        return found
    kept = [name for name in found.module._c._method_names() if name != "forward"]
    try:
        module = found.module
        if hasattr(module, "training"):  # else it is frozen already
            module = torch.jit.freeze(module.eval(), preserved_attrs=kept)
        if options.optimize_for_inference:
            module = torch.jit.optimize_for_inference(module, other_methods=kept)
    except Exception as error:  # whatever the passes met
        raise ExportError(f"freeze: TorchScript cannot freeze the model: {str(error).splitlines()[0]}") from error
    found.module = module
    return found
