"""Claims of sets of values are judged as brute force over every combination of cells does, with points that show it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from xpgcheck.embedded import load
from xpgcheck.errors import InputError
from xpgcheck.explanations.api import explain
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.boxes import union_of_cells
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.oracles.box_closed_set import check_closed_set_within
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.strategies import cases
from xpgcheck.xpg.inflation import inflate_axp, inflate_cxp


class Every:
    """The truth by looking at every combination of cells."""

    def __init__(self, model: Any, instance: Any, constraint: Any = None) -> None:
        self.model, self.instance, self.own = model, instance, model.kappa(instance)
        self.cells = model.cells if constraint is None else constraint.cells_with(model)
        cells = [[cell.representative() for cell in split] for split in self.cells]
        self.points = [p for p in itertools.product(*cells) if constraint is None or constraint.allows(p)]
        self.others = [point for point in self.points if model.kappa(point) != self.own]
        self.places = [next(c.representative() for c in s if v in c) for s, v in zip(self.cells, instance, strict=True)]

    def suffices(self, box: Any) -> bool:
        return not any(all(point[i] in values for i, values in box.items()) for point in self.others)

    def changes(self, features: Any) -> list[Any]:
        free = frozenset(features)
        return [p for p in self.others if all(p[i] == own for i, own in enumerate(self.places) if i not in free)]

    def of_axp(self, box: Any) -> Verdict:
        if any(self.instance[i] not in values for i, values in box.items()) or not self.suffices(box):
            return Verdict.INSUFFICIENT
        single = {i: next(c for c in self.cells[i] if self.instance[i] in c) for i in box}
        if any(self.suffices({i: v for i, v in single.items() if i != left_out}) for left_out in box):
            return Verdict.REDUNDANT
        for i, values in box.items():
            for cell in self.cells[i]:
                larger = values.union(cell)
                piece = not isinstance(larger, IntervalSet) or len(larger.cuts) <= len(values.cuts) or not values.cuts
                if larger != values and piece and self.suffices({**box, i: larger}):
                    return Verdict.NOT_MAXIMAL
        return Verdict.INFLATED

    def of_cxp(self, box: Any) -> Verdict:
        changes = self.changes(box)
        if not changes:
            return Verdict.INEFFECTIVE
        if any(self.changes(set(box) - {i}) for i in box):
            return Verdict.REDUNDANT
        right = {i: {p[i] for p in changes} for i in box}
        claimed = {i: {c.representative() for c in self.cells[i] if c.representative() in v} for i, v in box.items()}
        if any(claimed[i] - right[i] for i in box):
            return Verdict.INEFFECTIVE
        return Verdict.NOT_MAXIMAL if right != claimed else Verdict.INFLATED


def drawn_box(model: Any, instance: Any, dice: Any, constraint: Any = None) -> Any:
    """Return sets of cells of some features, of ordered ones a run."""
    box = {}
    for i, split in enumerate(model.cells if constraint is None else constraint.cells_with(model)):
        if dice.random() < 0.6:
            continue
        at = next(k for k, cell in enumerate(split) if instance[i] in cell)
        low, high = dice.randint(0, at), dice.randint(at, len(split) - 1)
        mask = sum(1 << k for k in range(low, high + 1))
        if not isinstance(split[0], IntervalSet) or dice.random() < 0.2:
            mask = dice.randint(1, (1 << len(split)) - 1)
        values = union_of_cells(split, mask)
        box[i] = values
    return box


def shown(model: Any, instance: Any, judged: Judged) -> None:
    """Replay what the evidence of a judged claim shows."""
    own, box, evidence = model.kappa(instance), dict(judged.claim.box or ()), judged.evidence
    if judged.verdict is Verdict.INSUFFICIENT and evidence.witness != instance:
        assert model.kappa(evidence.witness) != own
        assert all(evidence.witness[i] in values for i, values in box.items())
    if evidence.closed_set is not None:
        assert isinstance(model, DecisionGraph)
        assert check_closed_set_within(model, box, own, evidence.closed_set) is None
        if model.is_tree() and len(evidence.closed_set) > 1:
            leaf = max(node for node in evidence.closed_set if model.class_of[node] >= 0)
            assert check_closed_set_within(model, box, own, evidence.closed_set - {leaf}) is not None
            assert check_closed_set_within(model, box, own + 1, evidence.closed_set) is not None
    for feature, piece, point in evidence.pieces:
        assert model.kappa(point) != own
        assert point[feature] in piece.union(box[feature])
    if judged.verdict is Verdict.NOT_MAXIMAL:
        assert evidence.joining
        assert all(values.intersection(box[i]).is_empty() for i, values in evidence.joining.items())


def hold(model: Any, instance: Any, dice: Any) -> None:
    every = Every(model, instance)
    with open_panel(model, solver_last=True) as panel:
        judge = panel.claims_at(instance)
        for _ in range(4):
            box = drawn_box(model, instance, dice)
            for kind, wanted in ((ClaimKind.INFLATED_AXP, every.of_axp), (ClaimKind.INFLATED_CXP, every.of_cxp)):
                judged = judge.judge(Claim(kind, box=tuple(box.items())))
                assert judged.verdict is wanted(box), (kind, box, judged.evidence.text)
                shown(model, instance, judged)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), dice=st.randoms(use_true_random=False))
def test_claims_about_graphs(case: Any, dice: Any) -> None:
    hold(*case, dice)


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=ensemble_cases(trees=3), dice=st.randoms(use_true_random=False))
def test_claims_about_ensembles(case: Any, dice: Any) -> None:
    if not case.graph.tally.slack and case.graph.is_settled(case.instance):
        hold(case.graph, case.instance, dice)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), dice=st.randoms(use_true_random=False))
def test_a_box_of_changes_has_one_other_class(case: Any, dice: Any) -> None:
    model, instance = case
    every = Every(model, instance)
    with open_panel(model, solver_last=True) as panel:
        judge = panel.claims_at(instance)
        for _ in range(3):
            box = drawn_box(model, instance, dice)
            verdict = judge.judge(Claim(ClaimKind.INFLATED_CHANGE, box=tuple(box.items()))).verdict
            inside = [
                p
                for p in every.points
                if all(p[i] in box[i] if i in box else p[i] == own for i, own in enumerate(every.places))
            ]
            if verdict in (Verdict.INFLATED, Verdict.NOT_MAXIMAL, Verdict.REDUNDANT):
                assert len({model.kappa(p) for p in inside}) == 1
                assert model.kappa(inside[0]) != every.own
            else:
                assert every.own in {model.kappa(p) for p in inside} or len({model.kappa(p) for p in inside}) > 1


def test_claims_that_are_refused() -> None:
    model = load("hardware")
    age = model.graph.features[0].domain.all_values()
    with open_panel(model.graph, solver_last=True) as panel:
        judge = panel.claims_at(model.paper_instance)
        for claim, said in (
            (Claim(ClaimKind.INFLATED_AXP, Notion.CONDITIONS, box=()), "no complements"),
            (Claim(ClaimKind.INFLATED_AXP, box=((9, age),)), "no feature 9"),
            (Claim(ClaimKind.INFLATED_AXP, box=((0, age.difference(age)),)), "'Age' is empty"),
        ):
            with pytest.raises(InputError, match=said):
                judge.judge(claim)


def test_our_own_are_right() -> None:
    model = load("iris")
    graph, instance = model.graph, model.instances[60]
    found = explain(graph, instance)
    place = {feature.name: i for i, feature in enumerate(graph.features)}
    with open_panel(graph, solver_last=True) as panel:
        judge = panel.claims_at(instance)
        for kind, xps, inflate in (
            (ClaimKind.INFLATED_AXP, found.axps, inflate_axp),
            (ClaimKind.INFLATED_CXP, found.cxps, inflate_cxp),
        ):
            for xp in xps:
                box = inflate(graph, instance, [place[name] for name in xp])
                judged = judge.judge(Claim(kind, box=tuple(box.items())))
                assert judged.verdict is Verdict.INFLATED
                assert (judged.evidence.closed_set is not None) is (kind is ClaimKind.INFLATED_AXP)
