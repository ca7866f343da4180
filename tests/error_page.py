"""docs/errors.md: its tables are written, and compared, by the tests that make the errors happen."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "errors.md"
HEAD = "| what happened | exception | message |\n|---|---|---|\n"


def row(what: str, kind: str, message: str) -> str:
    """Return a row of a table."""
    text = message.replace("|", "\\|").replace("\\n", "<br>").replace("\n", "<br>")
    return f"| {what} | `{kind}` | {text} |"


def section(name: str, rows: list[str], *, write: bool) -> None:
    """Compare a table of the page, after writing it if that is wanted."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    text = PAGE.read_text()
    before, rest = text.split(begin)
    found, after = rest.split(end)
    table = HEAD + "\n".join(rows) + "\n"
    if write:
        PAGE.write_text(before + begin + table + end + after)
    else:
        assert found == table
