"""The Python side of the benchmark. Arguments: model, shape such as 1x4, threads, calls.

For each line on its input it prints the nanoseconds per call of one round.
"""

from __future__ import annotations

import sys
import time

import torch


def main() -> None:
    """Run rounds."""
    path, shape, threads, calls = sys.argv[1:5]
    torch.set_num_threads(int(threads))
    model = torch.jit.load(path)
    x = torch.ones([int(size) for size in shape.split("x")])
    with torch.inference_mode():
        for _ in sys.stdin:
            start = time.perf_counter_ns()
            for _ in range(int(calls)):
                model(x)
            print((time.perf_counter_ns() - start) / int(calls), flush=True)


if __name__ == "__main__":
    main()
