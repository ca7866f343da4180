"""scripts/export_*.py: each runs as a command, and Java and Python agree on its file to the bit."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from same import assert_same
from torch4j import java

sys.path.insert(0, str(Path(__file__).parent.parent / "scripts"))
import export_common
import export_features
import export_pruned
import export_quantized
import export_table

SCRIPTS = Path(export_common.__file__).parent

NAMES = (
    "classifier",
    "detector",
    "encoder",
    "features",
    "methods",
    "pruned",
    "quantized",
    "recurrent",
    "tokenizer",
)
# Methods that the file has besides: those that others call, and the length of a Sequential.
HELPERS = {"tokenizer": {"pieces"}, "detector": {"boxes", "detect"}, "pruned": {"__len__"}}
CALLS = 3  # the first ones are profiled, the later ones optimized


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the files."""
    return tmp_path_factory.mktemp("models")


def written(name: str, folder: Path) -> Path:
    """Return the file of a script, which runs once."""
    path = folder / f"{name}.pt"
    if not path.exists():
        command = [sys.executable, str(SCRIPTS / f"export_{name}.py"), "--folder", str(folder)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        assert str(path) in run.stdout.replace("\n", "")
    return path


def script(name: str) -> Any:
    """Return a script as a module."""
    return importlib.import_module(f"export_{name}")


def assert_agree(path: Path, calls: dict[str, export_common.Calls], rounds: int = CALLS) -> None:
    """Run all calls in Java and in Python, in the same order on both sides, and compare each answer."""
    loaded = torch.jit.load(str(path))
    with java.Module(path) as module, torch.inference_mode():
        for turn in range(rounds):
            for method, examples in calls.items():
                for index, arguments in enumerate(examples):
                    expected = getattr(loaded, method)(*arguments)
                    place = f"{path.stem}.{method}, example {index}, call {turn + 1}"
                    assert_same(module.run_method(method, *arguments), expected, place)


def test_every_script_is_tested() -> None:
    found = {path.stem.removeprefix("export_") for path in SCRIPTS.glob("export_*.py")}
    assert found - {"common", "table"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_same_in_java_and_python(name: str, folder: Path, jvm: None) -> None:
    calls = export_common.by_method(script(name).example_inputs())
    assert all(calls.values())
    assert_agree(written(name, folder), calls)


@pytest.mark.parametrize("name", NAMES)
def test_the_file_answers_as_the_eager_model(name: str, folder: Path) -> None:
    """Call once: what is compared is that the script wrote its model, and wrote it whole."""
    loaded, eager = torch.jit.load(str(written(name, folder))), script(name).model()
    with torch.inference_mode():
        for method, examples in export_common.by_method(script(name).example_inputs()).items():
            for index, arguments in enumerate(examples):
                expected = getattr(eager, method)(*arguments)
                assert_same(getattr(loaded, method)(*arguments), expected, f"{name}.{method}, example {index}")


@pytest.mark.parametrize("name", NAMES)
def test_every_method_of_the_file_has_an_example(name: str, folder: Path, jvm: None) -> None:
    calls = export_common.by_method(script(name).example_inputs())
    with java.Module(written(name, folder)) as module:
        assert set(module.methods()) - HELPERS.get(name, set()) == set(calls)


def test_chained_schedulers_give_the_rates_of_the_release_notes_of_pytorch_1_4() -> None:
    """ExponentialLR(gamma=0.9) and StepLR(step_size=3, gamma=0.1) on SGD of rate 0.1."""
    rates = export_pruned.fit(export_pruned.unpruned(), epochs=4)
    assert rates == pytest.approx([0.1, 0.09, 0.081, 0.00729], rel=1e-12)


def test_the_pruned_model_is_sparse_and_right(folder: Path) -> None:
    loaded = torch.jit.load(str(written("pruned", folder)))
    weights = [value for name, value in loaded.named_parameters() if name.endswith("weight")]
    assert len(weights) == 3
    zeros, all_elements = sum(int((w == 0).sum()) for w in weights), sum(w.numel() for w in weights)
    assert zeros == round(export_pruned.SHARE * all_elements)
    assert not list(loaded.named_buffers())  # no masks: the pruning is permanent
    points, labels = export_pruned.data()
    assert (loaded(points).argmax(1) == labels).float().mean() > 0.95


def test_the_quantized_model_is_small_and_near(folder: Path, tmp_path: Path) -> None:
    path, original = written("quantized", folder), export_quantized.float_model()
    whole = tmp_path / "float.pt"
    torch.jit.script(original).save(str(whole))
    assert path.stat().st_size < 0.6 * whole.stat().st_size
    loaded = torch.jit.load(str(path))
    for (tokens,) in export_quantized.example_inputs():
        # int8 has 256 steps, so that a logit is right to two digits, not to the bit.
        torch.testing.assert_close(loaded(tokens), original(tokens), atol=0.05, rtol=0)


def test_features_are_what_pytorch_1_4_promised(folder: Path, jvm: None) -> None:
    path = written("features", folder)
    x = torch.ones(2, 4)
    with java.Module(path) as module:
        assert list(module.run_method("order", ["z", "a", "z", "b"]).items()) == [("z", 0), ("a", 1), ("b", 3)]
        assert list(module.run_method("ordered", ["zz", "a"], x)) == ["zz", "a"]
        assert list(module.run_method("container", x)) == ["second", "first", "sum"]
        assert torch.equal(module.run_method("callable", x), 3 * x)
        assert torch.equal(module.run_method("optional", x), 1.5 * x - 1)
        assert module.run_method("memory", torch.rand(1, 2, 3, 4))[1] is True
        assert module.run_method("layout", 2)[1] is True
    assert set(export_features.example_inputs()) >= {"order", "ordered", "comprehension", "container", "layout"}


def test_calls_of_submodules_are_kept(folder: Path) -> None:
    code = torch.jit.load(str(written("features", folder))).code
    assert "(_0).forward(" in code
    assert "(sum).forward(" in code


def test_the_detector_finds_several_some_and_none(folder: Path) -> None:
    loaded = torch.jit.load(str(written("detector", folder)))
    counts = [[len(found["boxes"]) for found in loaded(*call)] for call in script("detector").example_inputs()]
    assert counts[0][0] > counts[0][1] > 0
    assert 0 < counts[1][0] < counts[0][0]
    assert counts[2:] == [[0], []]


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        (torch.tensor([1.0, float("nan")]), torch.tensor([1.0, float("nan")]), 2),
        (torch.tensor([0.0, 2.0]), torch.tensor([-0.0, 2.0]), 1),
        (torch.ones(2), torch.ones(2, dtype=torch.float64), 0),
        (torch.ones(2, 1), torch.ones(2), 0),
        (torch.ones(2).bfloat16(), torch.ones(2).bfloat16(), 2),
        ("a", "a", 1),
        (1, 1.0, 0),
    ],
)
def test_the_table_counts_identical_elements(one: Any, other: Any, count: int) -> None:
    assert export_table.identical(one, other) == count


