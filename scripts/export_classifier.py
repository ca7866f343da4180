"""An image classifier after MobileNetV2: inverted residuals of depthwise convolutions, in plain torch."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn

SEED = 0
CLASSES = 10
STAGES = ((1, 8, 1, 1), (4, 12, 2, 2), (4, 16, 2, 2), (4, 24, 2, 1))  # expansion, channels, repeats, first stride


def convolution(channels: int, out: int, size: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """Return convolution, batch norm and ReLU6; padded to keep height and width at stride 1."""
    return nn.Sequential(
        nn.Conv2d(channels, out, size, stride, padding=size // 2, groups=groups, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU6(inplace=True),
    )


class InvertedResidual(nn.Module):
    """Widens 1x1, convolves each channel alone 3x3, narrows 1x1; adds its input when the shapes are the same."""

    def __init__(self, channels: int, out: int, stride: int, expansion: int) -> None:
        """Make the layers."""
        super().__init__()
        hidden = channels * expansion
        widen = [convolution(channels, hidden, size=1)] if expansion > 1 else []
        depthwise = convolution(hidden, hidden, stride=stride, groups=hidden)
        self.layers = nn.Sequential(*widen, depthwise, nn.Conv2d(hidden, out, 1, bias=False), nn.BatchNorm2d(out))
        self.adds = stride == 1 and channels == out

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Take and give (N, channels, height, width)."""
        y: torch.Tensor = self.layers(x)
        return x + y if self.adds else y


class Classifier(nn.Module):
    """Images (N, 3, height, width) of any size in, float32; logits (N, classes) out."""

    def __init__(self, classes: int = CLASSES) -> None:
        """Make the layers."""
        super().__init__()
        blocks: list[nn.Module] = [convolution(3, 8, stride=2)]
        channels = 8
        for expansion, out, repeats, stride in STAGES:
            for index in range(repeats):
                blocks.append(InvertedResidual(channels, out, stride if index == 0 else 1, expansion))
                channels = out
        self.features = nn.Sequential(*blocks, convolution(channels, 64, size=1))
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(64, classes))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return logits."""
        logits: torch.Tensor = self.head(self.features(images).mean((2, 3)))
        return logits


def model() -> nn.Module:
    """Return the classifier in eval mode; its batch norms have seen two batches, so that their statistics are real."""
    torch.manual_seed(SEED)
    classifier = Classifier().train()
    with torch.no_grad():
        for _ in range(2):
            classifier(torch.rand(8, 3, 32, 32))
    return classifier.eval()


def example_inputs() -> Calls:
    """Return one image, a batch, and images that are not square."""
    generator = torch.Generator().manual_seed(SEED)
    return [(torch.rand(*shape, generator=generator),) for shape in ((1, 3, 32, 32), (2, 3, 32, 32), (1, 3, 48, 40))]


def main(folder: Path = FOLDER) -> None:
    """Write classifier.pt into a folder."""
    write("classifier", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
