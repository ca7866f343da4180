"""The build backend: scikit-build-core, plus torch as a build requirement where none is installed.

pip builds in an environment of its own. When the real one has a torch, CMake finds that one by path
(find_torch.py) and nothing is fetched; only when it has none, the build environment gets one.
"""

from __future__ import annotations

from typing import Any

import find_torch
from scikit_build_core import build as _backend
from scikit_build_core.build import (  # noqa: F401  (the hooks that pip calls)
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

TORCH = "torch==2.13.0"


def _with_torch(requirements: list[str]) -> list[str]:
    return requirements if find_torch.find() else [*requirements, TORCH]


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What pip must install before build_wheel."""
    return _with_torch(_backend.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What pip must install before build_editable."""
    return _with_torch(_backend.get_requires_for_build_editable(config_settings))
