"""A recurrent model of a stream: a GRU whose state the module keeps, and an LSTM whose state the caller keeps."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn

SEED = 0
INPUTS, HIDDEN, OUTPUTS = 6, 16, 4


class Recurrent(nn.Module):
    """Chunks of a stream (length, inputs) in, float32; what is seen after each step (length, outputs) out."""

    def __init__(self) -> None:
        """Make the layers, and a state of zeros."""
        super().__init__()
        self.gru = nn.GRU(INPUTS, HIDDEN)
        self.lstm = nn.LSTM(INPUTS, HIDDEN, num_layers=2)
        self.head = nn.Linear(HIDDEN, OUTPUTS)
        self.state: torch.Tensor = nn.Buffer(torch.zeros(1, HIDDEN))

    def forward(self, chunk: torch.Tensor) -> torch.Tensor:
        """Run the GRU on from where the call before ended, and keep where it ends."""
        seen, self.state = self.gru(chunk, self.state)
        outputs: torch.Tensor = self.head(seen)
        return outputs

    @torch.jit.export
    def reset(self) -> None:
        """Forget the stream."""
        self.state = torch.zeros_like(self.state)

    @torch.jit.export
    def step(
        self, chunk: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor] | None = None
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        """Run the LSTM on from a state of two (2, hidden), or from zeros; return what is seen, and the new state."""
        seen, state = self.lstm(chunk, state)
        return self.head(seen), state


def model() -> nn.Module:
    """Return the model in eval mode, before the first chunk."""
    torch.manual_seed(SEED)
    return Recurrent().eval()


def example_inputs() -> dict[str, Calls]:
    """Return chunks of several lengths; step without and with a state."""
    generator = torch.Generator().manual_seed(SEED)
    chunks = [torch.randn(length, INPUTS, generator=generator) for length in (5, 1, 12)]
    state = (torch.randn(2, HIDDEN, generator=generator), torch.randn(2, HIDDEN, generator=generator))
    return {
        "forward": [(chunk,) for chunk in chunks],
        "reset": [()],
        "step": [(chunks[0],), (chunks[1], None), (chunks[2], state)],
    }


def main(folder: Path = FOLDER) -> None:
    """Write recurrent.pt into a folder."""
    write("recurrent", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
