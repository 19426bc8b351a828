"""Steps counted on families of growing graphs, for what is said of complexity.

A family shows how steps grow on it, not that they never grow faster: each row says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xpgcheck.errors import UndecidedError
from xpgcheck.model.labelled_graph import labelled_graph
from xpgcheck.paper.dualization import Calls, minimal_hitting_sets
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit
from xpgcheck.properties.ours import counted
from xpgcheck.xpg.explanation_graph import ExplanationGraph, from_labels
from xpgcheck.xpg.find_one import find_axp_by_deletion, find_cxp_by_deletion
from xpgcheck.xpg.membership_certificate import Traversals, certificate_fault, membership_certificate
from xpgcheck.xpg.traversal import path_to_zero, path_to_zero_as_printed
from xpgcheck.xpg.trees import Steps, axps_by_dualization, tree_cxps

MAX_STEPS = 10**6
UNBOUNDED = 10**9
"""Stands for the steps of what gives a wrong result."""


def diamonds(n: int) -> ExplanationGraph:
    """Return n diamonds one below the other, with no way to a terminal labelled 0 but by the last feature's 0-edge."""
    names = [f"s{k}" for k in range(n + 1)]
    nodes: dict[Any, Any] = {3 * n: (n, ((3 * n + 1, True), (3 * n + 2, False))), 3 * n + 1: True, 3 * n + 2: False}
    for k in range(n):
        top, left, right, below = range(3 * k, 3 * k + 4)
        nodes |= {top: (k, ((left, True), (right, False))), left: (k, ((below, True),)), right: (k, ((below, True),))}
    return from_labels(labelled_graph("diamonds", names, nodes, 0))


def pairs(n: int) -> ExplanationGraph:
    """Return a tree whose CXps are n pairs of features, so that it has 2ⁿ AXps.

    Down its spine of 1-edges feature 2k is tested, and next to it 2k + 1: freeing both reaches 0.
    """
    names = [f"s{k}" for k in range(2 * n)]
    nodes: dict[Any, Any] = {}
    for k in range(n):
        below = f"a{k + 1}" if k + 1 < n else "one"
        nodes[f"a{k}"] = (2 * k, ((below, True), (f"b{k}", False)))
        nodes[f"b{k}"] = (2 * k + 1, ((f"t{k}", True), (f"z{k}", False)))
        nodes |= {f"t{k}": True, f"z{k}": False}
    nodes["one"] = True
    return from_labels(labelled_graph("pairs", names, nodes, "a0"))


def one_path(n: int) -> ExplanationGraph:
    """Return a tree with one terminal labelled 0, below n edges labelled 0 of n features."""
    names = [f"s{k}" for k in range(n)]
    nodes: dict[Any, Any] = {k: (k, ((f"t{k}", True), (k + 1, False))) for k in range(n)}
    return from_labels(labelled_graph("path", names, nodes | {f"t{k}": True for k in range(n)} | {n: False}, 0))


def marked(n: int) -> tuple[int, int]:
    """Return the steps of Algorithm 1 with marks on n diamonds, and the size of the graph."""
    xpg, looked = counted(diamonds(n))
    path_to_zero(xpg, range(n))
    return looked.looks, xpg.node_count


def printed(n: int) -> tuple[int, int]:
    """Return the steps of Algorithm 1 as printed on n diamonds, and the size of the graph."""
    xpg = diamonds(n)
    try:
        return path_to_zero_as_printed(xpg, range(n), MAX_STEPS)[1], xpg.node_count
    except UndecidedError:
        return MAX_STEPS, xpg.node_count


def one_xp(n: int) -> tuple[int, int]:
    """Return the nodes that Algorithms 2 and 3, as printed, take up on n pairs, and m + 1 times the size."""
    xpg, looked = counted(pairs(n))
    m = len(xpg.variables)
    find_axp_by_deletion(xpg, range(m))
    find_cxp_by_deletion(xpg, range(m))
    return looked.looks, 2 * (m + 1) * xpg.node_count


def trees(n: int) -> tuple[int, int]:
    """Return the steps of listing all CXps of a tree of n pairs, and the square of its size."""
    xpg, steps = pairs(n), Steps()
    tree_cxps(xpg, steps)
    return steps.visited + steps.compared, xpg.node_count**2


def dualized(n: int) -> tuple[int, int]:
    """Return the calls that dualizing the CXps of n pairs takes, and the square of how many sets go in and come out."""
    return _dualized(pairs(n))


