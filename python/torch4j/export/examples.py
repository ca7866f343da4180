"""torch4j.examples.pt: the example calls and what Python answered, as TorchScript values."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import torch

from torch4j.export.calls import Call
from torch4j.export.candidate import Candidate
from torch4j.export.signature import JSON, arguments_of

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


def stored(path: str | Path) -> dict[str, list[tuple[tuple[Any, ...], Any]]]:
    """Return the example calls in a file by method: all arguments in the schema's order, and what Python answered.

    Args:
        path: a TorchScript archive; one without examples gives none.

    Raises:
        ValueError: when the file is no zip archive, or its examples cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive_file:
            names = {name.partition("/")[2]: name for name in archive_file.namelist()}
            if f"extra/{EXAMPLES}" not in names or f"extra/{JSON}" not in names:
                return {}
            counts = json.loads(archive_file.read(names[f"extra/{JSON}"]))["examples"]
            examples = torch.jit.load(io.BytesIO(archive_file.read(names[f"extra/{EXAMPLES}"])))
    except (zipfile.BadZipFile, RuntimeError, KeyError, json.JSONDecodeError) as error:
        raise ValueError(f"{path}: its examples cannot be read: {str(error).splitlines()[0]}") from error
    return {method: [_pair(examples, f"{method}_{index}") for index in range(n)] for method, n in counts.items()}


def _pair(examples: Any, name: str) -> tuple[tuple[Any, ...], Any]:
    return getattr(examples, f"{name}_args"), getattr(examples, f"{name}_result")
