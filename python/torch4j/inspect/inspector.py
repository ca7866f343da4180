"""The inspection of a file."""

from __future__ import annotations

import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import torch

from torch4j.export.operators import operators_of
from torch4j.export.signature import JSON
from torch4j.inspect import code as code_text
from torch4j.inspect.inspection import Inspection
from torch4j.inspect.kinds import Kind, kind_of
from torch4j.inspect.members import Members
from torch4j.inspect.pickled import StoredTensor, object_of, read_pickle
from torch4j.inspect.tensors import Found, TensorFacts, facts_of, walk

_PICKLED = (Kind.TORCHSCRIPT, Kind.STATE_DICT, Kind.EAGER_PICKLE)
Progress = Callable[[str], None]


def inspect(path: str | Path, *, build: bool = True, progress: Progress | None = None) -> Inspection:
    """Tell what is in a file.

    The archive's directory, pickles and code are read without building the model or running anything of it. Only
    the overloads of operators need the model built; that is left out where the file tells them (torch4j.json),
    where it is damaged, or where operators are missing.

    Args:
        path: any file.
        build: False keeps the model from being built in any case.
        progress: called with what is being done.

    Raises:
        OSError: when the file cannot be read.
    """
    file = Path(path)
    if file.is_dir():
        raise IsADirectoryError(f"{file}: is a folder; expected a file")
    if not file.exists():
        raise FileNotFoundError(f"{file}: no such file")
    say = progress or (lambda _: None)
    say("looking at what the file is")
    found = Inspection(file, kind_of(file), file.stat().st_size)
    if zipfile.is_zipfile(file):
        with Members(file) as members:
            _read(found, members, say)
        if build and found.loadable and not found.exported:
            say("building the model")
            _build(found)
        if found.operators and not (found.built or found.exported):
            found.notes.append("operators are those that the code names, without overloads: the model was not built")
    return found


def _read(found: Inspection, members: Members, say: Progress) -> None:
    found.members = members.sizes()
    say("comparing checksums")
    found.damaged = members.damaged()
    if found.damaged:
        found.notes.append("the file is damaged: what follows is from its undamaged parts")
    if found.kind is Kind.TORCHSCRIPT:
        found.extra_files = members.extra_files()
        say("reading the code")
        _note(found, "the code", lambda: _read_code(found, members))
        _note(found, f"extra/{JSON}", lambda: _read_json(found, members))
    if found.kind in _PICKLED:
        say("reading the tensors")
        _note(found, "data.pkl", lambda: _read_tensors(found, members))


def _note(found: Inspection, what: str, read: Callable[[], None]) -> None:
    """Read a part; what cannot be read is told and does not end the inspection."""
    try:
        read()
    except (ValueError, KeyError, zipfile.BadZipFile, EOFError, OSError) as error:
        found.notes.append(f"{what} cannot be read: {error}")


def _read_code(found: Inspection, members: Members) -> None:
    code = members.code()
    found.operators = code_text.operators_of(code)
    found.missing = [name for name in found.operators if not _has_operator(name)]
    found.code_devices = code_text.devices_of(code)


def _has_operator(name: str) -> bool:
    """Tell whether this torch has an operator; those of the interpreter itself have no schema."""
    return name.startswith("prim::") or bool(torch._C._jit_get_schemas_for_operator(name))


def _read_json(found: Inspection, members: Members) -> None:
    if f"extra/{JSON}" not in members:
        return
    content = json.loads(members.read(f"extra/{JSON}"))
    if not isinstance(content, dict):
        raise ValueError("it holds no object")
    found.exported = content
    found.torch_version = str(content["torch"])
    found.operators = [str(name) for name in content["operators"]]


def _read_tensors(found: Inspection, members: Members) -> None:
    code = members.code() if found.kind is Kind.TORCHSCRIPT else {}
    classes = code_text.classes_of(code)
    root = read_pickle(members.read("data.pkl"))
    top = classes.get(getattr(object_of(root), "kind", ""))
    found.methods = top.methods if top else {}
    folder = "data"
    for value in walk(root):
        if isinstance(value.value, StoredTensor):
            found.tensors.append(facts_of(value, _role(value, found.kind, classes), members, folder))
        elif value.name == "training" and value.value is True:
            found.training.append(value.path.rpartition(".")[0])
    if "constants.pkl" in members:
        found.tensors += _constants(members)


def _role(value: Found, kind: Kind, classes: dict[str, code_text.ClassText]) -> str:
    text = classes.get(value.owner)
    if text and value.name in text.parameters:
        return "parameter"
    if text and value.name in text.buffers:
        return "buffer"
    return value.role or ("attribute" if kind is Kind.TORCHSCRIPT else "tensor")


def _constants(members: Members) -> list[TensorFacts]:
    return [
        facts_of(Found(f"constants.{value.path}", "", "", value.value), "constant", members, "constants")
        for value in walk(read_pickle(members.read("constants.pkl")))
        if isinstance(value.value, StoredTensor)
    ]


def _build(found: Inspection) -> None:
    """Build the model on the CPU, for the overloads of its operators."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found.operators = operators_of(torch.jit.load(found.path, map_location="cpu"))
            found.built = True
        except Exception as error:  # whatever libtorch does not like; the inspection stands without it
            lines = str(error).strip().splitlines() or [type(error).__name__]
            found.notes.append(f"torch.jit.load fails: {lines[0]}")
