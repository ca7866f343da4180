"""The Python side of the benchmark. Arguments: model, mode, shape such as 1x4, option, intra-op threads, calls.

For each line on its input it prints one round: mean, p99 and least nanoseconds per call.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy
import torch


def call_for(mode: str, model: torch.jit.ScriptModule, shape: list[int]) -> Callable[[], object]:
    """Return what one call does."""
    x = torch.ones(shape)
    data, out = numpy.ones(shape, numpy.float32), numpy.empty(0, numpy.float32)
    named, numbers = dict.fromkeys("abc", x), [1, 2, 3, 4]

    def floats() -> object:
        return model(torch.tensor(data)).numpy().copy()

    def kept() -> object:
        nonlocal out
        x.copy_(torch.from_numpy(data))
        result = model(x).numpy()
        if out.size == 0:
            out = numpy.empty_like(result)
        numpy.copyto(out, result)
        return out

    calls = {"tensor": lambda: model(x), "floats": floats, "kept": kept, "values": lambda: model(named, numbers)}
    return calls[mode]


def answer(call: Callable[[], object], calls: int) -> str:
    """Return one round."""
    start = time.perf_counter_ns()
    for _ in range(calls):
        call()
    mean = (time.perf_counter_ns() - start) / calls
    times = []
    for _ in range(min(calls, 200)):
        before = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - before)
    times.sort()
    return f"{mean} {times[len(times) * 99 // 100]} {times[0]}"


def main() -> None:
    """Run rounds."""
    path, mode, shape, option, threads, calls = sys.argv[1:7]
    torch.set_num_threads(int(threads))
    model = torch.jit.load(path).eval()
    if option == "freeze":
        model = torch.jit.freeze(model)
    elif option == "optimize":
        model = torch.jit.optimize_for_inference(model)
    call = call_for(mode, model, [int(size) for size in shape.split("x")])
    with torch.inference_mode():
        for _ in sys.stdin:
            print(answer(call, int(calls)), flush=True)


if __name__ == "__main__":
    main()
