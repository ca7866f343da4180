"""Finds models whose answers are random, or that still train, in eval mode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from torch4j.export.candidate import Candidate
from torch4j.export.result import ExportError
from torch4j.export.running import Outcome, run
from torch4j.export.values import difference

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_TORCH = str(Path(torch.__file__).parent)
_SEEDS = (1, 2, 3)
_NORMS = ("aten::batch_norm", "aten::instance_norm")


def check_randomness(candidate: Candidate) -> None:
    """Refuse a model whose results depend on the seeds of random numbers.

    Raises:
        ExportError: with the random operators and where they stand.
    """
    for method, calls in candidate.calls.items():
        for module in (candidate.reference, candidate.module):
            first, *others = (run(module, calls, method, number) for number in _SEEDS)
            differs = next((text for other in others if (text := _differs(first, other))), None)
            if differs:
                raise ExportError(
                    f"{method} is random in eval mode: two runs with different seeds give {differs}. "
                    f"{_reason(candidate, method)}"
                )


def _differs(first: list[Outcome], second: list[Outcome]) -> str | None:
    for left, right in zip(first, second, strict=True):
        differs = None if left.failed or right.failed else difference(left.value, right.value, factor=None)
        if differs:
            return differs
    return None


def _reason(candidate: Candidate, method: str) -> str:
    graph = inlined(candidate.module, method)
    random = [node for node in nodes_of(graph) if _is_random(node)]
    if not random:
        return "Its code has no random operator: it draws from numpy or Python, which a file cannot do."
    named = ", ".join(dict.fromkeys(_shown(node) for node in random))
    return (
        f"Random operators: {named}. Switch them by self.training (dropout and its like got a literal True, or the "
        "model was compiled in train mode), or take the random numbers as an argument"
    )


def inlined(module: torch.jit.ScriptModule, method: str, as_it_is: bool = False) -> Any:
    """Return the graph of a method in eval mode, its callees in it: what only runs in train mode is gone.

    With `as_it_is` each submodule is in the mode that it was saved in instead. Nodes are valid for as long as the
    graph is held.
    """
    graph = module._c._get_method(method).graph.copy()
    torch._C._jit_pass_inline(graph)
    for node in list(nodes_of(graph)):
        if node.kind() == "prim::GetAttr" and node.output().type().kind() == "BoolType":
            value = (as_it_is or node.s("name") != "training") and _attribute(node, module)
            with graph.insert_point_guard(node):
                node.output().replaceAllUsesWith(graph.insertConstant(value))
    torch._C._jit_pass_constant_propagation(graph)
    return graph


def _attribute(node: Any, module: torch.jit.ScriptModule) -> Any:
    """Return what an attribute holds now; its node reads it from the module, or from what another one reads."""
    owner = node.input().node()
    holder = module._c if owner.kind() == "prim::Param" else _attribute(owner, module)
    return holder.getattr(node.s("name"))


def nodes_of(block: Any) -> Iterator[Any]:
    """Give every node of a graph, those in its branches and loops included."""
    for node in block.nodes():
        yield node
        for inner in node.blocks():
            yield from nodes_of(inner)


def _is_random(node: Any) -> bool:
    if "dropout" in node.kind():
        return _constant_of(node, ("train", "training")) is not False
    return bool(node.isNondeterministic())


def _constant_of(node: Any, names: tuple[str, ...]) -> Any:
    """Return an argument of a node by name, when it is a constant."""
    if "aten::" not in node.kind():
        return None  # the interpreter's own, mostly without schema
    schema = torch._C.parse_schema(node.schema())
    for argument, value in zip(schema.arguments, node.inputs(), strict=False):
        if argument.name in names and value.node().kind() == "prim::Constant":
            return value.toIValue()
    return None


def _shown(node: Any) -> str:
    place = _PLACE.search(node.sourceRange())
    named = str(node.kind()).rstrip("_")
    # A place inside torch, such as that of functional.dropout, says nothing about the model.
    own = place is not None and not place[1].startswith(_TORCH)
    return f"{named} at {place[1]}:{place[2]}" if place and own else named


def check_training(candidate: Candidate) -> None:
    """Refuse a model with dropout or batch norm in train mode.

    Dropout may be random and not show it with the examples; batch norm is not random, and still wrong: it depends on
    the rest of the batch.

    Raises:
        ExportError: naming the operator.
    """
    for method in candidate.calls:
        graph = inlined(candidate.module, method)
        for node in nodes_of(graph):
            if trains(node):
                raise ExportError(
                    f"{method} has {_shown(node)} in train mode: it was compiled before model.eval(), or has a literal "
                    "training=True. Compile it in eval mode"
                )


def trains(node: Any) -> bool:
    """Tell whether a node is dropout or batch norm in train mode."""
    return _drops(node) or (node.kind() in _NORMS and _trains(node))


def _drops(node: Any) -> bool:
    """Tell whether a node drops elements: dropout, recurrent layers, attention."""
    share = _constant_of(node, ("p", "dropout", "dropout_p"))
    if not isinstance(share, float) or share == 0.0:
        return False
    train = _constant_of(node, ("train", "training"))
    return train is True or (train is None and node.kind() == "aten::scaled_dot_product_attention")


def _trains(node: Any) -> bool:
    running = list(node.inputs())[3]  # running_mean, which norms without running statistics do not have
    return str(running.type()) != "NoneType" and _constant_of(node, ("training", "use_input_stats")) is True
