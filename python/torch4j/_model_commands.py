"""The commands torch4j export and torch4j inspect."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from torch4j._console import Json, fail, progress

if TYPE_CHECKING:
    from torch4j.export.options import Dims


class Method(str, Enum):
    """How a model becomes TorchScript."""

    auto = "auto"
    script = "script"
    trace = "trace"


class Quantize(str, Enum):
    """Ways to quantize."""

    dynamic_int8 = "dynamic-int8"


def export(
    factory: Annotated[
        str, typer.Argument(metavar="FACTORY", help="package.module:factory or file.py:factory; see below.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")],
    method: Annotated[Method, typer.Option(help="auto scripts where that works, and traces the rest.")] = Method.auto,
    freeze: Annotated[bool, typer.Option("--freeze", help="Inline parameters, drop what inference needs not.")] = False,
    optimize: Annotated[
        bool, typer.Option("--optimize-for-inference", help="Freeze, then fuse for this kind of machine.")
    ] = False,
    quantize: Annotated[Quantize | None, typer.Option(help="Linear and recurrent layers in int8.")] = None,
    half: Annotated[bool, typer.Option("--half", help="Parameters and floating point inputs in float16.")] = False,
    bfloat16: Annotated[bool, typer.Option("--bfloat16", help="The same in bfloat16.")] = False,
    prune: Annotated[
        str | None, typer.Option(help="method:amount[,n=2,dim=0], such as l1_unstructured:0.5.", metavar="PRUNE")
    ] = None,
    extra: Annotated[
        list[str] | None, typer.Option("--extra", metavar="NAME=FILE", help="Put a file into the archive; repeatable.")
    ] = None,
    preprocess: Annotated[
        str | None,
        typer.Option(metavar="NUMBERS", help='Normalise, as "mean=0.5,0.5,0.5 std=0.2,0.2,0.2 scale=1/255".'),
    ] = None,
    dims: Annotated[
        list[str] | None,
        typer.Option("--dims", metavar="NAME=SIZES", help="Sizes to check, such as x=1:64,10; 1: is open. Repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a model as a file that Java runs as Python does, once it has been checked.

    FACTORY is called without arguments and returns (model, example_inputs), (model, example_inputs, example_kwargs),
    or a model that has example_inputs(). A file is written only when all checks hold.
    """
    import torch

    from torch4j._factory import FactoryError, make
    from torch4j.export import ExportError, Preprocess
    from torch4j.export import export as export_model

    if half and bfloat16:
        raise typer.BadParameter("--half and --bfloat16 exclude each other")
    try:
        with progress("export") as say:
            say("making the model")
            made = make(factory)
            result = export_model(
                made.model,
                made.inputs,
                out,
                method=method.value,
                freeze=freeze,
                optimize_for_inference=optimize,
                quantize=quantize.value if quantize else None,
                dtype=torch.float16 if half else torch.bfloat16 if bfloat16 else None,
                prune=prune,
                extra_files=_extra_files(extra or []),
                preprocess=Preprocess.parse(preprocess) if preprocess else None,
                example_kwargs=made.kwargs,
                dims=_dims(dims or []),
                progress=say,
            )
    except (ExportError, FactoryError) as error:
        raise fail(error) from None
    print(result.to_json() if as_json else result)


def _extra_files(pairs: list[str]) -> dict[str, Path]:
    files = {}
    for pair in pairs:
        name, _, path = pair.partition("=")
        if not name or not path:
            raise typer.BadParameter(f"--extra {pair}: expected name=file")
        files[name] = Path(path)
    return files


def _dims(pairs: list[str]) -> Dims:
    found = {}
    for pair in pairs:
        name, _, sizes = pair.partition("=")
        try:
            found[name] = [_size(size) for size in sizes.split(",")]
        except ValueError:
            raise typer.BadParameter(f"--dims {pair}: expected name=sizes, such as x=1:64,10") from None
    return found


def _size(text: str) -> int | tuple[int, int | None]:
    low, colon, high = text.partition(":")
    return (int(low), int(high) if high else None) if colon else int(low)


def inspect(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="Any file; what is no model is told by what it is.")],
    build: Annotated[
        bool, typer.Option("--build/--no-build", help="Build the model where the overloads of operators need it.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Tell what is in a model file: methods, tensors, operators, devices, extra files, sizes, what is missing here.

    The exit code is 0 where Java can load the file; else 1, with what to do on standard error.
    """
    from torch4j.inspect import inspect as inspect_file

    try:
        with progress("inspect") as say:
            found = inspect_file(path, build=build, progress=say)
    except OSError as error:
        raise fail(error) from None
    print(found.to_json() if as_json else found)
    if found.trouble:
        raise fail(found.trouble)
