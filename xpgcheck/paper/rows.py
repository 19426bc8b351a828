"""What a row of the table is: a statement of the paper in our words, its place, and the checks that bear on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Expect(Enum):
    """What a check should show if the statement is right."""

    HOLDS = "holds"
    """The statement itself, or a consequence of it, is tried."""
    WITHOUT = "fails without"
    """An assumption is left out, and then it should fail: the row is then "holds when"."""
    AS_PRINTED = "as printed"
    """The statement is tried by the letter: where that fails, so does the row, and what holds is another reading."""


@dataclass(frozen=True, slots=True)
class RowCheck:
    """One way in which a row is looked at.

    ``source`` and ``item`` say whose evidence it is (see :mod:`xpgcheck.paper.sources`), ``red_by`` the seeded bug, ablation
    or mutation that turns it red.
    """

    source: str
    item: str
    red_by: str
    expect: Expect = Expect.HOLDS
    note: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A statement of the paper.  ``known`` is the verdict that is known of it, which evidence has to confirm each time.

    ``condition`` completes "holds when …", ``remark`` says what is looser than it looks; ``page`` is a page of docs/.
    """

    id: str
    place: str
    statement: str
    checks: tuple[RowCheck, ...]
    known: str = "holds"
    condition: str = ""
    remark: str = ""
    page: str = ""


HOLDS, HOLDS_WHEN, FAILS = "holds", "holds when", "fails as printed"
INCONCLUSIVE, SKIPPED = "inconclusive", "skipped"


def random(item: str, red_by: str) -> RowCheck:
    """Return a check by a property on generated decision graphs; *red_by* is a seeded bug."""
    return RowCheck("random", item, red_by)


def bounded(item: str, red_by: str) -> RowCheck:
    """Return a check by a law on every decision graph of a size; *red_by* is one of its seeded bugs."""
    return RowCheck("bounded", item, red_by)


def symbolic(item: str, red_by: str, expect: Expect = Expect.HOLDS) -> RowCheck:
    """Return a check by a proof for all graphs of a size; *item* is "theorem/kind", *red_by* clauses it fails without."""
    return RowCheck("symbolic", item, red_by, expect)


def without(ablation: str, item: str) -> RowCheck:
    """Return a check that property *item* fails where *ablation* leaves something out."""
    return RowCheck("ablations", f"{ablation}: {item}", "the assumption put back", Expect.WITHOUT)


def example(item: str, red_by: str) -> RowCheck:
    """Return a check of the figures that an example prints; *red_by* is the change that is made to its model or figures."""
    return RowCheck("examples", item, red_by)


def models(item: str, red_by: str) -> RowCheck:
    """Return a check of a law that follows the text, on embedded models; *red_by* is a wrong method in its place."""
    return RowCheck("models", item, red_by)


def growth(item: str, red_by: str, expect: Expect = Expect.HOLDS) -> RowCheck:
    """Return a check of steps counted on a family of growing graphs; *red_by* is a method that takes too many."""
    return RowCheck("growth", item, red_by, expect)


def formulas(item: str, red_by: str, expect: Expect = Expect.HOLDS) -> RowCheck:
    """Return a check by a property, or a reading, of the reduction on generated formulas."""
    return RowCheck("formulas", item, red_by, expect)


def tables(item: str, red_by: str, expect: Expect = Expect.HOLDS) -> RowCheck:
    """Return a check of Tables 1 and 2."""
    return RowCheck("tables", item, red_by, expect)


def queries(item: str, red_by: str) -> RowCheck:
    """Return a check of the membership queries at scale."""
    return RowCheck("queries", item, red_by)
