"""The main job: train, prune and export a digit classifier, run it in a JVM of its own, compare the bits."""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import digits
import numpy
import torch
from digits_picture import draw
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from torch4j._run import run_java

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "demo"
THREADS = 1
MIN_ACCURACY = 0.95
TIMED_ROUNDS = 5


@dataclass
class Answers:
    """What one side answered: logits (N, 10), microseconds of the first call and of a steady one."""

    logits: torch.Tensor
    first: float
    steady: float
    sparsity: float
    names: list[str]

    def accuracy(self, labels: torch.Tensor) -> float:
        """Share of right answers, by the names that this side gave."""
        right = sum(digits.CLASSES[int(label)] == name for label, name in zip(labels, self.names, strict=True))
        return right / len(labels)


def sparsity(model: torch.nn.Module) -> float:
    """Return the share of zeros among the weights."""
    weights = [p for name, p in model.named_parameters() if name.endswith("weight")]
    return float(sum((w == 0).sum() for w in weights) / sum(w.numel() for w in weights))


def ask_python(model_path: Path, images: torch.Tensor) -> Answers:
    """Run the exported file in Python, an image a call, as Java does."""
    torch.set_num_threads(THREADS)
    model = torch.jit.load(model_path)
    times: list[float] = []

    def call(image: torch.Tensor) -> torch.Tensor:
        start = time.perf_counter()
        logits: torch.Tensor = model(image)
        times.append((time.perf_counter() - start) * 1e6)
        return logits

    with torch.inference_mode():
        logits = torch.cat([call(image) for image in images.split(1)])
        first = times[0]
        for _ in range(TIMED_ROUNDS):
            times.clear()
            for image in images.split(1):
                call(image)
    names = [digits.CLASSES[int(best)] for best in logits.argmax(1)]
    return Answers(logits, first, median(times), sparsity(model), names)


def ask_java(model_path: Path, images: torch.Tensor, folder: Path) -> Answers:
    """Run examples/Digits.java in a JVM of its own, with no Python in it."""
    digits.write_images(images, folder / "images.bin")
    arguments = [str(model_path), str(folder / "images.bin"), str(THREADS), str(folder)]
    code = run_java(str(ROOT / "examples" / "Digits.java"), arguments, [], [])
    if code != 0:
        raise RuntimeError(f"examples/Digits.java ended with exit code {code}")
    report = dict(line.split("=", 1) for line in (folder / "report.txt").read_text().splitlines())
    logits = numpy.fromfile(folder / "logits.bin", dtype="<f4").reshape(len(images), -1)
    return Answers(
        torch.from_numpy(logits),
        float(report["first"]),
        float(report["steady"]),
        float(report["sparsity"]),
        report["answers"].split(","),
    )


def show(console: Console, java: Answers, python: Answers, labels: torch.Tensor, size: int) -> bool:
    """Print the table; return whether both sides are right and equal to the bit."""
    same = int((java.logits.view(torch.int32) == python.logits.view(torch.int32)).sum())
    table = Table("", "Python", "Java", title=f"{len(labels)} held-out digits, {THREADS} thread")
    table.add_row("accuracy", *(f"{side.accuracy(labels):.2%}" for side in (python, java)))
    table.add_row("logits identical to the bit", "", f"{same} of {java.logits.numel()}")
    table.add_row("sparsity of the weights", *(f"{side.sparsity:.2%}" for side in (python, java)))
    table.add_row("model file", f"{size / 1024:.1f} KiB", "the same file")
    table.add_row("first call", *(f"{side.first / 1000:.2f} ms" for side in (python, java)))
    table.add_row("steady call, median", *(f"{side.steady:.1f} µs" for side in (python, java)))
    console.print(table)
    accurate = all(side.accuracy(labels) >= MIN_ACCURACY for side in (python, java))
    return accurate and same == java.logits.numel()


def main() -> int:
    """Run all; return 0 only when Java and Python are right and equal."""
    console = Console()
    OUT.mkdir(parents=True, exist_ok=True)
    training, held_out = digits.load_splits()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("training", total=digits.EPOCHS + digits.TUNING_EPOCHS)
        model = digits.train(training, lambda: progress.advance(task))
    model_path = OUT / "digits.pt"
    digits.save(model, model_path)
    console.print(f"trained, pruned and exported: {model_path.relative_to(ROOT)}")
    python = ask_python(model_path, held_out.images)
    with tempfile.TemporaryDirectory(prefix="torch4j-demo-") as folder:
        java = ask_java(model_path, held_out.images, Path(folder))
    good = show(console, java, python, held_out.labels, model_path.stat().st_size)
    names = [digits.CLASSES[int(label)] for label in held_out.labels]
    draw(held_out.images, names, java.names, OUT / "digits.png")
    console.print(f"picture of Java's answers: {OUT.relative_to(ROOT) / 'digits.png'}")
    if not good:
        console.print(f"expected all logits identical and accuracies of {MIN_ACCURACY:.0%}", style="red")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
