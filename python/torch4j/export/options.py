"""What an export is asked to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from torch4j.export.preprocess import Preprocess
from torch4j.export.prune import Pruning
from torch4j.export.result import ExportError

METHODS = ("auto", "script", "trace")
DTYPES = (None, torch.float16, torch.bfloat16)
QUANTIZE = (None, "dynamic-int8")
RESERVED = "torch4j."

Content = bytes | str | Path
Dims = Mapping[str, Sequence["int | tuple[int, int | None]"]]


@dataclass(frozen=True)
class Options:
    """Checked options; see `torch4j.export.export` for their meaning."""

    method: str = "auto"
    freeze: bool = False
    optimize_for_inference: bool = False
    quantize: str | None = None
    dtype: torch.dtype | None = None
    prune: str | None = None
    preprocess: Preprocess | None = None
    extra_files: Mapping[str, Content] = field(default_factory=dict)
    dims: Dims = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check what does not need the model."""
        _one_of("method", self.method, METHODS)
        _one_of("quantize", self.quantize, QUANTIZE)
        _one_of("dtype", self.dtype, DTYPES)
        if self.quantize and self.dtype:
            raise ExportError("quantize: dynamic-int8 works on float32 models; leave dtype out")
        for name in self.extra_files:
            if name.startswith(RESERVED) or not name or "\0" in name:
                raise ExportError(f"extra_files: got the name {name!r}; {RESERVED}* is torch4j's own, the rest is free")
        if self.prune:
            Pruning.parse(self.prune)

    @property
    def frozen(self) -> bool:
        """Whether the compiled model is frozen; optimize_for_inference works on frozen models only."""
        return self.freeze or self.optimize_for_inference

    @property
    def changes_weights(self) -> bool:
        """Whether parameters are changed, so that the model has to be copied."""
        return bool(self.quantize or self.dtype or self.prune)

    def as_dict(self) -> dict[str, Any]:
        """Return the options that are set, for JSON."""
        values = {
            "freeze": self.freeze,
            "optimize_for_inference": self.optimize_for_inference,
            "quantize": self.quantize,
            "dtype": str(self.dtype).removeprefix("torch.") if self.dtype else None,
            "prune": self.prune,
            "preprocess": self.preprocess.as_dict() if self.preprocess else None,
            "extra_files": sorted(self.extra_files),
        }
        return {name: value for name, value in values.items() if value}

    def extra_contents(self) -> dict[str, bytes]:
        """Return the extra files' contents; a Path is read.

        Raises:
            ExportError: when a file cannot be read.
        """
        return {name: _content(name, given) for name, given in self.extra_files.items()}


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if value not in allowed:
        raise ExportError(f"{name}: got {value!r}; expected one of {', '.join(map(str, allowed))}")


def _content(name: str, given: Content) -> bytes:
    if isinstance(given, Path):
        try:
            return given.read_bytes()
        except OSError as error:
            raise ExportError(f"extra_files: {name!r}: cannot read {given}: {error.strerror}") from None
    if isinstance(given, str):
        return given.encode()
    if isinstance(given, (bytes, bytearray)):
        return bytes(given)
    raise ExportError(f"extra_files: {name!r}: got {type(given).__name__}; expected bytes, str or Path")
