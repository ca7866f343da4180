"""A model with several methods and no forward: encode, decode and nearest."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn

SEED = 0
WIDTH, CODE, KNOWN = 12, 3, 20


class Memory(nn.Module):
    """Shortens vectors to codes, widens codes to vectors, and finds the codes that it knows by their names."""

    def __init__(self) -> None:
        """Make the layers, and codes to be found."""
        super().__init__()
        self.shorten = nn.Sequential(nn.Linear(WIDTH, 8), nn.Tanh(), nn.Linear(8, CODE))
        self.widen = nn.Sequential(nn.Linear(CODE, 8), nn.Tanh(), nn.Linear(8, WIDTH))
        self.codes: torch.Tensor = nn.Buffer(torch.randn(KNOWN, CODE))
        self.names = [f"item {number}" for number in range(KNOWN)]

    @torch.jit.export
    def encode(self, vectors: torch.Tensor) -> torch.Tensor:
        """Take (N, width), give (N, code), both float32."""
        codes: torch.Tensor = self.shorten(vectors)
        return codes

    @torch.jit.export
    def decode(self, codes: torch.Tensor) -> torch.Tensor:
        """Take (N, code), give (N, width), both float32."""
        vectors: torch.Tensor = self.widen(codes)
        return vectors

    @torch.jit.export
    def nearest(self, vector: torch.Tensor, count: int = 3) -> tuple[list[str], list[float]]:
        """Return the names of the nearest known codes to a vector (width), and their distances."""
        distances, places = torch.cdist(self.encode(vector[None]), self.codes)[0].topk(count, largest=False)
        return [self.names[int(place)] for place in places], [float(distance) for distance in distances]


def model() -> nn.Module:
    """Return the model in eval mode."""
    torch.manual_seed(SEED)
    return Memory().eval()


def example_inputs() -> dict[str, Calls]:
    """Return calls of each method; nearest with its default, with a count, and with none wanted."""
    generator = torch.Generator().manual_seed(SEED)
    vectors, codes = torch.randn(4, WIDTH, generator=generator), torch.randn(2, CODE, generator=generator)
    return {
        "encode": [(vectors,), (vectors[:1],), (vectors[:0],)],
        "decode": [(codes,), (codes[1:],)],
        "nearest": [(vectors[0],), (vectors[1], 5), (vectors[2], 0)],
    }


def main(folder: Path = FOLDER) -> None:
    """Write methods.pt into a folder."""
    write("methods", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
