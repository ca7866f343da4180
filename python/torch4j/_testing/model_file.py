"""A model as the file that both sides run."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import torch

__tracebackhide__ = True  # a failure shows the test, not these frames


def model_file(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], folder: Path) -> Path:
    """Return a model's file: of a path that path itself, else a new one.

    Args:
        model: a path, or a module; a module that is no ScriptModule is scripted or, where that is refused, traced
            in the mode that it is in.
        args: arguments to trace with, by position.
        kwargs: arguments to trace with, by name.
        folder: where to write.

    Raises:
        FileNotFoundError: without a file at that path.
        TypeError: for anything else.
        ValueError: when it can be neither scripted nor traced.
    """
    if isinstance(model, (str, os.PathLike)):
        if not Path(model).is_file():
            raise FileNotFoundError(f"model_or_path: {os.fspath(model)}: no such file")
        return Path(model)
    if not isinstance(model, (torch.nn.Module, torch.jit.ScriptFunction)):
        raise TypeError(f"model_or_path: got {type(model).__name__}; expected a torch.nn.Module or a path")
    path = folder / "model.pt"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _script(model, args, kwargs).save(str(path))
    return path


def _script(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if isinstance(model, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
        return model
    try:
        return torch.jit.script(model)
    except Exception as refused:  # of many classes
        return _trace(model, args, kwargs, refused)


def _trace(model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any], refused: Exception) -> Any:
    why = str(refused).strip().partition("\n")[0]
    if not args and not kwargs:
        raise ValueError(
            f"{type(model).__name__} cannot be scripted ({why}), and there are no inputs to trace it with: give them"
        ) from refused
    try:
        with torch.no_grad():
            if kwargs:
                return torch.jit.trace(model, example_kwarg_inputs=_by_name(model, args, kwargs), check_trace=False)
            return torch.jit.trace(model, args, check_trace=False)
    except Exception as error:
        traced = str(error).strip().partition("\n")[0]
        raise ValueError(
            f"{type(model).__name__} can be neither scripted ({why}) nor traced ({traced}): "
            "torch4j.export tells more, and has options for it"
        ) from error


def _by_name(model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    import inspect

    return dict(inspect.signature(model.forward).bind(*args, **kwargs).arguments)
