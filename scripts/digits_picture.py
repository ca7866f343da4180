"""Draws digits with the answers that Java gave."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import torch

mpl.use("Agg")
from matplotlib import pyplot

ROWS, COLUMNS = 4, 10


def draw(images: torch.Tensor, labels: list[str], answers: list[str], path: Path) -> None:
    """Write a PNG of the first wrong answers (red, with the label) and then right ones (black)."""
    pairs = list(zip(labels, answers, strict=True))
    order = sorted(range(len(pairs)), key=lambda index: pairs[index][0] == pairs[index][1])
    figure, axes = pyplot.subplots(ROWS, COLUMNS, figsize=(12, 5.6))
    for axis, index in zip(axes.flat, order, strict=False):
        label, answer = pairs[index]
        axis.imshow(images[index, 0], cmap="gray_r")
        axis.set_axis_off()
        text = answer if label == answer else f"{answer}\n(is {label})"
        axis.set_title(text, fontsize=9, color="black" if label == answer else "red")
    right = sum(label == answer for label, answer in pairs)
    figure.suptitle(f"Java's answers: {right} of {len(pairs)} held-out digits right (wrong ones first)")
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
