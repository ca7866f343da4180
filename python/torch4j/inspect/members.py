"""The members of an archive, each read with its CRC compared."""

from __future__ import annotations

import zipfile
from pathlib import Path
from types import TracebackType

from torch4j._digest import DIGEST, digest_of

_CHUNK = 1 << 20


class Members:
    """An open archive, its names without the top folder."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)
        self._infos = {info.filename.partition("/")[2]: info for info in self._archive.infolist()}

    def __enter__(self) -> Members:
        """Return itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close."""
        self._archive.close()

    def sizes(self) -> dict[str, int]:
        """Return the bytes that each member takes in the file."""
        return {name: info.compress_size for name, info in self._infos.items()}

    def __contains__(self, name: str) -> bool:
        """Tell whether there is such a member."""
        return name in self._infos

    def read(self, name: str) -> bytes:
        """Return a member.

        Raises:
            KeyError: without such a member.
            zipfile.BadZipFile: when it is damaged.
        """
        return self._archive.read(self._infos[name])

    def code(self) -> dict[str, str]:
        """Return the code of a TorchScript archive by member name."""
        names = [name for name in self._infos if name.startswith("code/") and name.endswith(".py")]
        return {name: self.read(name).decode(errors="replace") for name in names}

    def extra_files(self) -> dict[str, int]:
        """Return the sizes of the extra files by name."""
        return {
            name.removeprefix("extra/"): info.file_size
            for name, info in self._infos.items()
            if name.startswith("extra/")
        }

    def damaged(self) -> list[str]:
        """Return the names of members whose content is not what the directory or torch4j's digest says."""
        found = []
        for name, info in self._infos.items():
            try:
                with self._archive.open(info) as member:
                    while member.read(_CHUNK):
                        pass
            except (zipfile.BadZipFile, EOFError, ValueError, OSError, NotImplementedError):
                found.append(name)
        expected = self.read(DIGEST).decode(errors="replace").strip() if DIGEST in self and not found else None
        if expected is not None and expected != digest_of(self._archive.infolist()):
            found.append(DIGEST)
        return found
