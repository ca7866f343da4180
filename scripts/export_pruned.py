"""A pruned model: trained with chained learning-rate schedulers, pruned, trained on, and made permanent."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn
from torch.nn.utils import prune
from torch.optim.lr_scheduler import ExponentialLR, StepLR

SEED = 0
FEATURES, CLASSES = 8, 3
SHARE = 0.6  # of the weights that are pruned


def data(count: int = 512) -> tuple[torch.Tensor, torch.Tensor]:
    """Return points (count, features), float32, and labels (count), int64: which of three centres is next."""
    generator = torch.Generator().manual_seed(SEED)
    points = torch.randn(count, FEATURES, generator=generator)
    centres = torch.randn(CLASSES, FEATURES, generator=generator)
    return points, torch.cdist(points, centres).argmin(1)


def fit(net: nn.Module, epochs: int, rate: float = 0.1) -> list[float]:
    """Train with two schedulers that both act on the same rate; return the rate of each epoch."""
    points, labels = data()
    optimizer = torch.optim.SGD(net.parameters(), lr=rate, momentum=0.9)
    decay = ExponentialLR(optimizer, gamma=0.9)
    steps = StepLR(optimizer, step_size=3, gamma=0.1)
    rates: list[float] = []
    for _ in range(epochs):
        rates.append(float(steps.get_last_lr()[0]))
        for batch in torch.arange(len(labels)).split(32):
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(points[batch]), labels[batch]).backward()
            optimizer.step()
        decay.step()
        steps.step()
    return rates


def prunable(net: nn.Module) -> list[tuple[nn.Module, str]]:
    """Return the weights that are pruned."""
    return [(layer, "weight") for layer in net.modules() if isinstance(layer, nn.Linear)]


def unpruned() -> nn.Sequential:
    """Return the net with random weights."""
    torch.manual_seed(SEED)
    return nn.Sequential(nn.Linear(FEATURES, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, CLASSES))


def model() -> nn.Module:
    """Return the trained net, of whose weights the smallest 60 % are zero, in eval mode."""
    net = unpruned()
    fit(net, epochs=6)
    prune.global_unstructured(prunable(net), pruning_method=prune.L1Unstructured, amount=SHARE)
    fit(net, epochs=3, rate=0.05)
    for layer, name in prunable(net):
        prune.remove(layer, name)  # the mask goes into the weight, so that the file holds plain tensors
    return net.eval()


def example_inputs() -> Calls:
    """Return a point alone and two batches."""
    points, _ = data()
    return [(points[:1],), (points[:16],), (points,)]


def main(folder: Path = FOLDER) -> None:
    """Write pruned.pt into a folder."""
    write("pruned", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
