"""Texts of others in GitHub's Markdown: shown as they are, whatever they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable

from xpgcheck.reports.lines import MAX_COMMAND, line

_SPECIAL = re.compile(r"[&<>\\`*_\[\]|~$#@!^]")

_GAP = "&#8203;"
"""A space of no width: what stands on both sides of it is no mention, link or emoji."""


def escaped(text: str, limit: int = 400) -> str:
    """Return *text* on one line, for a paragraph, a table or a heading.

    What Markdown or HTML could read is written as an entity, which the specification never takes for structure; mentions,
    links and emoji, which GitHub makes of the text that comes out, are broken by a space of no width.
    """
    found = _SPECIAL.sub(lambda match: f"&#{ord(match[0])};", line(text, limit))
    found = re.sub(r"(&#(?:64|35);)(?=\w)", rf"\1{_GAP}", found)
    found = re.sub(r":(?=[\w/+-])", f":{_GAP}", found)
    return re.sub(r"(?i)\bwww\.", f"www{_GAP}.", found)


def code(text: str) -> str:
    """Return *text*, one line of ours or a command, as code in a line."""
    content = line(text, MAX_COMMAND)
    fence = "`" * (_longest_run(content) + 1)
    padding = " " if content.startswith("`") or content.endswith("`") or not content.strip() else ""
    return f"{fence}{padding}{content}{padding}{fence}"


def code_block(lines: Iterable[str]) -> str:
    """Return *lines* as a block of code that no line of it can end."""
    content = "\n".join(line(part, 200) for part in lines)
    fence = "`" * max(3, _longest_run(content) + 1)
    return f"{fence}text\n{content}\n{fence}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall(r"`+", text)), default=0)
