"""Writes the archive: torch's own members, torch4j's, and the digest over all of them."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import IO, BinaryIO

from torch4j._digest import DIGEST, digest_of

ALIGNMENT = 64  # libtorch wants the elements of tensors at such offsets
_TOP = "model"  # one name whatever the file is called: the same model gives the same bytes
_CHUNK = 1 << 20
_LOCAL_HEADER = 30
_ZIP64_FIELD = 20
_FIELD_HEADER = 4


def write_archive(saved: Path, path: Path, extra: dict[str, bytes]) -> None:
    """Write what torch.jit.save wrote again, with extra files and the digest as the last member.

    PyTorchFileWriter cannot: it appends a member computed from all others behind the digest.

    Args:
        saved: a file of torch.jit.save.
        path: the file to write.
        extra: contents by name.
    """
    with zipfile.ZipFile(saved) as old, path.open("wb") as file, zipfile.ZipFile(file, "w") as new:
        for info in old.infolist():
            name = info.filename.split("/", 1)[1]
            with old.open(info) as source:
                _add(file, new, name, info.file_size, source, info.compress_type)
        for name, content in extra.items():
            _add_bytes(file, new, f"extra/{name}", content)
        _add_bytes(file, new, DIGEST, digest_of(new.infolist()).encode())


def _add_bytes(file: BinaryIO, archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    _add(file, archive, name, len(content), io.BytesIO(content), zipfile.ZIP_STORED)


def _add(
    file: BinaryIO,
    archive: zipfile.ZipFile,
    name: str,
    size: int,
    source: IO[bytes],
    compression: int,
) -> None:
    info = zipfile.ZipInfo(f"{_TOP}/{name}")
    info.file_size = size
    info.compress_type = compression
    info.extra = _padding(file.tell(), info)
    with archive.open(info, "w") as member:
        while chunk := source.read(_CHUNK):
            member.write(chunk)


def _padding(offset: int, info: zipfile.ZipInfo) -> bytes:
    """Return an extra field after which the content is aligned; readers skip fields that they do not know."""
    zip64 = _ZIP64_FIELD if info.file_size * 1.05 > zipfile.ZIP64_LIMIT else 0  # as zipfile decides
    start = offset + _LOCAL_HEADER + len(info.filename.encode()) + zip64 + _FIELD_HEADER
    count = -start % ALIGNMENT
    return b"FB" + count.to_bytes(2, "little") + b"\0" * count
