"""The explainer of ensembles against every combination of cells: each answer, each core, deletion in an order, limits."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import pytest
from cells_of_ensembles import EveryCombination
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from small_forests import forest, leaf, majority_of_three, stump
from summed_ensembles import summed_ensembles

from xpgcheck.errors import LimitError, UndecidedError
from xpgcheck.model.combination import Arithmetic, Lead, Sum, Tally
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.values import Point
from xpgcheck.properties.ensembles.strategies import ensembles
from xpgcheck.properties.strategies.points import draw_point
from xpgcheck.xpg.ensembles import places, sum_boxes, vote_solver
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.ensembles.deciding import WITHIN_ROUNDING, Allowance, seconds_from_now
from xpgcheck.xpg.ensembles.marco import EnsembleEnumeration
from xpgcheck.xpg.ensembles.membership import xp_holding
from xpgcheck.xpg.find_one import SeedError
from xpgcheck.xpg.xps import Kind

any_ensemble = st.one_of(ensembles(), summed_ensembles(), summed_ensembles(doubts=True))


@st.composite
def any_case(draw: st.DrawFn) -> tuple[Ensemble, Point]:
    drawn = draw(any_ensemble)
    point = draw_point(draw, drawn)  # type: ignore[arg-type]
    return drawn, point


def settled(case: tuple[Ensemble, Point]) -> bool:
    return case[0].is_settled(case[1])


def every_question_is_answered(case: tuple[Ensemble, Point]) -> None:
    """Each subset of the features is answered as the cells say, with a point, or a core that suffices."""
    truth = EveryCombination(*case)
    for fixed in range(1 << truth.features):
        explained = explained_ensemble(*case)
        found = explained.decide(fixed)
        assert found.changed is truth.answer(fixed)
        if found.changed:
            assert not found.mask & fixed
            assert explained.other_class(explained.point_at(found)) is not None
            assert found.mask in truth.certain
        elif found.changed is False:
            assert not found.mask & ~fixed
            assert truth.answer(found.mask) is False
        else:
            assert found.reason == WITHIN_ROUNDING


@given(any_case().filter(settled))
def test_every_question_is_answered_as_the_cells_say(case: tuple[Ensemble, Point]) -> None:
    every_question_is_answered(case)


@given(any_case().filter(settled))
def test_groups_of_trees_and_climbs_answer_the_same(case: tuple[Ensemble, Point]) -> None:
    """The routes of long questions, from the first box on; and one explainer for all questions, one after the other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sum_boxes, "STAGES", {1: (4, 2), 3: (16, 3)})
        every_question_is_answered(case)
        truth, explained = EveryCombination(*case), explained_ensemble(*case)
        for fixed in range(1 << truth.features):
            assert explained.decide(fixed).changed is truth.answer(fixed)


@given(any_case().filter(settled), st.data())
def test_deletion_is_that_of_the_text(case: tuple[Ensemble, Point], data: st.DataObject) -> None:
    """Questions that are passed over change nothing: the XP is that of one question per feature in the order."""
    truth = EveryCombination(*case)
    explained = explained_ensemble(*case)
    order = data.draw(st.permutations(range(truth.features)))
    seed = data.draw(st.integers(0, explained.everything))
    for kind in data.draw(st.permutations(list(Kind))):
        changes = kind is Kind.CXP
        if truth.answer(explained.fixed_by(kind, seed)) is not changes:
            members = [i for i in range(truth.features) if seed >> i & 1]
            with pytest.raises((SeedError, UndecidedError)):
                explained.find(kind, members, order)
            continue
        expected, left_open = seed, 0
        for feature in order:
            bit = 1 << feature
            if not expected & bit:
                continue
            answer = truth.answer(explained.fixed_by(kind, expected ^ bit))
            expected ^= bit if answer is changes else 0
            left_open |= bit if answer is None else 0
        found = explained.find(kind, [i for i in range(truth.features) if seed >> i & 1], order)
        assert (found.mask, found.open) == (expected, left_open)


@given(any_case().filter(settled))
def test_the_enumeration_is_complete_or_says_why_not(case: tuple[Ensemble, Point]) -> None:
    truth = EveryCombination(*case)
    subsets = range(1 << truth.features)
    explained = explained_ensemble(*case)
    found = EnsembleEnumeration(explained)
    xps = list(found)
    answers = {fixed: truth.answer(fixed) for fixed in subsets}
    assert found.complete or WITHIN_ROUNDING in found.reason
    assert not found.complete or None not in answers.values() or all(not xp.found.open for xp in xps)
    for kind in Kind:
        wanted = kind is Kind.CXP
        weak = {mask for mask in subsets if answers[explained.fixed_by(kind, mask)] is wanted}
        minimal = {m for m in weak if not any(m >> i & 1 and m ^ 1 << i in weak for i in range(truth.features))}
        masks = [xp.found.mask for xp in xps if xp.kind is kind]
        assert len(set(masks)) == len(masks)
        assert set(masks) <= weak
        if found.complete:
            assert set(masks) == minimal
            assert all(
                (xp_holding(explained, kind, 1 << i) is not None) == any(m >> i & 1 for m in minimal)
                for i in range(truth.features)
            )


