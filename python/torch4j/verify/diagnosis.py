"""Says what the differences mean."""

from __future__ import annotations

from torch4j.verify.verification import Check, Verification


def diagnosis(found: Verification) -> list[str]:
    """Return sentences: whether it is another input or another result, and where."""
    by_kind: dict[str, Check] = {}
    for check in found.failures:
        by_kind.setdefault(check.kind, check)
    sentences = [text for kind, check in by_kind.items() if (text := _sentence(kind, check, by_kind))]
    trained = [str(check.error) for check in found.failures if check.kind == "mode"]
    if trained:
        sentences.insert(0, f"In train mode: {', '.join(trained)}. Call model.eval() before exporting.")
    if found.differing_submodule is not None:
        sentences.append(f"The first submodule that differs with the same inputs is {found.differing_submodule}.")
    elif found.submodules and by_kind.keys() & {"java", "reference"}:
        sentences.append("No submodule differs with the same inputs: what differs lies between them.")
    return sentences


def _sentence(kind: str, check: Check, failed: dict[str, Check]) -> str | None:
    told = check.error or str(check.comparison)
    if kind == "inputs":
        same = "java" not in failed
        also = " With the same input Java gives what Python gives." if same else ""
        return f"Other input: {told}.{also}"
    if kind == "weights":
        return f"Other weights than the reference: {told}."
    if kind == "stored":
        return "This file does not give in Python what it gave when it was exported: its weights or code were changed."
    if kind == "reference":
        return "This file does not give in Python what the reference gives."
    if kind == "java":
        return _result(check)
    return None


def _result(check: Check) -> str:
    if check.error:
        return f"One side fails where the other does not: {check.error}."
    if not check.same_inputs:
        return "Other input: Python and Java did not get the same, see the fingerprints."
    return "Other result: both sides got the same input, to the bit, and give different outputs."
