"""Archives of models, changed on purpose."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from torch4j._digest import digest_of


def rewrite(
    path: Path, change: Callable[[str, bytes], dict[str, bytes]], compression: int = zipfile.ZIP_STORED
) -> None:
    """Write an archive again with each member (name without top folder, content) replaced by what change gives."""
    with zipfile.ZipFile(path) as archive:
        top = archive.namelist()[0].split("/")[0]
        members = [(info.filename.split("/", 1)[1], archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members:
            for new_name, new_content in change(name, content).items():
                archive.writestr(f"{top}/{new_name}", new_content)


def add_digest(path: Path) -> None:
    """Add the member that torch4j's export writes: SHA-256 over name, NUL, size and CRC of each other member."""
    with zipfile.ZipFile(path) as archive:
        top = archive.namelist()[0].split("/")[0]
        digest = digest_of(archive.infolist())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{top}/extra/torch4j.sha256", digest)


def flip_bit(path: Path, position: int, bit: int = 0) -> None:
    """Flip one bit of a file."""
    data = bytearray(path.read_bytes())
    data[position] ^= 1 << bit
    path.write_bytes(data)


def data_offset(path: Path, member: str) -> int:
    """Return where the content of a stored member starts in the file."""
    with zipfile.ZipFile(path) as archive:
        info = next(info for info in archive.infolist() if info.filename.endswith("/" + member))
    header = path.read_bytes()[info.header_offset : info.header_offset + 30]
    return info.header_offset + 30 + int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
