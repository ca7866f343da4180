"""A model of int8 weights: linear and LSTM layers quantized dynamically, which needs no data."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn

SEED = 0
VOCABULARY, WIDTH, CLASSES = 200, 64, 5


class Sentiment(nn.Module):
    """Tokens (N, length), int64, in; logits (N, classes), float32, out."""

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.lstm = nn.LSTM(WIDTH, WIDTH, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(nn.Linear(2 * WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, CLASSES))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return logits."""
        seen, _ = self.lstm(self.words(tokens))
        logits: torch.Tensor = self.head(seen.mean(1))
        return logits


def float_model() -> nn.Module:
    """Return the model as it is before it is quantized, in eval mode."""
    torch.manual_seed(SEED)
    return Sentiment().eval()


def quantized(original: nn.Module) -> nn.Module:
    """Return a copy whose linear and LSTM layers have int8 weights; their inputs are quantized at each call."""
    with warnings.catch_warnings():
        # torch announces that its quantization will move to another package; files that have it stay readable.
        warnings.simplefilter("ignore", DeprecationWarning)
        small: nn.Module = torch.ao.quantization.quantize_dynamic(original, {nn.Linear, nn.LSTM}, dtype=torch.qint8)
    return small.eval()


def model() -> nn.Module:
    """Return the quantized model."""
    return quantized(float_model())


def example_inputs() -> Calls:
    """Return a text alone, a batch, and a long one."""
    generator = torch.Generator().manual_seed(SEED)
    return [(torch.randint(VOCABULARY, shape, generator=generator),) for shape in ((1, 5), (4, 9), (2, 60))]


def main(folder: Path = FOLDER) -> None:
    """Write quantized.pt into a folder."""
    write("quantized", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
