"""The digest of an archive, which Java compares when it loads (ArchiveIntegrity.java)."""

from __future__ import annotations

import hashlib
import struct
import zipfile
from collections.abc import Iterable

DIGEST = "extra/torch4j.sha256"


def digest_of(members: Iterable[zipfile.ZipInfo]) -> str:
    """Return the hexadecimal SHA-256 over name, NUL, size and CRC-32 of each member but the digest itself.

    Names without the top folder, in the directory's order; 8 and 4 bytes, little-endian. The CRCs stand for the
    contents, with which they are compared anyway: hashing those would take longer than loading them.
    """
    digest = hashlib.sha256()
    for info in members:
        name = info.filename.split("/", 1)[-1]
        if name != DIGEST:
            digest.update(name.encode() + b"\0" + struct.pack("<QI", info.file_size, info.CRC))
    return digest.hexdigest()
