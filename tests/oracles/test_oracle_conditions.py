"""Oracles over conditions: against the definitions on all sets of conditions, and seen to fail where they are wrong."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import oracle_graphs as graphs
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracle_graphs import only, span

from xpgcheck.errors import InputError, InstanceError
from xpgcheck.judging.condition_panel import ConditionOracles
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import Grid, ValueSet
from xpgcheck.model.values import MISSING, Point
from xpgcheck.oracles import box_closed_set
from xpgcheck.oracles.answers import Answer, Oracle
from xpgcheck.oracles.box_cells import ConditionCells, ExhaustiveInBoxOracle
from xpgcheck.oracles.box_closed_set import (
    BoxMasks,
    ClosedSetInBoxOracle,
    box_of,
    check_closed_set_in_box,
    closed_set_in_box,
)
from xpgcheck.oracles.box_sessions import BoxSession
from xpgcheck.oracles.conditions import (
    Condition,
    NotTwoWayError,
    condition_graph,
    conditions_at,
    conditions_of,
    literals_at,
    project,
    replay_on_conditions,
)
from xpgcheck.oracles.exhaustive import CellTable
from xpgcheck.oracles.pysmt_backend import available_solvers
from xpgcheck.oracles.smt_sessions import FORMULATIONS
from xpgcheck.properties.strategies import cases, trees
from xpgcheck.properties.strategies import graphs as any_graphs
from xpgcheck.readers.json_model import parse_json

SMT_KINDS = [(s, f) for s in available_solvers() for f in FORMULATIONS]

MOST = 7
"""Conditions up to which all sets of them are tried."""

Nodes = dict[NodeId, Node]


# ---- graphs ----------------------------------------------------------------------------------------------------------


def at_most(number: object, grid: Grid = Grid.INTEGERS) -> ValueSet:
    return span(grid, None, number)


def above(number: object, grid: Grid = Grid.INTEGERS) -> ValueSet:
    return span(grid, number, None, "()")


def chain(domain: Domain, *tests: tuple[ValueSet, ValueSet]) -> DecisionGraph:
    """Return the graph of one feature whose k-th test leads to class k mod 2, or else to the next test."""
    nodes: Nodes = {}
    for k, (ends, goes_on) in enumerate(tests):
        following = f"n{k + 1}" if k + 1 < len(tests) else "end"
        nodes[f"n{k}"] = NonTerminal(0, ((f"t{k}", ends), (following, goes_on)))
        nodes[f"t{k}"] = Terminal(k % 2)
    nodes["end"] = Terminal(len(tests) % 2)
    return decision_graph("chain", [Feature("x", domain), Feature("idle", Boolean())], ["0", "1"], nodes, "n0")


def three_and_five() -> DecisionGraph:
    """Return the tree that gives class 1 where x ≤ 5 and then x ≤ 3."""
    nodes: Nodes = {
        "five": NonTerminal(0, (("three", at_most(5)), ("high", above(5)))),
        "three": NonTerminal(0, (("low", at_most(3)), ("middle", above(3)))),
        "low": Terminal(1),
        "middle": Terminal(0),
        "high": Terminal(0),
    }
    return decision_graph("three and five", [Feature("x", Integer())], ["0", "1"], nodes, "five")


def categories_that_meet_in_pairs() -> DecisionGraph:
    """Return the graph that asks x ∈ {a, b} and then x ∈ {b, c}; class 1 if both, and a test elsewhere of x ∈ {a, c}."""
    domain = Categorical(("a", "b", "c", "d"))
    nodes: Nodes = {
        "r": NonTerminal(1, (("ab", only(True)), ("ac", only(False)))),
        "ab": NonTerminal(0, (("bc", only("a", "b")), ("0", only("c", "d")))),
        "bc": NonTerminal(0, (("1", only("b", "c")), ("0", only("a", "d")))),
        "ac": NonTerminal(0, (("0", only("a", "c")), ("1", only("b", "d")))),
        "0": Terminal(0),
        "1": Terminal(1),
    }
    return decision_graph("pairs", [Feature("x", domain), Feature("s", Boolean())], ["0", "1"], nodes, "r")


def two_way(graph: DecisionGraph) -> DecisionGraph:
    """Return the classifier of *graph* by two-way tests: a node of k edges becomes a chain of k - 1 tests."""
    nodes: Nodes = {}
    stands_for: dict[int, NodeId] = {}
    for node in range(graph.node_count - 1, -1, -1):
        name = f"q{node}"
        if graph.is_terminal(node):
            nodes[name], stands_for[node] = Terminal(graph.class_of[node]), name
            continue
        whole = graph.features[graph.feature_of[node]].domain.all_values()
        edges = graph.edges(node)
        last = stands_for[edges[-1].child]
        for k, (child, values) in reversed(list(enumerate(edges[:-1]))):
            if stands_for[child] != last:
                pair = ((stands_for[child], values), (last, whole.difference(values)))
                last = f"{name}.{k}"
                nodes[last] = NonTerminal(graph.feature_of[node], pair if node % 2 else pair[::-1])
        stands_for[node] = last
    reached: set[NodeId] = set()
    stack = [stands_for[0]]
    while stack:
        name = stack.pop()
        if name not in reached:
            reached.add(name)
            found = nodes[name]
            stack += [child for child, _ in found.edges] if isinstance(found, NonTerminal) else []
    kept = {name: node for name, node in nodes.items() if name in reached}
    return decision_graph(graph.name, graph.features, graph.classes, kept, stands_for[0])


@st.composite
def two_way_cases(draw: st.DrawFn, source: st.SearchStrategy[DecisionGraph]) -> tuple[DecisionGraph, Point]:
    graph, v = draw(cases(source))
    graph = two_way(graph)
    assume(len(conditions_of(graph)) <= MOST)
    return graph, v


STUMPS = [
    (Boolean(), only(False), only(True), True),
    (Categorical(("a", "b", "c")), only("a", "c"), only("b"), "c"),
    (Integer(0, 9), at_most(4), above(4), 4),
    (
        Real(Fraction(0), Fraction(1)),
        at_most(Fraction(1, 3), Grid.DENSE),
        above(Fraction(1, 3), Grid.DENSE),
        Fraction(1, 3),
    ),
    (Float32(), at_most(0, Grid.FLOAT32), above(0, Grid.FLOAT32), Fraction(0)),
    (Float32(missing=True), at_most(0, Grid.FLOAT32), span(Grid.FLOAT32, 0, None, "()", missing=True), MISSING),
    (Float64(missing=True), span(Grid.FLOAT64, None, 0, missing=True), above(0, Grid.FLOAT64), Fraction(1, 2**1074)),
]


# ---- the definitions, by plain loops -----------------------------------------------------------------------------------


def subsets(count: int) -> Iterator[frozenset[int]]:
    for size in range(count + 1):
        yield from map(frozenset, itertools.combinations(range(count), size))


def points_of(graph: DecisionGraph) -> list[Point]:
    """Return a point of each cell of feature space."""
    return list(itertools.product(*([cell.representative() for cell in cells] for cells in graph.cells)))


def changes_with_theory(graph: DecisionGraph, v: Point) -> Callable[[frozenset[int]], bool]:
    """Return the definition: does a point with v's truth values on the fixed conditions have another class?"""
    conditions = conditions_of(graph)
    rows = [
        [(p[c.feature] in c.values) is (v[c.feature] in c.values) for c in conditions]
        for p in points_of(graph)
        if graph.kappa(p) != graph.kappa(v)
    ]
    return lambda fixed: any(all(row[i] for i in fixed) for row in rows)


