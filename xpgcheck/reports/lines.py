"""Texts of others on one line, or a few: nothing in them moves a cursor, and nothing fills the screen."""

from __future__ import annotations

from xpgcheck.errors import printable

MAX_LINE = 400
"""Characters of one line of text that reports for people show; the JSON has all of it."""

MAX_COMMAND = 4_000
"""The same of a file's name or of a command, which is of no use in part."""

MAX_LINES = 20
"""Lines of a standard error that are shown: the last ones."""


def line(text: str, limit: int = MAX_LINE) -> str:
    """Return *text* on one line, control characters escaped, cut beyond *limit* characters."""
    if len(text) > limit:
        text = f"{text[: limit - 1]}…"
    return printable(text)


def tail(text: str, limit: int = MAX_LINES) -> list[str]:
    """Return the last lines of *text*, with a first one that says how many are left out."""
    lines = [line(part.expandtabs(4)) for part in text.strip().splitlines()]
    if len(lines) <= limit:
        return lines
    return [f"… {len(lines) - limit:,} lines before", *lines[-limit:]]
