"""Dummies and a tree of depth 8: over the original columns no AXp is redundant, and every change can exist."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("sklearn")

from sklearn.tree import DecisionTreeClassifier

import xpgcheck
from xpgcheck.explanations.result import Explanations
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point

LEVELS = {"housing": ("free", "own", "rent"), "job": ("clerk", "engineer", "nurse", "student")}
DUMMIES = [f"{name}_{level}" for name, levels in LEVELS.items() for level in levels]
ROWS = 100


def table(seed: int, rows: int = 200) -> tuple[list[list[Any]], list[str]]:
    """Return rows (age, housing, job) and their classes."""
    rng = random.Random(seed)
    found, classes = [], []
    for _ in range(rows):
        age, housing, job = rng.randint(18, 75), rng.choice(LEVELS["housing"]), rng.choice(LEVELS["job"])
        score = (age > 40) + (housing == "own") + (job in ("engineer", "nurse")) + rng.random() * 2.5
        found.append([age, housing, job])
        classes.append("good" if score > 2.4 else "bad")
    return found, classes


def dummies(row: Sequence[Any]) -> list[float]:
    """Return *row* as ``get_dummies`` has it."""
    return [float(row[0]), *(float(f"{name}_{value}" in DUMMIES and column == f"{name}_{value}")
            for name, value, own in zip(LEVELS, row[1:], LEVELS.values(), strict=True)
            for column in [f"{name}_{level}" for level in own])]  # fmt: skip


@pytest.fixture(scope="module")
def models() -> tuple[DecisionGraph, DecisionGraph, list[list[Any]]]:
    rows, classes = table(0)
    tree = DecisionTreeClassifier(max_depth=8, random_state=0).fit([dummies(row) for row in rows], classes)
    encoded = xpgcheck.from_sklearn(tree, feature_names=["age", *DUMMIES])
    return encoded, xpgcheck.grouped(encoded, ["housing_*", "job_*"]), rows[:ROWS]


def possible(over: DecisionGraph) -> list[list[Any]]:
    """Return a row for every combination of what can be told apart: an age of each cell, and the categories."""
    ages = [cell.representative() for cell in over.cells[0]]
    return [list(row) for row in itertools.product(ages, *LEVELS.values())]


def redundant(classes: dict[tuple[Any, ...], int], given: Sequence[Any], own: int, axp: set[int]) -> bool:
    """Tell whether a column of *axp* is not needed over the rows that can exist; *axp* itself must be sufficient."""

    def sufficient(fixed: set[int]) -> bool:
        return all(kind == own for row, kind in classes.items() if all(row[i] == given[i] for i in fixed))

    assert sufficient(axp)
    return any(sufficient(axp - {i}) for i in axp)


def test_over_dummies_explanations_are_of_rows_that_cannot_exist(models: Any) -> None:
    """What the issue reports, on this table: the reason for groups."""
    encoded, over, rows = models
    classes = {tuple(dummies(row)): encoded.kappa(point(encoded, row)) for row in possible(over)}
    axps = wrong = changes = impossible = 0
    for row in rows:
        found = xpgcheck.explain(encoded, dummies(row))
        names = [feature.name for feature in encoded.features]
        # An age that stands for those of its cell.
        given = [float(over.cells[0][cell_of(over, row[0])].representative()), *dummies(row)[1:]]
        for axp in found.axps:
            axps += 1
            wrong += redundant(classes, given, encoded.kappa(found.case.point), {names.index(name) for name in axp})
        for cxp in found.cxps:
            changes += 1
            values = found.closest(cxp).values
            changed = [values.get(name, value) for name, value in zip(names, found.case.point, strict=True)]
            impossible += not exists(changed)
    assert wrong > axps // 20
    assert impossible > changes // 4


def test_over_the_original_columns_none_is(models: Any) -> None:
    encoded, over, rows = models
    assert [str(feature.domain) for feature in over.features[1:]] == [
        "'{free, own, rent}'",
        "'{clerk, engineer, nurse, student}'",
    ]
    assert over.is_tree()
    classes = {tuple(row): over.kappa(tuple(row)) for row in possible(over)}
    for row in rows:
        found = xpgcheck.explain(over, row)
        assert found.prediction == encoded.classes[encoded.kappa(point(encoded, row))]
        given = [over.cells[0][cell_of(over, row[0])].representative(), *row[1:]]
        for axp in found.axps:
            assert not redundant(classes, given, over.kappa(found.case.point), {NAMES.index(name) for name in axp})
        for cxp in found.cxps:
            check_change(encoded, found, cxp)


NAMES = ["age", *LEVELS]


def check_change(encoded: DecisionGraph, found: Explanations, cxp: tuple[str, ...]) -> None:
    """A closest change is a row that can exist, and the tree on dummies says its class."""
    change = found.closest(cxp)
    changed = [change.values.get(name, value) for name, value in zip(NAMES, found.case.point, strict=True)]
    assert all(value in own for value, own in zip(changed[1:], LEVELS.values(), strict=True))
    assert exists(dummies(changed))
    assert encoded.classes[encoded.kappa(point(encoded, changed))] == change.prediction != found.prediction


def exists(encoded: Sequence[Any]) -> bool:
    """Tell whether each group of dummies has a single 1 and else 0."""
    housing, job = encoded[1:4], encoded[4:8]
    return all(sorted(own) == [0] * (len(own) - 1) + [1] for own in (housing, job))


def point(encoded: DecisionGraph, row: Sequence[Any]) -> Point:
    return xpgcheck.read_point(encoded.features, dummies(row))


def cell_of(over: DecisionGraph, age: int) -> int:
    return next(k for k, cell in enumerate(over.cells[0]) if age in cell)
