"""What the commands share: one-line errors, progress on standard error, the option --json."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Annotated

import typer
from rich.console import Console

Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def fail(error: object) -> typer.Exit:
    """Print an error in one line, which names what to do, and return the exit to raise."""
    Console(stderr=True, emoji=False).print(f"torch4j: {error}", style="red", markup=False, soft_wrap=True)
    return typer.Exit(1)


@contextlib.contextmanager
def progress(title: str) -> Iterator[Callable[[str], None]]:
    """Show what is being done, where a person sees it: on a terminal, beside the output proper."""
    with Console(stderr=True).status(title) as status:
        yield lambda step: status.update(f"{title}: {step}")
