"""Makes the model ready: a copy in eval mode, pruned, quantized, in another dtype."""

from __future__ import annotations

import copy
import warnings

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
    training = [name or "the model" for name, part in ready.named_modules() if part.training]
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


def _copy(model: torch.nn.Module, options: Options) -> torch.nn.Module:
    if not isinstance(model, torch.nn.Module):
        raise ExportError(f"model: got {type(model).__name__}; expected a torch.nn.Module")
    try:
        ready = copy.deepcopy(model) if options.changes_weights else fresh(model)
    except (RuntimeError, TypeError, NotImplementedError) as error:
        raise ExportError(f"model: cannot be copied, which this option needs: {error}") from error
    if ready is model and any(part.training for part in model.modules()):
        raise ExportError("model: is in train mode and cannot be copied; call model.eval() first")
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
