"""Changed archives and wrong calls in child JVMs: counts exceptions, silent changes and JVM deaths."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import torch
from rich.console import Console
from rich.table import Table
from torch4j import jar_path, java_command
from torch4j._java_command import find_java

SOURCES = Path(__file__).resolve().parent.parent / "tests" / "java"
EACH = 250
SECONDS = 300


def compile_fuzzer(folder: Path) -> None:
    """Compile the Java half."""
    files = [str(path) for path in SOURCES.glob("Fuzz*.java")]
    subprocess.run([str(find_java("javac")), "-cp", str(jar_path()), "-d", str(folder), *files], check=True)


def run(seed: int, model: Path, archives: int, calls: int, classes: Path) -> Counter[str]:
    """Run one child; a death keeps the last thing that it tried in dying words."""
    arguments = [str(seed), str(model), str(archives), str(calls)]
    command = java_command("Fuzz", *arguments, jvm_options=["-Xmx512m"], class_path=[classes])
    result = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=classes)
    counts = Counter({"archives": archives, "calls": calls})
    for line in result.stdout.splitlines():
        name, equals, number = line.partition("=")
        if equals and name in ("exceptions", "harmless", "silent", "empty"):
            counts[name] += int(number)
    for line in result.stdout.splitlines():
        if line.startswith(("empty message", "silent change")):
            print(f"seed {seed}: {line}", file=sys.stderr)
    if result.returncode != 0:
        counts["deaths"] += 1
        tried = [line for line in result.stdout.splitlines() if line.startswith(("archive", "call"))]
        print(f"seed {seed} died ({result.returncode}) at: {tried[-1:]}\n{result.stderr[-2000:]}", file=sys.stderr)
    return counts


def fuzz(archives: int, calls: int, seed: int) -> Counter[str]:
    """Run children until so many archives and calls were tried."""
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="torch4j-fuzz-") as folder:
        classes = Path(folder)
        compile_fuzzer(classes)
        model = classes / "linear.pt"
        torch.manual_seed(0)
        torch.jit.script(torch.nn.Linear(4, 2)).save(str(model))
        while total["archives"] < archives or total["calls"] < calls:
            more = (min(EACH, archives - total["archives"]), min(EACH, calls - total["calls"]))
            total += run(seed, model, max(0, more[0]), max(0, more[1]), classes)
            seed += 1
    return total


def main() -> int:
    """Fuzz, print the counts; 0 only without deaths, silent changes and empty messages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--archives", type=int, default=1000)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    total = fuzz(options.archives, options.calls, options.seed)
    table = Table("tried", "exceptions", "harmless", "silent changes", "empty messages", "JVM deaths")
    tried = f"{total['archives']} archives, {total['calls']} calls"
    names = ("exceptions", "harmless", "silent", "empty", "deaths")
    table.add_row(tried, *(str(total[name]) for name in names))
    Console().print(table)
    return 1 if total["deaths"] or total["silent"] or total["empty"] else 0


if __name__ == "__main__":
    sys.exit(main())
