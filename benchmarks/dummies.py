"""Explanations over dummies that speak of rows that cannot exist, and those over the original columns instead."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.measure import Report, SkippedError
from xpgcheck.explanations.api import explain
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.groups import grouped
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.sklearn_tree import from_sklearn

METHOD = """\
A table of 200 rows (age, housing, job), as get_dummies encodes it, and a tree of depth 8. AXps that are redundant: a \
column can be left out, and every row that can exist still has the class. Closest changes that are impossible: not one \
category in a group. The rows that can exist are tried one by one: an age from each interval, and the categories."""

COLUMNS = ("features", "nodes", "rows", "AXps", "redundant", "changes", "impossible")

LEVELS = {"housing": ("free", "own", "rent"), "job": ("clerk", "engineer", "nurse", "student")}
DUMMIES = [f"{name}_{level}" for name, levels in LEVELS.items() for level in levels]
GROUPS = [f"{name}_*" for name in LEVELS]
Row = Sequence[Any]


def table(seed: int = 0, rows: int = 200) -> tuple[list[list[Any]], list[str]]:
    """Return rows (age, housing, job) and their classes."""
    rng = random.Random(seed)
    found, classes = [], []
    for _ in range(rows):
        age, housing, job = rng.randint(18, 75), rng.choice(LEVELS["housing"]), rng.choice(LEVELS["job"])
        score = (age > 40) + (housing == "own") + (job in ("engineer", "nurse")) + rng.random() * 2.5
        found.append([age, housing, job])
        classes.append("good" if score > 2.4 else "bad")
    return found, classes


def dummies(row: Row) -> list[Any]:
    """Return *row* as ``get_dummies`` has it."""
    own = [f"{name}_{value}" for name, value in zip(LEVELS, row[1:], strict=True)]
    return [row[0], *(float(column in own) for column in DUMMIES)]


def models() -> tuple[DecisionGraph, DecisionGraph]:
    """Return the tree over dummies, and the same over the original columns."""
    from sklearn.tree import DecisionTreeClassifier

    rows, classes = table()
    tree = DecisionTreeClassifier(max_depth=8, random_state=0).fit([dummies(row) for row in rows], classes)
    encoded = from_sklearn(tree, feature_names=["age", *DUMMIES], name="dummies")
    over = grouped(encoded, GROUPS)
    assert isinstance(encoded, DecisionGraph)
    assert isinstance(over, DecisionGraph)
    return encoded, over


@dataclass
class Counts:
    """Counts of AXps and closest changes, and of those that speak of rows that cannot exist."""

    axps: int = 0
    redundant: int = 0
    changes: int = 0
    impossible: int = 0


def counted(model: DecisionGraph, over: DecisionGraph, rows: Iterable[Row]) -> Counts:
    """Explain *model*, over dummies or not, at *rows* and count; *over* tells which ages are alike."""
    encoded = model is not over
    possible = [
        dummies(row) if encoded else row
        for row in itertools.product([cell.representative() for cell in over.cells[0]], *LEVELS.values())
    ]
    classes = {tuple(row): model.kappa(read_point(model.features, row)) for row in possible}
    names = [feature.name for feature in model.features]
    found = Counts()
    for row in rows:
        alike = next(cell for cell in over.cells[0] if row[0] in cell).representative()
        given = dummies([alike, *row[1:]]) if encoded else [alike, *row[1:]]
        explained = explain(model, dummies(row) if encoded else list(row))
        point = explained.case.point
        assert point is not None
        own = model.kappa(point)
        for axp in explained.axps:
            found.axps += 1
            fixed = {names.index(name) for name in axp}
            assert _sufficient(classes, given, own, fixed)
            found.redundant += any(_sufficient(classes, given, own, fixed - {i}) for i in fixed)
        for cxp in explained.cxps:
            change = explained.closest(cxp)
            changed = tuple([change.values.get(name, value) for name, value in zip(names, point, strict=True)])
            assert model.classes[model.kappa(changed)] == change.prediction != explained.prediction
            found.changes += 1
            found.impossible += not exists(changed, encoded)
    return found


def _sufficient(classes: dict[tuple[Any, ...], int], given: Row, own: int, fixed: set[int]) -> bool:
    return all(kind == own for row, kind in classes.items() if all(row[i] == given[i] for i in fixed))


def exists(point: Point | Sequence[Value], encoded: bool) -> bool:
    """Tell whether *point* is of a row that can exist: one category in each group of dummies."""
    if not encoded:
        return all(value in own for value, own in zip(point[1:], LEVELS.values(), strict=True))
    start = 1
    for own in LEVELS.values():
        numbers = list(point[start : start + len(own)])
        start += len(own)
        if numbers.count(1) != 1 or numbers.count(0) != len(own) - 1:
            return False
    return True


def run(rows: int = 200) -> Report:
    """Count over *rows* rows of the table, with dummies and without."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise SkippedError("scikit-learn is not installed") from None
    encoded, over = models()
    report = Report("dummies", METHOD, COLUMNS)
    given = table()[0][:rows]
    for model in (encoded, over):
        found = counted(model, over, given)
        size = (len(model.features), model.node_count, len(given))
        report.rows.append([*size, found.axps, found.redundant, found.changes, found.impossible])
    return report
