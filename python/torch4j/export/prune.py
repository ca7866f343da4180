"""Pruning by every method of torch.nn.utils.prune, made permanent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch.nn.utils import prune

from torch4j.export.result import ExportError

METHODS = (
    "l1_unstructured",
    "random_unstructured",
    "ln_structured",
    "random_structured",
    "global_unstructured",
    "identity",
)
_LAYERS = (
    torch.nn.Linear,
    torch.nn.Bilinear,
    torch.nn.Conv1d,
    torch.nn.Conv2d,
    torch.nn.Conv3d,
    torch.nn.ConvTranspose1d,
    torch.nn.ConvTranspose2d,
    torch.nn.ConvTranspose3d,
)
_SEED = 0  # random methods choose the same weights every time


@dataclass(frozen=True)
class Pruning:
    """A method, how much (a share, or a number of weights or channels), and the method's own options."""

    method: str
    amount: float | int = 0.0
    options: dict[str, int | float | str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Pruning:
        """Read ``method:amount[,name=value...]``, such as ``ln_structured:0.5,n=2,dim=0``."""
        method, _, rest = text.partition(":")
        if method not in METHODS:
            raise ExportError(f"prune: got method {method!r}; expected one of {', '.join(METHODS)}")
        amount, *pairs = rest.split(",")
        if not amount and method != "identity":
            raise ExportError(f"prune: got {text!r} without an amount; expected such as {method}:0.5")
        return cls(method, _amount(amount or "0"), dict(_option(pair) for pair in pairs))


def _amount(text: str) -> float | int:
    value = _value(text)
    if isinstance(value, str) or value < 0 or (isinstance(value, float) and value > 1):
        raise ExportError(f"prune: got amount {text!r}; expected a share from 0.0 to 1.0, or a whole number")
    return value


def _option(pair: str) -> tuple[str, int | float | str]:
    name, _, value = pair.partition("=")
    if name not in ("n", "dim", "by") or not value:
        raise ExportError(f"prune: got option {pair!r}; expected n=..., dim=... or by=l1|random")
    return name, _value(value)


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def pruned(model: torch.nn.Module, pruning: Pruning) -> str:
    """Prune the weights of linear and convolution layers of a model in place; return what was done.

    Raises:
        ExportError: when the model has no such layer, or the method refuses.
    """
    layers = [layer for layer in model.modules() if isinstance(layer, _LAYERS)]
    if not layers:
        raise ExportError("prune: the model has no linear or convolution layer (a TorchScript model has none either)")
    torch.manual_seed(_SEED)
    try:
        _prune(layers, pruning)
        for layer in layers:
            prune.remove(layer, "weight")
    except (ValueError, TypeError, RuntimeError) as error:
        raise ExportError(f"prune: {pruning.method}: {error}") from error
    zeros = sum(int((layer.weight == 0).sum()) for layer in layers)
    count = sum(layer.weight.numel() for layer in layers)
    return f"pruned by {pruning.method}: {zeros:,} of {count:,} weights in {len(layers)} layers are zero"


def _prune(layers: Sequence[torch.nn.Module], pruning: Pruning) -> None:
    if pruning.method == "global_unstructured":
        by = prune.RandomUnstructured if pruning.options.get("by") == "random" else prune.L1Unstructured
        prune.global_unstructured([(layer, "weight") for layer in layers], pruning_method=by, amount=pruning.amount)
        return
    for layer in layers:
        _prune_layer(layer, pruning)


def _prune_layer(layer: torch.nn.Module, pruning: Pruning) -> None:
    dim, n = int(pruning.options.get("dim", 0)), pruning.options.get("n", 2)
    if pruning.method == "identity":
        prune.identity(layer, "weight")
    elif pruning.method == "ln_structured":
        prune.ln_structured(layer, "weight", amount=pruning.amount, n=n, dim=dim)
    elif pruning.method == "random_structured":
        prune.random_structured(layer, "weight", amount=pruning.amount, dim=dim)
    elif pruning.method == "random_unstructured":
        prune.random_unstructured(layer, "weight", amount=pruning.amount)
    else:
        prune.l1_unstructured(layer, "weight", amount=pruning.amount)
