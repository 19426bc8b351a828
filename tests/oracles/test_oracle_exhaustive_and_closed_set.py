"""The oracles without a solver, and the oracles of σ."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import oracle_graphs as graphs
import pytest
from oracle_graphs import SOLVER_PARAMS, only, span

from xpgcheck.judging.consensus import Consensus
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, Integer, Real
from xpgcheck.model.labelled_graph import LabelledGraph, labelled_graph
from xpgcheck.model.value_sets import Grid, ValueSet
from xpgcheck.model.values import MISSING
from xpgcheck.oracles.closed_set import ClosedSetOracle, check_closed_set, closed_set
from xpgcheck.oracles.exhaustive import CellTable, ExhaustiveOracle, representatives
from xpgcheck.oracles.float_ranks import FLOAT32_RANKS
from xpgcheck.oracles.sigma import SigmaByDefinition, SigmaSession, assignment, replay_sigma, sigma

LAST, number_at = FLOAT32_RANKS.last, FLOAT32_RANKS.number_at


class TestRepresentatives:
    @pytest.mark.parametrize(
        ("domain", "literals", "count"),
        [
            (Boolean(), [], 1),
            (Boolean(), [only(True)], 2),
            (Categorical(("a", "b", "c")), [only("a"), only("b", "c")], 2),
            (Integer(0, 9), [span(Grid.INTEGERS, None, 3), span(Grid.INTEGERS, 4, None)], 2),
            (Integer(), [span(Grid.INTEGERS, 3, 3)], 2),
            (Integer(3, 3), [span(Grid.INTEGERS, 3, 3)], 1),
            (Real(), [span(Grid.DENSE, 0, 1, "()"), span(Grid.DENSE, 1, None)], 3),
            (Real(Fraction(0), Fraction(1), True, True), [span(Grid.DENSE, None, 0), span(Grid.DENSE, 1, 1)], 1),
            (Real(None, Fraction(0)), [span(Grid.DENSE, 0, None)], 2),
            (Float32(), [span(Grid.FLOAT32, None, Fraction(1, 3)), span(Grid.FLOAT32, Fraction(1, 3), None)], 2),
            (Float32(missing=True), [span(Grid.FLOAT32, None, None)], 2),
            (Float32(), [span(Grid.FLOAT32, None, number_at(LAST - 1))], 2),
            (Float32(), [span(Grid.FLOAT32, None, number_at(-LAST))], 2),
            (Float64(missing=True), [span(Grid.FLOAT64, None, Fraction(1, 3)), span(Grid.FLOAT64, 2, 2)], 3),
            (Float64(), [span(Grid.FLOAT64, Fraction(1, 2**1074), Fraction(1, 2**1074))], 2),
        ],
    )
    def test_one_value_of_each_kind(self, domain: Domain, literals: list[ValueSet], count: int) -> None:
        values = representatives(domain, literals)
        assert len(values) == count
        assert len({tuple(v in s for s in literals) for v in values}) == count

    @pytest.mark.parametrize("seed", range(150))
    def test_random_values_are_all_represented(self, seed: int) -> None:
        rng = random.Random(seed)
        domain = graphs.random_domain(rng)
        literals = [s for _ in range(3) for s in graphs.random_split(rng, domain, domain.all_values())]
        kinds = {tuple(v in s for s in literals) for v in representatives(domain, literals)}
        for _ in range(40):
            value = graphs.random_value(rng, domain)
            assert tuple(value in s for s in literals) in kinds


class TestExhaustive:
    def test_over_the_limit_a_question_with_few_free_features_is_still_answered(self) -> None:
        graph, v = graphs.fig1(), graphs.FIG1_INSTANCE
        small = ExhaustiveOracle(graph, v, limit=4)
        assert CellTable(graph).size > 4
        assert small.changeable([0, 3, 2]).changeable is False
        assert small.changeable([1, 2, 3]).changeable is True
        unknown = small.changeable([])
        assert unknown.changeable is None
        assert "more cells" in unknown.reason

    @pytest.mark.parametrize("seed", range(20))
    def test_both_ways_of_looking_agree(self, seed: int) -> None:
        rng = random.Random(seed)
        graph = graphs.random_graph(rng)
        v = graphs.random_point(rng, graph)
        table = CellTable(graph)
        quick = ExhaustiveOracle(table, v)
        slow = ExhaustiveOracle(table, v, limit=10**9)
        for fixed in subsets(4):
            assert quick.changeable(fixed).changeable is slow._scan(set(fixed)).changeable


class TestClosedSet:
    def test_the_least_set_of_fig1_for_its_axp(self) -> None:
        """Age = O and Credit = P fixed: nodes 12, 13 and 15 are out of reach, as the paper's Example says."""
        graph, v = graphs.fig1(), graphs.FIG1_INSTANCE
        nodes = {graph.node_ids[n] for n in closed_set(graph, v, [0, 3])}
        assert nodes == {1, 2, 3, 4, 7, 10}
        assert check_closed_set(graph, v, [0, 3], closed_set(graph, v, [0, 3])) is None

    def test_it_never_claims_a_change(self) -> None:
        answer = ClosedSetOracle(graphs.fig1(), graphs.FIG1_INSTANCE).changeable([0])
        assert answer.changeable is None
        assert "another class" in answer.reason

    @pytest.mark.parametrize(
        ("spoil", "problem"),
        [
            (lambda nodes: nodes - {0}, "the root is not in the set"),
            (lambda nodes: nodes - {max(nodes)}, "is compatible and leaves the set"),
            (lambda nodes: nodes | {14}, "has another class"),
            (lambda nodes: nodes | {99}, "a node that the graph does not have"),
            (lambda nodes: set(), "the root is not in the set"),
        ],
    )
    def test_the_checker_refuses_spoilt_sets(self, spoil: Callable[[set[int]], set[int]], problem: str) -> None:
        graph, v = graphs.fig1(), graphs.FIG1_INSTANCE
        reason = check_closed_set(graph, v, [0, 3], spoil(closed_set(graph, v, [0, 3])))
        assert reason is not None
        assert problem in reason

    def test_the_checker_refuses_an_insufficient_set_of_features(self) -> None:
        graph, v = graphs.fig1(), graphs.FIG1_INSTANCE
        assert check_closed_set(graph, v, [0], closed_set(graph, v, [0])) is not None

    @pytest.mark.parametrize("seed", range(20))
    def test_each_missing_node_of_a_least_set_is_noticed(self, seed: int) -> None:
        rng = random.Random(seed)
        graph = graphs.random_graph(rng)
        v = graphs.random_point(rng, graph)
        everything = range(4)
        nodes = closed_set(graph, v, everything)
        assert check_closed_set(graph, v, everything, nodes) is None
        for node in nodes:
            assert check_closed_set(graph, v, everything, nodes - {node}) is not None


