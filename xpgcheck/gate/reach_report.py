"""The gate's reach as a table: of each kind of bug, how many are caught by the deck, by a default run, by random cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.gate.reach import DECK, DEFAULT, MANY
from xpgcheck.properties.selftest import Measured, SelftestSettings
from xpgcheck.reports.documents import document_text
from xpgcheck.reports.terminal import new_table
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = "xpgcheck-gate-reach"
VERSION = 1

WANTED = 0.99
"""The share of the catalogue that a default run has to catch."""

OWN = "seeded bugs of properties"

Row = tuple[str, int, int, int, int]
"""A kind, its bugs, and how many the deck alone, the default run, and many random cases too have caught."""


def rows(measured: Sequence[Measured]) -> list[Row]:
    """Return a row for each kind of bug, and one of all."""
    kinds: dict[str, list[Measured]] = {}
    for found in measured:
        own = found.bug.kind == "explainer beyond small graphs"
        kinds.setdefault(found.bug.source if own else f"{OWN}: {found.bug.kind}s", []).append(found)
    table = [_row(kind, bugs) for kind, bugs in sorted(kinds.items())]
    return [*table, _row("all", list(measured))] if len(table) > 1 else table


def _row(kind: str, bugs: Sequence[Measured]) -> Row:
    where = [found.findings[0].origin if found.findings and found.findings[0] else "" for found in bugs]
    deck, default = where.count(DECK), where.count(DEFAULT)
    return kind, len(bugs), deck, deck + default, deck + default + where.count(MANY)


def missed(measured: Sequence[Measured]) -> list[Measured]:
    """Return the bugs that the default run does not catch."""
    return [m for m in measured if not (m.findings and m.findings[0] and m.findings[0].origin in (DECK, DEFAULT))]


def reached(measured: Sequence[Measured]) -> bool:
    """Tell whether the default run catches as large a share as it has to."""
    return len(missed(measured)) <= (1 - WANTED) * len(measured)


def heads(settings: SelftestSettings, *, many: bool) -> list[str]:
    """Return the heads of the columns of figures."""
    return ["bugs", DECK, DEFAULT, *([f"--examples {settings.examples}"] if many else [])]


def print_reach(measured: Sequence[Measured], settings: SelftestSettings, console: Console, *, many: bool) -> None:
    """Print the table, and below it what is missed."""
    table = new_table(["wrong about"], heads(settings, many=many))
    for kind, *figures in rows(measured):
        table.add_row(kind, *map(str, figures if many else figures[:-1]))
    console.print(table)
    for found in missed(measured):
        console.print(f"missed: {found.bug.name}: {found.bug.wrong}")


def markdown(measured: Sequence[Measured], settings: SelftestSettings, *, many: bool) -> str:
    """Return the table as Markdown."""
    columns = ["wrong about", *heads(settings, many=many)]
    lines = [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]
    lines += [
        f"| {' | '.join([kind, *map(str, figures if many else figures[:-1])])} |" for kind, *figures in rows(measured)
    ]
    lines += ["", *(f"* missed: `{found.bug.name}`, {found.bug.wrong}" for found in missed(measured))]
    return "\n".join(lines).rstrip() + "\n"


def json_text(measured: Sequence[Measured], settings: SelftestSettings) -> str:
    """Return what caught each bug as JSON text."""
    bugs = []
    for found in measured:
        first = found.findings[0] if found.findings else None
        said = {"about": first.property_name, "verdict": first.verdict, "by": first.origin} if first else None
        bugs.append({"name": found.bug.name, "wrong": found.bug.wrong, "caught": said})
    return document_text(FORMAT, VERSION, {"examples": settings.examples, "bugs": bugs})


def reach_line(measured: Sequence[Measured], settings: SelftestSettings, *, many: bool) -> str:
    """Return the last line: of how many bugs what catches how many."""
    _, count, deck, default, examples = _row("all", measured)
    word = "REACHED" if reached(measured) else "MISSED"
    more = f", {examples} by --examples {settings.examples} too" if many else ""
    share = 100 * default / max(count, 1)
    bugs = counted(count, "broken explainer")
    return f"{word}: of {bugs} {deck} by {DECK} alone, {default} by {DEFAULT} ({share:.1f} %){more}"
