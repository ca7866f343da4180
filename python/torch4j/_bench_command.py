"""The command torch4j bench."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from torch4j._console import Json, fail, progress


def bench(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A TorchScript model.")],
    inputs: Annotated[
        Path | None,
        typer.Option(help=".npz, or a .pt of torch.save; else the file's own example, else made from its signature."),
    ] = None,
    method: Annotated[str, typer.Option(help="The method to call.")] = "forward",
    threads: Annotated[
        str | None, typer.Option(help="Numbers of callers on one module, such as 1,2,8.", metavar="COUNTS")
    ] = None,
    intra_op: Annotated[int, typer.Option(help="Threads inside one call.", min=1)] = 1,
    seconds: Annotated[float, typer.Option(help="For each side: steady calls, and throughput as long again.")] = 2.0,
    rounds: Annotated[int, typer.Option(help="Turns over which the seconds are spread.", min=1)] = 5,
    starts: Annotated[int, typer.Option(help="Processes started of each side.", min=1)] = 3,
    jvm_option: Annotated[
        list[str] | None, typer.Option("--jvm-option", "-J", help="An option of the JVM; repeatable.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw latencies and throughput: .png, .svg or .pdf.")] = None,
    as_json: Json = False,
) -> None:
    """Time Python, Java and C++ on the same file, threads and inputs, cold and warm apart.

    The sides take turns. When the times of a side change too much from round to round, that is told: do not trust them.
    """
    from torch4j.bench import bench as run
    from torch4j.bench.plot import check_plot

    counts = None if threads is None else _counts(threads)
    try:
        if plot is not None:
            check_plot(plot)  # before minutes are spent
        with progress("bench") as say:
            result = run(
                path,
                inputs=inputs,
                method=method,
                threads=counts,
                seconds=seconds,
                rounds=rounds,
                starts=starts,
                intra_op=intra_op,
                jvm_options=jvm_option or [],
                progress=say,
            )
        if plot is not None:
            result.plot(plot)
    except (OSError, RuntimeError) as error:
        raise fail(error) from None
    print(result.to_json() if as_json else result)


def _counts(text: str) -> list[int]:
    try:
        return [int(count) for count in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"--threads {text}: expected numbers of callers, such as 1,2,8") from None
