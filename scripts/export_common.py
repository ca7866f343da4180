"""What the export scripts share: where the models go, and how one is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
import torch4j

FOLDER = Path(__file__).resolve().parent.parent / "build" / "models"
Calls = list[tuple[Any, ...]]  # the arguments of some calls, one tuple a call


def by_method(example_inputs: Calls | Mapping[str, Calls]) -> dict[str, Calls]:
    """Return example calls by the method that they are for; a plain list is for forward."""
    return dict(example_inputs) if isinstance(example_inputs, Mapping) else {"forward": example_inputs}


def save(
    model: torch.nn.Module, example_inputs: Calls | Mapping[str, Calls], path: Path, **options: Any
) -> torch4j.ExportResult:
    """Write a model through torch4j.export.

    Args:
        model: the model.
        example_inputs: calls of forward, or calls by the name of the method.
        path: the file; its folder is made.
        options: options of torch4j.export.

    Raises:
        torch4j.ExportError: when a check does not hold.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return torch4j.export(model, example_inputs, path, **options)


def write(name: str, model: torch.nn.Module, example_inputs: Calls | Mapping[str, Calls], folder: Path) -> None:
    """Write a model into a folder, and say so."""
    path = folder / f"{name}.pt"
    result = save(model, example_inputs, path)
    print(f"wrote {path}", result, sep="\n")
