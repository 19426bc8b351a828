"""An XP that holds one given feature, with SAT as the last resort.

A set of free features is *decisive* for i when freeing it changes the prediction and freeing the rest of it does not; every
CXp inside it holds i.  What a path to a 0-terminal frees, i among it, mostly is decisive; if no path frees i, i is in no
XP.  Where the first path is no help, a variable that what changes the prediction without i needs is kept fixed, and
another path tried.

What is left is a SAT query as in :mod:`xpgcheck.xpg.membership`, made for this one feature, after
:func:`~xpgcheck.xpg.membership_pruning.pruned`: the closed set takes i as fixed, and the path is in two parts, before and
after a 0-edge of i, the first over nodes with such an edge ahead of them only.
"""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.errors import InputError
from xpgcheck.xpg.explanation_graph import ExplanationGraph, features_of, indices
from xpgcheck.xpg.find_one import cxp_inside, shrink_axp
from xpgcheck.xpg.membership_pruning import path_through, pruned
from xpgcheck.xpg.traversal import cheapest_path, reaches_zero

SOLVER = "cadical153"

TRIES = 4
"""Paths that are tried after the first one.  Each takes one traversal; making the query takes about ten."""


@dataclass(slots=True)
class Queries:
    """A counter of SAT queries and of their clauses."""

    count: int = 0
    clauses: int = 0


def axp_with(xpg: ExplanationGraph, feature: int, queries: Queries | None = None) -> frozenset[int] | None:
    """Return an AXp that contains *feature* (an index), or None if no XP does.

    At most one SAT query, counted in *queries*; then Algorithm 2.  Raises ``InputError`` for a feature that there is not.
    """
    free = _decisive(xpg, feature, queries)
    return None if free is None else features_of(shrink_axp(xpg, xpg.all_variables & ~free | 1 << feature))


def cxp_with(xpg: ExplanationGraph, feature: int, queries: Queries | None = None) -> frozenset[int] | None:
    """Return a CXp that contains *feature* (an index), or None if no XP does.  As :func:`axp_with`, and cheaper."""
    free = _decisive(xpg, feature, queries)
    found = None if free is None else cxp_inside(xpg, free)
    return None if found is None else features_of(found)


def _decisive(xpg: ExplanationGraph, feature: int, queries: Queries | None) -> int | None:
    """Return the mask of a set that is decisive for *feature*, or None if there is none."""
    m = len(xpg.variables)
    if not 0 <= feature < m:
        raise InputError(f"feature index {feature} is not in 0 … {m - 1}", mend="name a feature of the model")
    settled, free = decisive_by_paths(xpg, feature)
    return free if settled else _by_sat(pruned(xpg), feature, Queries() if queries is None else queries)


def decisive_by_paths(xpg: ExplanationGraph, feature: int) -> tuple[bool, int | None]:
    """Return whether a few paths settle it, and then the mask of a set that is decisive for *feature*, None if none is.

    At most 2 + 2 · ``TRIES`` traversals.
    """
    bit = 1 << feature
    everything = xpg.all_variables
    free = path_through(xpg, feature, everything)
    if free is None:
        return True, None
    rival = cheapest_path(xpg, free & ~bit)
    if rival is None:
        return True, free
    for variable in indices(rival)[:TRIES]:
        free = path_through(xpg, feature, everything & ~(1 << variable))
        if free is not None and not reaches_zero(xpg, free & ~bit):
            return True, free
    return False, None


def _by_sat(xpg: ExplanationGraph, feature: int, queries: Queries) -> int | None:
    from pysat.solvers import Solver

    clauses = query_about(xpg, feature)
    queries.count += 1
    queries.clauses += len(clauses)
    with Solver(name=SOLVER, bootstrap_with=clauses) as solver:
        if not solver.solve():
            return None
        fixed = set(solver.get_model())
    free = 1 << feature
    for variable in range(len(xpg.variables)):
        if variable + 1 not in fixed:
            free |= 1 << variable
    return free


def query_about(xpg: ExplanationGraph, feature: int) -> list[list[int]]:
    """Return clauses whose models fix (variables 1 … m) all but a decisive set for *feature*.  O(nodes + edges) clauses.

    Besides, there are three variables a node: it is in the closed set R, on the path before *feature* is freed, and on the
    path from then on.
    """
    closed = len(xpg.variables) + 1
    before = closed + xpg.node_count
    after = before + xpg.node_count
    clauses = [[feature + 1], [closed], [before]]
    ahead = _with_feature_ahead(xpg, feature)
    if not ahead[0]:
        clauses.append([-before])
    for node, variable in enumerate(xpg.variable_of):
        if variable < 0:
            clauses.append([-(closed + node)] if xpg.is_zero[node] else [-(after + node)])
            continue
        one, zeros = xpg.one_child[node], xpg.zero_children[node]
        ones = [] if one < 0 else [one]
        asked = variable == feature
        clauses += [[-(closed + node), closed + child] for child in ones]
        if not asked:
            clauses += [[-(closed + node), variable + 1, closed + child] for child in zeros]
        _steps(
            clauses, after, node, [after + c for c in ones], [after + c for c in zeros], 0 if asked else variable + 1
        )
        if ahead[node]:
            onward = [before + c for c in ones if ahead[c]]
            freeing = [after + c for c in zeros] if asked else [before + c for c in zeros if ahead[c]]
            _steps(clauses, before, node, onward, freeing, 0 if asked else variable + 1)
    return clauses


def _steps(clauses: list[list[int]], part: int, node: int, onward: list[int], freeing: list[int], fixed: int) -> None:
    """Say that from *node* the path goes on to one of *onward*, or to one of *freeing* if *fixed* (0: no such) is false."""
    clauses.append([-(part + node), *onward, *freeing])
    if fixed and freeing:
        clauses.append([-(part + node), *onward, -fixed])


def _with_feature_ahead(xpg: ExplanationGraph, feature: int) -> bytearray:
    """Tell of each node whether a node that tests *feature* is reached from it, itself counted."""
    ahead = bytearray(xpg.node_count)
    for node in xpg.shape.upward:
        one = xpg.one_child[node]
        ahead[node] = (
            xpg.variable_of[node] == feature
            or (one >= 0 and ahead[one])
            or any(ahead[child] for child in xpg.zero_children[node])
        )
    return ahead
