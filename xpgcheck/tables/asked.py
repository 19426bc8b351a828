"""Questions about every row of a table, and their answers: sets of features as masks."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from xpgcheck.explanations.distances import Distance
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.values import Point, Value

DEFAULT_LIMIT = 1_000


class RowPart(enum.Enum):
    """A part of what is shown of a row."""

    AXP = "axp"
    VALUES = "values"
    AXPS = "axps"
    CXPS = "cxps"
    CHANGE = "change"


DEFAULT_PARTS = (RowPart.AXP, RowPart.VALUES, RowPart.CHANGE)


@dataclass(frozen=True, slots=True)
class TableAsked:
    """The parts to work out of each row, at most *limit* XPs of a kind, in *seconds* a row of an ensemble (None: any).

    All is under *constraint*, if there is one.
    """

    parts: frozenset[RowPart] = frozenset(DEFAULT_PARTS)
    limit: int = DEFAULT_LIMIT
    seconds: float | None = None
    constraint: Constraint | None = None


class RowItem(NamedTuple):
    """A row to explain: of each feature the cell of its value, and the values where they matter."""

    cells: tuple[int, ...]
    point: Point | None


class RowCondition(NamedTuple):
    """The values of a feature that would do, in words and as literals are written; None where that stays open."""

    feature: int
    text: str | None
    literal: tuple[str | int, ...] | None


class RowChange(NamedTuple):
    """A closest change: the new values of features, the class that they give, and whether no closer one exists."""

    values: tuple[tuple[int, Value], ...]
    label: int
    distance: Distance
    proven: bool


class RowAnswer(NamedTuple):
    """The answer about a row.

    ``relevant`` are the features in some AXp, ``necessary`` those in every AXp, and ``in_smallest`` those in some smallest
    CXp; ``undecided`` those of which the first is open, and ``in_smallest`` is None where it is not known.  ``left_open``
    says what else is, in words.
    """

    label: int
    relevant: int
    necessary: int
    in_smallest: int | None
    undecided: int = 0
    axp: int | None = None
    conditions: tuple[RowCondition, ...] = ()
    axps: tuple[int, ...] = ()
    cxps: tuple[int, ...] = ()
    change: RowChange | None = None
    left_open: str = ""
