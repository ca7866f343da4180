"""The commands torch4j export and torch4j inspect."""

from __future__ import annotations

import json
import sys

import pytest
import torch
import torch4j
from same import assert_same
from test_cli import cli
from torch4j import java

FACTORIES = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(3, 4, 1)
    def forward(self, x):
        return self.layer(x)
    def example_inputs(self):
        return torch.ones(1, 3, 2, 2)

class Random(Model):
    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.5, True)

def pair():
    return Model(), (torch.ones(1, 3, 2, 2),)

def triple():
    return Model(), (), {"x": torch.ones(1, 3, 2, 2)}

def seven():
    return 7

def fails():
    raise ValueError("first\\nsecond")
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    (tmp_path / "factories.py").write_text(FACTORIES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("factory", ["factories:pair", "factories:triple", "factories:Model", "factories.py:pair"])
def test_export_writes_what_java_runs(jvm, here, factory):
    result = cli("export", factory, "--out", "model.pt")
    assert (result.returncode, result.stderr) == (0, "")
    assert "torch.jit.script compiles the model" in result.stdout
    with java.Module(here / "model.pt") as module:
        assert_same(module(torch.ones(1, 3, 2, 2)), torch.jit.load(here / "model.pt")(torch.ones(1, 3, 2, 2)).detach())


def test_export_takes_all_options_and_prints_json(here):
    (here / "labels.txt").write_text("cat")
    options = ["--method", "trace", "--half", "--freeze", "--prune", "l1_unstructured:0.5", "--json"]
    more = ["--extra", "labels.txt=labels.txt", "--preprocess", "mean=0.5 scale=1/255", "--dims", "x=1:4,3,2:,2:8"]
    result = cli("export", "factories:pair", "--out", "model.pt", *options, *more)
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["method"] == "trace"
    assert told["options"] == {
        "freeze": True,
        "dtype": "float16",
        "prune": "l1_unstructured:0.5",
        "preprocess": {"mean": 0.5, "std": 1.0, "scale": 1 / 255},
        "extra_files": ["labels.txt"],
    }
    (argument,) = torch4j.inspect("model.pt").exported["methods"]["forward"]["arguments"]
    assert argument["dims"] == [[1, 4], [3, 3], [2, None], [2, 8]]


@pytest.mark.parametrize(
    ("factory", "message"),
    [
        ("factories:Random", "forward is random in eval mode"),
        ("factories:seven", "factories:seven: gave int; expected (model, example_inputs), or a model"),
        ("factories:fails", "factories:fails: fails: ValueError: first"),
        ("factories:nope", "factories:nope: factories has no nope"),
        ("nowhere:pair", "nowhere: cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        ("nowhere.py:pair", "nowhere.py: cannot be imported: FileNotFoundError: no such file: nowhere.py"),
        ("factories", "factories: expected package.module:factory or file.py:factory"),
        ("factories:torch", "factories:torch: is a module; expected a function"),
    ],
)
def test_export_refuses_in_one_line(here, factory, message):
    result = cli("export", factory, "--out", "model.pt")
    assert result.returncode == 1
    assert result.stderr.startswith(f"torch4j: {message}")
    assert result.stderr.count("\n") == 1
    assert not (here / "model.pt").exists()


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--out", "m.pt", "--half", "--bfloat16"],
        ["--out", "m.pt", "--extra", "x"],
        ["--out", "m.pt", "--dims", "x"],
    ],
)
def test_wrong_usage_is_2(options):
    assert cli("export", "factories:pair", *options).returncode == 2


def test_inspect_shows_tables_and_json(here):
    cli("export", "factories:pair", "--out", "model.pt")
    shown = cli("inspect", "model.pt")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "forward(x: Tensor) -> Tensor" in shown.stdout
    told = json.loads(cli("inspect", "model.pt", "--json").stdout)
    assert told["loadable"]
    assert [tensor["name"] for tensor in told["tensors"]] == ["layer.weight", "layer.bias"]


def test_inspect_says_what_to_do(here):
    (here / "page.pt").write_text("<html>")
    result = cli("inspect", "page.pt", "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["kind"] == "html"
    assert result.stderr == (
        "torch4j: page.pt is an HTML page. What to do: the download went wrong: fetch the file itself, not its page\n"
    )


def test_inspect_of_nothing():
    result = cli("inspect", "nothing.pt")
    assert (result.returncode, result.stderr) == (1, "torch4j: nothing.pt: no such file\n")


def test_importing_torch4j_does_not_import_torch():
    import subprocess

    code = "import torch4j, sys; assert 'torch' not in sys.modules; torch4j.export; assert 'torch' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_packages_are_callable():
    assert torch4j.export.export.__name__ == "export"
    assert callable(torch4j.export)
    assert callable(torch4j.inspect)
    assert torch4j.ExportError is torch4j.export.ExportError
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        _ = torch4j.nope
