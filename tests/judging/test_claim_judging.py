"""Judging: every verdict, against brute force, with evidence that brute force accepts; and wrong judges do not pass."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from claim_cases import Brute, recheck

from xpgcheck import embedded
from xpgcheck.errors import InputError
from xpgcheck.judging import claim_judge, frames, xp_judge
from xpgcheck.judging.claim import Claim, ClaimKind, FaultKind, Notion
from xpgcheck.judging.claim_judge import ClaimJudge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.decision_graph import DecisionGraph, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.oracles.conditions import condition_graph, conditions_at, conditions_of

XPS = (ClaimKind.AXP, ClaimKind.CXP)

CONSTANT = decision_graph("constant", [Feature("a", Boolean())], ["no", "yes"], {0: Terminal(1)}, 0)


@pytest.fixture(scope="module")
def omdd() -> DecisionGraph:
    return embedded.load("omdd").graph


@pytest.fixture
def judged_at() -> Iterator[Callable[..., tuple[Brute, ClaimJudge]]]:
    opened: list[Panel] = []

    def at(graph: DecisionGraph, instance: Any, *solvers: str) -> tuple[Brute, ClaimJudge]:
        judges = Panel(graph, solvers or ("z3",), solver_last=not solvers)
        opened.append(judges)
        return Brute(graph, instance), judges.claims_at(instance)

    yield at
    for judges in opened:
        judges.__exit__(None, None, None)


def check_everything(graph: DecisionGraph) -> set[Verdict]:
    """Judge all sets of all instances of *graph*, and families; return the verdicts that occurred."""
    seen: set[Verdict] = set()
    with Panel(graph, solver_last=True) as judges:
        for instance in embedded.all_points(graph.features):
            brute, judge = Brute(graph, instance), judges.claims_at(instance)
            for kind in XPS:
                for members in brute.subsets():
                    judged = judge.judge(Claim(kind, members=members))
                    assert judged.verdict is brute.verdict(kind, members), (instance, kind, members)
                    recheck(brute, judged)
                    seen.add(judged.verdict)
            seen |= check_families(brute, judge)
            seen |= check_the_rest(brute, judge)
    return seen


def check_families(brute: Brute, judge: ClaimJudge) -> set[Verdict]:
    axps, cxps = brute.all_xps(ClaimKind.AXP), brute.all_xps(ClaimKind.CXP)
    seen = set()
    for claim in (
        Claim(ClaimKind.FAMILY, axps=axps, cxps=cxps),
        Claim(ClaimKind.FAMILY, axps=axps),
        Claim(ClaimKind.FAMILY, cxps=cxps),
    ):
        assert judge.judge(claim).verdict is Verdict.COMPLETE
        seen.add(Verdict.COMPLETE)
    for kind, family in ((ClaimKind.AXP, axps), (ClaimKind.CXP, cxps)):
        if not family:
            continue
        lacking = family[:-1]
        side = {"axps": lacking} if kind is ClaimKind.AXP else {"cxps": lacking}
        one = judge.judge(Claim(ClaimKind.FAMILY, **side))
        both = judge.judge(Claim(ClaimKind.FAMILY, **({"axps": axps, "cxps": cxps} | side)))
        for judged, listed in ((one, {kind.value: lacking}), (both, None)):
            assert judged.verdict is Verdict.INCOMPLETE, (brute.instance, kind)
            missing = judged.evidence.missing
            assert missing is not None
            assert brute.is_xp(ClaimKind(missing.kind), missing.members)
            known = {"AXp": axps, "CXp": cxps, kind.value: lacking} if listed is None else listed
            assert missing.members not in known.get(missing.kind, ())
        twice = judge.judge(Claim(ClaimKind.FAMILY, **dict.fromkeys(side, (*lacking, family[-1], family[-1]))))
        assert twice.verdict is Verdict.DUPLICATE
        assert twice.evidence.clash == (family[-1], family[-1])
        seen |= {one.verdict, twice.verdict}
    return seen


def check_the_rest(brute: Brute, judge: ClaimJudge) -> set[Verdict]:
    """Predictions, membership, "there is none", and seeds."""
    graph, seen = brute.graph, set()
    for index in range(len(graph.classes)):
        judged = judge.judge(Claim(ClaimKind.PREDICTION, class_index=index))
        right = index == graph.kappa(brute.instance)
        assert judged.verdict is (Verdict.PREDICTION if right else Verdict.PREDICTION_MISMATCH)
        seen.add(judged.verdict)
    inside = frozenset().union(*brute.all_xps(ClaimKind.AXP))
    assert inside == frozenset().union(*brute.all_xps(ClaimKind.CXP)), "the two notions of membership are one"
    for i in brute.everything:
        for says in (False, True):
            judged = judge.judge(Claim(ClaimKind.MEMBERSHIP, feature=i, member=says))
            assert judged.verdict is (Verdict.MEMBERSHIP if (i in inside) is says else Verdict.WRONG_MEMBERSHIP)
            held = judged.evidence.correct
            assert (held is not None) == (i in inside)
            assert held is None or (i in held.members and brute.is_xp(ClaimKind.AXP, held.members))
            seen.add(judged.verdict)
    for kind in XPS:
        none = judge.judge(Claim(kind))
        known = brute.all_xps(kind)
        assert none.verdict is (Verdict.INCOMPLETE if known else Verdict.COMPLETE)
        if known:
            assert none.evidence.missing is not None
            assert none.evidence.missing.members in known
        for xp in known[:2]:
            assert judge.judge(Claim(kind, members=xp, seed=xp)).verdict is Verdict(kind.value)
            if xp:
                seed = brute.everything - {min(xp)}
                outside = judge.judge(Claim(kind, members=xp, seed=seed))
                assert outside.verdict is Verdict.OUTSIDE_SEED
                correct = outside.evidence.correct
                there = any(other <= seed for other in known)
                assert (correct is not None) == there
                assert correct is None or (correct.members <= seed and correct.members in known)
                seen.add(outside.verdict)
        seen.add(none.verdict)
    return seen


def test_all_claims_of_a_small_graph_against_brute_force(omdd: DecisionGraph) -> None:
    assert check_everything(omdd) == {
        Verdict.AXP,
        Verdict.CXP,
        Verdict.COMPLETE,
        Verdict.REDUNDANT,
        Verdict.INSUFFICIENT,
        Verdict.INEFFECTIVE,
        Verdict.OUTSIDE_SEED,
        Verdict.INCOMPLETE,
        Verdict.DUPLICATE,
        Verdict.PREDICTION,
        Verdict.PREDICTION_MISMATCH,
        Verdict.MEMBERSHIP,
        Verdict.WRONG_MEMBERSHIP,
    }


def test_constant_classifier() -> None:
    seen = check_everything(CONSTANT)
    assert {Verdict.AXP, Verdict.REDUNDANT, Verdict.INEFFECTIVE, Verdict.COMPLETE} <= seen


def test_all_claims_of_hardware_against_brute_force() -> None:
    assert len(check_everything(embedded.load("hardware").graph)) == 13


def test_the_solver_first_says_the_same(omdd: DecisionGraph, judged_at: Any) -> None:
    for instance in list(embedded.all_points(omdd.features))[::4]:
        brute, judge = judged_at(omdd, instance, "z3")
        for kind in XPS:
            for members in brute.subsets():
                judged = judge.judge(Claim(kind, members=members))
                assert judged.verdict is brute.verdict(kind, members)
                recheck(brute, judged)


def test_families_that_are_not_dual_and_members_that_are_no_weak_xps(omdd: DecisionGraph, judged_at: Any) -> None:
    brute, judge = judged_at(omdd, next(embedded.all_points(omdd.features)))
    axps, cxps = brute.all_xps(ClaimKind.AXP), brute.all_xps(ClaimKind.CXP)
    wide = judge.judge(Claim(ClaimKind.FAMILY, axps=(*axps, brute.everything), cxps=cxps))
    assert wide.verdict is Verdict.NOT_DUAL
    first, second = wide.evidence.clash
    assert first < second or second < first
    assert judge.judge(Claim(ClaimKind.FAMILY, axps=(*axps, brute.everything))).verdict is Verdict.REDUNDANT
    for side in ({"axps": (frozenset[int](),), "cxps": cxps}, {"axps": (frozenset[int](),)}):
        weak = judge.judge(Claim(ClaimKind.FAMILY, **side))
        assert weak.verdict is Verdict.INSUFFICIENT
        recheck(brute, weak, kind=ClaimKind.AXP, members=frozenset())
    for side in ({"axps": axps, "cxps": (frozenset[int](),)}, {"cxps": (frozenset[int](),)}):
        weak = judge.judge(Claim(ClaimKind.FAMILY, **side))
        assert weak.verdict is Verdict.INEFFECTIVE
    with pytest.raises(InputError, match="a family without axps and cxps"):
        judge.judge(Claim(ClaimKind.FAMILY))


@pytest.mark.parametrize("fault", FaultKind)
def test_no_answer_is_a_verdict_of_its_own(fault: FaultKind, omdd: DecisionGraph, judged_at: Any) -> None:
    _, judge = judged_at(omdd, next(embedded.all_points(omdd.features)))
    judged = judge.judge(Claim(ClaimKind.AXP, fault=fault, message="it says so"))
    assert (judged.verdict.value, judged.outcome, judged.evidence.text) == (
        fault.value,
        Outcome.VIOLATED,
        "it says so",
    )


def test_what_does_not_exist_is_refused(omdd: DecisionGraph, judged_at: Any) -> None:
    _, judge = judged_at(omdd, next(embedded.all_points(omdd.features)))
    with pytest.raises(InputError, match="names feature '7', which does not exist"):
        judge.judge(Claim(ClaimKind.AXP, members=frozenset((7,))))
    with pytest.raises(InputError, match="there is no feature 7"):
        judge.judge(Claim(ClaimKind.MEMBERSHIP, feature=7, member=True))
    assert judge.judge(Claim(ClaimKind.PREDICTION, class_index=9)).verdict is Verdict.PREDICTION_MISMATCH


def test_an_open_question_is_inconclusive_whatever_is_claimed(omdd: DecisionGraph) -> None:
    instance = next(embedded.all_points(omdd.features))
    brute = Brute(omdd, instance)
    frame = frames.frame_of_features(omdd, instance, Consensus.of_graph(omdd, instance, []))
    judge = ClaimJudge(lambda notion: frame)
    some = frozenset((0,))
    claims = [Claim(kind, members=members) for kind in XPS for members in (None, some, brute.everything)]
    claims += [Claim(ClaimKind.FAMILY, axps=(some,)), Claim(ClaimKind.FAMILY, axps=(some,), cxps=(some,))]
    claims += [Claim(ClaimKind.MEMBERSHIP, feature=0, member=True)]
    for claim in claims:
        judged = judge.judge(claim)
        assert judged.verdict is Verdict.INCONCLUSIVE, claim
        assert judged.outcome is Outcome.INCONCLUSIVE
        assert judged.evidence.reason


def test_a_closed_solver_leaves_the_route_of_closed_sets_alone(omdd: DecisionGraph) -> None:
    instance = next(embedded.all_points(omdd.features))
    judges = Panel(omdd)
    judge = judges.claims_at(instance)
    judge.frame(Notion.FEATURES)
    judges.__exit__(None, None, None)
    brute = Brute(omdd, instance)
    for members in brute.subsets():
        # Cells and closed sets are two routes still: the verdict stands, and names them.
        judged = judge.judge(Claim(ClaimKind.AXP, members=members))
        assert judged.verdict is brute.verdict(ClaimKind.AXP, members)
        assert not any("z3" in name for name in judged.evidence.confirmed_by)


def test_conditions_are_judged_by_their_own_notion_and_projected(judged_at: Any) -> None:
    graph = embedded.load("corral").graph
    conditions, boolean = conditions_of(graph), condition_graph(graph)
    for instance in list(embedded.all_points(graph.features))[::9]:
        of_features, judge = judged_at(graph, instance)
        brute = Brute(boolean, conditions_at(conditions, instance))
        for kind in XPS:
            for members in brute.subsets():
                judged = judge.judge(Claim(kind, Notion.CONDITIONS, members))
                assert judged.verdict is brute.verdict(kind, members)
                recheck(brute, judged)
                assert judged.projected is not None
                features = frozenset(conditions[i].feature for i in members)
                assert judged.projected.claim == Claim(kind, members=features)
                assert judged.projected.verdict is of_features.verdict(kind, features)
                # Each condition of this graph is a feature of its own: the theory adds nothing.
                theory = judge.judge(Claim(kind, Notion.THEORY, members))
                assert theory.verdict is judged.verdict
        for notion, count in ((Notion.FEATURES, 6), (Notion.CONDITIONS, 4)):
            own = of_features if notion is Notion.FEATURES else brute
            inside = frozenset().union(*own.all_xps(ClaimKind.AXP))
            for i in range(count):
                judged = judge.judge(Claim(ClaimKind.MEMBERSHIP, notion, feature=i, member=i in inside))
                assert judged.verdict is Verdict.MEMBERSHIP, (notion, i)
        open_one = judge.judge(Claim(ClaimKind.MEMBERSHIP, Notion.THEORY, feature=0, member=True))
        assert open_one.verdict is Verdict.INCONCLUSIVE


def test_without_evidence_the_verdict_is_the_same(omdd: DecisionGraph, judged_at: Any) -> None:
    brute, judge = judged_at(omdd, next(embedded.all_points(omdd.features)))
    for kind in XPS:
        for members in brute.subsets():
            brief = judge.judge(Claim(kind, members=members), evidence=False)
            full = judge.judge(Claim(kind, members=members))
            assert brief.verdict is full.verdict
            assert brief.evidence.text == full.evidence.text
            if brief.outcome is Outcome.VIOLATED:
                assert brief == full


def _never_redundant(monkeypatch: pytest.MonkeyPatch) -> None:
    real = xp_judge.judge_axp

    def judge(consensus: Any, claim: Any) -> Any:
        found = real(consensus, claim)
        if found.verdict is Verdict.REDUNDANT:
            return dataclasses.replace(found, verdict=Verdict.AXP, needless=frozenset())
        return found

    monkeypatch.setattr(claim_judge, "judge_axp", judge)


def _swapped_definitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_judge, "judge_cxp", xp_judge.judge_axp)


def _half_a_closed_set(monkeypatch: pytest.MonkeyPatch) -> None:
    real = frames.proved_closed_set

    def half(*arguments: Any) -> Any:
        nodes = real(*arguments)
        return nodes if nodes is None or len(nodes) < 2 else frozenset(sorted(nodes)[:-1])

    monkeypatch.setattr(frames, "proved_closed_set", half)


def _nearest_is_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_judge, "_nearest", lambda frame, **_: frozenset(range(len(frame.labels))))


def _the_instance_as_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    real = claim_judge._evidence

    def evidence(frame: Any, kind: Any, judgement: Any) -> Any:
        found = real(frame, kind, judgement)
        return found if found.witness is None else dataclasses.replace(found, witness=frame.instance)

    monkeypatch.setattr(claim_judge, "_evidence", evidence)


def _hitting_sets_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_judge, "candidate_duals", lambda family, budget: [])


def _repeats_are_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claim_judge, "_listed_twice", lambda family: None)
    monkeypatch.setattr(xp_judge, "dual", lambda axps, cxps, count: None)


def _families_of_one_kind_only(monkeypatch: pytest.MonkeyPatch) -> None:
    real = claim_judge._certified_families

    def families(frame: Any) -> Any:
        found = real(frame)
        return dataclasses.replace(found, axps=found.axps[:1])

    monkeypatch.setattr(claim_judge, "_certified_families", families)


def _seeds_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    real = claim_judge._xp
    monkeypatch.setattr(
        claim_judge, "_xp", lambda claim, frame, *, full: real(dataclasses.replace(claim, seed=None), frame, full=full)
    )


def _any_class_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    real = claim_judge._prediction
    monkeypatch.setattr(
        claim_judge,
        "_prediction",
        lambda claim, frame: real(dataclasses.replace(claim, class_index=frame.space.kappa(frame.instance)), frame),
    )


BUGS = [
    _never_redundant,
    _swapped_definitions,
    _half_a_closed_set,
    _nearest_is_everything,
    _the_instance_as_witness,
    _hitting_sets_are_lost,
    _repeats_are_overlooked,
    _families_of_one_kind_only,
    _seeds_are_ignored,
    _any_class_is_right,
]


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: re.sub("^_", "", bug.__name__))
def test_a_wrong_judge_is_caught(bug: Any, omdd: DecisionGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        check_everything(omdd)
