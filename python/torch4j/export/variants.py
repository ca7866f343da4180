"""Changed example calls: other sizes, other values."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch

from torch4j.export.calls import Call
from torch4j.export.values import leaves, map_tensors

_SMALL = 16

Place = tuple[int, int]  # which tensor of the call, in the order of `tensors_of`; which dimension


@dataclass(frozen=True)
class Variant:
    """A changed call.

    Attributes:
        call: the call.
        arguments: places in the arguments that were changed, such as ``x[0]``.
        change: what was done, for a sentence: "with x ...".
        places: for other sizes: the dimensions that have the new size.
        size: the new size.
    """

    call: Call
    arguments: tuple[str, ...]
    change: str
    places: tuple[Place, ...] = ()
    size: int = 0


def tensors_of(call: Call, names: list[str]) -> list[tuple[str, torch.Tensor]]:
    """Return the tensors of a call with their places, such as ``x`` or ``state[1]``."""
    shown = [*names, *(f"argument {index}" for index in range(len(names), len(call.args)))]
    named = [*zip(shown, call.args, strict=False), *call.kwargs.items()]
    return [leaf for name, value in named for leaf in leaves(value, name)]


def replaced(call: Call, new: dict[int, Callable[[torch.Tensor], torch.Tensor]]) -> Call:
    """Return a call with the tensors of these numbers changed."""
    count = -1

    def change(tensor: torch.Tensor) -> torch.Tensor:
        nonlocal count
        count += 1
        return new[count](tensor) if count in new else tensor

    args = tuple(map_tensors(value, change) for value in call.args)
    return Call(args, {name: map_tensors(value, change) for name, value in call.kwargs.items()})


def resized(tensor: torch.Tensor, dim: int, size: int) -> torch.Tensor:
    """Return a tensor of another size in one dimension, filled by repeating: ids and masks stay valid ones."""
    times = -(-size // tensor.shape[dim])
    return torch.cat([tensor] * times, dim).narrow(dim, 0, size)  # of every dtype, as index_select is not


def with_sizes(call: Call, names: list[str], sizes: dict[Place, int], change: str) -> Variant:
    """Return a call with other sizes in some dimensions."""

    def resize(number: int) -> Callable[[torch.Tensor], torch.Tensor]:
        def change(tensor: torch.Tensor) -> torch.Tensor:
            for (tensor_number, dim), size in sizes.items():
                if tensor_number == number:
                    tensor = resized(tensor, dim, size)
            return tensor

        return change

    tensors = tensors_of(call, names)
    numbers = sorted({number for number, _ in sizes})
    new = replaced(call, {number: resize(number) for number in numbers})
    arguments = tuple(tensors[number][0] for number in numbers)
    return Variant(new, arguments, change, tuple(sizes), next(iter(sizes.values())))


def groups_of(call: Call, names: list[str]) -> list[tuple[Place, ...]]:
    """Return dimensions to vary together: each alone, then those of one size at one position, then of one size."""
    tensors = [tensor for _, tensor in tensors_of(call, names)]
    every = [(number, dim) for number, tensor in enumerate(tensors) for dim in range(tensor.ndim)]
    every = [place for place in every if tensors[place[0]].shape[place[1]] > 0]
    groups: list[tuple[Place, ...]] = [(place,) for place in every]
    by_position: dict[tuple[int, int], list[Place]] = {}
    by_size: dict[int, list[Place]] = {}
    for number, dim in every:
        size = tensors[number].shape[dim]
        by_position.setdefault((dim, size), []).append((number, dim))
        by_size.setdefault(size, []).append((number, dim))
    groups += [tuple(places) for places in (*by_position.values(), *by_size.values()) if len(places) > 1]
    return list(dict.fromkeys(groups))


def sizes_to_try(size: int) -> list[int]:
    """Return other sizes: a larger one (a multiple, which some models need), one more, one."""
    return [other for other in dict.fromkeys((larger(size), size + 1, 1)) if other != size]


def larger(size: int) -> int:
    """Return a size that shows that a dimension has no limit nearby, and that is no image too large to try."""
    return 4 * size if size < _SMALL else 2 * size


def other_values(call: Call, names: list[str]) -> Iterator[Variant]:
    """Give calls with other values: of each tensor alone, then of all tensors together."""
    tensors = tensors_of(call, names)
    wanted: list[tuple[dict[int, Any], tuple[str, ...], str]] = [
        ({number: change}, (name,), what)
        for number, (name, tensor) in enumerate(tensors)
        for what, change in _changes(tensor).items()
    ]
    if len(tensors) > 1:
        everything: dict[int, Any] = {n: next(iter(_changes(t).values())) for n, (_, t) in enumerate(tensors)}
        wanted.append((everything, tuple(name for name, _ in tensors), "changed together"))
    for changes, arguments, what in wanted:
        with contextlib.suppress(RuntimeError, NotImplementedError):  # torch cannot negate an uint16, and the like
            yield Variant(replaced(call, changes), arguments, what)


def _changes(tensor: torch.Tensor) -> dict[str, Callable[[torch.Tensor], torch.Tensor]]:
    if tensor.dtype == torch.bool:
        return {
            "negated": torch.logical_not,
            "all False": torch.zeros_like,
            "all True": torch.ones_like,
        }
    changes: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {"sign flipped": torch.neg, "zeros": torch.zeros_like}
    if tensor.is_floating_point() or tensor.is_complex():
        changes["100 times as large"] = lambda t: t * 100
        changes["100 times as small"] = lambda t: t / 100
        changes["ones"] = torch.ones_like
    else:
        changes["one more"] = lambda t: t + 1
        changes["one less"] = lambda t: t - 1
    changes["in reverse order"] = lambda t: t.flip(list(range(t.ndim)))
    return changes
