"""A tokenizer that goes into the file with the model: texts in, a dict of tensors out, in TorchScript alone."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from export_common import FOLDER, Calls, write
from torch import nn

PAD, UNKNOWN = "<pad>", "<unknown>"
WORDS = "the a model java python reads write s and to is equal token bit train er ing un break able größe 🙂 . , ! ?"
PUNCTUATION = ".,!?"


class Tokenizer(nn.Module):
    """Cuts words into the longest pieces that the vocabulary has; a piece inside a word is marked ## there."""

    def __init__(self, vocabulary: list[str]) -> None:
        """Number the vocabulary in its order."""
        super().__init__()
        self.numbers = {word: number for number, word in enumerate(vocabulary)}
        self.words = vocabulary
        self.pad = self.numbers[PAD]
        self.unknown = self.numbers[UNKNOWN]
        self.punctuation = PUNCTUATION

    def pieces(self, word: str) -> list[int]:
        """Return the numbers of a word's pieces, or the one of the unknown word."""
        # TorchScript counts bytes here and Python characters; both cut alike, since only whole entries are taken.
        found: list[int] = []
        start = 0
        while start < len(word):
            end = len(word)
            while end > start and ("##" if start > 0 else "") + word[start:end] not in self.numbers:
                end -= 1
            if end == start:
                return [self.unknown]
            found.append(self.numbers[("##" if start > 0 else "") + word[start:end]])
            start = end
        return found

    @torch.jit.export
    def encode(self, text: str) -> list[int]:
        """Return the numbers of a text's pieces."""
        for mark in self.punctuation:
            text = text.replace(mark, " " + mark + " ")
        found: list[int] = []
        for word in text.lower().split():
            found += self.pieces(word)
        return found

    @torch.jit.export
    def decode(self, numbers: list[int]) -> str:
        """Return the text of numbers; padding is left out, and pieces are joined."""
        words: list[str] = []
        for number in numbers:  # a list comprehension with a condition is not in TorchScript
            if number != self.pad:
                words.append(self.words[number])
        return " ".join(words).replace(" ##", "")

    def forward(self, texts: list[str]) -> dict[str, torch.Tensor]:
        """Return "tokens" (N, longest), int64, and "mask" (N, longest), bool, that is True at real tokens."""
        encoded = [self.encode(text) for text in texts]
        longest = max([len(numbers) for numbers in encoded])
        tokens = torch.full((len(encoded), longest), self.pad)
        for row, numbers in enumerate(encoded):
            tokens[row, : len(numbers)] = torch.tensor(numbers, dtype=torch.long)
        return {"tokens": tokens, "mask": tokens != self.pad}


def model() -> nn.Module:
    """Return the tokenizer."""
    words = WORDS.split()
    return Tokenizer([PAD, UNKNOWN, *words, *(f"##{word}" for word in words)]).eval()


def example_inputs() -> dict[str, Calls]:
    """Return calls of each method: plain text, unknown words, an empty text, and more than ASCII."""
    texts = ["The model reads Java.", "unbreakable! untrainable?", "größe 🙂 größes naïve", "", "a\tbit\n"]
    return {
        "forward": [(texts,), (texts[:1],), (["", ""],)],
        "encode": [(text,) for text in texts],
        "decode": [([2, 3, 4, 0, 0],), ([19, 20 + 27, 1],), ([],)],
    }


def main(folder: Path = FOLDER) -> None:
    """Write tokenizer.pt into a folder."""
    write("tokenizer", model(), example_inputs(), folder)


if __name__ == "__main__":
    typer.run(main)
