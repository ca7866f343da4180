"""The main job: train, prune and export a digit classifier, run it in a JVM of its own, compare the bits."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from subprocess import CalledProcessError

import digits
import torch
from digits_answers import THREADS, Answers, ask_java, ask_python
from digits_picture import draw
from rich.console import Console
from rich.progress import Progress, SpinnerColumn
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "demo"
MIN_ACCURACY = 0.95


def identical(one: torch.Tensor, other: torch.Tensor) -> int:
    """Return how many float32 values have the same bits."""
    if one.shape != other.shape:
        return 0
    return int((one.view(torch.int32) == other.view(torch.int32)).sum())


def is_good(python: Answers, java: Answers, labels: torch.Tensor) -> bool:
    """Whether both sides are accurate, and equal to the bit."""
    accurate = all(side.accuracy(labels) >= MIN_ACCURACY for side in (python, java))
    pairs = ((python.single, java.single), (python.batch, java.batch))
    return accurate and all(identical(one, other) == one.numel() for one, other in pairs)


def table_of(python: Answers, java: Answers, labels: torch.Tensor, size: int) -> Table:
    """Return the table that the demo ends with."""
    sides = (python, java)
    table = Table(title=f"{len(labels)} held-out digits, {THREADS} intra-op thread on both sides")
    table.add_column("")
    table.add_column("Python", justify="right")
    table.add_column("Java", justify="right")
    table.add_row("accuracy", *(f"{side.accuracy(labels):.2%}" for side in sides))
    for name, one, other in (("an image a call", python.single, java.single), ("one batch", python.batch, java.batch)):
        table.add_row(f"logits identical to the bit, {name}", "", f"{identical(one, other)} of {one.numel()}")
    table.add_row("sparsity of the weights", *(f"{side.sparsity:.2%}" for side in sides))
    table.add_row("model file", f"{size / 1024:.1f} KiB", "the same file")
    table.add_row("first call", *(f"{side.first / 1000:.2f} ms" for side in sides))
    table.add_row("steady call, median", *(f"{side.steady:.1f} µs" for side in sides))
    return table


def make_model(training: digits.Split, progress: Progress) -> Path:
    """Train, prune and export; return the path of the model."""
    path = OUT / "digits.pt"
    task = progress.add_task("training and pruning", total=digits.EPOCHS + digits.TUNING_EPOCHS)
    digits.save(digits.train(training, lambda: progress.advance(task)), path)
    return path


def ask_both(model: Path, images: torch.Tensor, progress: Progress) -> tuple[Answers, Answers]:
    """Return the answers of Python and of Java."""
    task = progress.add_task("asking Python", total=2)
    python = ask_python(model, images)
    progress.update(task, advance=1, description="asking Java")
    with tempfile.TemporaryDirectory(prefix="torch4j-demo-") as folder:
        java = ask_java(model, images, Path(folder))
    progress.advance(task)
    return python, java


def demo(console: Console) -> bool:
    """Run all; return whether Java and Python are right and equal."""
    OUT.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(THREADS)  # for training too: more only wait for one another on a net this small
    training, held_out = digits.load_splits()
    columns = (SpinnerColumn(), *Progress.get_default_columns())
    with Progress(*columns, console=console, transient=True) as progress:
        model = make_model(training, progress)
        python, java = ask_both(model, held_out.images, progress)
    console.print(f"trained, pruned and exported: {model.relative_to(ROOT)}")
    console.print(table_of(python, java, held_out.labels, model.stat().st_size))
    picture = OUT / "digits.png"
    draw(held_out.images, [digits.CLASSES[int(label)] for label in held_out.labels], java.names, picture)
    console.print(f"picture of Java's answers: {picture.relative_to(ROOT)}")
    return is_good(python, java, held_out.labels)


def main() -> int:
    """Return 0 only when Java and Python are right and equal."""
    console, errors = Console(), Console(stderr=True, style="red", markup=False, highlight=False)
    try:
        good = demo(console)
    except (OSError, RuntimeError, CalledProcessError) as error:  # no JDK, no start, or an exception in Java
        errors.print(f"demo: {error}\n{getattr(error, 'stderr', '')}".rstrip())
        return 1
    if not good:
        errors.print(f"demo: expected all logits identical and both accuracies at least {MIN_ACCURACY:.0%}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
