"""Gets a model and its example inputs from package.module:factory."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple


class Made(NamedTuple):
    """What a factory gave."""

    model: Any
    inputs: Any
    kwargs: Any = None


class FactoryError(ValueError):
    """A factory cannot be found, fails, or gives something else than a model with inputs."""


def make(name: str) -> Made:
    """Call a factory; modules are looked for in the current folder too.

    Args:
        name: ``package.module:factory`` or ``file.py:factory``. The factory returns ``(model, example_inputs)``,
            ``(model, example_inputs, example_kwargs)``, or a model that has ``example_inputs()``.

    Raises:
        FactoryError: in one line, saying what is wrong.
    """
    module_name, _, factory_name = name.rpartition(":")
    if not module_name or not factory_name:
        raise FactoryError(f"{name}: expected package.module:factory or file.py:factory")
    factory = getattr(_module(module_name), factory_name, None)
    if factory is None:
        raise FactoryError(f"{name}: {module_name} has no {factory_name}")
    if not callable(factory):
        raise FactoryError(f"{name}: is a {type(factory).__name__}; expected a function")
    return _made(name, _called(name, factory))


def _module(name: str) -> ModuleType:
    try:
        if name.endswith(".py"):
            return _of_file(Path(name))
        if str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(name)
    except Exception as error:  # the code of a module may raise anything
        raise FactoryError(f"{name}: cannot be imported: {_line(error)}") from error


def _of_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(f"no such file: {path}")
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # TorchScript looks the module of a class up by its name
    spec.loader.exec_module(module)
    return module


def _called(name: str, factory: Callable[[], Any]) -> Any:
    import torch

    if isinstance(factory, torch.nn.Module):
        return factory
    try:
        return factory()
    except Exception as error:  # the factory is the user's
        raise FactoryError(f"{name}: fails: {_line(error)}") from error


def _made(name: str, given: Any) -> Made:
    if isinstance(given, tuple) and len(given) in (2, 3):
        return Made(*given)
    inputs = getattr(given, "example_inputs", None)
    if callable(inputs):
        return Made(given, inputs())
    raise FactoryError(
        f"{name}: gave {type(given).__name__}; expected (model, example_inputs), or a model that has example_inputs()"
    )


def _line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