def changes_independently(graph: DecisionGraph, v: Point) -> Callable[[frozenset[int]], bool]:
    """Return the definition: does a truth assignment that has v's on the fixed conditions lead to another class?"""
    conditions = conditions_of(graph)

    def class_of(truth: Sequence[bool]) -> int:
        node = 0
        while not graph.is_terminal(node):
            whole = graph.features[graph.feature_of[node]].domain.all_values()
            for child, values in graph.edges(node):
                inside = whole.intersection(values)
                for c, holds in zip(conditions, truth, strict=True):
                    own = whole.intersection(c.values) if c.feature == graph.feature_of[node] else None
                    if own is not None and (
                        (inside == own and holds) or (inside == whole.difference(own) and not holds)
                    ):
                        node = child
                        break
                else:
                    continue
                break
            else:
                raise AssertionError("no edge is followed")
        return graph.class_of[node]

    own = [v[c.feature] in c.values for c in conditions]
    others = [t for t in itertools.product((False, True), repeat=len(own)) if class_of(t) != class_of(own)]
    return lambda fixed: any(all(t[i] is own[i] for i in fixed) for t in others)


def definition(graph: DecisionGraph, v: Point, *, theory: bool) -> Callable[[frozenset[int]], bool]:
    return changes_with_theory(graph, v) if theory else changes_independently(graph, v)


def families(
    count: int, changes: Callable[[frozenset[int]], bool]
) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """Return all AXps and all CXps."""
    everything = frozenset(range(count))
    axps: list[frozenset[int]] = []
    cxps: list[frozenset[int]] = []
    for members in subsets(count):
        if not changes(members) and not any(known <= members for known in axps):
            axps.append(members)
        if changes(everything - members) and not any(known <= members for known in cxps):
            cxps.append(members)
    return axps, cxps


def breach(graph: DecisionGraph, v: Point, oracle: Oracle) -> str | None:
    """Return how *oracle* breaks its contract over conditions with theory, on some set of them; None where it does not."""
    conditions, changes = conditions_of(graph), changes_with_theory(graph, v)
    for fixed in subsets(len(conditions)):
        answer = oracle.changeable(iter(fixed))
        if answer.oracle != oracle.name:
            return "another's answer"
        if answer.changeable is None and not answer.reason:
            return "unknown without a reason"
        if answer.changeable is not None and answer.changeable is not changes(fixed):
            return f"wrong on {sorted(fixed)}"
        if answer.changeable:
            problem = (
                replay_on_conditions(graph, conditions, v, fixed, answer.witness) if answer.witness else "no witness"
            )
            if problem is not None:
                return problem
    return None


def settled(consensus: Consensus) -> bool:
    return not consensus.faults and not consensus.disagreements


def box_oracles(graph: DecisionGraph, v: Point, sessions: Iterable[BoxSession] = ()) -> list[Oracle]:
    conditions = conditions_of(graph)
    found: list[Oracle] = [session.at(v) for session in sessions]
    cells = ConditionCells(CellTable(graph), conditions)
    return [*found, ClosedSetInBoxOracle(BoxMasks(graph, conditions), v), ExhaustiveInBoxOracle(cells, v)]


@pytest.fixture
def box_session() -> Iterator[Callable[..., BoxSession]]:
    """Return a function that opens sessions; they are closed when the test ends."""
    opened: list[BoxSession] = []

    def open_(graph: DecisionGraph, solver: str = "z3", formulation: str = "ite") -> BoxSession:
        opened.append(BoxSession(graph, conditions_of(graph), solver, formulation))
        return opened[-1]

    yield open_
    for one in opened:
        one.close()


# ---- what the conditions are -------------------------------------------------------------------------------------------


