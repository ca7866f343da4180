"""The Python side of torch4j bench. Arguments: model, inputs, method, intra-op threads.

Every side answers lines that start with ``torch4j-bench``, so that what a model prints does no harm:

- by itself: ``answered`` after the first call, then the nanoseconds of the first three calls;
- to ``calls NANOSECONDS FILE``: calls for that long, writes the nanoseconds of each as int64 into the file, ``done``;
- to ``throughput NANOSECONDS THREADS``: that many callers on the one module; the number of calls and the nanoseconds.

Run as a file, not as a module: importing torch4j is no part of Python's cold start.
"""

from __future__ import annotations

import sys
import threading
from array import array
from collections.abc import Callable
from time import perf_counter_ns

import torch

MAX_CALLS = 1_000_000
FIRST_CALLS = 3


def say(line: object) -> None:
    """Answer."""
    print(f"torch4j-bench {line}", flush=True)


def callee(model: str, inputs: str, method: str) -> Callable[[], int]:
    """Return a function that calls the model once and returns the nanoseconds it took."""
    run = getattr(torch.jit.load(model, map_location="cpu").eval(), method)
    args = torch.jit.load(inputs).args

    def call() -> int:
        start = perf_counter_ns()
        run(*args)
        return perf_counter_ns() - start

    return call


def calls(call: Callable[[], int], nanos: int, path: str) -> None:
    """Call for that long and write how long each took."""
    times = array("q")
    end = perf_counter_ns() + nanos
    while perf_counter_ns() < end and len(times) < MAX_CALLS:
        times.append(call())
    with open(path, "wb") as file:  # noqa: PTH123, pathlib is one more import
        times.tofile(file)


def throughput(call: Callable[[], int], nanos: int, threads: int) -> tuple[int, int]:
    """Return how many calls that many callers made, and the nanoseconds they took."""
    counts = [0] * threads
    errors: list[BaseException] = []
    start = perf_counter_ns()

    def caller(index: int) -> None:
        try:
            with torch.inference_mode():  # holds for one thread
                while perf_counter_ns() - start < nanos:
                    call()
                    counts[index] += 1
        except Exception as error:  # told by the main thread
            errors.append(error)

    callers = [threading.Thread(target=caller, args=(index,)) for index in range(threads)]
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join()
    took = perf_counter_ns() - start
    if errors:
        raise errors[0]
    return sum(counts), took


def main() -> None:
    """Answer lines until there are no more."""
    model, inputs, method, intra_op = sys.argv[1:5]
    torch.set_num_threads(int(intra_op))
    with torch.inference_mode():
        call = callee(model, inputs, method)
        first = [call()]
        say("answered")
        first += [call() for _ in range(FIRST_CALLS - 1)]
        say(" ".join(map(str, first)))
        for line in sys.stdin:
            command, nanos, last = line.rstrip("\n").split(" ", 2)
            if command == "calls":
                calls(call, int(nanos), last)
                say("done")
            else:
                say("{} {}".format(*throughput(call, int(nanos), int(last))))


if __name__ == "__main__":
    main()
