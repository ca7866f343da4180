"""A detector: images of any sizes in, for each image as many boxes as it finds out, which may be none."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn

SEED = 0
CLASSES = 3
STRIDE = 8  # one possible box for each square of so many pixels


def overlap(box: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """Return the shared area of a box (4) and others (K, 4) as a share of their joint area, (K)."""
    sides = torch.minimum(box[2:], others[:, 2:]) - torch.maximum(box[:2], others[:, :2])
    shared = sides.clamp(min=0).prod(1)
    areas = (others[:, 2:] - others[:, :2]).prod(1)
    return shared / ((box[2:] - box[:2]).prod() + areas - shared)


def suppress(boxes: torch.Tensor, scores: torch.Tensor, limit: float) -> torch.Tensor:
    """Return the numbers (M), int64, of the boxes (K, 4) that no better one overlaps by more than a limit."""
    left = scores.argsort(descending=True, stable=True)
    kept: list[torch.Tensor] = []
    while left.numel() > 0:
        kept.append(left[0])
        left = left[1:][overlap(boxes[left[0]], boxes[left[1:]]) <= limit]
    return torch.stack(kept) if len(kept) > 0 else left


class Detector(nn.Module):
    """Gives each square of the image class scores and the distances from its middle to a box's four sides."""

    def __init__(self) -> None:
        """Make the layers."""
        super().__init__()
        self.body = nn.Sequential(
            *(layer for a, b in ((3, 8), (8, 16), (16, 32)) for layer in (nn.Conv2d(a, b, 3, 2, 1), nn.SiLU()))
        )
        self.scores = nn.Conv2d(32, CLASSES, 1)
        self.distances = nn.Conv2d(32, 4, 1)
        self.stride = STRIDE

    def boxes(self, features: torch.Tensor) -> torch.Tensor:
        """Return a box (left, top, right, bottom) in pixels for each square, (squares, 4)."""
        height, width = features.shape[-2:]
        rows = (torch.arange(height) + 0.5) * self.stride
        columns = (torch.arange(width) + 0.5) * self.stride
        y, x = torch.meshgrid(rows, columns, indexing="ij")
        sides = self.distances(features)[0].exp() * self.stride
        return torch.stack((x - sides[0], y - sides[1], x + sides[2], y + sides[3]), dim=-1).flatten(0, 1)

    def detect(self, image: torch.Tensor, threshold: float) -> dict[str, torch.Tensor]:
        """Return what one image (3, height, width) shows."""
        features = self.body(image.unsqueeze(0))
        scores, labels = self.scores(features)[0].flatten(1).sigmoid().max(0)
        found = torch.nonzero(scores > threshold)[:, 0]
        boxes, scores, labels = self.boxes(features)[found], scores[found], labels[found]
        best = suppress(boxes, scores, 0.5)
        return {"boxes": boxes[best], "scores": scores[best], "labels": labels[best]}

    def forward(self, images: list[torch.Tensor], threshold: float = 0.6) -> list[dict[str, torch.Tensor]]:
        """Return for each image boxes (K, 4) and scores (K), float32, and labels (K), int64; the best first."""
        return [self.detect(image, threshold) for image in images]


def model() -> nn.Module:
    """Return the detector in eval mode; its scores are spread so that some squares hold a box and some do not."""
    torch.manual_seed(SEED)
    detector = Detector()
    with torch.no_grad():
        detector.scores.weight.mul_(20)
    return detector.eval()


def example_inputs() -> Calls:
    """Return images of two sizes, a threshold that some boxes pass, one that none passes, and no image."""
    generator = torch.Generator().manual_seed(SEED)
    large, small = (torch.randn(3, *size, generator=generator) for size in ((48, 64), (24, 17)))
    return [([large, small],), ([large], 0.63), ([small], 1.0), ([],)]


def main(folder: Path = FOLDER) -> None:
    """Write detector.pt into a folder."""
    write("detector", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
