"""Results with names (dicts, dataclasses, ModelOutput) as tuples in a fixed order."""

from __future__ import annotations

from typing import Any

import torch

from torch4j.export.values import is_mapping, items_of


def names_of(value: Any) -> list[str]:
    """Return the names of a result's items that a tuple can hold: those which have tensors and nothing else."""
    return [str(name) for name, item in items_of(value).items() if holds_tensors(item)]


def left_out(value: Any) -> list[str]:
    """Return the names of the other items with their types; those that are None hold nothing to miss."""
    items = items_of(value).items()
    return [f"{name} ({type(item).__name__})" for name, item in items if item is not None and not holds_tensors(item)]


def holds_tensors(value: Any) -> bool:
    """Tell whether a value is a tensor or a non-empty nesting of tensors."""
    if isinstance(value, torch.Tensor):
        return True
    if is_mapping(value):
        return bool(items_of(value)) and all(map(holds_tensors, items_of(value).values()))
    return isinstance(value, (list, tuple)) and bool(value) and all(map(holds_tensors, value))


def as_tuple(value: Any, names: list[str] | None = None) -> Any:
    """Return a result with each dict in it as a tuple of its values, in the dict's order.

    Args:
        value: what the model returned.
        names: of the outermost dict: the items wanted.
    """
    if is_mapping(value):
        items = items_of(value)
        return tuple(as_tuple(items[name]) for name in names or names_of(value))
    if type(value) in (list, tuple):
        return type(value)(as_tuple(item) for item in value)
    return value


def literal_keys(graph: Any) -> list[str] | None:
    """Return the keys of the dict that a TorchScript function always returns, or None.

    Keys that the graph holds as constants of its outermost block are the same in every call. A dict whose keys
    depend on the input has to stay a dict.
    """
    outputs = list(graph.outputs())
    if len(outputs) != 1 or outputs[0].node().kind() != "prim::DictConstruct":
        return None
    made = outputs[0].node()
    if outputs[0].type().getKeyType().kind() != "StringType":
        return None
    keys = list(made.inputs())[::2]
    for use in outputs[0].uses():
        if use.user.kind() == "prim::Return":
            continue
        if use.user.kind() != "aten::_set_item" or use.offset != 0 or use.user not in list(graph.nodes()):
            return None
        keys.append(list(use.user.inputs())[1])
    return _constants(keys)


def _constants(keys: list[Any]) -> list[str] | None:
    if any(key.node().kind() != "prim::Constant" for key in keys):
        return None
    return list(dict.fromkeys(str(key.toIValue()) for key in keys)) or None
