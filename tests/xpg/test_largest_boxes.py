"""All inflated AXps over an AXp against brute force, and the duality of boxes and changes in values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from xpgcheck.embedded import load
from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.strategies import cases
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp
from xpgcheck.xpg.inflation import inflate_axp
from xpgcheck.xpg.largest_boxes import LargestBoxes
from xpgcheck.xpg.xps import Kind

Sets = tuple[tuple[int, frozenset[int]], ...]


def minimal_hitting_sets(family: Any) -> set[frozenset[Any]]:
    """Return the minimal hitting sets, set by set (Berge)."""
    found: set[frozenset[Any]] = {frozenset()}
    for members in family:
        hit = {own if own & members else own | {member} for own in found for member in members}
        found = {own for own in hit if not any(other < own for other in hit)}
    return found


def runs(split: Any, own: int) -> Iterator[frozenset[int]]:
    """Yield the sets of cells that a box may have of a feature: of ordered ones a run, and the missing value or not."""
    if not isinstance(split[0], IntervalSet):
        others = [k for k in range(len(split)) if k != own]
        for size in range(len(others) + 1):
            for some in itertools.combinations(others, size):
                yield frozenset([own, *some])
        return
    numbers = sum(bool(cell.cuts) for cell in split)
    missing = frozenset(range(numbers, len(split)))
    spans = [range(low, high) for low in range(numbers) for high in range(low + 1, numbers + 1)]
    for span in [range(0), *spans]:
        for more in {frozenset(), missing}:
            if own in span or own in more:
                yield frozenset(span) | more


def largest(model: Any, instance: Any, axp: list[int]) -> set[Sets]:
    """Return the largest boxes over *axp*, as sets of cells, by trying all."""
    own_class = model.kappa(instance)
    at = [next(k for k, cell in enumerate(split) if v in cell) for split, v in zip(model.cells, instance, strict=True)]
    bad = set()
    for places in itertools.product(*[range(len(split)) for split in model.cells]):
        point = tuple(split[k].representative() for split, k in zip(model.cells, places, strict=True))
        if model.kappa(point) != own_class or (hasattr(model, "is_settled") and not model.is_settled(point)):
            bad.add(tuple(places[i] for i in axp))
    found: list[tuple[frozenset[int], ...]] = []
    boxes = itertools.product(*[list(runs(model.cells[i], at[i])) for i in axp])
    for box in sorted(boxes, key=lambda box: -sum(map(len, box))):
        if any(all(a <= b for a, b in zip(box, other, strict=True)) for other in found):
            continue
        if not any(all(k in own for k, own in zip(places, box, strict=True)) for places in bad):
            found.append(box)
    return {tuple(zip(axp, box, strict=True)) for box in found}


def listed(model: Any, boxes: LargestBoxes) -> list[Sets]:
    return [
        tuple((i, frozenset(k for k, c in enumerate(model.cells[i]) if c.representative() in v)) for i, v in b.items())
        for b in boxes
    ]


def hold(model: Any, instance: Any, axp: list[int], dice: Any) -> None:
    boxes = LargestBoxes(model, instance, axp)
    found = listed(model, boxes)
    assert boxes.complete
    assert len(set(found)) == len(found)
    assert set(found) == largest(model, instance, axp)
    dice.shuffle(axp)
    one = inflate_axp(model, instance, axp, axp)
    assert one in list(LargestBoxes(model, instance, axp))


def few(model: Any, axp: list[int]) -> bool:
    """Tell whether there are few boxes to try."""
    count = 1
    for i in axp:
        cells = len(model.cells[i])
        count *= (cells + 1) ** 2 if isinstance(model.cells[i][0], IntervalSet) else 2**cells
    return count <= 3_000


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), dice=st.randoms(use_true_random=False))
def test_all_largest_boxes_of_graphs(case: Any, dice: Any) -> None:
    model, instance = case
    axp = sorted(find_axp(explanation_graph(model, instance)))
    assume(few(model, axp))
    hold(model, instance, axp, dice)
    everything = list(range(len(model.features)))
    if few(model, everything):
        hold(model, instance, everything, dice)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=ensemble_cases(trees=3), dice=st.randoms(use_true_random=False))
def test_all_largest_boxes_of_ensembles(case: Any, dice: Any) -> None:
    model, instance = case.graph, case.instance
    assume(model.is_settled(instance))
    axp = sorted(explained_ensemble(model, instance).find(Kind.AXP).features)
    assume(few(model, axp))
    hold(model, instance, axp, dice)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases())
def test_what_largest_boxes_lack_are_the_minimal_hitting_sets_of_the_changes(case: Any) -> None:
    model, instance = case
    everything = list(range(len(model.features)))
    # Intervals are not any sets: of them the theorem speaks of what lies beyond their ends.
    assume(not any(isinstance(split[0], IntervalSet) for split in model.cells))
    assume(few(model, everything))
    at = [next(k for k, cell in enumerate(split) if v in cell) for split, v in zip(model.cells, instance, strict=True)]
    changes = set()
    for places in itertools.product(*[range(len(split)) for split in model.cells]):
        point = tuple(split[k].representative() for split, k in zip(model.cells, places, strict=True))
        if model.kappa(point) != model.kappa(instance):
            changes.add(frozenset((i, k) for i, k in enumerate(places) if k != at[i]))
    minimal = {change for change in changes if not any(other < change for other in changes)}
    boxes = LargestBoxes(model, instance, everything)
    lacking = [
        frozenset((i, k) for i, cells in box for k in range(len(model.cells[i])) if k not in cells)
        for box in listed(model, boxes)
    ]
    assert set(lacking) == minimal_hitting_sets(minimal), "what boxes lack, by the changes"
    if minimal:
        assert minimal == minimal_hitting_sets(lacking), "changes, by what boxes lack"


def test_what_does_not_suffice_is_refused() -> None:
    model = load("hardware")
    with pytest.raises(InputError, match="do not suffice"):
        LargestBoxes(model.graph, model.paper_instance, [1])


def test_two_numbers_trade_with_each_other() -> None:
    # κ is 1 iff x + y is at most 2, for x and y in {0, 1, 2}: as many largest boxes as there are ways to share 2.
    features = (Feature("x", Real()), Feature("y", Real()))
    parts = ["(-inf, 1)", "[1, 2)", "[2, inf)"]
    nodes: dict[Any, Any] = {"yes": Terminal(1), "no": Terminal(0)}
    nodes["x"] = NonTerminal(0, tuple((f"y{k}", read_literal(Real(), [part])) for k, part in enumerate(parts)))
    for k in range(3):
        edges = [("yes" if k + j <= 2 else "no", read_literal(Real(), [part])) for j, part in enumerate(parts)]
        nodes[f"y{k}"] = NonTerminal(1, tuple(edges))
    graph = decision_graph("sum", features, ("over", "within"), nodes, "x")
    boxes = LargestBoxes(graph, (Fraction(0), Fraction(0)), [0, 1])
    ends = sorted(tuple(str(values) for values in box.values()) for box in boxes)
    assert ends == [("(-inf, 1)", "(-inf, inf)"), ("(-inf, 2)", "(-inf, 2)"), ("(-inf, inf)", "(-inf, 1)")]
    assert boxes.complete
