"""Answers that are believed and that are not; and the seeded bugs: a consensus that has not rejected one proves nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import oracle_graphs as graphs
import pytest
from oracle_graphs import only, span

from xpgcheck.errors import InputError
from xpgcheck.judging.consensus import EARLIER, Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Float32, Integer, Real
from xpgcheck.model.value_sets import Grid
from xpgcheck.model.values import Point
from xpgcheck.oracles import exhaustive, smt_encoding, smt_variables, z3_calls
from xpgcheck.oracles.answers import Answer, Oracle
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.oracles.float_ranks import FloatRanks, ranks_of
from xpgcheck.oracles.smt_encoding import Variables
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.oracles.smt_variables import FeatureVariable

Open = Callable[..., SmtSession]

FIG1, V = graphs.fig1(), graphs.FIG1_INSTANCE
OTHER: Point = ("O", "L", "Y", "E")
"""A point of class L, which differs from the instance in feature 3."""


class Says:
    """An oracle that always says the same."""

    def __init__(self, changeable: bool | None, witness: Point | None = None, engine: str = "stub") -> None:
        self.name = f"{engine} says {changeable}"
        self.engine = engine
        self._answer = Answer(changeable, witness, self.name, "" if changeable is not None else "timeout")

    def changeable(self, fixed: Iterable[int]) -> Answer:
        return self._answer


def ask(fixed: Iterable[int], *oracles: Oracle, thorough: bool = True) -> Any:
    consensus = Consensus.of_graph(FIG1, V, oracles, thorough=thorough)
    finding = consensus.ask(fixed)
    return consensus, finding


class TestWhatIsBelieved:
    def test_a_witness_that_replays_needs_no_second_route(self) -> None:
        consensus, finding = ask([0], Says(True, OTHER), Says(None), thorough=False)
        assert (finding.changeable, finding.witness) == (True, OTHER)
        assert consensus.queries == {"stub says True": 1}

    def test_an_earlier_witness_answers_where_it_agrees(self) -> None:
        """It differs from the instance in feature 3 alone: no oracle is asked while that one is free."""
        consensus, first = ask([0], Says(True, OTHER), thorough=False)
        again = consensus.ask([0, 1, 2])
        assert (again.changeable, again.witness, again.confirmed_by) == (True, OTHER, first.confirmed_by)
        assert consensus.queries == {"stub says True": 1, EARLIER: 1}

    def test_an_earlier_witness_answers_nothing_where_it_differs(self) -> None:
        """The oracle says the same of the next question, and there its witness does not replay."""
        consensus, _ = ask([0], Says(True, OTHER), thorough=False)
        assert consensus.ask([3]).changeable is None
        assert consensus.queries == {"stub says True": 2}
        assert len(consensus.faults) == 1

    def test_all_oracles_are_asked_each_question_where_thorough(self) -> None:
        consensus, _ = ask([0], Says(True, OTHER))
        consensus.ask([0, 1])
        assert consensus.queries == {"stub says True": 2}

    def test_a_witness_that_does_not_replay_answers_nothing(self) -> None:
        consensus, _ = ask([3], Says(True, OTHER), thorough=False)
        assert consensus.ask([0]).changeable is True
        assert EARLIER not in consensus.queries

    def test_not_changeable_by_one_route_is_open(self) -> None:
        _, finding = ask([0, 3], Says(False, engine="z3"))
        assert finding.changeable is None
        assert finding.reason == "only one route says so: z3 says False"

    def test_two_formulations_for_one_solver_are_one_route(self) -> None:
        _, finding = ask([0, 3], Says(False, engine="z3"), Says(False, engine="z3"))
        assert finding.changeable is None

    def test_not_changeable_by_two_routes_is_believed_and_nobody_else_is_asked(self) -> None:
        oracles = Says(False, engine="z3"), Says(False, engine="closed set"), Says(None, engine="cvc5")
        consensus, finding = ask([0, 3], *oracles, thorough=False)
        assert finding.changeable is False
        assert finding.confirmed_by == ("z3 says False", "closed set says False")
        assert "cvc5 says None" not in consensus.queries

    def test_unknowns_stay_open_with_their_reasons(self) -> None:
        _, finding = ask([0], Says(None, engine="z3"), Says(None, engine="cvc5"))
        assert finding.changeable is None
        assert finding.reason == "z3 says None: timeout; cvc5 says None: timeout"

    def test_no_oracle_at_all_stays_open(self) -> None:
        assert ask([0])[1].reason == "no oracle was asked"

    def test_a_claim_without_a_witness_is_open(self) -> None:
        assert ask([0], Says(True))[1].changeable is None

    def test_a_settled_question_is_not_asked_again(self) -> None:
        consensus = Consensus.of_graph(FIG1, V, [Says(True, OTHER)])
        assert consensus.ask([0]) is consensus.ask((0,))
        assert consensus.queries.total() == 1


class TestLyingOracles:
    """A solver with a soundness bug, in each of the ways it can be wrong."""

    truth: Sequence[type[Any]] = (ClosedSetOracle, ExhaustiveOracle)

    def honest(self) -> list[Oracle]:
        return [oracle(FIG1, V) for oracle in self.truth]

    @pytest.mark.parametrize("thorough", [False, True])
    def test_unsat_for_sat_is_a_disagreement(self, thorough: bool) -> None:
        consensus, finding = ask([0], Says(False, engine="liar"), *self.honest(), thorough=thorough)
        assert finding.changeable is None
        assert finding.disagreement
        assert finding.reason == "disagreement: exhaustive against liar says False"
        assert consensus.disagreements == [finding]

    @pytest.mark.parametrize(
        ("witness", "problem"),
        [
            (V, "the witness has the class of the instance"),
            (("W", "L", "Y", "E"), "differs from the instance on the fixed feature 0"),
            (("O", "L", "Y", "nonsense"), "not a point of feature space"),
            (("O", "L", "Y"), "it has another number of values"),
            ((True, "L", "Y", "E"), "feature 0 cannot be True"),
        ],
    )
    def test_a_wrong_model_is_a_fault_and_the_others_settle_it(self, witness: Point, problem: str) -> None:
        consensus, finding = ask([0], Says(True, witness, "liar"), *self.honest())
        assert finding.changeable is True
        assert finding.confirmed_by == ("exhaustive",)
        assert [fault.oracle for fault in consensus.faults] == ["liar says True"]
        assert problem in consensus.faults[0].problem

    def test_sat_for_unsat_with_a_made_up_witness_is_a_fault(self) -> None:
        consensus, finding = ask([0, 3], Says(True, V, "liar"), *self.honest())
        assert finding.changeable is False
        assert consensus.faults[0].oracle == "liar says True"

    def test_sat_for_unsat_without_a_witness_is_a_disagreement(self) -> None:
        _, finding = ask([0, 3], Says(True, None, "liar"), *self.honest())
        assert finding.changeable is None
        assert finding.disagreement

    def test_two_liars_against_one_witness_do_not_outvote_it(self) -> None:
        liars = Says(False, engine="a"), Says(False, engine="b"), Says(False, engine="c")
        assert ask([0], *liars, *self.honest())[1].disagreement


def _cut(n: int) -> DecisionGraph:
    return graphs.stump(Integer(0, n), span(Grid.INTEGERS, None, n - 1), span(Grid.INTEGERS, n, None))


CATEGORIES = graphs.stump(Categorical(("a", "b", "c")), only("a", "b"), only("c"))
FLOATS = graphs.stump(
    Float32(missing=True), span(Grid.FLOAT32, None, None), span(Grid.FLOAT32, 1, 0, missing=True), name="floats"
)
REALS = graphs.stump(
    Real(Fraction(0), Fraction(1)),
    span(Grid.DENSE, None, 1, "()"),
    span(Grid.DENSE, 1, None),
    name="only the closed end",
)


def strict_instead_of_weak(patch: pytest.MonkeyPatch) -> None:
    """``<`` for ``≤`` in the encoding of a literal."""
    patch.setattr(FeatureVariable, "_at_most", lambda self, n: self._formulas.LT(self._main, self._constant(n)))


def bound_one_too_low(patch: pytest.MonkeyPatch) -> None:
    original = FeatureVariable._bounds

    def bounds(self: Any) -> Any:
        domain = self.domain
        yield from original(self)
        if isinstance(domain, Integer) and domain.high is not None:
            yield self._at_most(domain.high - 1)

    patch.setattr(FeatureVariable, "_bounds", bounds)


def domain_shifted(patch: pytest.MonkeyPatch) -> None:
    """Every model is then a point outside the domain."""
    patch.setattr(FeatureVariable, "_bounds", lambda self: iter([self._at_least(self.domain.high + 1)]))


def category_forgotten(patch: pytest.MonkeyPatch) -> None:
    original = FeatureVariable._bounds

    def bounds(self: Any) -> Any:
        yield from original(self)
        if isinstance(self.domain, Categorical):
            yield self._at_most(len(self.domain.values) - 2)

    patch.setattr(FeatureVariable, "_bounds", bounds)


def missing_ignored(patch: pytest.MonkeyPatch) -> None:
    original = FeatureVariable._bounds

    def bounds(self: Any) -> Any:
        yield from original(self)
        if self._missing is not None:
            yield self._formulas.Not(self._missing)

    patch.setattr(FeatureVariable, "_bounds", bounds)


def branches_swapped(patch: pytest.MonkeyPatch) -> None:
    """Then and else exchanged: each literal goes with the next edge's child."""
    original = Variables.literals

    def literals(self: Any, node: int) -> Any:
        edges = original(self, node)
        return [(edges[k - 1][0], literal) for k, (_, literal) in enumerate(edges)]

    patch.setattr(Variables, "literals", literals)


