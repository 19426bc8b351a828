"""The gate's reach as a table: of each kind of bug, how many are caught by the deck, by a default run, by random cases.

As JSON it is what a run that was stopped goes on from: which bugs were tried, by which deck.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from xpgcheck.deck.storage import stored_deck
from xpgcheck.errors import FormatError, InputError
from xpgcheck.gate.reach import DECK, DEFAULT, Reached
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, read_bytes
from xpgcheck.reports.documents import document_text
from xpgcheck.reports.terminal import new_table
from xpgcheck.version import __version__
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

FORMAT = "xpgcheck-gate-reach"
VERSION = 2

WANTED = 0.99
"""The share of the catalogue that a default run has to catch."""

OWN = "seeded bugs of properties"

EXACT = (
    "All three ask the deck first: the larger runs were made for bugs that it does not catch. "
    "Oracles make no claims, and are judged by properties."
)

Row = tuple[str, int, int, int, int]
"""A kind, its bugs, and how many the deck alone, the default run, and many random cases too have caught."""


@dataclasses.dataclass(frozen=True, slots=True)
class ReachReport:
    """The findings about *bugs*, by their names, with *examples* random cases in the largest runs."""

    bugs: Sequence[SeededBug]
    found: Mapping[str, Reached]
    examples: int

    def rows(self) -> list[Row]:
        """Return a row for each kind of bug, and one of all."""
        kinds: dict[str, list[Reached]] = {}
        for bug in self.bugs:
            own = bug.kind == "explainer beyond small graphs"
            kinds.setdefault(bug.source if own else f"{OWN}: {bug.kind}s", []).append(self.found[bug.name])
        table = [_row(kind, found) for kind, found in sorted(kinds.items())]
        return [*table, self.all()] if len(table) > 1 else table

    def all(self) -> Row:
        """Return the row of all bugs."""
        return _row("all", [self.found[bug.name] for bug in self.bugs])

    @property
    def missed(self) -> list[SeededBug]:
        """The bugs that the default run does not catch."""
        return [bug for bug in self.bugs if self.found[bug.name].by not in (DECK, DEFAULT)]

    @property
    def is_enough(self) -> bool:
        """Whether the default run catches as large a share as it has to."""
        return len(self.missed) <= (1 - WANTED) * len(self.bugs)

    @property
    def heads(self) -> list[str]:
        """The heads of the columns."""
        return ["wrong about", "bugs", DECK, DEFAULT, f"--examples {self.examples}"]

    def print(self, console: Console) -> None:
        """Print the table, and below it what is missed."""
        first, *others = self.heads
        table = new_table([first], others)
        for kind, *figures in self.rows():
            table.add_row(kind, *map(str, figures))
        console.print(table)
        console.print(EXACT)
        for bug in self.missed:
            console.print(f"missed: {bug.name}: {bug.wrong}")

    def markdown(self) -> str:
        """Return the table as Markdown."""
        lines = [f"| {' | '.join(self.heads)} |", f"|{' --- |' * len(self.heads)}"]
        lines += [f"| {' | '.join([kind, *map(str, figures)])} |" for kind, *figures in self.rows()]
        lines += ["", EXACT, "", *(f"* missed: `{bug.name}`, {bug.wrong}" for bug in self.missed)]
        return "\n".join(lines).rstrip() + "\n"

    def line(self) -> str:
        """Return the last line: of how many bugs what catches how many."""
        _, count, deck, default, many = self.all()
        word, share = "REACHED" if self.is_enough else "MISSED", 100 * default / max(count, 1)
        said = f"{deck} by {DECK} alone, {default} by {DEFAULT} ({share:.1f} %), {many} by --examples {self.examples}"
        return f"{word}: of {counted(count, 'broken explainer')} {said}"


def _row(kind: str, bugs: Sequence[Reached]) -> Row:
    where = [found.by for found in bugs]
    return kind, len(bugs), where.count(DECK), where.count(DECK) + where.count(DEFAULT), sum(f.many for f in bugs)


class _Document(msgspec.Struct):
    format: str
    version: int
    xpgcheck: str
    deck: str
    examples: int
    bugs: list[Reached]


def _deck() -> str:
    return hashlib.sha256(stored_deck()).hexdigest()


def json_text(found: Mapping[str, Reached], examples: int) -> str:
    """Return what caught each bug that was tried as JSON text."""
    bugs = [dataclasses.asdict(found[name]) for name in sorted(found)]
    return document_text(FORMAT, VERSION, {"deck": _deck(), "examples": examples, "bugs": bugs})


def read_found(path: Path, examples: int) -> dict[str, Reached]:
    """Return what the run that wrote *path* had found.  Raises ``InputError`` where it was another run's."""
    try:
        document = msgspec.json.decode(read_bytes(path, DEFAULT_MAX_BYTES), type=_Document)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise FormatError("no report of --gate", place=str(path), mend="leave --resume out to begin again") from None
    own = (FORMAT, VERSION, __version__, _deck(), examples)
    if (document.format, document.version, document.xpgcheck, document.deck, document.examples) != own:
        problem = "a run with another version, deck or number of --examples"
        raise InputError(problem, place=str(path), mend="repeat these, or leave --resume out to begin again")
    return {found.name: found for found in document.bugs}
