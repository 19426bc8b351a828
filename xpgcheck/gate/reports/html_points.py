"""Points of feature space next to the instance, as a table for the page."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.gate.reports.claim_texts import class_at, instance_of, labels_of
from xpgcheck.judging.claim import Claim, Members, Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.reports.lines import line
from xpgcheck.wording import short_value

MAX_ROWS = 40
"""Features that the table lists: those of the claim and those that change first."""

MAX_POINTS = 6
"""Witnesses that the table shows."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, and whether it differs from the instance's."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class PointRow:
    """A feature (a condition): its value at the instance and at each witness, and whether the claim names it."""

    name: str
    value: str
    cells: tuple[Cell, ...]
    claimed: bool


@dataclass(frozen=True, slots=True)
class PointTable:
    """The instance and the witnesses next to it; ``more`` rows and ``more_points`` witnesses are left out."""

    what: str
    heads: tuple[str, ...]
    classes: tuple[str, ...]
    rows: tuple[PointRow, ...]
    more: int
    more_points: int
    has_claimed: bool


def point_table(judged: Judged | None, case: Case | EnsembleCase) -> PointTable:
    """Return the instance with the witnesses of *judged*; alone if None, or if there is no witness."""
    points = _witnesses(judged, case) if judged is not None and judged.claim.fault is None else []
    claim = judged.claim if judged is not None and (points or judged.claim.notion.of_features) else None
    shown = points[:MAX_POINTS]
    names, values = _own(claim, case)
    columns = [_column(claim, point, case) for _, point in shown] if claim is not None else []
    claimed = _claimed(claim, len(names)) if claim is not None else frozenset()
    rows = [
        PointRow(name, values[i], tuple(column[i] for column in columns), i in claimed) for i, name in enumerate(names)
    ]
    if len(rows) > MAX_ROWS:
        telling = sorted(rows, key=lambda row: not (row.claimed or any(cell.changed for cell in row.cells)))
        keep = {id(row) for row in telling[:MAX_ROWS]}
        rows = [row for row in rows if id(row) in keep]
    own = case.graph.classes[case.graph.kappa(case.instance)]
    others = [class_at(claim, point, case) for _, point in shown] if claim is not None else []
    return PointTable(
        "condition" if claim is not None and claim.notion is Notion.CONDITIONS else "feature",
        tuple(head for head, _ in shown),
        (line(own, 40), *others),
        tuple(rows),
        len(names) - len(rows),
        len(points) - len(shown),
        bool(claimed),
    )


def _witnesses(judged: Judged, case: Case | EnsembleCase) -> list[tuple[str, Point]]:
    """Return the witness, and of each needed member the point that shows it, with their headings."""
    evidence = judged.evidence
    found = [("witness", evidence.witness)] if evidence.witness is not None else []
    if evidence.needed:
        labels = labels_of(judged.claim, case)
        found += [(f"shows {line(labels[i], 40)} needed", point) for i, point in sorted(evidence.needed.items())]
    return found


def _column(claim: Claim, point: Point, case: Case | EnsembleCase) -> list[Cell]:
    texts = _texts(claim, point, case)
    pairs = zip(instance_of(claim, case), point, strict=True)
    return [Cell(text, old != new) for text, (old, new) in zip(texts, pairs, strict=True)]


def _own(claim: Claim | None, case: Case | EnsembleCase) -> tuple[list[str], list[str]]:
    """Return the names and the instance's values of the rows."""
    if claim is not None and claim.notion is Notion.CONDITIONS:
        return [line(name, 120) for name in labels_of(claim, case)], _texts(claim, instance_of(claim, case), case)
    return [line(feature.name, 120) for feature in case.graph.features], _texts(None, case.instance, case)


def _texts(claim: Claim | None, point: Point, case: Case | EnsembleCase) -> list[str]:
    if claim is not None and claim.notion is Notion.CONDITIONS:
        # Rows are conditions as they come out at the instance: there, all of them are true.
        pairs = zip(instance_of(claim, case), point, strict=True)
        return ["true" if value is own else "false" for own, value in pairs]
    return [line(short_value(f.domain, value), 60) for f, value in zip(case.graph.features, point, strict=True)]


def _claimed(claim: Claim, count: int) -> Members:
    """Return which rows the claim names; one over conditions with theory names none of the features that these rows are."""
    if claim.notion is Notion.THEORY:
        return frozenset()
    if claim.members is not None:
        return claim.members
    return frozenset([claim.feature]) if 0 <= claim.feature < count else frozenset()
