"""make demo: its parts, and the whole chain."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import demo
import digits
import digits_answers
import digits_picture
import numpy
import pytest
import torch

PICTURE = demo.OUT / "digits.png"


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    """Use the number of threads that Java is told, and leave the other tests theirs."""
    before = torch.get_num_threads()
    torch.set_num_threads(digits_answers.THREADS)
    yield
    torch.set_num_threads(before)


def run_demo() -> subprocess.CompletedProcess[str]:
    """Run the script as make demo does, wide enough that no line of the table is broken."""
    command = [sys.executable, str(demo.ROOT / "scripts" / "demo.py")]
    environment = {**os.environ, "COLUMNS": "120"}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)


def figures(text: str) -> dict[str, list[str]]:
    """Return the cells of the table by the name of their row."""
    rows = [re.split(r"\s*│\s*", line.strip("│ ")) for line in text.splitlines() if line.startswith("│")]
    return {name: cells for name, *cells in rows}


@pytest.fixture(scope="module")
def whole() -> subprocess.CompletedProcess[str]:
    """Run the whole demo once, and see that the picture is of this run."""
    PICTURE.unlink(missing_ok=True)
    return run_demo()


@pytest.fixture
def untrained(tmp_path: Path) -> Path:
    """Save a net of random weights: the parts need no good one."""
    torch.manual_seed(1)
    path = tmp_path / "untrained.pt"
    digits.save(digits.DigitNet().eval(), path)
    return path


def test_demo_is_identical_to_the_bit_and_accurate(whole):
    assert whole.returncode == 0, whole.stdout + whole.stderr
    table = figures(whole.stdout)
    assert table["logits identical to the bit, an image a call"][-1] == "4500 of 4500"
    assert table["logits identical to the bit, one batch"][-1] == "4500 of 4500"
    assert all(float(cell.rstrip("%")) >= 95 for cell in table["accuracy"])
    assert table["sparsity of the weights"] == ["70.00%", "70.00%"]
    for name, unit in (("first call", " ms"), ("steady call, median", " µs")):
        assert all(float(cell.removesuffix(unit)) > 0 for cell in table[name])


def test_demo_says_where_the_picture_is(whole):
    assert str(PICTURE.relative_to(demo.ROOT)) in whole.stdout
    assert PICTURE.read_bytes().startswith(b"\x89PNG")


def test_split_is_fixed_and_disjoint():
    training, held_out = digits.load_splits()
    again = digits.load_splits()[1]
    assert len(training.labels) + len(held_out.labels) == 1797
    assert torch.equal(held_out.images, again.images)
    assert held_out.labels.bincount().min() > 40


def test_two_schedulers_are_chained(monkeypatch):
    rates = []
    decay = torch.optim.lr_scheduler.StepLR.step
    monkeypatch.setattr(
        torch.optim.lr_scheduler.StepLR,
        "step",
        lambda self: (decay(self), rates.append(self.optimizer.param_groups[0]["lr"])),
    )
    data = digits.Split(torch.zeros(1, 1, 8, 8), torch.zeros(1, dtype=torch.int64))
    digits.fit(digits.DigitNet(), data, 9, 1.0, lambda: None)
    expected = [0.95**epoch * 0.5 ** (epoch // 8) for epoch in range(1, 10)]
    assert rates[-9:] == pytest.approx(expected)


def test_training_repeats_and_prunes_for_good(monkeypatch):
    monkeypatch.setattr(digits, "EPOCHS", 1)
    monkeypatch.setattr(digits, "TUNING_EPOCHS", 1)
    training = digits.load_splits()[0]
    one, other = digits.train(training), digits.train(training)
    assert not one.training
    assert digits_answers.sparsity(one) == pytest.approx(0.7, abs=1e-4)
    assert not [name for name in one.state_dict() if "mask" in name or "orig" in name]
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_image_file_is_as_documented(tmp_path):
    images = torch.arange(2 * 3 * 4, dtype=torch.float32).reshape(2, 1, 3, 4)
    digits.write_images(images, tmp_path / "images.bin")
    data = (tmp_path / "images.bin").read_bytes()
    assert numpy.frombuffer(data, "<i4", 3).tolist() == [2, 3, 4]
    assert numpy.frombuffer(data, "<f4", offset=12).tolist() == list(range(24))


def test_example_alone_answers_as_python(untrained, tmp_path):
    images = torch.rand(7, 1, 8, 8)
    python = digits_answers.ask_python(untrained, images)
    java = digits_answers.ask_java(untrained, images, tmp_path)
    labels = torch.tensor([digits.CLASSES.index(name) for name in python.names])
    assert java.names == python.names
    assert demo.is_good(python, java, labels)


def test_one_other_bit_or_a_low_accuracy_is_not_good(untrained):
    images = torch.rand(20, 1, 8, 8)
    python = digits_answers.ask_python(untrained, images)
    labels = torch.tensor([digits.CLASSES.index(name) for name in python.names])
    for field in ("single", "batch"):
        logits = getattr(python, field).clone()
        logits.view(torch.int32)[3, 4] ^= 1
        assert not demo.is_good(python, replace(python, **{field: logits}), labels)
    wrong = (labels + (torch.arange(20) < 2)) % 10
    assert demo.is_good(python, python, labels)
    assert not demo.is_good(python, python, wrong)


def test_exit_status_follows_the_comparison(monkeypatch):
    monkeypatch.setattr(demo, "demo", lambda console: False)
    assert demo.main() == 1
    monkeypatch.setattr(demo, "demo", lambda console: True)
    assert demo.main() == 0


def test_exception_in_java_is_shown(tmp_path):
    with pytest.raises(RuntimeError, match=r"(?s)exit code 1:.*LoadException.*nowhere\.pt"):
        digits_answers.ask_java(tmp_path / "nowhere.pt", torch.zeros(1, 1, 8, 8), tmp_path)


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [("JAVA_HOME", "/nowhere", "/nowhere has no bin/"), ("JDK_JAVA_OPTIONS", "-Xmx1x", "Invalid maximum heap size")],
)
def test_jvm_that_does_not_start_is_shown(variable, value, said, monkeypatch, capsys, untrained, tmp_path):
    monkeypatch.setenv(variable, value)
    monkeypatch.setattr(demo, "demo", lambda _: digits_answers.ask_java(untrained, torch.zeros(1, 1, 8, 8), tmp_path))
    assert demo.main() == 1
    shown = capsys.readouterr().err
    assert said in shown
    assert "Traceback" not in shown


def test_wrong_answers_are_drawn_first(tmp_path):
    labels, answers = ["one", "two", "six"], ["one", "six", "six"]
    assert digits_picture.wrong_first(labels, answers) == [1, 0, 2]
    digits_picture.draw(torch.rand(3, 1, 8, 8), labels, answers, tmp_path / "few.png")
    assert (tmp_path / "few.png").read_bytes().startswith(b"\x89PNG")
