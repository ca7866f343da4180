"""Run by torch4j doctor in a process of its own: loads everything and prints what is mapped, as JSON."""

from __future__ import annotations

import json

from torch4j import java
from torch4j._mapped import mapped_files


def main() -> None:
    """Print one line of JSON."""
    java.start_jvm()
    facts = {"mapped " + name: ", ".join(files) for name, files in mapped_files().items()}
    for line in str(java.java_class("Torch").info()).splitlines():
        name, _, value = line.partition(": ")
        facts[name] = value
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
