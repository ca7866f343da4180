"""Models that the tests of the export use."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812


class Classifier(torch.nn.Module):
    """Two layers with dropout between them, and a method of its own."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 8)
        self.dropout = torch.nn.Dropout(0.5)
        self.second = torch.nn.Linear(8, 3)

    def forward(self, x):
        return self.second(self.dropout(self.first(x).relu()))

    def scores(self, x):
        return self.forward(x).softmax(1)


class Branch(torch.nn.Module):
    """D3: the sum of the input decides."""

    def forward(self, x):
        return x * 2 if x.sum() > 0 else -x


class Reshape(torch.nn.Module):
    """D3: the size becomes a number of Python."""

    def forward(self, x):
        return x.reshape(int(x.shape[0]), -1)


class LiteralDropout(torch.nn.Module):
    """D4: eval mode does not reach it."""

    def forward(self, x):
        return F.dropout(x, 0.5, True)


class Tokens(torch.nn.Module):
    """Strings in, a dict with keys of the input out."""

    def forward(self, words: list[str], times: int = 2, only: str | None = None) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in words:
            if only is None or only == word:
                counts[word] = counts.get(word, 0) + times
        return counts


class TwoMethods(torch.nn.Module):
    """No forward."""

    @torch.jit.export
    def encode(self, x):
        return x * 2

    @torch.jit.export
    def decode(self, x, by: float):
        return x / by


class Counter(torch.nn.Module):
    """State in a buffer."""

    def __init__(self):
        super().__init__()
        self.count = torch.nn.Buffer(torch.zeros(1))

    def forward(self, x):
        self.count += x
        return self.count.clone()
