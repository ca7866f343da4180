"""Random values of random types through a scripted identity, bit for bit."""

from __future__ import annotations

from typing import Any

import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from same import assert_same
from scripted import identity
from torch4j._dtypes import CROSSINGS

CASES = 300  # in one run; make test adds up, and the thousand of the acceptance is test_a_thousand_cases
SHAPES = st.lists(st.integers(0, 4), max_size=4)
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
INTS = st.integers(-(1 << 63), (1 << 63) - 1)
FLOATS = st.floats()
SCALARS = {"int": INTS, "float": FLOATS, "bool": st.booleans(), "str": TEXT, "complex": st.complex_numbers()}
KEYS = {"int": INTS, "str": TEXT, "bool": st.booleans(), "float": st.floats(allow_nan=False)}


@st.composite
def tensors(draw: Any) -> torch.Tensor:
    """Draw a tensor of any dtype, shape and bits, with any strides."""
    dtype = draw(st.sampled_from(list(CROSSINGS)))
    shape = draw(SHAPES)
    seed = draw(st.integers(0, 1 << 30))
    generator = torch.Generator().manual_seed(seed)
    raw = torch.randint(0, 256, (*shape, 2 * dtype.itemsize), dtype=torch.uint8, generator=generator)
    tensor = (raw % 2 if dtype == torch.bool else raw).view(dtype)
    # Every other element of the last dimension, then the dimensions in any order: strides with gaps.
    strided = tensor[..., ::2].reshape(shape) if draw(st.booleans()) else tensor[..., 0]
    return strided.permute(draw(st.permutations(range(len(shape)))))


@st.composite
def typed(draw: Any, depth: int = 0) -> tuple[str, Any]:
    """Draw a type and a strategy for its values."""
    kinds = ["Tensor", *SCALARS]
    kind = draw(st.sampled_from(kinds if depth >= 3 else [*kinds, "List", "Tuple", "Dict", "Optional"]))
    if kind == "Tensor":
        return "Tensor", tensors()
    if kind in SCALARS:
        return kind, SCALARS[kind]
    if kind == "Tuple":
        parts = draw(st.lists(typed(depth + 1), min_size=1, max_size=3))
        return f"Tuple[{', '.join(name for name, _ in parts)}]", st.tuples(*(values for _, values in parts))
    name, values = draw(typed(depth + 1))
    if kind == "List":
        return f"List[{name}]", st.lists(values, max_size=3)
    if kind == "Optional":
        return (name if name.startswith("Optional") else f"Optional[{name}]"), st.none() | values
    key = draw(st.sampled_from(sorted(KEYS)))
    return f"Dict[{key}, {name}]", st.dictionaries(KEYS[key], values, max_size=3)


@st.composite
def values(draw: Any) -> tuple[str, list[Any]]:
    """Draw a type and values of it."""
    name, of = draw(typed())
    return name, draw(st.lists(of, min_size=4, max_size=4))


def test_a_thousand_random_values_come_back_to_the_bit(in_java):
    seen = 0

    @settings(max_examples=CASES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(values())
    def check(case: tuple[str, list[Any]]) -> None:
        nonlocal seen
        name, cases = case
        module = in_java(identity(name))
        for value in cases:
            assert_same(module(value), value)
            seen += 1
        module.close()

    check()
    assert seen >= 1000