def asked_both_ways() -> DecisionGraph:
    """Return a graph that asks for b first with "true" as the first edge, and elsewhere with "false"."""
    nodes: Nodes = {
        "r": NonTerminal(1, (("a", at_most(3)), ("b", above(3)))),
        "a": NonTerminal(0, (("0", only(True)), ("c", only(False)))),
        "b": NonTerminal(0, (("c", only(False)), ("1", only(True)))),
        "c": NonTerminal(2, (("0", above(3)), ("1", at_most(3)))),
        "0": Terminal(0),
        "1": Terminal(1),
    }
    features = [Feature("b", Boolean()), Feature("x", Integer()), Feature("y", Integer())]
    return decision_graph("both ways", features, ["0", "1"], nodes, "r")


class TestConditionsOf:
    def test_tests_that_are_complements_are_one_condition_in_the_order_of_the_nodes(self) -> None:
        expected = (Condition(1, at_most(3)), Condition(0, only(True)), Condition(2, above(3)))
        assert conditions_of(asked_both_ways()) == expected
        assert conditions_at(expected, (False, 3, 3)) == (True, False, False)

    def test_sets_are_compared_within_the_domain_and_kept_as_first_written(self) -> None:
        nodes: Nodes = {
            "r": NonTerminal(1, (("a", only(True)), ("b", only(False)))),
            "a": NonTerminal(0, (("0", span(Grid.INTEGERS, -7, 3)), ("1", above(3)))),
            "b": NonTerminal(0, (("0", span(Grid.INTEGERS, 4, 5)), ("1", span(Grid.INTEGERS, 0, 3)))),
            "0": Terminal(0),
            "1": Terminal(1),
        }
        graph = decision_graph("g", [Feature("x", Integer(0, 5)), Feature("b", Boolean())], ["0", "1"], nodes, "r")
        assert conditions_of(graph) == (Condition(1, only(True)), Condition(0, span(Grid.INTEGERS, -7, 3)))

    def test_a_constant_graph_has_none(self) -> None:
        assert conditions_of(graphs.constant()) == ()

    def test_three_edges_are_no_two_way_test(self) -> None:
        with pytest.raises(NotTwoWayError) as caught:
            conditions_of(graphs.fig2())
        assert (caught.value.node, caught.value.feature, caught.value.uncovered) == (1, 2, None)
        assert isinstance(caught.value, InputError)
        assert "has 3 edges" in str(caught.value)

    def test_nor_is_one_edge_into_which_parallel_edges_merged(self) -> None:
        nodes: Nodes = {"r": NonTerminal(0, (("t", only(True)), ("t", only(False)))), "t": Terminal(0)}
        graph = decision_graph("g", [Feature("b", Boolean())], ["0"], nodes, "r")
        with pytest.raises(NotTwoWayError, match="has 1 edge,") as caught:
            conditions_of(graph)
        assert caught.value.node == "r"

    def test_nor_are_literals_that_cover_only_what_the_path_leaves_open(self) -> None:
        domain = Categorical(("a", "b", "c"))
        nodes: Nodes = {
            "r": NonTerminal(0, (("n", only("a", "b")), ("2", only("c")))),
            "n": NonTerminal(0, (("0", only("a")), ("1", only("b")))),
            **{str(k): Terminal(k % 2) for k in range(3)},
        }
        graph = decision_graph("g", [Feature("x", domain)], ["0", "1"], nodes, "r")
        check_assumptions(graph)
        with pytest.raises(NotTwoWayError, match="are no complements: ") as caught:
            conditions_of(graph)
        assert (caught.value.node, caught.value.feature, caught.value.uncovered) == ("n", 0, only("c"))
        nodes["n"] = NonTerminal(0, (("0", only("a", "c")), ("1", only("b"))))
        mended = decision_graph("g", [Feature("x", domain)], ["0", "1"], nodes, "r")
        assert conditions_of(mended) == (Condition(0, only("a", "b")), Condition(0, only("a", "c")))


class TestConditionGraph:
    @given(two_way_cases(any_graphs()))
    @example((asked_both_ways(), (True, 0, 0)))
    def test_it_classifies_as_the_graph_does_and_keeps_nodes_and_assumptions(
        self, case: tuple[DecisionGraph, Point]
    ) -> None:
        graph, _ = case
        conditions, boolean = conditions_of(graph), condition_graph(graph)
        check_assumptions(boolean)
        assert (boolean.node_ids, boolean.class_of, boolean.children) == (
            graph.node_ids,
            graph.class_of,
            graph.children,
        )
        for point in points_of(graph):
            truth = conditions_at(conditions, point) or (False,)
            assert boolean.terminal(truth) == graph.terminal(point)

    @given(two_way_cases(any_graphs()))
    def test_no_path_tests_a_condition_twice(self, case: tuple[DecisionGraph, Point]) -> None:
        boolean = condition_graph(case[0])
        above_it: list[set[int]] = [set() for _ in range(boolean.node_count)]
        for node, children in enumerate(boolean.children):
            assert boolean.feature_of[node] not in above_it[node]
            for child in children:
                above_it[child] |= above_it[node] | {boolean.feature_of[node]}

    def test_the_test_above_can_fail_where_a_path_is_inconsistent(self) -> None:
        nodes: Nodes = {
            "r": NonTerminal(0, (("n", at_most(3)), ("0", above(3)))),
            "n": NonTerminal(0, (("0", at_most(3)), ("1", above(3)))),
            "0": Terminal(0),
            "1": Terminal(1),
        }
        boolean = condition_graph(decision_graph("g", [Feature("x", Integer())], ["0", "1"], nodes, "r"))
        assert boolean.feature_of[:2] == (0, 0)

    def test_features_are_called_by_what_they_say(self) -> None:
        names = [f.name for f in condition_graph(three_and_five()).features]
        assert names == ["x <= 5", "x <= 3"]
        single = span(Grid.INTEGERS, 4, 4)
        others = at_most(3).union(above(4))  # type: ignore[arg-type]
        ring = chain(Integer(), (single, others), (others.difference(at_most(0)), single.union(at_most(0))))
        assert [f.name for f in condition_graph(ring).features] == ["x = 4", "x in [1, 3] ∪ [5, inf)"]
        stumps = [graphs.stump(domain, yes, no) for domain, yes, no, _ in STUMPS]
        assert [condition_graph(stump).features[0].name for stump in stumps] == [
            "x = 0",
            "x in {a, c}",
            "x <= 4",
            "x <= 1/3",
            "x <= 0",
            "x <= 0",
            "x <= 0 or missing",
        ]
        tenth = Fraction(0.1)
        stump = graphs.stump(Float64(), at_most(tenth, Grid.FLOAT64), above(tenth, Grid.FLOAT64))
        assert condition_graph(stump).features[0].name == "x <= 0.1"

    def test_no_two_names_are_alike_whatever_categories_are_called(self) -> None:
        domain = Categorical(("a", "b", "b, c", "a, b", "c"))
        nodes: Nodes = {
            "r": NonTerminal(1, (("n", only(True)), ("m", only(False)))),
            "n": NonTerminal(0, (("l", only("a", "b, c")), ("1", only("b", "a, b", "c")))),
            "m": NonTerminal(0, (("0", only("a, b", "c")), ("1", only("a", "b", "b, c")))),
            "l": NonTerminal(0, (("0", only("a", "b", "c")), ("1", only("b, c", "a, b")))),
            "0": Terminal(0),
            "1": Terminal(1),
        }
        graph = decision_graph("g", [Feature("x", domain), Feature("s", Boolean())], ["0", "1"], nodes, "r")
        names = [f.name for f in condition_graph(graph).features]
        assert names == ["s = 1", "x in {a, b, c}", "x in {a, b, c} (2)", "x in {a, b, c} (3)"]


