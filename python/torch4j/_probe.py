"""Run by torch4j doctor in a process of its own: loads everything and prints what is mapped, as JSON."""

from __future__ import annotations

import json

from torch4j._mapped import mapped_files


def _facts() -> dict[str, str]:
    from torch4j import java  # here, so that a torch that cannot be imported is told like the rest

    java.start_jvm()
    facts = {"mapped " + name: ", ".join(files) for name, files in mapped_files().items()}
    for line in str(java.java_class("Torch").info()).splitlines():
        name, _, value = line.partition(": ")
        facts[name] = value
    return facts


def main() -> None:
    """Print one line of JSON: the facts, or the error."""
    try:
        facts = _facts()
    except Exception as error:  # whatever it is, doctor tells it
        facts = {"error": " ".join(str(error).split())}
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
