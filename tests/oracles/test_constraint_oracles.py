"""Oracles under constraints by themselves: limits leave a question open, and witnesses that cannot occur are faults."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.model.constraint import constraint_of_clauses
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.ensemble import ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.constraints.possible_boxes import PossibleBoxes
from xpgcheck.oracles.constraints.possible_cells import PossibleCells
from xpgcheck.oracles.constraints.possible_paths import PossiblePaths
from xpgcheck.oracles.constraints.replaying import replay_possible

ONE, ZERO = FiniteSet(frozenset([True])), FiniteSet(frozenset([False]))
COUNT = 6
FEATURES = [Feature(f"x{i}", Boolean()) for i in range(COUNT)]


def parity() -> DecisionGraph:
    """Return the parity of all features, two nodes per feature."""
    nodes: dict[str | int, NonTerminal | Terminal] = {"even": Terminal(0), "odd": Terminal(1)}
    for i in range(COUNT):
        after = {0: "even", 1: "odd"} if i == COUNT - 1 else {0: f"0_{i + 1}", 1: f"1_{i + 1}"}
        for own in (0, 1) if i else (0,):
            nodes[f"{own}_{i}"] = NonTerminal(i, ((after[own], ZERO), (after[1 - own], ONE)))
    return decision_graph("parity", FEATURES, ["even", "odd"], nodes, "0_0")


GRAPH = parity()
PAIRS = constraint_of_clauses(
    FEATURES, [[(i, own), (i + 1, other)] for i in range(0, COUNT, 2) for own, other in ((ONE, ZERO), (ZERO, ONE))]
)
"""Features come in equal pairs, so that no point that can occur is odd."""

FREE = constraint_of_clauses(FEATURES, [[(0, ONE), (1, ONE)]])
POINT = (True,) * COUNT


def test_what_cannot_occur_changes_nothing() -> None:
    for oracle in (PossiblePaths(GRAPH, PAIRS, POINT), PossibleCells(GRAPH, PAIRS).at(POINT)):
        assert oracle.changeable(()).changeable is False
    for oracle in (PossiblePaths(GRAPH, FREE, POINT), PossibleCells(GRAPH, FREE).at(POINT)):
        found = oracle.changeable((0, 1))
        assert found.changeable
        assert found.witness is not None
        assert replay_possible(GRAPH, FREE, POINT, (0, 1), found.witness) is None


def test_limits_leave_a_question_open() -> None:
    assert "more than 3 states" in PossiblePaths(GRAPH, PAIRS, POINT, 3).changeable(()).reason
    assert "more cells than the limit of 10" in PossibleCells(GRAPH, PAIRS, 10).at(POINT).changeable(()).reason
    forest = ensemble("forest", FEATURES, GRAPH.classes, [GRAPH])
    boxes = PossibleBoxes(forest, PAIRS)
    assert boxes.at(POINT).changeable(()).changeable is False
    assert "more than 3 boxes" in boxes.at(POINT, 3).changeable(()).reason


class _Impossible:
    """Finds points that cannot occur."""

    name = engine = "impossible"

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Change the last feature alone."""
        return Answer(True, (*POINT[:-1], False), self.name)


def test_a_witness_that_cannot_occur_is_a_fault() -> None:
    with ConstraintOracles(GRAPH, PAIRS) as oracles:
        consensus = oracles.at(POINT)
        consensus._oracles = (_Impossible(), *consensus._oracles)
        belief = consensus.ask(())
    assert belief.changeable is False
    (fault,) = consensus.faults
    assert fault.problem == "the witness breaks the constraint: it cannot occur"


def test_a_no_takes_two_routes() -> None:
    with ConstraintOracles(GRAPH, PAIRS) as oracles:
        assert oracles.at(POINT).ask(()).confirmed_by == ("closed set of what can occur", "every cell that can occur")
    with ConstraintOracles(GRAPH, PAIRS, solvers_first=True) as oracles:
        assert oracles.at(POINT).ask(()).confirmed_by == ("z3-ite", "closed set of what can occur")
