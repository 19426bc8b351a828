"""The routes to answers about ensembles, on small forests whose AXps and CXps are known by hand, and at their limits."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from oracle_graphs import SOLVER_PARAMS
from small_forests import document, forest, leaf, majority_of_three, stump, test

from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer, replay
from xpgcheck.oracles.ensembles import boxes, clauses, every_cell
from xpgcheck.oracles.ensembles.boxes import Forest
from xpgcheck.oracles.ensembles.clauses import VoteClauses
from xpgcheck.oracles.ensembles.every_cell import EveryCell
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.readers.vote_forest import parse_vote_forest

ZERO, ONE = Fraction(0), Fraction(1)

ROUTES = {"clauses": VoteClauses, "boxes": Forest, "cells": EveryCell}


def point(*values: object) -> Point:
    return tuple(Fraction(str(value)) for value in values)


def thresholds_of_one_feature() -> Ensemble:
    """Return three stumps on one feature, at 1, 2 and 3: the class is 1 above 2."""
    return forest(stump(0, 1), stump(0, 2), stump(0, 3), features=2)


def a_tie() -> Ensemble:
    """Return two stumps on two features: class 1 needs both, as a tie is class 0."""
    return forest(stump(0), stump(1), features=2)


def three_classes() -> Ensemble:
    """Return three trees that vote for three classes, of which 1 wins with f0 low, and else 0, 1 and 2 by f1."""
    low = test(1, "0.5", leaf(0), leaf(2))
    return forest(test(0, "0.5", leaf(1), low), test(0, "0.5", leaf(1), low), leaf(1), features=2, classes=(0, 1, 2))


# The forest, an instance, its class, all AXps and all CXps.
KNOWN: dict[str, tuple[Ensemble, Point, int, list[set[int]], list[set[int]]]] = {
    "two of three": (
        majority_of_three(),
        point(1, 1, 1),
        1,
        [{0, 1}, {0, 2}, {1, 2}],
        [{0, 1}, {0, 2}, {1, 2}],
    ),
    "two of three, one against": (majority_of_three(), point(1, 1, 0), 1, [{0, 1}], [{0}, {1}]),
    "a tie is the lowest class": (a_tie(), point(1, 0), 0, [{1}], [{1}]),
    "a tie by either": (a_tie(), point(0, 0), 0, [{0}, {1}], [{0, 1}]),
    "a tie is lost by the highest": (a_tie(), point(1, 1), 1, [{0, 1}], [{0}, {1}]),
    "one feature, at its threshold": (thresholds_of_one_feature(), point(2, 0), 0, [{0}], [{0}]),
    "one feature, above it": (thresholds_of_one_feature(), point("2.0000001", 0), 1, [{0}], [{0}]),
    "a constant forest": (forest(leaf(1), leaf(1), leaf(0)), point(0, 0, 0), 1, [set()], []),
    "a constant tie": (forest(leaf(1), leaf(0)), point(0, 0, 0), 0, [set()], []),
    "three classes": (three_classes(), point(1, 1), 2, [{0, 1}], [{0}, {1}]),
    "three classes, the third against": (three_classes(), point(0, 1), 1, [{0}], [{0}]),
    "one tree": (forest(test(0, 0, leaf(0), stump(1))), point(1, 1, 1), 1, [{0, 1}], [{0}, {1}]),
}


@pytest.fixture(params=KNOWN)
def known(request: pytest.FixtureRequest) -> tuple[Ensemble, Point, int, list[set[int]], list[set[int]]]:
    return KNOWN[request.param]


def subsets(count: int) -> Iterator[frozenset[int]]:
    for number in range(count + 1):
        yield from map(frozenset, itertools.combinations(range(count), number))


def changeable(axps: list[set[int]], fixed: frozenset[int]) -> bool:
    return not any(axp <= fixed for axp in axps)


@pytest.mark.parametrize("route", ROUTES)
def test_every_question(route: str, known: Any) -> None:
    ensemble, instance, own, axps, _ = known
    assert ensemble.kappa(instance) == own
    oracle = ROUTES[route](ensemble).at(instance)  # type: ignore[attr-defined]
    for fixed in subsets(len(instance)):
        answer = oracle.changeable(fixed)
        assert answer.changeable is changeable(axps, fixed), fixed
        if answer.changeable:
            assert replay(ensemble, instance, fixed, answer.witness) is None


@pytest.mark.parametrize("solver", SOLVER_PARAMS)
def test_every_question_by_sums_of_votes(solver: str, known: Any) -> None:
    ensemble, instance, _, axps, _ = known
    with SmtSession(ensemble, solver) as session:
        oracle = session.at(instance)
        assert oracle.name == f"{solver}-votes"
        for fixed in subsets(len(instance)):
            answer = oracle.changeable(fixed)
            assert answer.changeable is changeable(axps, fixed), fixed
            if answer.changeable:
                assert answer.witness is not None
                assert replay(ensemble, instance, fixed, answer.witness) is None


def test_every_verdict(known: Any) -> None:
    ensemble, instance, _, axps, cxps = known
    with EnsemblePanel(ensemble) as panel:
        consensus = panel.at(instance)
        for members in subsets(len(instance)):
            axp, cxp = judge_axp(consensus, members).verdict, judge_cxp(consensus, members).verdict
            right = Verdict.AXP if members in axps else Verdict.REDUNDANT
            assert axp is (right if any(own <= members for own in axps) else Verdict.INSUFFICIENT)
            right = Verdict.CXP if members in cxps else Verdict.REDUNDANT
            assert cxp is (right if any(own <= members for own in cxps) else Verdict.INEFFECTIVE)
            belief = consensus.ask(members)
            if not belief.changeable:
                assert belief.confirmed_by == ("clauses with counters", "boxes")
        assert judge_family(consensus, axps, cxps).verdict is Verdict.COMPLETE
        assert not consensus.faults
        assert not consensus.disagreements
        assert "z3-votes" not in consensus.queries, "only where the others leave a question open"


def test_a_family_that_lacks_one_and_the_class() -> None:
    ensemble, instance, *_ = KNOWN["two of three"]
    with EnsemblePanel(ensemble) as panel:
        judge = panel.claims_at(instance)
        family = Claim(ClaimKind.FAMILY, axps=(frozenset([0, 1]), frozenset([0, 2])))
        judged = judge.judge(family)
        assert judged.verdict is Verdict.INCOMPLETE
        assert judged.evidence.missing is not None
        assert judged.evidence.missing.members == {1, 2}
        assert judge.judge(Claim(ClaimKind.PREDICTION, class_index=1)).verdict is Verdict.PREDICTION
        assert judge.judge(Claim(ClaimKind.PREDICTION, class_index=0)).verdict is Verdict.PREDICTION_MISMATCH
        member = judge.judge(Claim(ClaimKind.MEMBERSHIP, feature=0, member=True))
        assert member.verdict is Verdict.MEMBERSHIP
        theory = judge.judge(Claim(ClaimKind.AXP, Notion.THEORY, frozenset()))
        assert theory.verdict is Verdict.INSUFFICIENT


@pytest.mark.parametrize("solver", SOLVER_PARAMS)
def test_solvers_that_are_named_are_asked_first(solver: str) -> None:
    ensemble, instance, *_ = KNOWN["two of three"]
    with EnsemblePanel(ensemble, [solver], solvers_first=True) as panel:
        consensus = panel.at(instance)
        assert consensus.ask([0, 1]).confirmed_by == (f"{solver}-votes", "clauses with counters")
        assert consensus.ask([0]).confirmed_by == (f"{solver}-votes",)


def test_beyond_their_limits_boxes_and_cells_leave_it_to_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    ensemble, instance, *_ = KNOWN["two of three"]
    assert Forest(ensemble).at(instance, most=1).changeable([0]) == Answer(None, None, "boxes", "more than 1 boxes")
    assert EveryCell(ensemble, most=3).at(instance).changeable([0]).reason == "more cells than the limit of 3"
    monkeypatch.setattr(boxes, "MAX_LEAVES", 5)
    assert Forest(ensemble).at(instance).changeable([0, 1]).reason == "the trees have over 5 paths"
    with EnsemblePanel(ensemble) as panel:
        panel._cells.most = 0
        consensus = panel.at(instance)
        assert consensus.ask([0, 1]).confirmed_by == ("clauses with counters", "z3-votes")
        assert consensus.queries["boxes"] == consensus.queries["every cell"] == 1


def test_too_many_paths_for_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "MAX_PATHS", 5)
    ensemble, instance, *_ = KNOWN["two of three"]
    answer = VoteClauses(ensemble).at(instance).changeable([0])
    assert answer == Answer(None, None, "clauses with counters", "the trees have over 5 paths")


def test_too_many_votes_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clauses, "MAX_COUNTED", 2)
    ensemble, instance, *_ = KNOWN["two of three"]
    reason = "the votes of 3 trees are too many to count"
    oracle = VoteClauses(ensemble).at(instance)
    assert oracle.changeable([0]) == oracle.changeable([]) == Answer(None, None, "clauses with counters", reason)


class Tired:
    """A solver that gives up within its budget, as PySAT's do."""

    def __init__(self) -> None:
        self.budget = 0

    def conf_budget(self, budget: int) -> None:
        self.budget = budget

    def solve_limited(self, assumptions: list[int]) -> None:
        assert self.budget == clauses.MAX_CONFLICTS

    def add_clause(self, clause: list[int]) -> None:
        pass

    append_formula = add_clause


