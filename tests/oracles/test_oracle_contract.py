"""Every oracle keeps one contract, shown on the paper's examples, hand-made domains and random graphs."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import oracle_graphs as graphs
import pytest
from oracle_graphs import only, span

from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.value_sets import Grid
from xpgcheck.model.values import MISSING, Point
from xpgcheck.oracles.answers import Oracle, replay
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.oracles.float_ranks import FLOAT32_RANKS
from xpgcheck.oracles.pysmt_backend import available_solvers
from xpgcheck.oracles.smt_quantified import QuantifiedOracle
from xpgcheck.oracles.smt_sessions import FORMULATIONS, SmtSession

LAST, number_at = FLOAT32_RANKS.last, FLOAT32_RANKS.number_at

SMALLEST = Fraction(1, 2**1074)

Open = Callable[..., SmtSession]
Families = tuple[list[frozenset[int]], list[frozenset[int]]]

SMT_KINDS = [(s, f) for s in available_solvers() for f in FORMULATIONS]


def all_oracles(session: Open, graph: DecisionGraph, point: Point, *, quantified: bool = True) -> list[Oracle]:
    """Return every kind of oracle for one instance; with only Z3 installed there are still three engines."""
    found: list[Oracle] = [session(graph, s, f).at(point) for s, f in SMT_KINDS]
    found += [ExhaustiveOracle(graph, point), ClosedSetOracle(graph, point)]
    return [*found, QuantifiedOracle(graph, point)] if quantified else found


def brute_force(consensus: Consensus) -> Families:
    """Return all AXps and all CXps by asking every subset of the features, smallest first."""
    everything = frozenset(range(consensus.features))
    axps: list[frozenset[int]] = []
    cxps: list[frozenset[int]] = []
    for size in range(len(everything) + 1):
        for subset in map(frozenset, itertools.combinations(sorted(everything), size)):
            for family, fixed, wanted in ((axps, subset, False), (cxps, everything - subset, True)):
                finding = consensus.ask(fixed)
                assert finding.changeable is not None, finding
                if finding.changeable is wanted and not any(known <= subset for known in family):
                    family.append(subset)
    return axps, cxps


def one_based(families: Families) -> tuple[list[list[int]], list[list[int]]]:
    return tuple([sorted(i + 1 for i in xp) for xp in family] for family in families)  # type: ignore[return-value]


def settled(consensus: Consensus) -> bool:
    return not consensus.faults and not consensus.disagreements


class TestPapersExamples:
    def test_fig1_has_the_axp_1_4_and_the_cxps_1_and_4(self, session: Open) -> None:
        graph, v = graphs.fig1(), graphs.FIG1_INSTANCE
        consensus = Consensus.of_graph(graph, v, all_oracles(session, graph, v), thorough=True)
        axps, cxps = one_based(brute_force(consensus))
        assert axps == [[1, 4]]
        assert cxps == [[1], [4]]
        assert settled(consensus)

    def test_fig2_has_the_axp_1(self, session: Open) -> None:
        graph, v = graphs.fig2(), graphs.FIG2_INSTANCE
        consensus = Consensus.of_graph(graph, v, all_oracles(session, graph, v), thorough=True)
        assert one_based(brute_force(consensus)) == ([[1]], [[1]])
        assert settled(consensus)

    def test_a_constant_classifier_has_the_empty_axp_and_no_cxp(self, session: Open) -> None:
        graph = graphs.constant()
        v = (True, 3)
        consensus = Consensus.of_graph(graph, v, all_oracles(session, graph, v), thorough=True)
        assert brute_force(consensus) == ([frozenset()], [])
        assert judge_family(consensus, [[]], []).verdict is Verdict.COMPLETE
        assert settled(consensus)


REALS = Real(Fraction(0), Fraction(1), low_open=True, high_open=True)
TINY = number_at(1)

STUMPS = [
    # (what is special, graph, instance, is the one feature's value enough to change the class when it is free)
    (
        "an open real bound leaves nothing at the end",
        graphs.stump(REALS, span(Grid.DENSE, None, Fraction(1, 3)), span(Grid.DENSE, Fraction(1, 3), None, "()")),
        (Fraction(1, 3),),
        True,
    ),
    (
        "a literal that only holds at an open bound",
        graphs.stump(REALS, span(Grid.DENSE, 0, 1, "()"), name="all inside"),
        (Fraction(1, 2),),
        False,
    ),
    (
        "unbounded integers",
        graphs.stump(Integer(), span(Grid.INTEGERS, None, 10**30), span(Grid.INTEGERS, 10**30, None, "()")),
        (0,),
        True,
    ),
    (
        "a single point of the reals",
        graphs.stump(
            Real(),
            span(Grid.DENSE, Fraction(1, 3), Fraction(1, 3)),
            span(Grid.DENSE, None, Fraction(1, 3), "()").union(span(Grid.DENSE, Fraction(1, 3), None, "()")),
        ),
        (Fraction(1, 3),),
        True,
    ),
    (
        "the largest float32 on its own",
        graphs.stump(
            Float32(),
            span(Grid.FLOAT32, None, number_at(LAST - 1)),
            span(Grid.FLOAT32, number_at(LAST - 1), None, "()"),
        ),
        (Fraction(0),),
        True,
    ),
    (
        "only the missing value has the other class",
        graphs.stump(
            Float32(missing=True),
            span(Grid.FLOAT32, None, None),
            span(Grid.FLOAT32, 1, 0, missing=True),
        ),
        (Fraction(0),),
        True,
    ),
    (
        "the instance is the missing value",
        graphs.stump(
            Float32(missing=True),
            span(Grid.FLOAT32, None, TINY, missing=True),
            span(Grid.FLOAT32, TINY, None, "()"),
        ),
        (MISSING,),
        True,
    ),
    (
        "two float64 next to each other, which one float32 stands for",
        graphs.stump(
            Float64(),
            span(Grid.FLOAT64, None, Fraction(0.1)),
            span(Grid.FLOAT64, Fraction(0.1), None, "()"),
        ),
        (Fraction(math.nextafter(0.1, 1)),),
        True,
    ),
    (
        "the smallest positive float64 on its own, or missing",
        graphs.stump(
            Float64(missing=True),
            span(Grid.FLOAT64, None, 0).union(span(Grid.FLOAT64, SMALLEST, None, "()", missing=True)),
            span(Grid.FLOAT64, SMALLEST, SMALLEST),
        ),
        (MISSING,),
        True,
    ),
    (
        "categories that are not neighbours",
        graphs.stump(Categorical(("a", "b", "c", "d")), only("a", "c"), only("b", "d")),
        ("c",),
        True,
    ),
    ("a category alone", graphs.stump(Categorical(("a",)), only("a")), ("a",), False),
    ("Boolean", graphs.stump(Boolean(), only(False), only(True)), (True,), True),
]


@pytest.mark.parametrize(("graph", "v", "free"), [s[1:] for s in STUMPS], ids=[s[0] for s in STUMPS])
def test_every_kind_of_domain(session: Open, graph: DecisionGraph, v: Point, free: bool) -> None:
    check_assumptions(graph)
    consensus = Consensus.of_graph(graph, v, all_oracles(session, graph, v), thorough=True)
    assert consensus.ask([]).changeable is free
    assert consensus.ask([0]).changeable is False
    assert settled(consensus)


def test_between_two_thresholds_without_a_float32_there_is_no_value(session: Open) -> None:
    """Over the reals, the middle class is there; over float32 no number lies between the thresholds."""
    low = number_at(1065353216) + Fraction(1, 2**40)
    high = low + Fraction(1, 2**40)
    parts = [
        span(Grid.DENSE, None, low),
        span(Grid.DENSE, low, high, "(]"),
        span(Grid.DENSE, high, None, "()"),
    ]
    real = graphs.stump(Real(), parts[0].union(parts[2]), parts[1])
    v: Point = (Fraction(0),)
    assert Consensus.of_graph(real, v, all_oracles(session, real, v), thorough=True).ask([]).changeable is True
    floats = graphs.stump(
        Float32(), span(Grid.FLOAT32, None, low).union(span(Grid.FLOAT32, high, None, "()")), name="floats"
    )
    assert Consensus.of_graph(floats, v, all_oracles(session, floats, v), thorough=True).ask([]).changeable is False


@pytest.mark.parametrize("seed", range(20))
def test_all_oracles_agree_on_random_graphs_and_the_quick_mode_says_the_same(session: Open, seed: int) -> None:
    rng = random.Random(seed)
    graph = graphs.random_graph(rng)
    check_assumptions(graph)
    smt = [session(graph, s, f) for s, f in SMT_KINDS]
    for _ in range(2):
        v = graphs.random_point(rng, graph)
        oracles: list[Oracle] = [s.at(v) for s in smt]
        oracles += [ClosedSetOracle(graph, v), ExhaustiveOracle(graph, v)]
        if seed % 4 == 0:
            oracles.append(QuantifiedOracle(graph, v))
        thorough = Consensus.of_graph(graph, v, oracles, thorough=True)
        quick = Consensus.of_graph(graph, v, [oracles[0], *oracles[len(SMT_KINDS) :]])
        axps, cxps = brute_force(thorough)
        assert settled(thorough)
        assert brute_force(quick) == (axps, cxps)
        assert judge_family(quick, axps, cxps).verdict is Verdict.COMPLETE
        assert all(judge_axp(quick, axp).verdict is Verdict.AXP for axp in axps)
        assert all(judge_cxp(quick, cxp).verdict is Verdict.CXP for cxp in cxps)
        for k in range(len(cxps)):
            missing = judge_family(quick, axps, [*cxps[:k], *cxps[k + 1 :]])
            assert missing.verdict is Verdict.INCOMPLETE
            assert missing.missing == cxps[k] or missing.missing in axps


@pytest.mark.parametrize("seed", range(12))
def test_every_oracle_answers_and_proves_what_it_claims(session: Open, seed: int) -> None:
    rng = random.Random(1000 + seed)
    graph = graphs.random_graph(rng, features=3, depth=3)
    v = graphs.random_point(rng, graph)
    for oracle in all_oracles(session, graph, v):
        for fixed in subsets(3):
            answer = oracle.changeable(iter(fixed))
            assert answer.oracle == oracle.name
            if answer.changeable and answer.witness is not None:
                assert replay(graph, v, fixed, answer.witness) is None
            if answer.changeable is None:
                assert answer.reason


def subsets(count: int) -> Sequence[Iterable[int]]:
    return [s for size in range(count + 1) for s in itertools.combinations(range(count), size)]


def test_features_that_no_node_tests_keep_their_value(session: Open) -> None:
    tested = graphs.stump(Boolean(), only(False), only(True))
    graph = DecisionGraph(
        **{
            **{name: getattr(tested, name) for name in tested.__slots__},
            "features": (*tested.features, Feature("idle", Integer())),
        }
    )
    v: Point = (True, 7)
    for oracle in all_oracles(session, graph, v):
        answer = oracle.changeable([1])
        assert answer.witness in (None, (False, 7))
