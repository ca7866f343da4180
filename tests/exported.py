"""What tests ask of exported files and of refused exports."""

from __future__ import annotations

import json
import zipfile

import pytest
import torch4j
from torch4j.export import ExportError


def forward_of(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("model/extra/torch4j.json"))["methods"]["forward"]


def dims_of(path):
    return {argument["name"]: argument["dims"] for argument in forward_of(path)["arguments"]}


def refusal(*args, **kwargs):
    """Return the one line with which an export is refused; nothing may have been written."""
    with pytest.raises(ExportError) as error:
        torch4j.export(*args, **kwargs)
    assert not args[2].exists()
    assert "\n" not in str(error.value)
    return str(error.value)
