"""What an export tells."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


class ExportError(ValueError):
    """The export was refused: nothing was written. The first line of the message is the whole reason."""


@dataclass
class ExportResult:
    """A written file and how it came about.

    Attributes:
        path: the file.
        method: "script" or "trace".
        reason: why that method.
        findings: what was noticed and should be read, one sentence each.
        options: the options that changed the model or the file.
        size_bytes: size of the file.
        bytes_before: size of the same model by the same method without options, extra files alike; size_bytes where
            there are none or it cannot be exported so (a trace of raw bytes without their normalisation).
        operators: operators that the runtime has to have, such as "aten::add.Tensor".
    """

    path: Path
    method: str
    reason: str
    findings: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    size_bytes: int = 0
    bytes_before: int = 0
    operators: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON has."""
        return {**self.__dict__, "path": str(self.path)}

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False)

    def __str__(self) -> str:
        """Return a table."""
        table = Table(title="torch4j export", show_header=False)
        table.add_column()
        table.add_column(overflow="fold")
        table.add_row("file", str(self.path))
        table.add_row("method", f"{self.method}: {self.reason}")
        for name, value in self.options.items():
            table.add_row(name, str(value))
        before = f" ({self.bytes_before:,} without options)" if self.options else ""
        table.add_row("bytes", f"{self.size_bytes:,}{before}")
        table.add_row("operators", str(len(self.operators)))
        for finding in self.findings:
            table.add_row("note", finding)
        console = Console(width=100, markup=False, emoji=False)
        with console.capture() as capture:
            console.print(table)
        return capture.get().rstrip()
