"""The model file as Python sees it, before anything is run."""

from __future__ import annotations

import json
import warnings
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from torch4j.export.signature import JSON
from torch4j.verify.errors import VerifyError
from torch4j.verify.running import line


@dataclass(frozen=True)
class Model:
    """A loaded file.

    Attributes:
        path: absolute.
        module: the loaded model.
        told: the content of torch4j.json; empty without one.
    """

    path: Path
    module: Any
    told: dict[str, Any] = field(default_factory=dict)

    @property
    def methods(self) -> list[str]:
        """Names of the methods."""
        return list(self.module._c._method_names())

    def schema(self, method: str) -> Any:
        """Return the schema of a method.

        Raises:
            VerifyError: when there is no such method, naming those that there are.
        """
        if method not in self.methods:
            raise VerifyError(f"method: got {method!r}; {self.path.name} has {', '.join(self.methods) or 'none'}")
        return self.module._c._get_method(method).schema

    def names(self, method: str) -> list[str]:
        """Return the names of a method's arguments."""
        return [argument.name for argument in self.schema(method).arguments[1:]]


def load(path: str | Path, name: str = "path") -> Model:
    """Load a file.

    Raises:
        VerifyError: when it is no TorchScript model that runs here, with what it is.
    """
    file = Path(path).absolute()
    if not file.is_file():
        raise VerifyError(f"{name}: got {path}; expected a file of a TorchScript model")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return Model(file, torch.jit.load(str(file)), _told(file))
    except Exception as error:  # libtorch raises anything
        from torch4j.inspect import inspect

        raise VerifyError(f"{name}: {inspect(file, build=False).trouble or f'{path}: {line(error)}'}") from error


def _told(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        name = next((name for name in archive.namelist() if name.partition("/")[2] == f"extra/{JSON}"), None)
        found: dict[str, Any] = json.loads(archive.read(name)) if name else {}
    return found
