"""Finds what was saved in train mode and behaves otherwise there."""

from __future__ import annotations

from typing import Any

from torch4j.export.randomness import inlined, nodes_of, trains


def in_train_mode(module: Any) -> dict[str, str]:
    """Return the operators that drop elements or normalise by the batch, by the innermost submodule that has them.

    Args:
        module: a loaded TorchScript model; its own name is "the model".
    """
    if _training_operator(module) is None:  # nothing that is called trains: most models end here
        return {}
    found = {name: operator for name, sub in module.named_modules() if (operator := _training_operator(sub))}
    inner = {
        name
        for name in found
        if not any(other.startswith(f"{name}." if name else "") for other in found.keys() - {name})
    }
    return {name or "the model": operator for name, operator in found.items() if name in inner}


def _training_operator(module: Any) -> str | None:
    for method in module._c._method_names():
        graph = inlined(module, method, as_it_is=True)
        node = next((node for node in nodes_of(graph) if trains(node)), None)
        if node is not None:
            return str(node.kind()).rstrip("_")
    return None