def summed(base: Fraction, arithmetic: Arithmetic = Arithmetic.EXACT, doubt: Fraction = Fraction(0)) -> Ensemble:
    """Return three stumps that give class 1 ten points each, against *base* for class 0."""
    voting = majority_of_three()
    outputs = [[(Fraction(0), Fraction(0)), (Fraction(0), Fraction(10))] for _ in voting.trees]
    rule = Sum((base, Fraction(0)), None, arithmetic, doubt=doubt)
    return ensemble("summed", voting.features, voting.classes, voting.trees, rule, outputs)


ZERO: Point = (Fraction(0),) * 3


def test_an_instance_within_rounding_is_not_explained() -> None:
    with pytest.raises(UndecidedError, match="within rounding") as caught:
        explained_ensemble(summed(Fraction(4), doubt=Fraction(5)), ZERO)
    assert caught.value.exit_status == 3


def test_what_rounding_leaves_open_is_named() -> None:
    # Twice ten points for class 1 are within rounding of its base; three times are not.
    explained = explained_ensemble(summed(Fraction(20), doubt=Fraction(5)), ZERO)
    found = explained.find(Kind.AXP)
    assert found.mask.bit_count() == 2
    assert found.open == found.mask
    assert found.reason == WITHIN_ROUNDING
    assert explained.find(Kind.CXP).mask == 0b111


@pytest.mark.parametrize("model", [majority_of_three(), summed(Fraction(15))], ids=["votes", "sums"])
def test_a_limit_leaves_open_and_is_named(model: Ensemble) -> None:
    explained = explained_ensemble(model, ZERO)
    stopped = explained.decide(0, Allowance(ends=time.monotonic() - 1, steps=0))
    assert stopped.changed is None
    assert stopped.reason
    with pytest.raises(UndecidedError, match="stays open"):
        explained.find(Kind.AXP, [], allowance=Allowance(steps=0))
    weak = explained.shrink(Kind.AXP, 0b111, allowance=Allowance(steps=0))
    assert weak.mask & weak.open == weak.open
    enumeration = EnsembleEnumeration(explained_ensemble(model, ZERO), seconds_from_now(1e-9))
    assert list(enumeration) == []
    assert (enumeration.complete, enumeration.reason) == (False, "the time is over")


def test_constant_ensembles_have_the_empty_axp() -> None:
    explained = explained_ensemble(forest(leaf(0), leaf(0), stump(0)), ZERO)
    assert explained.find(Kind.AXP).features == frozenset()
    with pytest.raises(SeedError, match="no CXp"):
        explained.find(Kind.CXP)


def test_too_many_paths_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MAX_PATHS", 3)
    with pytest.raises(LimitError, match="over 3 paths"):
        explained_ensemble(forest(stump(0), stump(1)), ZERO)


def test_solvers_are_kept_for_the_instances_of_an_ensemble() -> None:
    model = majority_of_three()
    first, second = (explained_ensemble(model, point) for point in (ZERO, (Fraction(1),) * 3))
    assert first._decider._solver is second._decider._solver  # type: ignore[attr-defined]


right_short = sum_boxes.RivalTerminals.short
right_halves = sum_boxes.RivalSearch._halves
right_core = vote_solver.VoteSolver.core_features
right_lead = Tally.lead
right_groups = sum_boxes.in_groups

BUGS: dict[str, tuple[type, str, Any]] = {
    "a bound that is too low": (
        sum_boxes.RivalTerminals,
        "short",
        lambda terminals, left: right_short(terminals, left) * 9 // 8,
    ),
    "one half of a box is forgotten": (
        sum_boxes.RivalSearch,
        "_halves",
        lambda *arguments: right_halves(*arguments)[-1:],
    ),
    "a core lacks a feature": (
        vote_solver.VoteSolver,
        "core_features",
        lambda solver: right_core(solver) & right_core(solver) - 1,
    ),
    "the other class wins by a tie": (
        Tally,
        "lead",
        lambda tally, own, rival: (
            Lead(*[1 - right_lead(tally, own, rival).may] * 2) if not tally.slack else right_lead(tally, own, rival)
        ),
    ),
    "one rival alone is asked": (
        vote_solver.VoteSolver,
        "_ahead",
        lambda solver, own, rival, right=vote_solver.VoteSolver._ahead: right(solver, own, min({0, 1} - {own})),
    ),
    "trees in a group count once": (
        sum_boxes,
        "in_groups",
        lambda trees, groups, most: right_groups(trees, groups, most)[1 if groups else 0 :],
    ),
    "a climb is believed": (
        sum_boxes.Climb,
        "find",
        lambda climb, own, restarts: {},
    ),
    "what is within rounding is a no": (
        sum_boxes,
        "WITHIN_ROUNDING",
        "",
    ),
}


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_seeded_bug_is_caught(bug: tuple[Any, str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*bug)
    if bug[1] in ("in_groups", "find"):
        # Small ensembles do not come to groups and climbs otherwise.
        monkeypatch.setattr(sum_boxes, "STAGES", {1: (4, 2), 3: (16, 3)})

    @settings(max_examples=500, derandomize=True, database=None, phases=[Phase.generate], report_multiple_bugs=False)
    @given(any_case().filter(settled))
    def holds(case: tuple[Ensemble, Point]) -> None:
        every_question_is_answered(case)

    with pytest.raises((AssertionError, UndecidedError)):
        holds()