def edge_forgotten(patch: pytest.MonkeyPatch) -> None:
    original = Variables.literals
    patch.setattr(Variables, "literals", lambda self, node: original(self, node)[:1])


def class_off_by_one(patch: pytest.MonkeyPatch) -> None:
    for encoding in (smt_encoding.NestedChoice, smt_encoding.Activation):
        original: Any = encoding.other_class
        patch.setattr(encoding, "other_class", lambda self, c, original=original: original(self, c + 1))


def wrong_value_fixed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FeatureVariable, "equals", lambda self, value: self._formulas.Not(self._original_equals(value)))
    patch.setattr(FeatureVariable, "_original_equals", _EQUALS, raising=False)


_EQUALS = FeatureVariable.equals


def another_number_pinned(patch: pytest.MonkeyPatch) -> None:
    """The values of an instance go to Z3 without pySMT: here each number as the next one."""
    original = z3_calls.ByC.pin

    def pin(self: Any, selector: Any, symbol: Any, value: Any) -> None:
        original(self, selector, symbol, value if isinstance(value, bool) else value + 1)

    patch.setattr(z3_calls.ByC, "pin", pin)


def missing_left_open(patch: pytest.MonkeyPatch) -> None:
    """A number is pinned, and not that it is there."""
    original = FeatureVariable.pins
    patch.setattr(FeatureVariable, "pins", lambda self, value: original(self, value)[-1:])