# ---- the definitions ---------------------------------------------------------------------------------------------------


def check_by_definition(graph: DecisionGraph, v: Point, consensus: Consensus, *, theory: bool) -> None:
    conditions, changes = conditions_of(graph), definition(graph, v, theory=theory)
    for fixed in subsets(len(conditions)):
        finding = consensus.ask(fixed)
        assert finding.changeable is changes(fixed), (sorted(fixed), finding)
    assert settled(consensus)
    axps, cxps = families(len(conditions), changes)
    assert judge_family(consensus, axps, cxps).verdict is Verdict.COMPLETE
    for axp in axps:
        assert judge_axp(consensus, axp).verdict is Verdict.AXP
        for i in range(len(conditions)):
            if i not in axp:
                assert judge_axp(consensus, axp | {i}).verdict is Verdict.REDUNDANT
            else:
                assert judge_axp(consensus, axp - {i}).verdict is Verdict.INSUFFICIENT
    for cxp in cxps:
        assert judge_cxp(consensus, cxp).verdict is Verdict.CXP
        for i in cxp:
            assert judge_cxp(consensus, cxp - {i}).verdict is Verdict.INEFFECTIVE


@pytest.mark.parametrize("theory", [False, True], ids=["independent", "theory"])
@given(two_way_cases(trees()))
@example((three_and_five(), (2,)))
@example((asked_both_ways(), (True, 4, 3)))
def test_both_notions_are_their_definitions_on_trees(theory: bool, case: tuple[DecisionGraph, Point]) -> None:
    graph, v = case
    with ConditionOracles(graph, ("z3",)) as oracles:
        consensus = oracles.at(v, theory=theory, thorough=True)
        check_by_definition(graph, v, consensus, theory=theory)


@pytest.mark.parametrize("theory", [False, True], ids=["independent", "theory"])
@pytest.mark.parametrize("seed", range(8))
def test_both_notions_are_their_definitions_on_graphs_over_every_domain(theory: bool, seed: int) -> None:
    rng = random.Random(seed)
    graph = two_way(graphs.random_graph(rng, features=3, depth=3))
    check_assumptions(graph)
    if len(conditions_of(graph)) > MOST:
        pytest.skip("too many sets of conditions")
    with ConditionOracles(graph, available_solvers()) as oracles:
        for _ in range(2):
            v = graphs.random_point(rng, graph)
            check_by_definition(graph, v, oracles.at(v, theory=theory, thorough=True), theory=theory)


@given(two_way_cases(any_graphs()))
def test_every_oracle_keeps_the_contract(case: tuple[DecisionGraph, Point]) -> None:
    graph, v = case
    for oracle in box_oracles(graph, v):
        assert breach(graph, v, oracle) is None


@pytest.mark.parametrize("kind", SMT_KINDS, ids="-".join)
@pytest.mark.parametrize("seed", range(6))
def test_every_solver_keeps_the_contract(
    kind: tuple[str, str], seed: int, box_session: Callable[..., BoxSession]
) -> None:
    rng = random.Random(100 + seed)
    graph = two_way(graphs.random_graph(rng, features=3, depth=3))
    session = box_session(graph, *kind)
    for _ in range(3):
        v = graphs.random_point(rng, graph)
        assert breach(graph, v, session.at(v)) is None


@pytest.mark.parametrize(("domain", "yes", "no", "value"), STUMPS, ids=lambda x: str(x)[:20])
def test_one_test_of_every_domain(
    domain: Domain, yes: ValueSet, no: ValueSet, value: object, box_session: Callable[..., BoxSession]
) -> None:
    graph = graphs.stump(domain, yes, no)
    v: Point = (value,)  # type: ignore[assignment]
    sessions = [box_session(graph, *kind) for kind in SMT_KINDS]
    for oracle in box_oracles(graph, v, sessions):
        assert breach(graph, v, oracle) is None
    assert all(s.at(v).changeable([]).changeable and not s.at(v).changeable([0]).changeable for s in sessions)


