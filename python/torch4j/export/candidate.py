"""A compiled model beside the eager one that it has to equal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch

from torch4j.export.calls import Calls


@dataclass
class Candidate:
    """A compiled model and what to compare it with.

    Attributes:
        method: "script" or "trace".
        module: the compiled model.
        reference: an eager module of the same arguments and results.
        calls: calls that both take.
        reason: why this method.
        names: for methods whose result was a dict: the names of the values of the tuple, in order.
        findings: what was noticed.
    """

    method: str
    module: torch.jit.ScriptModule
    reference: torch.nn.Module
    calls: Calls
    reason: str = ""
    names: dict[str, list[str]] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)

    def schema(self, method: str) -> Any:
        """Return the schema of a method."""
        return self.module._c._get_method(method).schema

    def argument_names(self, method: str) -> list[str]:
        """Return the names of a method's arguments, without self."""
        return [argument.name for argument in self.schema(method).arguments[1:]]
