"""Compiles the C++ side against the installed torch, once for each of its versions."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import torch

from torch4j.bench.process import run

SOURCE = Path(__file__).parent / "sides" / "bench_side.cpp"


class MissingError(Exception):
    """A side cannot be run here. The message says why and what to do."""


def cache_folder() -> Path:
    """Return where compiled programs are kept: torch4j in XDG_CACHE_HOME, else in ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "torch4j"


def _compiler() -> str:
    wanted = os.environ.get("CXX")
    found = shutil.which(wanted) if wanted else shutil.which("g++") or shutil.which("c++") or shutil.which("clang++")
    if found is None:
        raise MissingError(
            f"CXX={wanted} is not there" if wanted else "no C++ compiler; on Debian: apt-get install g++"
        )
    return found


def _command(compiler: str) -> list[str]:
    home = Path(torch.__file__).parent
    if not (home / "include" / "ATen").is_dir():
        raise MissingError(f"this torch has no C++ headers in {home / 'include'}")
    libraries = [str(home / "lib" / name) for name in ("libtorch_cpu.so", "libc10.so")]
    return [
        compiler,
        "-std=c++20",
        "-O2",
        "-pthread",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        "-isystem",
        str(home / "include"),
        "-isystem",
        str(home / "include" / "torch" / "csrc" / "api" / "include"),
        str(SOURCE),
        *libraries,
        f"-Wl,-rpath,{home / 'lib'}",
        "-Wl,--allow-shlib-undefined",  # what CUDA builds need is found when the program starts
    ]


def program() -> Path:
    """Return the compiled C++ side, from the cache where it is there.

    Raises:
        MissingError: without a compiler or headers, or when it does not compile.
    """
    command = _command(_compiler())
    key = "\0".join([*command, torch.__version__, SOURCE.read_text()])
    path = cache_folder() / f"bench-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    if not path.is_file():
        _compile(command, path)
    return path


def _compile(command: list[str], path: Path) -> None:
    """Compile beside the target and rename: two at a time do no harm, and no half program is ever found."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            made = Path(folder) / path.name
            result = run([*command, "-o", str(made)])
            if result.returncode != 0:
                errors = [line for line in result.stdout.splitlines() if "error" in line] or [result.stdout[-200:]]
                raise MissingError(f"{command[0]} cannot compile it: {errors[0]}")
            made.rename(path)
    except OSError as error:
        raise MissingError(f"{path.parent} cannot be written ({error.strerror}); set XDG_CACHE_HOME") from None