def test_a_question_with_too_many_conflicts_stays_open() -> None:
    ensemble, instance, *_ = KNOWN["two of three"]
    session = VoteClauses(ensemble)
    session._solver = Tired()
    reason = "more than 200,000 conflicts"
    assert session.at(instance).changeable([0]) == Answer(None, None, "clauses with counters", reason)


def test_too_many_terminals_and_thresholds_for_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boxes, "MAX_BITS", 10)
    ensemble, instance, *_ = KNOWN["two of three"]
    reason = "the trees have too many terminals and thresholds"
    assert Forest(ensemble).at(instance).changeable([0]) == Answer(None, None, "boxes", reason)


def test_too_many_literals_for_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_cell, "MAX_WORK", 7)
    ensemble, instance, *_ = KNOWN["two of three"]
    reason = "the trees have too many literals to look at every cell"
    assert EveryCell(ensemble).at(instance).changeable([0]) == Answer(None, None, "every cell", reason)


def test_a_closed_session_knows_nothing() -> None:
    ensemble, instance, *_ = KNOWN["two of three"]
    with VoteClauses(ensemble) as session:
        oracle = session.at(instance)
        assert oracle.changeable([0]).changeable
    assert oracle.changeable([0]) == Answer(None, None, "clauses with counters", "the session is closed")
    session.close()


