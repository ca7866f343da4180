"""What TorchScript's own code text tells: classes, methods, operators, devices."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

_TEXT = re.compile(r'"(?:\\.|[^"\\])*"')
_CUSTOM = re.compile(r"\bops\.(\w+)\.(\w+)")
_ATEN = re.compile(r"(?<![\w.])torch\.(\w+)\(")
_DEVICE = re.compile(r'torch\.device\("([^"]+)"\)')
_CLASS = re.compile(r"^class (\S+)\(.*\):\n((?:[ \t].*\n|\n)*)", re.MULTILINE)
_METHOD = re.compile(r"^  def (\w+)\(([^:]*: [^,)]+(?:,\s*)?)(.*?)\)(?: -> (.*?))?:\n", re.MULTILINE | re.DOTALL)
_NAMES = re.compile(r"^  __(parameters|buffers)__ = (\[.*\])$", re.MULTILINE)
_NO_OPERATORS = {"device", "dict", "jit"}  # written as torch.x(...) by the syntax, without an operator behind


@dataclass
class ClassText:
    """A class of the code: signatures of its methods, names of its parameters and buffers."""

    methods: dict[str, str] = field(default_factory=dict)
    parameters: list[str] = field(default_factory=list)
    buffers: list[str] = field(default_factory=list)


def classes_of(code: dict[str, str]) -> dict[str, ClassText]:
    """Return the classes by full name, such as ``__torch__.torch.nn.modules.linear.Linear``."""
    found = {}
    for member, text in code.items():
        module = member.removeprefix("code/").removesuffix(".py").replace("/", ".")
        for name, body in _CLASS.findall(text):
            found[f"{module}.{name}"] = _class(body)
    return found


def _class(body: str) -> ClassText:
    names = {kind: _list(text) for kind, text in _NAMES.findall(body)}
    return ClassText(
        {name: _signature(name, arguments, returns) for name, _, arguments, returns in _METHOD.findall(body)},
        names.get("parameters", []),
        names.get("buffers", []),
    )


def _list(text: str) -> list[str]:
    try:
        return [str(name) for name in ast.literal_eval(text)]
    except (ValueError, SyntaxError):
        return []


def _signature(name: str, arguments: str, returns: str) -> str:
    return f"{name}({' '.join(arguments.split())}) -> {' '.join(returns.split()) or 'Tensor'}"


def operators_of(code: dict[str, str]) -> list[str]:
    """Return the operators that the code calls, such as ``aten::add``; the code does not tell overloads."""
    found: set[str] = set()
    for text in code.values():
        bare = _TEXT.sub('""', text)
        found.update(f"{space}::{name}" for space, name in _CUSTOM.findall(bare))
        found.update(f"aten::{name}" for name in _ATEN.findall(bare) if name not in _NO_OPERATORS)
    return sorted(found)


def devices_of(code: dict[str, str]) -> list[str]:
    """Return devices that are constants in the code: loading onto another device does not change those."""
    return sorted({name for text in code.values() for name in _DEVICE.findall(text)})
