"""What a file is, by its content: the same kinds, and the same answers, as org.pytorch.ModelFile."""

from __future__ import annotations

import re
import zipfile
from enum import Enum
from pathlib import Path

HEAD = 512
_ZIP = b"PK\x03\x04"
_GLOBAL = re.compile(rb"c([\w.]+)\n([\w.]+)\n")
_OF_TENSORS = re.compile(rb"torch\._utils|torch|torch\.storage|collections|numpy.*|_codecs|torch\.serialization")
_EXPORTED = re.compile(r"(.*/)?(archive_format|serialized_exported_program\.json|models/.*\.json)")
_HTML = (b"<!doctype", b"<html", b"<?xml")


class Kind(Enum):
    """Kinds of files that people take for models: name, what it is, what to do to run it in Java."""

    TORCHSCRIPT = ("a TorchScript archive", "")
    LITE = ("a lite-interpreter file without TorchScript code", "save it with torch.jit.save(scripted, path)")
    EXPORTED_PROGRAM = ("an exported program (torch.export.save)", "export the original model with torch4j.export")
    AOTINDUCTOR = ("an AOTInductor package", "export the original model with torch4j.export")
    STATE_DICT = (
        "a state dict: parameters without code",
        "build the model in Python, load_state_dict, then torch4j.export(model, inputs, path)",
    )
    EAGER_PICKLE = (
        "a pickled Python model (torch.save)",
        "torch.load it where its classes are, then torch4j.export(model, inputs, path)",
    )
    ONNX = ("an ONNX model", "run it with ONNX Runtime, or export the original model with torch4j.export")
    SAFETENSORS = (
        "a safetensors file: parameters without code",
        "build the model in Python, load them, then torch4j.export(model, inputs, path)",
    )
    HTML = ("an HTML page", "the download went wrong: fetch the file itself, not its page")
    LFS_POINTER = ("a Git LFS pointer, not the file", "run git lfs pull")
    EMPTY = ("empty", "write or download it again")
    TRUNCATED = ("the beginning of an archive: truncated or damaged", "write or download it again")
    ZIP = ("a zip archive, but no model of torch", "make a model file with torch4j.export")
    UNKNOWN = ("no model of torch", "make a model file with torch4j.export")

    @property
    def text(self) -> str:
        """What it is, for a sentence: "it is ..."."""
        return self.value[0]

    @property
    def advice(self) -> str:
        """What to do to run it in Java; empty for TorchScript."""
        return self.value[1]


def kind_of(path: Path) -> Kind:
    """Return what a file is.

    Raises:
        OSError: when it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not head.startswith(_ZIP):
        return _kind_of_head(head, path.stat().st_size)
    try:
        with zipfile.ZipFile(path) as archive:
            return _kind_of_archive(archive)
    except zipfile.BadZipFile:
        return Kind.TRUNCATED


def _kind_of_head(head: bytes, size: int) -> Kind:
    if size == 0:
        return Kind.EMPTY
    if head.lstrip().lower().startswith(_HTML):
        return Kind.HTML
    if head.startswith(b"version https://git-lfs"):
        return Kind.LFS_POINTER
    if head.startswith(b"\x80"):
        return Kind.EAGER_PICKLE if b"ctorch.nn" in head or b"c__main__" in head else Kind.STATE_DICT
    if head[8:9] == b"{" and 0 < int.from_bytes(head[:8], "little") < size:
        return Kind.SAFETENSORS
    # ONNX is a protobuf: field 1 is the small number ir_version, field 2 the producer.
    onnx = len(head) > 4 and head[0] == 8 and head[1] < 32 and head[2] == 0x12
    return Kind.ONNX if onnx else Kind.UNKNOWN


def _kind_of_archive(archive: zipfile.ZipFile) -> Kind:
    names = [name.partition("/")[2] for name in archive.namelist()]
    own = [name for name in names if not name.startswith("extra/")]  # those have whatever name the user gave
    code = any(name.startswith("code/") for name in names)
    if any("data/aotinductor/" in name for name in own):
        return Kind.AOTINDUCTOR
    if any(_EXPORTED.fullmatch(name) for name in own):
        return Kind.EXPORTED_PROGRAM
    if "data.pkl" in names and code:
        return Kind.TORCHSCRIPT
    if "bytecode.pkl" in names:
        return Kind.LITE
    if "data.pkl" not in names:
        return Kind.TORCHSCRIPT if code or "constants.pkl" in names else Kind.ZIP
    return _kind_of_pickle(archive.read(archive.namelist()[names.index("data.pkl")]))


def _kind_of_pickle(pickle: bytes) -> Kind:
    modules = (match[1] for match in _GLOBAL.finditer(pickle))
    own = any(not _OF_TENSORS.fullmatch(module) for module in modules)
    return Kind.EAGER_PICKLE if own else Kind.STATE_DICT
