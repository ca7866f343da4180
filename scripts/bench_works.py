"""What the benchmark runs: models, how they are called, and how often in a round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn


class Identity(nn.Module):
    """Gives its input back: all that is left is the way of a call."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x."""
        return x


class Values(nn.Module):
    """A dict and a list in and out: what marshalling costs."""

    def forward(self, named: dict[str, torch.Tensor], numbers: list[int]) -> tuple[dict[str, torch.Tensor], list[int]]:
        """Return the arguments."""
        return named, numbers


class Block(nn.Module):
    """A residual block of ResNet-18."""

    def __init__(self, channels: int, out: int, stride: int) -> None:
        """Make the layers."""
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(channels, out, 3, stride, 1, bias=False),
            nn.BatchNorm2d(out),
            nn.ReLU(),
            nn.Conv2d(out, out, 3, 1, 1, bias=False),
            nn.BatchNorm2d(out),
        )
        same = stride == 1 and channels == out
        self.skip = (
            nn.Identity()
            if same
            else nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Take and give (N, channels, height, width)."""
        return torch.relu(self.body(x) + self.skip(x))


def resnet() -> nn.Module:
    """Return a net with the shapes of ResNet-18 and random weights."""
    torch.manual_seed(0)
    layers: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
    ]
    channels = 64
    for out, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(channels, out, stride), Block(out, out, 1)]
        channels = out
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000)).eval()


def encoder() -> nn.Module:
    """Return six layers of a transformer encoder: hidden 384, 12 heads, feed-forward 1536."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(384, 12, 1536, batch_first=True)
    return nn.TransformerEncoder(layer, 6, enable_nested_tensor=False).eval()


@dataclass(frozen=True)
class Work:
    """One row.

    Attributes:
        name: what is done.
        module: makes the model.
        mode: tensor (in and out), floats (float[] in and out), kept (the same with tensors and arrays that the
            caller keeps), values (dict and list).
        shape: of the input, such as 1x4.
        calls: in a round, a few milliseconds where a call is shorter: on a virtual machine the processor's own speed
            changes by half within a second, and the sides of one round must meet the same.
        option: plain, freeze or optimize.
        trace: traced and not scripted.
        rival: what the goal of the row is measured against.
        goal: at most so much of it, or None.
        over: at most so many microseconds more than it, or None.
        rounds: for each that the user asks for.
    """

    name: str
    module: Callable[[], nn.Module]
    mode: str
    shape: str
    calls: int
    option: str = "plain"
    trace: bool = False
    rival: str = "C++ in the JVM"
    goal: float | None = None
    over: float | None = None
    rounds: int = 10

    def save(self, path: str) -> None:
        """Write the TorchScript file."""
        model = self.module().eval()
        if self.trace:
            with torch.no_grad():
                script = torch.jit.trace(model, torch.ones([int(size) for size in self.shape.split("x")]))
        else:
            script = torch.jit.script(model)
        script.save(path)


def linear() -> nn.Module:
    """Return Linear(4, 2)."""
    return nn.Linear(4, 2)


SMALL = (
    Work("Linear(4, 2), tensor in, tensor out", linear, "tensor", "1x4", 2000, goal=1.10),
    Work("identity, tensor in, tensor out", Identity, "tensor", "1x4", 4000, over=0.15),
    Work("Linear(4, 2), float[] in, float[] out", linear, "floats", "1x4", 2000, goal=1.25),
    Work("Linear(4, 2), float[], tensor and array kept", linear, "kept", "1x4", 2000),
    Work("dict and list in and out", Values, "values", "1x4", 2000),
)
BULK = (
    Work("identity of 1 MiB, float[] in and out, kept", Identity, "kept", "262144", 100, rival="arraycopy", goal=2.4),
    Work("identity of 1 MiB, float[] in, new float[] out", Identity, "floats", "262144", 100, rival="arraycopy"),
    Work(
        "identity of 64 MiB, float[] in and out, kept",
        Identity,
        "kept",
        "16777216",
        2,
        rival="arraycopy",
        goal=2.5,
        rounds=3,
    ),
    Work(
        "identity of 64 MiB, float[] in, new float[] out",
        Identity,
        "floats",
        "16777216",
        2,
        rival="arraycopy",
        goal=2.5,
        rounds=3,
    ),
)
NETS = tuple(
    Work(f"{name}, {option}", module, "tensor", shape, calls, option, trace, rounds=2)
    for name, module, shape, calls, trace in (
        ("ResNet-18-like 1x3x224x224", resnet, "1x3x224x224", 1, False),
        ("encoder 6 x 384, 128 tokens", encoder, "1x128x384", 1, True),
    )
    for option in ("plain", "freeze", "optimize")
)
WORKS = {"small": SMALL, "bulk": BULK, "nets": NETS}
