"""torch4j.examples.pt: the example calls and what Python answered, as TorchScript values."""

from __future__ import annotations

from typing import Any

import torch

from torch4j.export.calls import Call
from torch4j.export.candidate import Candidate
from torch4j.export.signature import arguments_of

EXAMPLES = "torch4j.examples.pt"


def archive(candidate: Candidate, results: dict[str, list[Any]]) -> bytes:
    """Return a TorchScript archive with the attributes ``forward_0_args`` and ``forward_0_result`` and so on.

    Their types are those of the method's schema, so that whatever a method takes and returns can be held.

    Raises:
        RuntimeError: when TorchScript cannot hold or save a value.
    """
    make: Any = torch._C.ScriptModule  # torch describes less of it than there is
    module = make("__torch__.Examples", torch._C.CompilationUnit(), True)
    for method, calls in candidate.calls.items():
        schema = candidate.schema(method)
        for index, (call, result) in enumerate(zip(calls, results[method], strict=True)):
            _register(module, f"{method}_{index}", schema, call, result)
    content: bytes = module.save_to_buffer()
    return content


def _register(module: Any, name: str, schema: Any, call: Call, result: Any) -> None:
    types = [argument.type for argument in schema.arguments[1:]]
    module._register_attribute(f"{name}_args", torch._C.TupleType(types), arguments_of(schema, call))
    module._register_attribute(f"{name}_result", schema.returns[0].type, result)
