"""A row of the table: a statement of the paper in our words, its place, and the checks that bear on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial


class Expect(Enum):
    """The result that a check should show if the statement is right."""

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


random = partial(RowCheck, "random")
"""A check by a property on generated decision graphs; red by a seeded bug."""

bounded = partial(RowCheck, "bounded")
"""A check by a law on every decision graph of a size; red by one of its seeded bugs."""

symbolic = partial(RowCheck, "symbolic")
"""A check by a proof for all graphs of a size; the item is "theorem/kind", red by clauses that it fails without."""

example = partial(RowCheck, "examples")
"""A check of the figures that an example prints; red by a change that is made to its model or figures."""

models = partial(RowCheck, "models")
"""A check of a law that follows the text, on embedded models; red by a wrong method in its place."""

growth = partial(RowCheck, "growth")
"""A check of steps counted on a family of growing graphs; red by a method that takes too many."""

formulas = partial(RowCheck, "formulas")
"""A check by a property, or a reading, of the reduction on generated formulas."""

tables = partial(RowCheck, "tables")
"""A check of Tables 1 and 2."""

queries = partial(RowCheck, "queries")
"""A check of the membership queries at scale."""


def without(ablation: str, item: str) -> RowCheck:
    """Return a check that property *item* fails where *ablation* leaves something out."""
    return RowCheck("ablations", f"{ablation}: {item}", "the assumption put back", Expect.WITHOUT)
