"""The command torch4j verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from torch4j._console import Json, fail, progress

_INTERRUPTED = 130  # as a shell tells a program that Ctrl-C ended


def verify(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A TorchScript model.")],
    inputs: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=".npz, .pt or .json; or 'generated'. Default: the examples in the file."),
    ] = None,
    java_inputs: Annotated[
        str | None, typer.Option(metavar="FILE", help="What a Java application fed, to compare with the inputs.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Another model that must give the same in Python.")
    ] = None,
    method: Annotated[str | None, typer.Option(help="Verify this method alone.")] = None,
    tolerance: Annotated[
        str | None,
        typer.Option(metavar="TOLERANCE", help="exact, default, a number, or dtypes as float32=1e-4:1e-6."),
    ] = None,
    calls: Annotated[int, typer.Option(min=1, help="How often each input is run.")] = 5,
    threads: Annotated[str, typer.Option(metavar="N,N", help="Numbers of intra-op threads.")] = "1",
    seeds: Annotated[str, typer.Option(metavar="N,N", help="Of generated inputs.")] = "0",
    submodules: Annotated[bool, typer.Option("--submodules", help="Name the first submodule that differs.")] = False,
    in_process: Annotated[
        bool, typer.Option("--in-process", help="Run both sides in this process, instead of each in one of its own.")
    ] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for running it all.")] = 600,
    report: Annotated[Path | None, typer.Option(metavar="HTML", help="Write a page with tables and plots.")] = None,
    as_json: Json = False,
) -> None:
    """Prove that Java gives what Python gives for a model, or tell where they part.

    The exit code is 0 where all agree, 1 where they differ, 2 where nothing could be verified.
    """
    try:
        with progress("verify") as say:
            from torch4j.verify import verify as verify_file
            from torch4j.verify.errors import VerifyError

            try:
                found = verify_file(
                    path,
                    inputs=inputs,
                    java_inputs=java_inputs,
                    reference=reference,
                    method=method,
                    tolerance=tolerance,
                    calls=calls,
                    threads=_numbers("threads", threads),
                    seeds=_numbers("seeds", seeds),
                    submodules=submodules,
                    in_process=in_process,
                    timeout=timeout,
                    progress=say,
                )
                if report is not None:
                    say("writing the report")
                    _write(report, found)
            except VerifyError as error:
                raise _usage(error) from None
            except (OSError, ImportError) as error:
                raise fail(error) from None
        print(found.to_json() if as_json else found)
    except KeyboardInterrupt:
        fail("interrupted")
        raise typer.Exit(_INTERRUPTED) from None
    raise typer.Exit(0 if found.passed else 1)


def _numbers(name: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"--{name} {text}: expected numbers, such as 1,2") from None


def _usage(error: Exception) -> typer.Exit:
    fail(error)
    return typer.Exit(2)


def _write(path: Path, found: object) -> None:
    from torch4j.verify.report import page
    from torch4j.verify.verification import Verification

    assert isinstance(found, Verification)
    path.write_text(page(found), encoding="utf-8")
