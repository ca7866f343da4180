"""Normalisation baked into the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from torch4j.export.result import ExportError


@dataclass(frozen=True)
class Preprocess:
    """(x * scale - mean) / std on the first argument, which may then be uint8.

    Attributes:
        mean: one number, or one per channel; channels are the third dimension from the end ([N,]C,H,W).
        std: likewise.
        scale: such as 1/255 for bytes.
    """

    mean: float | Sequence[float] = 0.0
    std: float | Sequence[float] = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        counts = {len(_numbers(value)) for value in (self.mean, self.std)} - {1}
        if len(counts) > 1:
            raise ExportError(f"preprocess: got {sorted(counts)} numbers for mean and std; expected as many of each")
        if 0.0 in _numbers(self.std):
            raise ExportError("preprocess: std is 0; expected numbers to divide by")

    @classmethod
    def parse(cls, text: str) -> Preprocess:
        """Read ``mean=0.485,0.456,0.406 std=0.229,0.224,0.225 scale=1/255``."""
        values: dict[str, Any] = {}
        for part in text.replace(";", " ").split():
            name, _, numbers = part.partition("=")
            if name not in ("mean", "std", "scale") or not numbers:
                raise ExportError(f"preprocess: got {part!r}; expected mean=..., std=... or scale=...")
            read = [_number(number) for number in numbers.split(",")]
            values[name] = read if len(read) > 1 else read[0]
        if isinstance(values.get("scale"), list):
            raise ExportError(f"preprocess: got {values['scale']} for scale; expected one number")
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers for JSON."""
        return {"mean": self.mean, "std": self.std, "scale": self.scale}

    def module(self, dtype: torch.dtype) -> torch.nn.Module:
        """Return the module that normalises and gives that dtype to the model."""
        return _Normalise(_numbers(self.mean), _numbers(self.std), self.scale, dtype)


def _numbers(value: float | Sequence[float]) -> list[float]:
    return [float(value)] if isinstance(value, (int, float)) else [float(number) for number in value]


def _number(text: str) -> float:
    above, _, below = text.partition("/")
    try:
        return float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        raise ExportError(f"preprocess: got {text!r}; expected a number or a fraction such as 1/255") from None


class _Normalise(torch.nn.Module):
    """float32 arithmetic whatever comes in: half would round the input before it is scaled."""

    def __init__(self, mean: list[float], std: list[float], scale: float, dtype: torch.dtype) -> None:
        super().__init__()
        self.mean = torch.nn.Buffer(self._channels(mean))
        self.std = torch.nn.Buffer(self._channels(std))
        self.scale = scale
        self.dtype = dtype

    @staticmethod
    def _channels(numbers: list[float]) -> torch.Tensor:
        values = torch.tensor(numbers, dtype=torch.float32)
        return values.reshape(-1, 1, 1) if len(numbers) > 1 else values.reshape(())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the normalised input, of the same shape."""
        return ((x.to(torch.float32) * self.scale - self.mean) / self.std).to(self.dtype)
