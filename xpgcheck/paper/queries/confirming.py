"""Is an answer to a membership query right?  Judged on the OBDD itself, by code that knows nothing of explanation graphs.

*Yes* comes with a CXp that holds the feature.  It is one (Eq. 2 and its minimality) if the instance with the Boolean values
of the CXp's features turned round has another class, and, for each feature of the CXp, fixing it as well as all others
outside the CXp leaves a closed set of nodes of one class.

*No* is that a formula has no model: that of a set that suffices with the feature (a closed set, Eq. 1) and of a point of
another class that agrees with the instance on the rest of the set.  A solver's refutation of it is checked by unit
propagation.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from xpgcheck.errors import InputError
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_cxp
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import replay
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.rup import refutation, rup_fault

Clauses = list[tuple[int, ...]]

POINT_AND_CLOSED_SETS = "replayed point and closed sets"
REFUTATION = "refutation checked by unit propagation"
SECOND_SOLVER = "second solver, its refutation not checked in time"
CONSENSUS = "Z3 and closed sets"


class Confirmation(NamedTuple):
    """``fault`` says why an answer is wrong (None: nothing found), ``how`` which evidence it has ("" for none)."""

    fault: str | None
    how: str


def confirm_yes(graph: DecisionGraph, point: Point, feature: int, cxp: Collection[int]) -> Confirmation:
    """Judge *cxp* as a CXp that holds *feature*.  All features Boolean.  O(members · edges), mostly far less."""
    _boolean(graph)
    members = frozenset(cxp)
    if feature not in members:
        return Confirmation(f"the CXp lacks {graph.features[feature].name}", "")
    rest = frozenset(range(len(graph.features))) - members
    # All members have to change: the changed ones of any such point make a weak CXp.
    changed = tuple(not value if i in members else value for i, value in enumerate(point))
    problem = replay(graph, point, rest, changed)
    if problem is not None:
        return Confirmation(f"turning the CXp round does not change the class: {problem}", "")
    oracle = ClosedSetOracle(graph, point)
    for i in sorted(members):
        if oracle.changeable(rest | {i}).changeable is not False:
            return Confirmation(f"the CXp is not minimal, it may lack {graph.features[i].name}", "")
    return Confirmation(None, POINT_AND_CLOSED_SETS)


def judge_by_consensus(panel: Panel, point: Point, cxp: Collection[int]) -> Confirmation:
    """Judge *cxp* by an SMT solver and closed sets as :func:`xpgcheck.judging.xp_judge.judge_cxp` does."""
    judged = judge_cxp(panel.at(point), cxp)
    if judged.verdict is Verdict.CXP:
        return Confirmation(None, CONSENSUS)
    open_ = judged.verdict is Verdict.INCONCLUSIVE
    return Confirmation(None if open_ else f"{CONSENSUS}: {judged.verdict.value}", "")


def confirm_no(graph: DecisionGraph, point: Point, feature: int, seconds: float | None = None) -> Confirmation:
    """Judge that *feature* is in no XP: refute :func:`membership_formula`, and check the refutation.

    Exponential at worst: after *seconds* there is no evidence, or that of the solver alone.
    """
    clauses = membership_formula(graph, point, feature)
    deadline = None if seconds is None else Deadline(seconds)
    try:
        lines = refutation(clauses, deadline=deadline)
    except ValueError:
        return Confirmation(f"{graph.features[feature].name} is in some XP: the formula has a model", "")
    except OutOfTime:
        return Confirmation(None, "")
    try:
        problem = rup_fault(clauses, lines, deadline=deadline)
    except OutOfTime:
        return Confirmation(None, SECOND_SOLVER)
    return Confirmation(None, "" if problem else REFUTATION)


def membership_formula(graph: DecisionGraph, point: Point, feature: int) -> Clauses:
    """Return clauses that have a model exactly if *feature* is in some AXp at *point* (all features Boolean).

    Over m variables "fixed", m for the values of a point, and two a node: it is in the closed set, the point's path meets
    it.  Rests on assumption (ii), as every OBDD has it.  O(nodes + edges).
    """
    _boolean(graph)
    m, n = len(graph.features), graph.node_count
    closed, path = 2 * m + 1, 2 * m + n + 1
    own = graph.kappa(point)
    clauses: Clauses = [(feature + 1,), (closed,), (path,)]
    for i, value in enumerate(point):
        if i != feature:
            clauses.append((-(i + 1), m + i + 1 if value else -(m + i + 1)))
    for node, i in enumerate(graph.feature_of):
        if i < 0:
            clauses.append((-((closed if graph.class_of[node] != own else path) + node),))
            continue
        for child, values in graph.edges(node):
            given = () if point[i] in values else (i + 1,)
            clauses.append((-(closed + node), *given, closed + child))
            clauses += [
                (-(path + node), -(m + i + 1) if value else m + i + 1, path + child)
                for value in (False, True)
                if value in values
            ]
    return clauses


def _boolean(graph: DecisionGraph) -> None:
    if not all(isinstance(feature.domain, Boolean) for feature in graph.features):
        raise InputError("some feature is not Boolean", place=graph.name, mend="ask of OBDDs only")
