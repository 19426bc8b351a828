"""Inflated explanations of ensembles against brute force over every combination of cells."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xpgcheck.errors import InputError
from xpgcheck.judging.box_judge import BoxJudge
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.model.values import Point
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.inflation import inflate_axp, inflate_change, inflate_cxp
from xpgcheck.xpg.xps import Kind


def check(model: Ensemble, inside: Point, box: Any, held: Any) -> None:
    """Hold *box* against κ at every combination of cells: points of one class, and none of the pieces next to it fits."""
    own = model.kappa(inside)
    points = list(itertools.product(*[[cell.representative() for cell in split] for split in model.cells]))

    def constant(candidate: Any) -> bool:
        whole = {**held, **candidate}
        return all(
            model.kappa(point) == own and model.is_settled(point)
            for point in points
            if all(point[i] in values for i, values in whole.items())
        )

    assert constant(box)
    for feature, values in box.items():
        assert inside[feature] in values
        for cell in model.cells[feature]:
            larger = values.union(cell)
            one_piece = not isinstance(larger, IntervalSet) or len(larger.cuts) <= 2
            assert not (larger != values and one_piece and constant({**box, feature: larger})), (feature, cell)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=ensemble_cases(trees=4), dice=st.randoms(use_true_random=False))
def test_sets_are_right_and_as_large_as_can_be(case: Any, dice: Any) -> None:
    model, instance = case.graph, case.instance
    if not model.is_settled(instance):
        return
    explained = explained_ensemble(model, instance)
    axp = sorted(explained.find(Kind.AXP).features)
    dice.shuffle(axp)
    box = inflate_axp(model, instance, axp, axp)
    check(model, instance, box, {})
    # Within rounding, the judge says that it does not know.
    verdicts = {Verdict.INFLATED, Verdict.INCONCLUSIVE} if model.tally.slack else {Verdict.INFLATED}
    assert BoxJudge(model).inflated_axp(instance, box).verdict in verdicts
    choices = [[cell.representative() for cell in split] for split in model.cells]
    others = [p for p in itertools.product(*choices) if model.kappa(p) != model.kappa(instance) and model.is_settled(p)]
    if not others or model.tally.slack:
        return
    cxp = explained.find(Kind.CXP).features
    held = {i: next(c for c in model.cells[i] if v in c) for i, v in enumerate(instance) if i not in cxp}
    changes = [
        tuple(v if i in cxp else instance[i] for i, v in enumerate(p))
        for p in others
        if all(p[i] in values for i, values in held.items())
    ]
    values = inflate_cxp(model, instance, cxp)
    for feature in cxp:
        for cell in model.cells[feature]:
            value = cell.representative()
            assert (value in values[feature]) is any(point[feature] == value for point in changes)
    assert BoxJudge(model).inflated_cxp(instance, values).verdict is Verdict.INFLATED
    changed = changes[0]
    change = inflate_change(model, instance, cxp, changed)
    check(model, changed, change, held)
    assert BoxJudge(model).inflated_change(instance, change, changed).verdict is Verdict.INFLATED
    for feature in axp[:1]:
        with pytest.raises(InputError, match="do not suffice"):
            inflate_axp(model, instance, set(axp) - {feature})