@given(two_way_cases(any_graphs()))
def test_the_notions_are_ordered_and_project_to_features(case: tuple[DecisionGraph, Point]) -> None:
    """A weak AXp of independent conditions is one with theory; both, and CXps, project to weak ones over features."""
    graph, v = case
    conditions = conditions_of(graph)
    others = [p for p in points_of(graph) if graph.kappa(p) != graph.kappa(v)]
    everything = frozenset(range(len(conditions)))
    kinds = {i: next(cell for cell in graph.cells[i] if v[i] in cell) for i in range(len(v))}

    def features_change(fixed: frozenset[int]) -> bool:
        return any(all(p[i] in kinds[i] for i in fixed) for p in others)

    free, linked = definition(graph, v, theory=False), definition(graph, v, theory=True)
    for members in subsets(len(conditions)):
        assert free(members) or not linked(members)
        features = project(graph, conditions, members)
        for changes in (free, linked):
            if not changes(members):
                assert not features_change(features)
            if changes(everything - members):
                assert features_change(frozenset(range(len(v))) - features)


# ---- the published finding ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solvers", [(), ("z3",)], ids=["no solver", "z3"])
class TestOneConditionFollowsFromAnother:
    """x ≤ 3 implies x ≤ 5: prime over independent conditions is not prime given the theory."""

    def test_an_axp_of_independent_conditions_is_redundant_with_theory(self, solvers: tuple[str, ...]) -> None:
        with ConditionOracles(three_and_five(), solvers) as oracles:
            assert oracles.conditions == (Condition(0, at_most(5)), Condition(0, at_most(3)))
            free, linked = (oracles.at((2,), theory=theory) for theory in (False, True))
            judgement = judge_axp(free, [0, 1])
            assert judgement.verdict is Verdict.AXP
            # x > 5 with x ≤ 3 shows that the first is needed: no point of feature space, and a point of the graph's own.
            assert judgement.witnesses == {0: (False, True), 1: (True, False)}
            judgement = judge_axp(linked, [0, 1])
            assert (judgement.verdict, judgement.needless) == (Verdict.REDUNDANT, {0})
            assert judgement.inside == {1}
            assert judge_family(free, [{0, 1}], [{0}, {1}]).verdict is Verdict.COMPLETE
            assert judge_family(linked, [{1}], [{1}]).verdict is Verdict.COMPLETE

    def test_a_cxp_of_independent_conditions_is_ineffective_with_theory(self, solvers: tuple[str, ...]) -> None:
        with ConditionOracles(three_and_five(), solvers) as oracles:
            assert judge_cxp(oracles.at((2,), theory=False), [0]).verdict is Verdict.CXP
            assert judge_cxp(oracles.at((2,), theory=True), [0]).verdict is Verdict.INEFFECTIVE
            assert project(oracles.graph, oracles.conditions, [0]) == {0}


# ---- what each oracle knows and says -------------------------------------------------------------------------------------


class TestClosedSetInBox:
    @given(st.randoms(use_true_random=False))
    def test_it_is_exact_where_literals_are_intervals(self, rng: random.Random) -> None:
        graph = threshold_tree(rng)
        v: Point = tuple(rng.randint(-1, 7) for _ in graph.features)
        changes = changes_with_theory(graph, v)
        oracle = ClosedSetInBoxOracle(BoxMasks(graph, conditions_of(graph)), v)
        for fixed in subsets(len(conditions_of(graph))):
            answer = oracle.changeable(fixed)
            assert answer.changeable is (None if changes(fixed) else False)
            assert answer.reason.startswith("the least closed set has terminal" if changes(fixed) else "")

    def test_elsewhere_it_can_miss_that_edges_meet_the_box_but_no_point_does(self) -> None:
        graph, v = categories_that_meet_in_pairs(), ("a", True)
        conditions = conditions_of(graph)
        assert [c.values for c in conditions[1:]] == [only("a", "b"), only("a", "c"), only("b", "c")]
        fixed = [0, 2]
        assert not changes_with_theory(graph, v)(frozenset(fixed))
        assert ClosedSetInBoxOracle(BoxMasks(graph, conditions), v).changeable(fixed).changeable is None
        # One route is left without a solver: not believed; a solver is the second.
        finding = ConditionOracles(graph, ()).at(v, theory=True).ask(fixed)
        assert (finding.changeable, finding.reason) == (None, "only one route says so: exhaustive")
        with ConditionOracles(graph) as oracles:
            finding = oracles.at(v, theory=True).ask(fixed)
        assert (finding.changeable, finding.confirmed_by) == (False, ("z3-ite", "exhaustive"))

    def test_the_box_is_what_the_fixed_conditions_leave(self) -> None:
        graph = three_and_five()
        conditions = conditions_of(graph)
        assert box_of(graph, conditions, (4,), []) == {}
        assert box_of(graph, conditions, (4,), [0]) == {0: at_most(5)}
        assert box_of(graph, conditions, (4,), [0, 1]) == {0: span(Grid.INTEGERS, 4, 5)}
        stump = graphs.stump(*STUMPS[5][:3])
        assert box_of(stump, conditions_of(stump), (MISSING,), [0]) == {0: STUMPS[5][2]}

    def test_the_checker_takes_the_least_closed_set_and_larger_ones(self) -> None:
        graph = three_and_five()
        conditions = conditions_of(graph)
        nodes = closed_set_in_box(graph, conditions, (2,), [1])
        assert {graph.node_ids[node] for node in nodes} == {"five", "three", "low"}
        assert check_closed_set_in_box(graph, conditions, (2,), [1], nodes) is None

    @given(two_way_cases(any_graphs()))
    def test_the_checker_takes_exactly_proofs(self, case: tuple[DecisionGraph, Point]) -> None:
        graph, v = case
        conditions, changes = conditions_of(graph), changes_with_theory(graph, v)
        for fixed in subsets(len(conditions)):
            nodes = closed_set_in_box(graph, conditions, v, fixed)
            of_own_class = all(graph.class_of[node] in (-1, graph.kappa(v)) for node in nodes)
            assert (check_closed_set_in_box(graph, conditions, v, fixed, nodes) is None) is of_own_class
            assert not (of_own_class and changes(fixed))
            for left_out in nodes:
                assert check_closed_set_in_box(graph, conditions, v, fixed, nodes - {left_out}) is not None

    @pytest.mark.parametrize(
        ("names", "fixed", "problem"),
        [
            (["three", "low"], [0, 1], "the root is not in the set"),
            (["five", "low"], [0, 1], "the edge from 0 to 1 is compatible and leaves the set"),
            (["five", "three", "low"], [0], "the edge from 1 to 4 is compatible and leaves the set"),
            (["five", "three", "low"], [], "the edge from 0 to 2 is compatible and leaves the set"),
            (["five", "three", "low", "middle"], [0, 1], "terminal 4 has another class"),
        ],
    )
    def test_what_is_no_proof_is_refused_with_the_reason(
        self, names: list[str], fixed: list[int], problem: str
    ) -> None:
        graph = three_and_five()
        nodes = {graph.node_ids.index(name) for name in names}
        assert check_closed_set_in_box(graph, conditions_of(graph), (2,), fixed, nodes) == problem

    def test_a_node_that_the_graph_does_not_have_is_refused(self) -> None:
        graph = three_and_five()
        problem = check_closed_set_in_box(graph, conditions_of(graph), (2,), [0, 1], {0, 1, 3, 99})
        assert problem == "the set holds a node that the graph does not have"


