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
    """Yield all XPs, each once, by the best method for the graph's shape.

    Parameters
    ----------
    xpg
        The explanation graph of a classifier at an instance.
    limit
        The largest number of XPs; all if None.

    Yields
    ------
    XP
        An AXp or a CXp.  A constant classifier has the one AXp ∅ and no CXp.

    Raises
    ------
    InputError
        *limit* is negative.

    Examples
    --------
    >>> from xpgcheck import embedded, explanation_graph
    >>> model = embedded.load("hardware")
    >>> xpg = explanation_graph(model.graph, model.paper_instance)
    >>> for xp in enumerate_xps(xpg):
    ...     print(xp.kind.value, sorted(xp.features))
    CXp [0]
    CXp [3]
    AXp [0, 3]

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Algorithm 4, and
    for trees Proposition 6.
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