def one_path_dualized(n: int) -> tuple[int, int]:
    """Return the same of one path of n features: every feature alone is an AXp."""
    return _dualized(one_path(n))


def _dualized(xpg: ExplanationGraph) -> tuple[int, int]:
    calls, cxps = Calls(), tree_cxps(xpg)
    axps = minimal_hitting_sets(cxps, calls)
    if set(axps) != set(axps_by_dualization(cxps)):
        return UNBOUNDED, 1
    return calls.count, (len(cxps) + len(axps)) ** 2


def certificates(n: int) -> tuple[int, int]:
    """Return the most runs of Algorithm 1 that a certificate of membership takes on n pairs, and m + 1."""
    xpg, most = pairs(n), 0
    m = len(xpg.variables)
    for feature in range(m):
        found = membership_certificate(xpg, feature)
        runs = Traversals()
        assert found is not None
        assert certificate_fault(xpg, found, runs) is None
        most = max(most, runs.count)
    return most, m + 1


def sat_calls(n: int) -> tuple[int, int]:
    """Return the steps of the SAT solver in Algorithm 4 as printed on n pairs, and the nodes that its traversals take up.

    Steps are decisions, propagations and conflicts, as the solver counts them.
    """
    from pysat.solvers import Minisat22

    xpg, looked = counted(pairs(n))
    everything = set(range(len(xpg.variables)))
    with Minisat22() as solver:
        while solver.solve():
            fixed = {literal - 1 for literal in solver.get_model() if literal > 0} & everything
            if not path_to_zero(xpg, everything - fixed):
                axp = find_axp_by_deletion(xpg, fixed)
                solver.add_clause([-i - 1 for i in axp])
            else:
                solver.add_clause([i + 1 for i in find_cxp_by_deletion(xpg, everything - fixed)])
        counts = solver.accum_stats()
    return sum(counts[key] for key in ("decisions", "propagations", "conflicts")), looked.looks


Measure = Callable[[int], tuple[int, int]]

FAMILIES: dict[str, tuple[Measure, str, tuple[int, ...]]] = {
    "Algorithm 1 with marks": (marked, "nodes", (1, 2, 4, 8, 16, 64, 256, 1024)),
    "Algorithm 1 as printed": (printed, "nodes", (1, 2, 4, 8, 12, 16)),
    "runs of Algorithm 1 for one XP": (one_xp, "2·(m + 1)·nodes", (1, 2, 4, 8, 16, 32, 64)),
    "all CXps of a tree": (trees, "nodes²", (1, 2, 4, 8, 16, 64, 256)),
    "dualization of many AXps": (dualized, "(CXps and AXps)²", (1, 2, 3, 4, 5, 6)),
    "dualization of a long CXp": (one_path_dualized, "(CXps and AXps)²", (1, 2, 4, 8, 16, 32)),
    "runs of Algorithm 1 for a certificate": (certificates, "m + 1", (1, 2, 4, 8, 16)),
    "SAT calls of Algorithm 4": (sat_calls, "nodes taken up by traversals", (1, 2, 4, 6, 8)),
}
"""Each claim: what is counted, what it has to stay below (times a constant), and the sizes."""


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return a unit a family."""
    return [
        SourceUnit("growth", f"growth/{name}", {"name": name}) for name in FAMILIES if items is None or name in items
    ]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Count steps at each size."""
    measure, bound, sizes = FAMILIES[arguments["name"]]
    return {"bound": bound, "figures": [[n, *measure(n)] for n in sizes]}


def within(figures: list[list[int]]) -> bool:
    """Tell whether steps stay below twice the bound: the ratio may not grow from the smallest size to the largest."""
    return all(steps <= 2 * bound for _, steps, bound in figures)


def look(results: Results, item: str) -> Found:
    """Return whether the steps of *item* stay within the bound that is said."""
    result = results[f"growth/{item}"]
    figures = result["figures"]
    n, steps, bound = figures[-1]
    amount = f"{len(figures)} sizes, up to {steps:,} steps at n = {n}; {result['bound']} is {bound:,}"
    limit = "on one family of graphs; an asymptotic claim can be refuted by figures, not proved"
    holds, example = within(figures), None
    if not holds:
        listed = ", ".join(f"{steps:,} at n = {n} ({result['bound']}: {bound:,})" for n, steps, bound in figures)
        example = {"text": f"steps: {listed}"}
    return Found(holds, amount, limit, example)
