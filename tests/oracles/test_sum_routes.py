"""The routes of ensembles whose trees are summed, on small ensembles whose answers were worked out by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
from oracle_graphs import SOLVER_PARAMS

from xpgcheck.errors import MissingPackageError
from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer, replay
from xpgcheck.oracles.ensembles import box_sums, integer_sums
from xpgcheck.oracles.ensembles.box_sums import SumForest
from xpgcheck.oracles.ensembles.every_cell import EveryCell
from xpgcheck.oracles.ensembles.integer_sums import IntegerSums, is_available
from xpgcheck.oracles.smt_sessions import SmtSession

FEATURES = tuple(Feature(name, Boolean()) for name in "abc")

INTEGERS = pytest.param(
    IntegerSums, marks=pytest.mark.skipif(not is_available(), reason="needs ortools: pip install 'xpgcheck[integers]'")
)
ROUTES = [SumForest, EveryCell, INTEGERS, *[pytest.param(p.values[0], marks=p.marks) for p in SOLVER_PARAMS]]


def opened(route: Any, subject: Ensemble) -> Any:
    return SmtSession(subject, route) if isinstance(route, str) else route(subject)


def stump(feature: int) -> DecisionGraph:
    """Return a tree with the answers 0 where the feature is false and 1 where it is true."""
    edges = tuple((value, FiniteSet(frozenset([value == "1"]))) for value in "01")
    return decision_graph(
        "stump", FEATURES, ["0", "1"], {"r": NonTerminal(feature, edges), "0": Terminal(0), "1": Terminal(1)}
    )


def summed(
    rows: Sequence[Sequence[Sequence[object]]],
    classes: int = 2,
    arithmetic: Arithmetic = Arithmetic.EXACT,
    threshold: object = 0,
    **more: Any,
) -> Ensemble:
    """Return an ensemble of stumps, the first on the first feature, with what each answer adds."""
    outputs = [[tuple(Fraction(str(x)) for x in row) for row in tree] for tree in rows]
    scores = len(outputs[0][0])
    at = Threshold(Fraction(str(threshold)), more.pop("inclusive", False)) if scores == 1 else None
    base = tuple(Fraction(x) for x in more.pop("base", [0] * scores))
    names = [f"c{k}" for k in range(classes)]
    return ensemble(
        "summed", FEATURES, names, [stump(i) for i in range(len(rows))], Sum(base, at, arithmetic, **more), outputs
    )


def subsets(count: int = 3) -> Iterator[frozenset[int]]:
    for number in range(count + 1):
        yield from map(frozenset, itertools.combinations(range(count), number))


# An ensemble, an instance, its class, and all AXps.
KNOWN: dict[str, tuple[Ensemble, tuple[bool, ...], int, list[set[int]]]] = {
    "one heavy": (summed([[[0], [5]], [[0], [2]], [[0], [2]]], threshold=4), (True, True, True), 1, [{0}]),
    "a tie is below": (summed([[[0], [2]], [[0], [1]], [[0], [1]]], threshold=2), (False, True, True), 0, [{0}]),
    "a tie is above": (
        summed([[[0], [2]], [[0], [1]], [[0], [1]]], threshold=2, inclusive=True),
        (False, True, True),
        1,
        [{1, 2}],
    ),
    "negative": (summed([[[1], [-1]], [[0], [2]], [[0], [0]]], threshold=0), (True, False, True), 0, [{0, 1}]),
    "the base counts": (summed([[[0], [1]]] * 3, threshold=2, base=[1]), (True, True, False), 1, [{0, 1}]),
    "tenths": (summed([[["0"], ["0.1"]]] * 3, threshold="0.3", inclusive=True), (True, True, True), 1, [{0, 1, 2}]),
    "divided": (summed([[[0], [1]]] * 3, threshold="0.5", divided=True), (True, True, False), 1, [{0, 1}]),
    "three classes, ties to the lowest": (
        summed([[[0, 1, 0], [0, 0, 2]], [[1, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 1, 0]]], 3),
        (False, False, False),
        0,
        [{0, 1, 2}],
    ),
    "very different sizes": (
        summed([[["0"], ["1e30"]], [["0"], ["1e-30"]], [["0"], ["0"]]], threshold="1e30"),
        (True, True, True),
        1,
        [{0, 1}],
    ),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_every_question(route: Any, known: Any) -> None:
    subject, instance, own, axps = known
    assert subject.kappa(instance) == own
    oracle = opened(route, subject).at(instance)
    for fixed in subsets():
        answer = oracle.changeable(fixed)
        wanted = not any(axp <= fixed for axp in axps)
        if route is IntegerSums and subject is KNOWN["very different sizes"][0] and answer.changeable is None:
            # 200 digits do not fit into 60.
            assert answer.reason == integer_sums.TOO_FINE
            continue
        assert answer.changeable is wanted, fixed
        if wanted:
            assert replay(subject, instance, fixed, answer.witness) is None


@pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
def test_every_verdict(known: Any) -> None:
    subject, instance, own, axps = known
    cxps = [s for s in subsets() if all(s & axp for axp in axps)]
    cxps = [s for s in cxps if not any(other < s for other in cxps)]
    with EnsemblePanel(subject) as panel:
        consensus = panel.at(instance)
        for members in subsets():
            right = Verdict.AXP if members in axps else Verdict.REDUNDANT
            weak = any(axp <= members for axp in axps)
            assert judge_axp(consensus, members).verdict is (right if weak else Verdict.INSUFFICIENT)
            right = Verdict.CXP if members in cxps else Verdict.REDUNDANT
            weak = any(cxp <= members for cxp in cxps)
            assert judge_cxp(consensus, members).verdict is (right if weak else Verdict.INEFFECTIVE)
            belief = consensus.ask(members)
            assert belief.changeable or len(belief.confirmed_by) == 2
        assert judge_family(consensus, axps, cxps).verdict is Verdict.COMPLETE
        assert not consensus.faults
        assert not consensus.disagreements
        claim = Claim(ClaimKind.PREDICTION, class_index=own)
        assert panel.claims_at(instance).judge(claim).verdict is Verdict.PREDICTION


THIRDS = [[["1/3"], ["2/3"]], [["1/3"], ["2/3"]], [["0"], ["1e-9"]]]
"""In binary64, the sum of the first two at (1, 0) is 1 but for rounding."""


@pytest.mark.parametrize("route", ROUTES)
def test_what_rounding_decides_is_open(route: Any) -> None:
    subject = summed(THIRDS, arithmetic=Arithmetic.BINARY64, threshold=1)
    instance = (True, False, True)
    assert subject.is_settled(instance)
    assert subject.kappa(instance) == 1
    session = opened(route, subject)
    oracle = session.at(instance)
    # With a and b fixed, c alone brings the sum to the tie, and not beyond it.
    assert oracle.changeable({0, 1}) == Answer(None, None, oracle.name, WITHIN_ROUNDING)
    assert oracle.changeable({1, 2}).changeable is True
    assert oracle.changeable({0, 1, 2}).changeable is False
    assert oracle.changeable({0, 2}).changeable is False
    at_the_tie = (True, False, False)
    assert not subject.is_settled(at_the_tie)
    assert session.at(at_the_tie).changeable({0}).reason == WITHIN_ROUNDING
    with EnsemblePanel(subject) as panel:
        consensus = panel.at(instance)
        judged = judge_axp(consensus, {0, 1})
        assert (judged.verdict, judged.reason) == (Verdict.INCONCLUSIVE, WITHIN_ROUNDING)
        assert not any(name.startswith("z3") for name in consensus.queries), "two routes that say so are enough"
        judged = judge_axp(panel.at(at_the_tie), {0, 1, 2})
        assert (judged.verdict, judged.reason) == (Verdict.INCONCLUSIVE, WITHIN_ROUNDING)
        claimed = panel.claims_at(at_the_tie).judge(Claim(ClaimKind.PREDICTION, class_index=0))
        assert (claimed.verdict, claimed.evidence.reason) == (Verdict.INCONCLUSIVE, WITHIN_ROUNDING)


def test_points_that_hang_on_rounding_show_nothing() -> None:
    subject = summed(THIRDS, arithmetic=Arithmetic.BINARY64, threshold=1)
    settled, tie, other = (True, False, True), (True, False, False), (False, False, True)
    reason = "whether the witness has the class of the instance is within rounding"
    assert replay(subject, settled, (), tie) == reason
    assert replay(subject, tie, (), other) == "the class of the instance is within rounding"
    assert replay(subject, settled, (), other) is None
    assert [subject.differs(point, 1) for point in (settled, tie, other)] == [False, None, True]


def test_beyond_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    subject, instance, *_ = KNOWN["the base counts"]
    assert SumForest(subject).at(instance, most=1).changeable([]).reason == "more than 1 boxes"
    monkeypatch.setattr(box_sums, "MAX_LEAVES", 5)
    assert SumForest(subject).at(instance).changeable([]).reason == "the trees have over 5 paths"


@pytest.mark.skipif(not is_available(), reason="needs ortools")
def test_whole_numbers_beyond_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    subject, instance, *_ = KNOWN["the base counts"]
    assert IntegerSums(subject, most=0).at(instance).changeable([]).reason == "more work than the limit"
    monkeypatch.setattr(integer_sums, "MAX_PATHS", 5)
    assert IntegerSums(subject).at(instance).changeable([]).reason == "the trees have over 5 paths"
    monkeypatch.setattr(integer_sums, "is_available", lambda: False)
    with pytest.raises(MissingPackageError, match="ortools is not installed"):
        IntegerSums(subject)


@pytest.mark.skipif(not is_available(), reason="needs ortools")
@pytest.mark.parametrize("bits", [4, 5, 8])
def test_sums_that_do_not_fit_are_rounded_so_that_they_cannot_deceive(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few digits, many answers are open, and no answer is wrong."""
    monkeypatch.setattr(IntegerSums, "bits", bits)
    subject = summed([[[1], [17]], [[-9], [8]], [[3], [13]]], threshold=11)
    truth = EveryCell(subject)
    seen: set[object] = set()
    for instance in itertools.product([False, True], repeat=3):
        rounded, exact = IntegerSums(subject).at(instance), truth.at(instance)
        for fixed in subsets():
            answer, right = rounded.changeable(fixed), exact.changeable(fixed).changeable
            assert answer.changeable in (None, right)
            assert answer.changeable is not None or answer.reason == integer_sums.TOO_FINE
            seen.add(answer.changeable)
    assert {True, False} <= seen