class Liar:
    """Says that nothing changes the class, or names the instance as the witness."""

    name = engine = "liar"

    def __init__(self, witness: Point | None) -> None:
        self._witness = witness

    def changeable(self, fixed: object) -> Answer:
        return Answer(self._witness is not None, self._witness, self.name)


@pytest.mark.parametrize("says_yes", [False, True])
def test_a_lying_route_is_not_believed(says_yes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ensemble, instance, *_ = KNOWN["two of three"]
    liar = Liar(instance if says_yes else None)
    monkeypatch.setattr(VoteClauses, "at", lambda *_: liar)
    with EnsemblePanel(ensemble) as panel:
        consensus = panel.at(instance)
        belief = consensus.ask([0])
        assert belief.changeable is (True if says_yes else None)
        assert bool(consensus.faults) is says_yes
        assert bool(consensus.disagreements) is not says_yes


def test_fifty_trees_take_milliseconds() -> None:
    """A question about 50 stumps on 20 features takes a few boxes and one call of the solver."""
    trees = [stump(i % 20, f"{i}.5") for i in range(50)]
    ensemble = parse_vote_forest(json.dumps(document(*trees, features=20)).encode(), "fifty")
    instance = tuple(Fraction(100) for _ in range(20))
    with EnsemblePanel(ensemble) as panel:
        consensus = panel.at(instance)
        judged = judge_axp(consensus, range(20))
        assert judged.verdict is Verdict.REDUNDANT
        assert judged.inside is not None
        assert judge_axp(consensus, judged.inside).verdict is Verdict.AXP
