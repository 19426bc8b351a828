"""Code that the laws look at: the project's functions, each of which a seeded bug can replace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph
from xpgcheck.xpg.find_one import find_axp, find_axp_by_deletion, find_cxp, find_cxp_by_deletion
from xpgcheck.xpg.membership import MembershipSolver, in_some_xp
from xpgcheck.xpg.traversal import path_to_zero, path_to_zero_as_printed
from xpgcheck.xpg.trees import Steps, tree_cxps, tree_membership
from xpgcheck.xpg.xps import XP

Features = frozenset[int]
FindOne = Callable[[ExplanationGraph, Features, Sequence[int] | None], Features]


class Enumerated(NamedTuple):
    """A full enumeration by Algorithm 4: the XPs as they came, its SAT calls, and whether it says to be complete."""

    xps: list[XP]
    sat_calls: int
    complete: bool


class TreeCxps(NamedTuple):
    """The CXps of a tree, with the steps that took."""

    cxps: list[Features]
    visited: int
    compared: int


def algorithm_4(xpg: ExplanationGraph) -> Enumerated:
    """Run Algorithm 4 to its end."""
    enumeration = Enumeration(xpg)
    xps = list(enumeration)
    return Enumerated(xps, enumeration.sat_calls, enumeration.complete)


def axps_with(xpg: ExplanationGraph) -> list[Features | None]:
    """Return, for each feature, an AXp that the SAT query finds with it (Proposition 8), or None.

    The formula is the project's; the solver is one that starts faster than its default.
    """
    with MembershipSolver(xpg, "minisat-gh") as solver:
        return [solver.axp_with(feature) for feature in range(len(xpg.variables))]


def cxps_of_tree(xpg: ExplanationGraph) -> TreeCxps:
    """Run the algorithm of Proposition 6."""
    steps = Steps()
    return TreeCxps(tree_cxps(xpg, steps), steps.visited, steps.compared)


def all_xps(xpg: ExplanationGraph) -> list[XP]:
    """Return all XPs by the method that suits the shape: here always families."""
    return list(enumerate_xps(xpg))


def as_printed(xpg: ExplanationGraph, free: Iterable[int]) -> bool:
    """Return the answer of Algorithm 1 as printed."""
    return path_to_zero_as_printed(xpg, free)[0]


@dataclass(frozen=True, slots=True)
class Code:
    """The functions under test."""

    check_assumptions: Callable[[DecisionGraph], None] = check_assumptions
    terminal: Callable[[DecisionGraph, Point], int] = DecisionGraph.terminal
    explanation_graph: Callable[[DecisionGraph, Point], ExplanationGraph] = explanation_graph
    sigma: Callable[[ExplanationGraph, Iterable[int]], bool] = ExplanationGraph.sigma
    path_to_zero: Callable[[ExplanationGraph, Iterable[int]], bool] = path_to_zero
    path_to_zero_as_printed: Callable[[ExplanationGraph, Iterable[int]], bool] = as_printed
    find_axp: FindOne = find_axp
    find_cxp: FindOne = find_cxp
    find_axp_by_deletion: Callable[[ExplanationGraph, Features], Features] = find_axp_by_deletion
    find_cxp_by_deletion: Callable[[ExplanationGraph, Features], Features] = find_cxp_by_deletion
    algorithm_4: Callable[[ExplanationGraph], Enumerated] = algorithm_4
    all_xps: Callable[[ExplanationGraph], list[XP]] = all_xps
    in_some_xp: Callable[[ExplanationGraph, int], bool] = in_some_xp
    axps_with: Callable[[ExplanationGraph], list[Features | None]] = axps_with
    tree_cxps: Callable[[ExplanationGraph], TreeCxps] = cxps_of_tree
    tree_membership: Callable[[ExplanationGraph, int], bool] = tree_membership
    closed_set: Callable[[DecisionGraph, Point], Oracle] = ClosedSetOracle
    exhaustive: Callable[[DecisionGraph, Point], Oracle] = ExhaustiveOracle


OURS = Code()
