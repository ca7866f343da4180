"""Exports every model with its options, compares Java with Python, and writes the table of docs/export.md."""

from __future__ import annotations

import gzip
import importlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import typer
from export_common import Calls, by_method, save
from rich.progress import track
from torch4j import java

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "export.md"
BEGIN, END = "<!-- table:begin -->", "<!-- table:end -->"
HEAD = ("model", "options", "method", "identical in Java", "KiB before", "after", "after, gzipped")
CALLS = 3  # the first ones are profiled, the later ones optimized
MEAN_AND_STD = {"mean": (0.485, 0.456, 0.406), "std": (0.229, 0.224, 0.225)}
INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}  # by size of an element


@dataclass(frozen=True)
class Variant:
    """A script's model, the options it is exported with, and their name in the table."""

    script: str
    shown: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    factory: str = "model"  # the function of the script that makes the model


VARIANTS = (
    Variant("classifier"),
    Variant("classifier", "trace", {"method": "trace"}),
    Variant("classifier", "freeze", {"freeze": True}),
    Variant("classifier", "optimize-for-inference", {"optimize_for_inference": True}),
    Variant("classifier", "half", {"dtype": torch.float16}),
    Variant("classifier", "bfloat16", {"dtype": torch.bfloat16}),
    Variant("classifier", "prune l1_unstructured:0.5", {"prune": "l1_unstructured:0.5"}),
    Variant("classifier", "preprocess", {"preprocess": MEAN_AND_STD}),
    Variant("encoder"),
    Variant("encoder", "quantize dynamic-int8", {"quantize": "dynamic-int8"}),
    Variant("encoder", "optimize-for-inference", {"optimize_for_inference": True}),
    Variant("encoder", "bfloat16", {"dtype": torch.bfloat16}),
    Variant("tokenizer"),
    Variant("detector"),
    Variant("detector", "freeze", {"freeze": True}),
    Variant("recurrent"),
    Variant("quantized"),
    Variant("quantized", "quantize dynamic-int8", {"quantize": "dynamic-int8"}, "float_model"),
    Variant("pruned"),
    Variant("pruned", "prune global_unstructured:0.6", {"prune": "global_unstructured:0.6"}, "unpruned"),
    Variant("methods"),
    Variant("features"),
)


def bits(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor's elements as integers of the same bits, of the same shape."""
    return tensor.detach().view(INTEGERS[tensor.element_size()])


def leaves(value: Any) -> Iterator[Any]:
    """Return the tensors and scalars of a value, and the keys of its dicts, in order."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from leaves(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def identical(one: Any, other: Any) -> int:
    """Return how many elements of two tensors have the same bits; 1 or 0 for scalars."""
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return int(type(one) is type(other) and one == other)
    if (one.shape, one.dtype) != (other.shape, other.dtype):
        return 0
    return int((bits(one) == bits(other)).sum())


def cast(value: Any, dtype: torch.dtype | None) -> Any:
    """Return arguments whose floating tensors have the dtype that the model was exported with."""
    if dtype is not None and isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.to(dtype)
    return type(value)(cast(item, dtype) for item in value) if isinstance(value, (list, tuple)) else value


def parity(path: Path, calls: dict[str, Calls]) -> tuple[int, int]:
    """Return how many elements Java gives as Python does, and how many there are, over all calls."""
    same = total = 0
    loaded = torch.jit.load(str(path))
    with java.Module(path) as module, torch.inference_mode():
        for method, arguments in CALLS * [(name, call) for name, given in calls.items() for call in given]:
            expected = list(leaves(getattr(loaded, method)(*arguments)))
            actual = list(leaves(module.run_method(method, *arguments)))
            total += sum(leaf.numel() if isinstance(leaf, torch.Tensor) else 1 for leaf in expected)
            same += sum(identical(*pair) for pair in zip(actual, expected, strict=True))
    return same, total


def measured(variant: Variant, folder: Path) -> tuple[str, ...]:
    """Export a variant; return its row."""
    script = importlib.import_module(f"export_{variant.script}")
    examples, path = script.example_inputs(), folder / "model.pt"
    options = dict(variant.options)
    if "preprocess" in options:
        preprocess: Callable[..., Any] = importlib.import_module("torch4j.export").Preprocess
        options["preprocess"] = preprocess(**options["preprocess"])
    try:
        result = save(getattr(script, variant.factory)(), examples, path, **options)
    except ValueError as refused:  # an ExportError
        return variant.script, variant.shown, "refused", str(refused).splitlines()[0].replace("|", "\\|"), "", "", ""
    calls = {name: cast(given, options.get("dtype")) for name, given in by_method(examples).items()}
    same, total = parity(path, calls)
    after = path.stat().st_size
    before, method = (after, "script") if result is None else (result.bytes_before, result.method)
    sizes = (before or after, after, len(gzip.compress(path.read_bytes(), mtime=0)))
    return variant.script, variant.shown, method, f"{same:,} of {total:,}", *(f"{size / 1024:.0f}" for size in sizes)


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Return the rows of all variants, one after another."""
    for variant in track(VARIANTS, "exporting and comparing", transient=True):
        yield measured(variant, folder)


def table_of(lines: list[tuple[str, ...]]) -> str:
    """Return the lines as a table of Markdown."""
    alignment = ("---",) * 3 + ("---:",) * 4
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (HEAD, alignment, *lines))


def put(table: str, document: Path) -> None:
    """Write a table between the markers of a document, which is made when it is not there."""
    text = document.read_text() if document.exists() else f"# Export\n\n{BEGIN}\n{END}\n"
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{document}: expected the markers {BEGIN} and {END}")
    document.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")


def main(document: Path = DOCUMENT) -> None:
    """Write the table into a document."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory(prefix="torch4j-table-") as folder:
        put(table_of(list(rows(Path(folder)))), document)
    print(f"wrote the table of {document}")


if __name__ == "__main__":
    typer.run(main)