def test_the_table_goes_between_its_markers(tmp_path: Path) -> None:
    document = tmp_path / "export.md"
    for table in ("| old |", "| new |"):
        export_table.put(table, document)
    assert document.read_text() == f"# Export\n\n{export_table.BEGIN}\n| new |\n{export_table.END}\n"
    document.write_text("no markers")
    with pytest.raises(SystemExit, match="expected the markers"):
        export_table.put("| new |", document)
    assert document.read_text() == "no markers"


@pytest.mark.slow
def test_the_table_tells_equal_models(tmp_path: Path) -> None:
    document = tmp_path / "export.md"
    command = [sys.executable, str(SCRIPTS / "export_table.py"), "--document", str(document)]
    subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    lines = [line.strip("| ").split(" | ") for line in document.read_text().splitlines() if line.startswith("|")]
    rows = {(cells[0], cells[1].strip()): cells[2:] for cells in lines[2:]}
    assert len(rows) == len(export_table.VARIANTS)
    # TorchScript writes mkldnn weights of convolutions that it cannot read.
    assert {name for name, cells in rows.items() if cells[0] == "refused"} == {("classifier", "optimize-for-inference")}
    for name, (method, parity, *_) in rows.items():
        same, of, total = parity.partition(" of ")
        assert method == "refused" or (same == total and of), (name, parity)
