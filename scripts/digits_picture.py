"""Draws digits with the answers that Java gave."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import torch
from matplotlib.axes import Axes
from matplotlib.layout_engine import ConstrainedLayoutEngine

mpl.use("Agg")
from matplotlib import pyplot

ROWS, COLUMNS = 5, 10
INK, WRONG, FRAME = "#222222", "#cc2222", "#cccccc"


def wrong_first(labels: list[str], answers: list[str]) -> list[int]:
    """Return the indices of the images, those with a wrong answer before the others."""
    return sorted(range(len(labels)), key=lambda index: labels[index] == answers[index])


def draw_digit(axis: Axes, image: torch.Tensor, label: str, answer: str) -> None:
    """Draw an image with its answer above it; a wrong answer in red, with the label below."""
    right = label == answer
    axis.imshow(image.numpy(), cmap="gray_r", vmin=0, vmax=1)
    axis.set(xticks=[], yticks=[])
    axis.set_title(answer, fontsize=11, color=INK if right else WRONG, fontweight="normal" if right else "bold", pad=4)
    if not right:
        axis.set_xlabel(f"is {label}", fontsize=9, color=WRONG, labelpad=3)
    for spine in axis.spines.values():
        spine.set(color=FRAME if right else WRONG, linewidth=1 if right else 2)


def draw(images: torch.Tensor, labels: list[str], answers: list[str], path: Path) -> None:
    """Write a PNG of the images with a wrong answer, and then of some with a right one."""
    spacing = ConstrainedLayoutEngine(h_pad=0.09, w_pad=0.06)
    figure, axes = pyplot.subplots(ROWS, COLUMNS, figsize=(12, 7.6), layout=spacing)
    for axis, index in zip(axes.flat, wrong_first(labels, answers), strict=False):
        draw_digit(axis, images[index, 0], labels[index], answers[index])
    right = sum(label == answer for label, answer in zip(labels, answers, strict=True))
    shown = min(axes.size, len(labels))
    title = f"Java's answers: {right} of {len(labels)} held-out digits right; {shown} shown, wrong ones first"
    figure.suptitle(title, fontsize=14, color=INK)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