def threshold_tree(rng: random.Random) -> DecisionGraph:
    """Return a tree of integer thresholds over two features, with at most 4 tests on a path."""
    nodes: Nodes = {}

    def grow(left: list[tuple[int, int]], levels: int) -> str:
        name = f"q{len(nodes)}"
        nodes[name] = Terminal(rng.randrange(2))
        feature = rng.randrange(2)
        low, high = left[feature]
        if levels and low < high and rng.random() < 0.9:
            cut = rng.randrange(low, high)
            parts = (low, cut), (cut + 1, high)
            boxes = [[part if i == feature else left[i] for i in range(2)] for part in parts]
            children = [grow(box, levels - 1) for box in boxes]
            nodes[name] = NonTerminal(feature, tuple(zip(children, (at_most(cut), above(cut)), strict=True)))
        return name

    root = grow([(0, 5), (0, 5)], 3)
    return decision_graph("thresholds", [Feature("x", Integer()), Feature("y", Integer())], ["0", "1"], nodes, root)


class TestExhaustiveInBox:
    @pytest.mark.parametrize("seed", range(10))
    def test_over_the_limit_it_looks_at_the_box_alone_or_does_not_know(self, seed: int) -> None:
        rng = random.Random(seed)
        graph = threshold_tree(rng)
        v: Point = (rng.randint(0, 5), rng.randint(0, 5))
        cells = ConditionCells(CellTable(graph), conditions_of(graph))
        changes, unknown = changes_with_theory(graph, v), 0
        for limit in range(cells.table.size):
            oracle = ExhaustiveInBoxOracle(cells, v, limit)
            assert breach(graph, v, oracle) is None
            answers = [oracle.changeable(fixed).changeable for fixed in subsets(len(cells.conditions))]
            unknown += answers.count(None)
            if limit:
                everything = range(len(cells.conditions))
                assert oracle.changeable(everything).changeable is changes(frozenset(everything)) is False
        assert unknown or cells.table.size == 1

    def test_no_table_is_made_of_too_many_literals(self) -> None:
        cells = ConditionCells(CellTable(three_and_five()), conditions_of(three_and_five()))
        cells.table.__dict__["too_large"] = True
        answer = ExhaustiveInBoxOracle(cells, (2,)).changeable([0])
        assert (answer.changeable, answer.reason) == (None, "the graph has too many literals for a table of its cells")

    def test_values_of_the_instance_s_kind_are_kept(self) -> None:
        graph = asked_both_ways()
        cells = ConditionCells(CellTable(graph), conditions_of(graph))
        answer = ExhaustiveInBoxOracle(cells, (True, 77, -77)).changeable([1, 2])
        assert answer.witness is not None
        assert (answer.witness[0], answer.witness[2]) == (True, -77)


class TestBoxSession:
    def test_one_session_serves_many_instances_in_turn(self, solver: str, formulation: str) -> None:
        graph = chain(Float32(missing=True), *[(at_most(k, Grid.FLOAT32), above_or_missing(k)) for k in (1, 2, 3)])
        with BoxSession(graph, conditions_of(graph), solver, formulation) as session:
            for value in (Fraction(0), Fraction(2), MISSING, Fraction(5, 2), Fraction(0), Fraction(9)):
                v: Point = (value, False)
                assert breach(graph, v, session.at(v)) is None

    def test_a_closed_session_does_not_know(self) -> None:
        graph = three_and_five()
        with BoxSession(graph, conditions_of(graph)) as session:
            oracle = session.at((2,))
        session.close()
        assert oracle.changeable([0]) == Answer(None, None, "z3-ite", "the session is closed")

    def test_unknown_names_are_refused(self) -> None:
        graph = three_and_five()
        with pytest.raises(InputError, match="no formulation is called 'bdd'"):
            BoxSession(graph, conditions_of(graph), formulation="bdd")
        with pytest.raises(InputError, match="no solver is called 'minisat'"):
            BoxSession(graph, conditions_of(graph), "minisat")

    def test_a_model_that_is_no_point_is_a_claim_without_evidence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        graph = three_and_five()
        with BoxSession(graph, conditions_of(graph)) as session:
            monkeypatch.setattr(session._backend, "values", lambda handles: [])
            answer = session.at((2,)).changeable([])
        assert (answer.changeable, answer.witness) == (True, None)

    def test_a_solver_that_gives_up_does_not_know(self, monkeypatch: pytest.MonkeyPatch) -> None:
        graph = three_and_five()
        with BoxSession(graph, conditions_of(graph)) as session:
            monkeypatch.setattr(session._backend._engine, "check", lambda assumptions: None)
            answer = session.at((2,)).changeable([])
        assert answer.changeable is None
        assert answer.reason.startswith("z3 says unknown")

    def test_a_graph_without_tests(self, solver: str, formulation: str) -> None:
        graph = graphs.constant()
        with BoxSession(graph, (), solver, formulation) as session:
            assert session.at((True, 3)).changeable([]).changeable is False


