"""The model of the demo: a small convolutional net on scikit-learn's 1,797 handwritten digits, pruned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn.utils import prune

CLASSES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SEED = 0
EPOCHS = 24
TUNING_EPOCHS = 6
BATCH = 64
PRUNED_SHARE = 0.7


@dataclass
class Split:
    """Images (N, 1, 8, 8), float32 in 0..1, and labels (N), int64."""

    images: torch.Tensor
    labels: torch.Tensor


def load_splits() -> tuple[Split, Split]:
    """Return training and held-out digits, split by a fixed seed, a quarter held out."""
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(digits.target, dtype=torch.int64)
    train, held_out = train_test_split(range(len(labels)), test_size=0.25, random_state=SEED, stratify=labels)
    return Split(images[train], labels[train]), Split(images[held_out], labels[held_out])


class DigitNet(nn.Module):
    """Two convolutions and two linear layers; (N, 1, 8, 8) in, logits (N, 10) out."""

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Linear(32 * 4 * 4, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return logits."""
        logits: torch.Tensor = self.classifier(self.features(images).flatten(1))
        return logits


def fit(model: nn.Module, data: Split, epochs: int, rate: float, tick: Callable[[], None]) -> None:
    """Train with two chained learning-rate schedulers: both act on the optimizer, one after the other."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
    steps = torch.optim.lr_scheduler.StepLR(optimizer, step_size=8, gamma=0.5)
    order = torch.Generator().manual_seed(SEED)
    for _ in range(epochs):
        for batch in torch.randperm(len(data.labels), generator=order).split(BATCH):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(data.images[batch]), data.labels[batch])
            loss.backward()
            optimizer.step()
        decay.step()
        steps.step()
        tick()


def prunable(model: nn.Module) -> list[tuple[nn.Module, str]]:
    """Return the weights that are pruned, as torch.nn.utils.prune wants them."""
    layers = (m for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear)))
    return [(layer, "weight") for layer in layers]


def train(data: Split, tick: Callable[[], None] = lambda: None) -> DigitNet:
    """Train, prune 70 % of the weights by their L1 norm, tune the rest, and make the pruning permanent."""
    torch.manual_seed(SEED)
    model = DigitNet()
    fit(model, data, EPOCHS, 3e-3, tick)
    weights = prunable(model)
    prune.global_unstructured(weights, pruning_method=prune.L1Unstructured, amount=PRUNED_SHARE)
    fit(model, data, TUNING_EPOCHS, 1e-3, tick)
    for layer, name in weights:
        prune.remove(layer, name)
    return model.eval()


def save(model: nn.Module, path: Path) -> None:
    """Save as TorchScript, with the class names as extra file classes.txt, one a line."""
    extra = {"classes.txt": "\n".join(CLASSES)}
    torch.jit.script(model).save(str(path), _extra_files=extra)


def write_images(images: torch.Tensor, path: Path) -> None:
    """Write images for Java: count, height, width as int32, then float32 pixels; little-endian."""
    count, _, height, width = images.shape
    head = torch.tensor([count, height, width], dtype=torch.int32).numpy()
    path.write_bytes(head.astype("<i4").tobytes() + images.numpy().astype("<f4").tobytes())
