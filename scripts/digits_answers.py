"""Asks Python and Java for the logits of the demo's held-out digits, from the same file."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import digits
import numpy
import torch
import torch4j
from torch4j._run import compile_java

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "Digits.java"
# Of libtorch's intra-op pool, on both sides: the number may change how a sum is split, and with it the last bit.
THREADS = 1
WARM_UP_ROUNDS = 4


@dataclass
class Answers:
    """What one side answered.

    Attributes:
        single: logits (N, 10) of a call per image.
        batch: logits (N, 10) of one call for all images.
        first: microseconds of the first call.
        steady: median microseconds of a call for one image, once warm.
        sparsity: share of zeros among the weights.
        names: class name of each image.
    """

    single: torch.Tensor
    batch: torch.Tensor
    first: float
    steady: float
    sparsity: float
    names: list[str]

    def accuracy(self, labels: torch.Tensor) -> float:
        """Share of right answers, by the names that this side gave."""
        right = sum(digits.CLASSES[int(label)] == name for label, name in zip(labels, self.names, strict=True))
        return right / len(labels)


def sparsity(model: torch.nn.Module) -> float:
    """Return the share of zeros among the weights, biases left out."""
    weights = [p for name, p in model.named_parameters() if name.endswith("weight")]
    return float(sum((w == 0).sum() for w in weights) / sum(w.numel() for w in weights))


def classify_each(model: torch.nn.Module, images: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    """Return the logits of a call per image, and the microseconds that each call took."""
    rows, micros = [], []
    for image in images.split(1):
        start = time.perf_counter()
        rows.append(model(image))
        micros.append((time.perf_counter() - start) * 1e6)
    return torch.cat(rows), micros


@torch.inference_mode()
def ask_python(model_path: Path, images: torch.Tensor) -> Answers:
    """Run the exported file in Python, in the same calls as examples/Digits.java.

    The caller has set THREADS: the number is one of the process.
    """
    extra: dict[str, Any] = {"classes.txt": ""}  # torch puts bytes in
    model = torch.jit.load(model_path, _extra_files=extra)
    single, micros = classify_each(model, images)
    for _ in range(WARM_UP_ROUNDS):
        classify_each(model, images)
    steady = median(classify_each(model, images)[1])
    classes = extra["classes.txt"].decode().split("\n")
    names = [classes[int(best)] for best in single.argmax(1)]
    return Answers(single, model(images), micros[0], steady, sparsity(model), names)


def run_example(arguments: list[str], folder: Path) -> None:
    """Compile and run examples/Digits.java in a JVM of its own, with no Python in it.

    Raises RuntimeError with what the JVM printed when it does not end well.
    """
    main = compile_java(EXAMPLE, folder)
    command = torch4j.java_command(main, *arguments, class_path=[folder])
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{EXAMPLE.name} ended with exit code {result.returncode}:\n{result.stdout}".rstrip())


def read_answers(folder: Path, count: int) -> Answers:
    """Read what examples/Digits.java wrote."""
    report = dict(line.split("=", 1) for line in (folder / "report.txt").read_text("utf-8").splitlines())
    single, batch = (
        torch.from_numpy(numpy.fromfile(folder / name, dtype="<f4").reshape(count, -1))
        for name in ("logits.bin", "batch.bin")
    )
    first, steady, share = (float(report[name]) for name in ("first", "steady", "sparsity"))
    return Answers(single, batch, first, steady, share, report["answers"].split(","))


def ask_java(model_path: Path, images: torch.Tensor, folder: Path) -> Answers:
    """Run the exported file in Java."""
    digits.write_images(images, folder / "images.bin")
    run_example([str(model_path), str(folder / "images.bin"), str(THREADS), str(folder)], folder)
    return read_answers(folder, len(images))