def subsets(count: int) -> list[tuple[int, ...]]:
    return [s for size in range(count + 1) for s in itertools.combinations(range(count), size)]


def xpg_of_fig1() -> LabelledGraph:
    """The paper's Fig. 3, written down from the figure (variables s1 … s4 have the indices 0 … 3)."""
    nodes: dict[Any, Any] = {
        1: (2, ((2, False), (3, True))),
        2: (0, ((4, True), (5, False))),
        3: (3, ((6, False), (7, True))),
        5: (1, ((8, False), (9, True))),
        7: (0, ((10, True), (11, False))),
        8: (0, ((12, False), (13, False))),
        11: (1, ((14, False), (15, True))),
        **{t: t in (4, 10, 14) for t in (4, 6, 9, 10, 12, 13, 14, 15)},
    }
    return labelled_graph("fig3", ["s1", "s2", "s3", "s4"], nodes, 1)


def random_xpg(rng: random.Random, variables: int = 5, inner: int = 9) -> LabelledGraph:
    """Return a random labelled DAG whose 1-path ends in a terminal labelled 1."""
    nodes: dict[Any, Any] = {"one": True, "zero": False}
    names: list[Any] = ["zero", "one"]
    for k in range(inner):
        last = names[-1] if k else "one"
        edges = {last: True}
        for _ in range(rng.randint(1, 2)):
            edges.setdefault(rng.choice(names), False)
        nodes[k] = (rng.randrange(variables), tuple(edges.items()))
        names.append(k)
    reached, stack = {inner - 1}, [inner - 1]
    while stack:
        node = nodes[stack.pop()]
        for child, _ in node[1] if isinstance(node, tuple) else ():
            if child not in reached:
                reached.add(child)
                stack.append(child)
    kept = {key: node for key, node in nodes.items() if key in reached}
    return labelled_graph("random", [f"s{i}" for i in range(variables)], kept, inner - 1)


class TestSigma:
    def test_the_papers_values(self) -> None:
        graph = xpg_of_fig1()
        assert sigma(graph, (True,) * 4)
        assert not sigma(graph, (False,) * 4)
        assert sigma(graph, (True, False, False, True))
        assert not sigma(graph, (True, True, True, False))

    @pytest.mark.parametrize("solver", SOLVER_PARAMS)
    def test_it_says_of_fig1_what_the_decision_tree_says(self, solver: str) -> None:
        graph, tree, v = xpg_of_fig1(), graphs.fig1(), graphs.FIG1_INSTANCE
        truth = ExhaustiveOracle(tree, v)
        with SigmaSession(graph, solver) as session:
            consensus = Consensus.of_sigma(graph, [session, SigmaByDefinition(graph)], thorough=True)
            for fixed in subsets(4):
                assert consensus.ask(fixed).changeable is truth.changeable(fixed).changeable
            assert not consensus.faults
            assert not consensus.disagreements

    @pytest.mark.parametrize("solver", SOLVER_PARAMS)
    def test_the_equations_and_the_definition_agree_on_random_graphs(self, solver: str) -> None:
        for seed in range(25):
            graph = random_xpg(random.Random(seed))
            with SigmaSession(graph, solver) as session:
                consensus = Consensus.of_sigma(graph, [session, SigmaByDefinition(graph)], thorough=True)
                values = {s: consensus.ask(s).changeable for s in map(frozenset, subsets(5))}
            assert None not in values.values()
            # σ is monotone, as the paper's proposition says.
            assert all(values[s] or not values[t] for s in values for t in values if s <= t)

    def test_a_wrong_witness_does_not_replay(self) -> None:
        graph = xpg_of_fig1()
        assert replay_sigma(graph, [0, 3], assignment(graph, [0, 3])) == "σ is 1 at the witness"
        assert replay_sigma(graph, [0, 3], assignment(graph, [0])) == "the witness is not the assignment asked about"
        assert replay_sigma(graph, [0], assignment(graph, [0])) is None


def test_missing_is_a_value_of_its_own() -> None:
    parts = [span(Grid.FLOAT32, None, None), span(Grid.FLOAT32, 1, 0, missing=True)]
    assert MISSING in representatives(Float32(missing=True), parts)
