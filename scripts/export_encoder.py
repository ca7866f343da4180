"""A text encoder: token numbers in, one vector of length 1 for each text out; a small transformer."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn
from torch.nn import functional

SEED = 0
VOCABULARY, LONGEST, WIDTH, HEADS, LAYERS = 500, 64, 32, 4, 2


class Layer(nn.Module):
    """Self-attention and a feed-forward net, each with a layer norm before it and its input added."""

    def __init__(self, width: int, heads: int) -> None:
        """Make the layers."""
        super().__init__()
        self.heads = heads
        self.before_attention = nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width)
        )

    def attend(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Take and give (N, length, width): each place looks at those places that the mask lets through."""
        count, length, width = x.shape
        heads = self.query_key_value(x).view(count, length, 3, self.heads, width // self.heads)
        query, key, value = heads.permute(2, 0, 3, 1, 4).unbind(0)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        attended: torch.Tensor = self.mix(mixed.transpose(1, 2).reshape(count, length, width))
        return attended

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Take (N, length, width) and bool (N, length); give (N, length, width)."""
        x = x + self.attend(self.before_attention(x), mask)
        y: torch.Tensor = self.feed_forward(x)
        return x + y


class Encoder(nn.Module):
    """Tokens (N, length), int64, and a mask (N, length), bool, that is True at real tokens; vectors (N, width) out."""

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(LONGEST, WIDTH)
        self.layers = nn.ModuleList(Layer(WIDTH, HEADS) for _ in range(LAYERS))

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Return the mean over the real tokens, scaled to length 1. Without a mask all tokens are real."""
        if mask is None:
            mask = torch.ones_like(tokens, dtype=torch.bool)
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        for layer in self.layers:
            x = layer(x, mask)
        share = mask.to(x.dtype).unsqueeze(-1)
        return functional.normalize((x * share).sum(1) / share.sum(1))


def model() -> nn.Module:
    """Return the encoder in eval mode."""
    torch.manual_seed(SEED)
    return Encoder().eval()


def example_inputs() -> Calls:
    """Return a text alone, a batch without and a batch with padding."""
    generator = torch.Generator().manual_seed(SEED)
    one, batch, padded = (torch.randint(VOCABULARY, shape, generator=generator) for shape in ((1, 7), (3, 20), (4, 11)))
    lengths = torch.tensor([11, 3, 1, 8])
    return [(one,), (batch,), (padded, torch.arange(11) < lengths[:, None])]


def main(folder: Path = FOLDER) -> None:
    """Write encoder.pt into a folder."""
    write("encoder", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
