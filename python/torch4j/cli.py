"""The command line: torch4j export, inspect, verify, bench, run, classpath, doctor."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from torch4j import __version__, _bench_command, _model_commands, jar_path, native_library
from torch4j._console import Json
from torch4j._console import fail as _fail
from torch4j._run import run_java
from torch4j._verify_command import verify

app = typer.Typer(
    help="PyTorch models in Java, proven equal to Python.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(_model_commands.export)
app.command()(_model_commands.inspect)
app.command()(_bench_command.bench)
app.command()(verify)


def _version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """PyTorch models in Java, proven equal to Python."""


@app.command()
def classpath(as_json: Json = False) -> None:
    """Print the class path of torch4j: java -cp "$(torch4j classpath):." Main."""
    try:
        files = {"jar": str(jar_path()), "library": str(native_library())}
    except FileNotFoundError as error:
        raise _fail(error) from None
    print(json.dumps(files) if as_json else files["jar"])


@app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
def run(
    main_class: Annotated[str, typer.Argument(metavar="MAIN", help="A main class or a .java file.")],
    args: Annotated[list[str] | None, typer.Argument(help="Arguments of the program.")] = None,
    class_path: Annotated[
        str, typer.Option("--class-path", "-cp", help=f"More entries, split by '{os.pathsep}'.")
    ] = ".",
    jvm_option: Annotated[
        list[str] | None,
        typer.Option("--jvm-option", "-J", help="An option of the JVM; repeatable."),
    ] = None,
) -> None:
    """Run a Java program with class path, library and JVM flags set; its exit code is passed on.

    Options of torch4j stand before MAIN; everything behind MAIN is the program's.
    """
    entries = [Path(entry) for entry in class_path.split(os.pathsep) if entry]
    try:
        code = run_java(main_class, args or [], entries, jvm_option or [])
    except (OSError, RuntimeError) as error:
        raise _fail(error) from None
    raise typer.Exit(code)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Check this install: versions, paths, files really mapped, threads, CPU; ends in ok or in what to do."""
    from torch4j._doctor import examine

    report = examine()
    if as_json:
        print(json.dumps(report.as_dict(), indent=2))
    else:
        report.show(Console())
    raise typer.Exit(0 if report.ok else 1)


if __name__ == "__main__":
    sys.exit(app())