def above_or_missing(number: int) -> ValueSet:
    return span(Grid.FLOAT32, number, None, "()", missing=True)


# ---- seeded bugs ---------------------------------------------------------------------------------------------------------


class ByFeature(ExhaustiveInBoxOracle):
    """Fixes the whole feature of a condition."""

    def changeable(self, fixed: Iterable[int]) -> Answer:
        conditions = self.cells.conditions
        features = {conditions[i].feature for i in fixed}
        return super().changeable(i for i, c in enumerate(conditions) if c.feature in features)


class OwnPoint(ExhaustiveInBoxOracle):
    """Has the instance's value in the witness."""

    def _point_of(self, kinds: tuple[int, ...]) -> Point:
        return self._point


class IgnoresOne(ExhaustiveInBoxOracle):
    """Forgets the last of the fixed conditions."""

    def changeable(self, fixed: Iterable[int]) -> Answer:
        return super().changeable(sorted(fixed)[:-1])


class NeverOpensEdges(ClosedSetInBoxOracle):
    """Stays at the root."""

    def _closed_set(self, fixed: frozenset[int]) -> set[int] | int:
        return {0}


class WrongPolarity(BoxSession):
    """Has the selectors of a condition's two outcomes swapped."""

    def _selector_pair(self, index: int) -> tuple[object, object]:
        false, true = super()._selector_pair(index)
        return true, false


class NoSelectors(BoxSession):
    """Encodes conditions by selectors that mean nothing."""

    def _selector_pair(self, index: int) -> tuple[object, object]:
        false, true = self._backend.formulas.Symbol(f"f{index}"), self._backend.formulas.Symbol(f"t{index}")
        return self._backend.handle(false), self._backend.handle(true)


