"""What an inspection tells."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from torch4j.inspect.kinds import Kind
from torch4j.inspect.tensors import TensorFacts


@dataclass
class Inspection:
    """What is in a file.

    Attributes:
        path: the file.
        kind: what it is.
        size_bytes: its size.
        methods: for TorchScript: the signature of each method, as TorchScript writes it.
        tensors: parameters, buffers, constants and other tensors.
        operators: what the model calls, with overloads where they are known.
        missing: operators that this runtime does not have.
        code_devices: devices that are constants in the code.
        training: submodules that were saved in train mode; "" is the model itself.
        extra_files: sizes by name.
        members: bytes in the file by member.
        torch_version: of the torch that exported it; None when it was not torch4j that did.
        exported: the content of torch4j.json, or None.
        damaged: members whose content is not what the archive says.
        built: whether the model was built to find out.
        notes: what could not be found out, and why.
    """

    path: Path
    kind: Kind
    size_bytes: int
    methods: dict[str, str] = field(default_factory=dict)
    tensors: list[TensorFacts] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    code_devices: list[str] = field(default_factory=list)
    training: list[str] = field(default_factory=list)
    extra_files: dict[str, int] = field(default_factory=dict)
    members: dict[str, int] = field(default_factory=dict)
    torch_version: str | None = None
    exported: dict[str, Any] | None = None
    damaged: list[str] = field(default_factory=list)
    built: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def loadable(self) -> bool:
        """Whether Java can load it."""
        return self.kind is Kind.TORCHSCRIPT and not self.missing and not self.damaged

    @property
    def trouble(self) -> str | None:
        """Why Java cannot load it and what to do, in one line, or None."""
        if self.kind is not Kind.TORCHSCRIPT:
            return f"{self.path} is {self.kind.text}. What to do: {self.kind.advice}"
        if self.damaged:
            return f"{self.path} is damaged: {', '.join(self.damaged)}. What to do: write or download it again"
        if self.missing:
            return (
                f"{self.path} needs operators that this torch does not have: {', '.join(self.missing)}. "
                "What to do: load the library that has them, in Java with Torch.loadLibrary(path)"
            )
        return None

    def as_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON has."""
        values = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        values.update(
            path=str(self.path),
            kind=self.kind.name.lower(),
            kind_text=self.kind.text,
            advice=self.kind.advice,
            loadable=self.loadable,
            tensors=[dataclasses.asdict(tensor) for tensor in self.tensors],
        )
        return values

    def to_json(self) -> str:
        """Return everything as JSON."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False)

    def __str__(self) -> str:
        """Return tables."""
        from torch4j.inspect.tables import tables

        return tables(self)
