"""What TorchScript learned with PyTorch 1.4, the release of the first Java bindings, each in a method of its own."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn


@torch.jit.script
class Scale:
    """A class whose instances can be called."""

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.factor


class Sum(nn.ModuleList):
    """A container with a forward of its own: the sum of what its modules give."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Take and give a float32 tensor of the same shape."""
        y = torch.zeros_like(x)
        for layer in self:
            y = y + layer(x)
        return y


class Features(nn.Module):
    """One method for each feature; forward goes through those that take a tensor (N, 4), float32."""

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4)])
        self.named = nn.ModuleDict({"second": nn.Sigmoid(), "first": nn.ReLU()})
        self.sum = Sum([nn.Linear(4, 4), nn.Identity()])
        self.gain = nn.Parameter(torch.tensor(1.5))

    @staticmethod
    def halved(x: torch.Tensor) -> torch.Tensor:
        """Return half of a tensor: a static method."""
        return x / 2

    @torch.jit.export
    def order(self, words: list[str]) -> dict[str, int]:
        """Return each word's first place: a dict keeps the order of insertion."""
        places: dict[str, int] = {}
        for place, word in enumerate(words):
            if word not in places:
                places[word] = place
        return places

    @torch.jit.export
    def ordered(self, words: list[str], x: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return a tensor by each word, times its length: an OrderedDict made in the model."""
        named: dict[str, torch.Tensor] = OrderedDict()
        for word in words:
            named[word] = x * len(word)
        return named

    @torch.jit.export
    def comprehension(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return what each module makes of a tensor: a list comprehension over modules, enumerate, zip."""
        alone = [layer(x) for layer in self.layers]
        for place, (layer, other) in enumerate(zip(self.layers, self.sum)):  # noqa: B905  TorchScript has no strict
            alone[place] = layer(x) - other(alone[place])
        return alone

    @torch.jit.export
    def container(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return what each module of a dict gives, and what a container with a forward of its own gives."""
        found: dict[str, torch.Tensor] = {}
        for name, layer in self.named.items():
            found[name] = layer(x)
        found["sum"] = self.sum(x)
        return found

    @torch.jit.export
    def optional(self, x: torch.Tensor) -> torch.Tensor:
        """Ask for attributes: hasattr is decided when the model is compiled."""
        if hasattr(self, "gain"):
            x = x * self.gain
        if not hasattr(self, "bias"):
            x = x - 1
        return x

    @torch.jit.export
    def callable(self, x: torch.Tensor, factor: float = 3.0) -> torch.Tensor:
        """Call an object of a class made in the model."""
        scale = Scale(factor)
        return scale(x)

    @torch.jit.export
    def memory(self, image: torch.Tensor) -> tuple[torch.Tensor, bool]:
        """Return an image (N, C, height, width) with its channels last in memory, and whether they are."""
        last = image.contiguous(memory_format=torch.channels_last)
        return last, last.is_contiguous(memory_format=torch.channels_last)

    @torch.jit.export
    def layout(self, rows: int) -> tuple[torch.Tensor, bool]:
        """Return zeros (rows, 2) of a layout that is named, and whether it is the dense one."""
        zeros = torch.zeros([rows, 2], dtype=torch.float32, layout=torch.strided)
        return zeros, zeros.layout == torch.strided

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Go through the modules one after the other: their calls are kept as calls in the saved code."""
        for layer in self.layers:
            x = layer(x)
        return self.halved(self.optional(self.sum(x)))


def model() -> nn.Module:
    """Return the model in eval mode."""
    torch.manual_seed(0)
    return Features().eval()


def example_inputs() -> dict[str, Calls]:
    """Return calls of each method."""
    x = torch.linspace(-2, 2, 12).view(3, 4)
    words = ["zebra", "ant", "zebra", "bee"]
    return {
        "forward": [(x,), (x[:1],)],
        "order": [(words,), ([],)],
        "ordered": [(words, x)],
        "comprehension": [(x,)],
        "container": [(x,)],
        "optional": [(x,)],
        "callable": [(x,), (x, -0.5)],
        "memory": [(torch.arange(24.0).view(1, 2, 3, 4),)],
        "layout": [(0,), (3,)],
    }


def main(folder: Path = FOLDER) -> None:
    """Write features.pt into a folder."""
    write("features", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
