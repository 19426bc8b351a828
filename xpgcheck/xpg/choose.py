"""All XPs by the method that the graph's shape suggests.

Trees and small graphs: both families in one pass (:mod:`xpgcheck.xpg.families`), which needs no SAT solver.  Large graphs,
and those whose inner families outgrow a budget: Algorithm 4, which yields XPs one by one at any size.
"""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.arguments import count_from, optional, takes
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import XPG, ExplanationGraph
from xpgcheck.xpg.families import all_cxps, minimal_hitting_sets
from xpgcheck.xpg.xps import XP, axp_of, cxp_of

SMALL_GRAPH = 2_000
"""Nodes up to which a graph that is not a tree is tried by families first."""

BUDGET = 2_000_000
"""Comparisons of two sets that a pass over families may take (tenths of a second) before Algorithm 4 takes over."""


def xp_masks(xpg: ExplanationGraph) -> tuple[list[int], list[int]] | None:
    """Return the masks of (all AXps, all CXps), or None when the families outgrow the budget."""
    if xpg.node_count > SMALL_GRAPH and not xpg.is_tree():
        return None
    cxps = all_cxps(xpg, BUDGET)
    if cxps is None:
        return None
    axps = minimal_hitting_sets(cxps, BUDGET)
    return None if axps is None else (axps, cxps)


@takes(xpg=XPG, limit=optional(count_from(0)))
def enumerate_xps(xpg: ExplanationGraph, limit: int | None = None) -> Iterator[XP]:
    """Yield all XPs of *xpg*, or *limit* of them, each once, by the best method for its shape.

    A constant classifier has the one AXp ∅ and no CXp.
    """
    masks = xp_masks(xpg)
    if masks is None:
        yield from Enumeration(xpg, limit)
        return
    axps, cxps = masks
    if limit is not None:
        cxps, axps = cxps[:limit], axps[: max(0, limit - len(cxps))]
    yield from map(cxp_of, cxps)
    yield from map(axp_of, axps)