class TestSeededBugs:
    @pytest.mark.parametrize("bug", [ByFeature, OwnPoint, IgnoresOne])
    def test_wrong_cells_break_the_contract(self, bug: type[ExhaustiveInBoxOracle]) -> None:
        graph = three_and_five()
        cells = ConditionCells(CellTable(graph), conditions_of(graph))
        assert breach(graph, (2,), ExhaustiveInBoxOracle(cells, (2,))) is None
        assert breach(graph, (2,), bug(cells, (2,))) is not None

    @pytest.mark.parametrize("bug", [WrongPolarity, NoSelectors])
    def test_wrong_selectors_break_the_contract(self, bug: type[BoxSession], solver: str) -> None:
        graph = three_and_five()
        with bug(graph, conditions_of(graph), solver) as session:
            assert breach(graph, (2,), session.at((2,))) is not None

    def test_a_set_that_is_not_closed_is_refused_by_the_checker(self) -> None:
        graph = three_and_five()
        answer = NeverOpensEdges(BoxMasks(graph, conditions_of(graph)), (2,)).changeable([])
        assert answer.changeable is None
        assert answer.reason.startswith("the checker refused the set: the edge from 0")

    def test_without_its_checker_the_wrong_set_breaks_the_contract(self, monkeypatch: pytest.MonkeyPatch) -> None:
        graph = three_and_five()
        monkeypatch.setattr(box_closed_set, "check_closed_set_in_box", lambda *_: None)
        oracle = NeverOpensEdges(BoxMasks(graph, conditions_of(graph)), (2,))
        assert breach(graph, (2,), oracle) == "wrong on []"

    def test_a_checker_with_the_whole_domain_as_its_box_refuses_right_sets(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        graph, fixed = three_and_five(), frozenset((1,))
        nodes = closed_set_in_box(graph, conditions_of(graph), (2,), fixed)
        monkeypatch.setattr(box_closed_set, "box_of", lambda *_: {})
        assert check_closed_set_in_box(graph, conditions_of(graph), (2,), fixed, nodes) is not None


class Liar:
    """Says what it is told to."""

    name = engine = "liar"

    def __init__(self, changeable: bool | None, witness: Point | None = None) -> None:
        self._answer = Answer(changeable, witness, self.name, "told so")

    def changeable(self, fixed: Iterable[int]) -> Answer:
        return self._answer


class TestConsensus:
    def ask(self, v: Point, fixed: Iterable[int], *oracles: Oracle) -> Consensus:
        graph = three_and_five()
        conditions = conditions_of(graph)

        def replay(fixed: frozenset[int], witness: Point) -> str | None:
            return replay_on_conditions(graph, conditions, v, fixed, witness)

        consensus = Consensus(2, [*oracles, *box_oracles(graph, v)], replay, thorough=True)
        consensus.ask(fixed)
        return consensus

    def test_a_false_no_is_a_disagreement(self) -> None:
        consensus = self.ask((2,), [0], Liar(False))
        assert consensus.ask([0]).changeable is None
        assert consensus.disagreements[0].reason == "disagreement: exhaustive against liar"

    @pytest.mark.parametrize(
        ("witness", "problem"),
        [
            ((6,), "the witness differs from the instance on the fixed condition 0"),
            ((2,), "the witness has the class of the instance"),
            ((Fraction(4),), "the witness is not a point of feature space: feature 0 cannot be Fraction(4, 1)"),
            ((4, 4), "the witness is not a point of feature space: it has another number of values"),
        ],
    )
    def test_a_witness_that_does_not_replay_is_a_fault(self, witness: Point, problem: str) -> None:
        consensus = self.ask((2,), [0], Liar(True, witness))
        assert [(f.oracle, f.problem) for f in consensus.faults] == [("liar", problem)]
        assert consensus.ask([0]).changeable is True
        assert consensus.ask([0]).confirmed_by == ("exhaustive",)

    def test_a_claim_without_evidence_is_not_believed_against_two_routes(self) -> None:
        consensus = self.ask((2,), [1], Liar(True))
        assert consensus.ask([1]).changeable is None
        assert consensus.disagreements

    def test_a_witness_of_another_value_with_the_same_truth_is_evidence(self) -> None:
        consensus = self.ask((2,), [0], Liar(True, (4,)))
        assert not consensus.faults
        assert consensus.ask([0]).confirmed_by == ("liar", "exhaustive")


# ---- the entry -------------------------------------------------------------------------------------------------------


class TestConditionOracles:
    @pytest.mark.parametrize("theory", [False, True], ids=["independent", "theory"])
    def test_a_constant_classifier_has_the_empty_axp_and_no_cxp(self, theory: bool) -> None:
        with ConditionOracles(graphs.constant(), available_solvers()) as oracles:
            consensus = oracles.at((True, 3), theory=theory, thorough=True)
            assert consensus.features == 0
            assert judge_axp(consensus, []).verdict is Verdict.AXP
            assert judge_family(consensus, [[]], []).verdict is Verdict.COMPLETE
            with pytest.raises(InputError):
                judge_axp(consensus, [0])
            assert settled(consensus)

    @pytest.mark.parametrize("theory", [False, True], ids=["independent", "theory"])
    def test_a_solver_is_opened_once_and_with_solver_last_only_where_it_is_needed(self, theory: bool) -> None:
        with ConditionOracles(three_and_five()) as oracles:
            first = oracles.at((2,), theory=theory)
            opened = dict(oracles._opened)
            assert first.ask([0, 1]).confirmed_by == ("z3-ite", "closed set")
            assert oracles.at((4,), theory=theory).ask([0, 1]).changeable is False
            assert len(opened) == 1
            assert oracles._opened == opened
        with ConditionOracles(three_and_five(), solver_last=True) as oracles:
            assert oracles.at((2,), theory=theory).ask([0, 1]).confirmed_by == ("exhaustive", "closed set")
            assert not oracles._opened
        graph = categories_that_meet_in_pairs()
        with ConditionOracles(graph, solver_last=True) as oracles:
            finding = oracles.at(("a", True), theory=theory).ask([0, 2])
            assert finding.confirmed_by == (("exhaustive", "z3-ite") if theory else ("exhaustive",))
            assert len(oracles._opened) == theory
            assert oracles.at(("a", True), theory=True).ask([0, 2]).changeable is False

    @pytest.mark.parametrize("theory", [False, True], ids=["independent", "theory"])
    def test_left_solvers_do_not_know(self, theory: bool) -> None:
        with ConditionOracles(three_and_five()) as oracles:
            consensus = oracles.at((2,), theory=theory, thorough=True)
        assert [a.reason for a in consensus.ask([]).answers if a.oracle == "z3-ite"] == ["the session is closed"]

    def test_a_limit_of_cells_goes_to_both_notions(self) -> None:
        with ConditionOracles(three_and_five(), (), limit=1) as oracles:
            for theory in (False, True):
                assert oracles.at((2,), theory=theory).ask([]).changeable is None

    def test_errors_say_what_is_wrong(self) -> None:
        with pytest.raises(NotTwoWayError):
            ConditionOracles(graphs.fig2(), ())
        for theory in (False, True):
            with pytest.raises(InstanceError, match="not in the model's feature space"):
                ConditionOracles(three_and_five(), ()).at((Fraction(2),), theory=theory)


class TestProject:
    def test_it_gives_the_features(self) -> None:
        graph = categories_that_meet_in_pairs()
        conditions = conditions_of(graph)
        assert project(graph, conditions, []) == frozenset()
        assert project(graph, conditions, [3, 1]) == {0}
        assert project(graph, conditions, frozenset((0, 2))) == {0, 1}

    @pytest.mark.parametrize("index", [4, -1, True, "0"])
    def test_an_index_that_is_no_condition_is_refused(self, index: object) -> None:
        graph = categories_that_meet_in_pairs()
        with pytest.raises(InputError, match="there is no condition"):
            project(graph, conditions_of(graph), [index])  # type: ignore[list-item]


def test_texts_of_conditions_say_what_holds_at_the_point():
    text = """{"format": "decision-graph", "version": 1, "name": "linked",
      "features": [{"name": "x", "domain": {"type": "integer"}}], "classes": ["no", "yes"], "root": 1, "nodes": [
      {"id": 1, "feature": "x", "edges": [{"to": 2, "in": ["(-inf, 5]"]}, {"to": 4, "in": ["(5, inf)"]}]},
      {"id": 2, "feature": "x", "edges": [{"to": 3, "in": ["(-inf, 3]"]}, {"to": 4, "in": ["(3, inf)"]}]},
      {"id": 3, "class": "yes"}, {"id": 4, "class": "no"}]}"""
    graph = parse_json(text.encode())
    assert [literals_at(graph, (value,)) for value in (3, 4, 6)] == [
        ("x <= 5", "x <= 3"),
        ("x <= 5", "x >= 4"),
        ("x >= 6", "x >= 4"),
    ]