class OffByOne:
    """Float ranks that are read back as the next number."""

    def __init__(self, ranks: FloatRanks) -> None:
        self.last, self.rank_of, self._ranks = ranks.last, ranks.rank_of, ranks

    def number_at(self, rank: int) -> Fraction:
        return self._ranks.number_at(min(rank + 1, self.last))


def ranks_off_by_one(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(smt_variables, "ranks_of", lambda domain: OffByOne(ranks_of(domain)))


ONLY_ONE = graphs.stump(
    Float32(),
    span(Grid.FLOAT32, None, 1, "()").union(span(Grid.FLOAT32, 1, None, "()")),
    span(Grid.FLOAT32, 1, 1),
    name="only 1",
)

SEEDED = [
    (strict_instead_of_weak, _cut(3), (0,)),
    (strict_instead_of_weak, REALS, (Fraction(0),)),
    (bound_one_too_low, _cut(3), (0,)),
    (domain_shifted, _cut(3), (0,)),
    (category_forgotten, CATEGORIES, ("a",)),
    (missing_ignored, FLOATS, (Fraction(0),)),
    (branches_swapped, FIG1, V),
    (edge_forgotten, FIG1, V),
    (class_off_by_one, FIG1, V),
    (wrong_value_fixed, FIG1, V),
    (another_number_pinned, REALS, (Fraction(0),)),
    (another_number_pinned, ONLY_ONE, (Fraction(1),)),
    (missing_left_open, FLOATS, (Fraction(0),)),
    (ranks_off_by_one, ONLY_ONE, (Fraction(0),)),
]


@pytest.mark.parametrize("formulation", ["ite", "activation"])
@pytest.mark.parametrize(("bug", "graph", "v"), SEEDED, ids=[f"{bug.__name__}-{g.name}" for bug, g, _ in SEEDED])
def test_a_bug_in_the_encoding_is_exposed_and_never_believed(
    session: Open,
    monkeypatch: pytest.MonkeyPatch,
    bug: Callable[[pytest.MonkeyPatch], None],
    graph: DecisionGraph,
    v: Point,
    formulation: str,
) -> None:
    truth = ExhaustiveOracle(graph, v)
    bug(monkeypatch)
    oracles: list[Oracle] = [
        session(graph, "z3", formulation).at(v),
        ClosedSetOracle(graph, v),
        ExhaustiveOracle(graph, v),
    ]
    consensus = Consensus.of_graph(graph, v, oracles)
    exposed = False
    for size in range(len(v) + 1):
        for fixed in itertools.combinations(range(len(v)), size):
            finding = consensus.ask(fixed)
            assert finding.changeable in (None, truth.changeable(fixed).changeable)
            exposed = exposed or finding.changeable is None
    assert exposed or consensus.faults


@pytest.mark.parametrize(("bug", "graph", "v"), SEEDED, ids=[f"{bug.__name__}-{g.name}" for bug, g, _ in SEEDED])
def test_without_the_bug_the_same_questions_raise_nothing(
    session: Open, bug: object, graph: DecisionGraph, v: Point
) -> None:
    """The control: the graphs above expose the bug, not something else."""
    oracles: list[Oracle] = [session(graph).at(v), ClosedSetOracle(graph, v), ExhaustiveOracle(graph, v)]
    consensus = Consensus.of_graph(graph, v, oracles, thorough=True)
    for size in range(len(v) + 1):
        for fixed in itertools.combinations(range(len(v)), size):
            assert consensus.ask(fixed).changeable is not None
    assert not consensus.faults
    assert not consensus.disagreements


def test_an_exhaustive_oracle_that_overlooks_a_value_is_exposed(session: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cell of 1 alone is forgotten: it denies what Z3 proves."""
    original = exhaustive._candidates
    # Past the cache, which would keep what the broken function says.
    monkeypatch.setattr(exhaustive, "_kinds", exhaustive._kinds.__wrapped__)
    monkeypatch.setattr(exhaustive, "_candidates", lambda d, s: (v for v in original(d, s) if v != 1))
    v = (Fraction(0),)
    oracles: list[Oracle] = [ExhaustiveOracle(ONLY_ONE, v), session(ONLY_ONE).at(v)]
    assert Consensus.of_graph(ONLY_ONE, v, oracles).ask([]).disagreement


def test_a_closed_set_that_is_not_closed_is_refused_by_its_checker(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = ClosedSetOracle(FIG1, V)
    monkeypatch.setattr(oracle, "_closed_set", lambda fixed: {0})
    answer = oracle.changeable([0])
    assert answer.changeable is None
    assert "the checker refused the set: the edge from 0" in answer.reason


@pytest.fixture
def consensus(session: Open) -> Consensus:
    return Consensus.of_graph(FIG1, V, [session(FIG1).at(V), ClosedSetOracle(FIG1, V), ExhaustiveOracle(FIG1, V)])


class TestJudging:
    def test_the_axp_of_fig1_with_a_witness_for_each_feature(self, consensus: Consensus) -> None:
        judgement = judge_axp(consensus, [0, 3])
        assert judgement.verdict is Verdict.AXP
        assert set(judgement.witnesses) == {0, 3}
        assert all(FIG1.kappa(w) != FIG1.kappa(V) for w in judgement.witnesses.values())
        assert consensus.queries["z3-ite"] == 3

    def test_a_redundant_axp_names_what_is_needless_and_the_axp_inside(self, consensus: Consensus) -> None:
        judgement = judge_axp(consensus, [0, 1, 3])
        assert judgement.verdict is Verdict.REDUNDANT
        assert judgement.needless == {1}
        assert judgement.inside == {0, 3}
        assert set(judgement.witnesses) == {0, 3}

    def test_an_insufficient_axp_has_a_witness(self, consensus: Consensus) -> None:
        judgement = judge_axp(consensus, [0])
        assert judgement.verdict is Verdict.INSUFFICIENT
        assert judgement.witness is not None
        assert judgement.witness[0] == "O"

    def test_a_cxp_a_redundant_one_and_an_ineffective_one(self, consensus: Consensus) -> None:
        assert judge_cxp(consensus, [3]).verdict is Verdict.CXP
        redundant = judge_cxp(consensus, [0, 1])
        assert (redundant.verdict, redundant.needless, redundant.inside) == (Verdict.REDUNDANT, {1}, {0})
        assert judge_cxp(consensus, [1, 2]).verdict is Verdict.INEFFECTIVE
        assert judge_cxp(consensus, []).verdict is Verdict.INEFFECTIVE

    def test_every_verdict_on_a_family(self, consensus: Consensus) -> None:
        assert judge_family(consensus, [[0, 3]], [[0], [3]]).verdict is Verdict.COMPLETE
        missing = judge_family(consensus, [[0, 3]], [[0]])
        assert (missing.verdict, missing.missing, missing.missing_kind) == (Verdict.INCOMPLETE, {3}, "CXp")
        missing = judge_family(consensus, [], [[0], [3]])
        assert (missing.verdict, missing.missing, missing.missing_kind) == (Verdict.INCOMPLETE, {0, 3}, "AXp")
        assert judge_family(consensus, [], []).verdict is Verdict.INCOMPLETE
        assert judge_family(consensus, [[0, 3], [3, 0]], [[0], [3]]).verdict is Verdict.DUPLICATE
        assert judge_family(consensus, [[0, 3], [0, 1, 3]], [[0], [3]]).verdict is Verdict.NOT_DUAL
        wrong = judge_family(consensus, [[1]], [[1]])
        assert wrong.verdict is Verdict.INSUFFICIENT
        assert wrong.member is not None
        assert wrong.member.claim == {1}
        assert judge_family(consensus, [[0, 3]], [[1]]).verdict is Verdict.INEFFECTIVE

    def test_what_the_oracles_leave_open_is_inconclusive(self) -> None:
        silent = Consensus.of_graph(FIG1, V, [Says(None)])
        assert judge_axp(silent, [0]).verdict is Verdict.INCONCLUSIVE
        assert judge_cxp(silent, [0]).verdict is Verdict.INCONCLUSIVE
        assert judge_family(silent, [[0]], [[0]]).verdict is Verdict.INCONCLUSIVE
        assert judge_family(silent, [], []).verdict is Verdict.INCONCLUSIVE

    def test_an_axp_whose_minimality_stays_open_is_inconclusive(self) -> None:
        closed = Consensus.of_graph(FIG1, V, [Says(False, engine="z3"), ClosedSetOracle(FIG1, V)])
        judgement = judge_axp(closed, [0, 3])
        assert judgement.verdict is Verdict.INCONCLUSIVE
        assert judgement.reason == "only one route says so: z3 says False"

    @pytest.mark.parametrize("judge", [judge_axp, judge_cxp])
    @pytest.mark.parametrize("claim", [[4], [-1], [0.5], [3.0], [True], ["Age"], [None]])
    def test_a_feature_that_does_not_exist(self, consensus: Consensus, judge: Any, claim: list[Any]) -> None:
        with pytest.raises(InputError, match=r"names feature '.*', which does not exist; .* from 0 to 3"):
            judge(consensus, claim)


def test_a_consensus_that_forgets_to_look_where_a_witness_differs_is_exposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded: a witness is used for every question; it then contradicts the closed set."""
    graph, v = FIG1, V
    with SmtSession(graph) as session:
        oracles = [session.at(v), ClosedSetOracle(graph, v)]
        right = [Consensus.of_graph(graph, v, oracles, thorough=True).ask(fixed).changeable for fixed in _subsets(4)]
        consensus = Consensus.of_graph(graph, v, oracles)
        assert [consensus.ask(fixed).changeable for fixed in _subsets(4)] == right
        assert consensus.queries[EARLIER] > 0
        wrong = Consensus.of_graph(graph, v, oracles)
        monkeypatch.setattr(wrong, "_instance", OTHER)
        assert [wrong.ask(fixed).changeable for fixed in _subsets(4)] != right


def _subsets(count: int) -> list[tuple[int, ...]]:
    return [s for size in range(count + 1) for s in itertools.combinations(range(count), size)]
