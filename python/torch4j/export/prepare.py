"""Makes the model ready: a copy in eval mode, pruned, quantized, in another dtype."""

from __future__ import annotations

import contextlib
import copy
import warnings
from collections.abc import Iterator

import torch

from torch4j.export.calls import Call, Calls
from torch4j.export.options import Options
from torch4j.export.prune import Pruning, pruned
from torch4j.export.result import ExportError
from torch4j.export.running import fresh
from torch4j.export.values import map_tensors


def prepared(model: torch.nn.Module, options: Options, findings: list[str]) -> torch.nn.Module:
    """Return a copy of a model as the options want it; the user's model stays as it is.

    Raises:
        ExportError: when the model cannot be copied, or an option does not fit it.
    """
    ready = _copy(model, options)
    if ready is model:
        findings.append(
            "the model cannot be copied: the checks ran on its own state, and left it changed if it has any"
        )
    training = [name or "the model" for name, part in ready.named_modules() if _trains(part)]
    if training:
        others = f" and {len(training) - 1} more" if len(training) > 1 else ""
        findings.append(f"train mode switched to eval mode: {training[0]}{others}")
        ready.eval()
    if options.changes_weights and isinstance(ready, torch.jit.ScriptModule) and not options.dtype:
        raise ExportError("prune, quantize: the model is TorchScript already; give the eager model")
    if options.prune:
        findings.append(pruned(ready, Pruning.parse(options.prune)))
    if options.dtype:
        ready = ready.to(options.dtype)
    return _quantized(ready).eval() if options.quantize else ready


@contextlib.contextmanager
def modes_kept(model: torch.nn.Module) -> Iterator[None]:
    """Put a model's modes back at the end: one that cannot be copied is switched to eval mode itself."""
    before = [(part, _trains(part)) for part in model.modules()] if isinstance(model, torch.nn.Module) else []
    try:
        yield
    finally:
        for part, training in before:
            if _trains(part) != training:
                part.training = training


def check_methods(model: torch.nn.Module, calls: Calls) -> None:
    """Refuse names that the model has no methods of.

    Raises:
        ExportError: naming the first one.
    """
    missing = getattr(torch.nn.Module, "forward", None)
    for name in calls:
        if not callable(getattr(model, name, None)) or getattr(type(model), name, None) is missing:
            raise ExportError(
                f"methods: the model has no method {name!r} (a dict of example_inputs is by method; an argument that "
                "is a dict stands in a tuple)"
            )


def _trains(part: torch.nn.Module) -> bool:
    return getattr(part, "training", False)  # a frozen module has no such attribute


def _copy(model: torch.nn.Module, options: Options) -> torch.nn.Module:
    if not isinstance(model, torch.nn.Module):
        raise ExportError(f"model: got {type(model).__name__}; expected a torch.nn.Module")
    try:
        ready = copy.deepcopy(model) if options.changes_weights else fresh(model)
    except (RuntimeError, TypeError, NotImplementedError) as error:
        raise ExportError(f"model: cannot be copied, which this option needs: {error}") from error
    return ready


def _quantized(model: torch.nn.Module) -> torch.nn.Module:
    with warnings.catch_warnings():
        # Announced to move to another package; torch 2.13 has it and nothing else that TorchScript can save.
        warnings.simplefilter("ignore")
        # In a holder: torch replaces layers of a model, and not a model that is a layer itself.
        holder = torch.ao.quantization.quantize_dynamic(torch.nn.ModuleDict({"model": model}), dtype=torch.qint8)
        ready: torch.nn.Module = holder["model"]
    before, after = _kinds(model), _kinds(ready)
    if before == after:
        raise ExportError(
            "quantize: the model has no layer that dynamic-int8 knows (Linear, LSTM, GRU and their cells)"
        )
    return ready


def _kinds(model: torch.nn.Module) -> list[type]:
    return [type(part) for part in model.modules()]


def fitting(calls: Calls, options: Options, findings: list[str]) -> Calls:
    """Return the calls with floating point tensors in the model's new dtype.

    The first argument stays as it is when the model gets it normalised: it comes as the user's data is.
    """
    if not options.dtype:
        return calls
    dtype = options.dtype
    findings.append(f"floating point arguments are {str(dtype).removeprefix('torch.')} now")

    def cast(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.to(dtype) if tensor.is_floating_point() else tensor

    kept = 1 if options.preprocess else 0
    return {
        name: [
            Call((*call.args[:kept], *map_tensors(call.args[kept:], cast)), map_tensors(call.kwargs, cast))
            for call in given
        ]
        for name, given in calls.items()
    }
