"""The role of each feature: in some XP, in every AXp (necessary), in every CXp; decided without enumeration.

* In some AXp iff in some CXp (Proposition 1).  Trees: in polynomial time (Proposition 9); others: one SAT query a feature
  (Proposition 8), spared where an XP at hand already holds the feature, where a few paths settle it, or where nothing that
  tests the feature is left of the graph without what decides nothing.
* In every AXp iff freeing it alone changes the prediction: {i} is a CXp.  In every CXp iff fixing it alone suffices: {i} is
  an AXp.  Both follow from minimal hitting set duality and take one traversal for all features.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from xpgcheck.xpg.explanation_graph import ExplanationGraph, indices, mask_of
from xpgcheck.xpg.find_one import cxp_inside
from xpgcheck.xpg.membership import MembershipSolver
from xpgcheck.xpg.membership_pruning import pruned
from xpgcheck.xpg.membership_search import decisive_by_paths
from xpgcheck.xpg.traversal import droppable, necessary, reaches_zero
from xpgcheck.xpg.trees import tree_cxps

LARGE_TREE = 20_000
"""Nodes above which a tree is asked by SAT too: Proposition 9 is quadratic in the terminals labelled 0."""


@dataclass(frozen=True, slots=True)
class Roles:
    """Masks of features: those in some XP, in every AXp, and in every CXp (none of these where there is no CXp).

    Of the features ``undecided`` it was not asked, or stays open, whether they are in what they are not in here.
    """

    relevant: int
    in_every_axp: int
    in_every_cxp: int
    undecided: int = 0

    def tells(self, role: int, feature: int) -> bool | None:
        """Return whether *feature* has *role*, one of the masks here; None where that is undecided."""
        return True if role >> feature & 1 else None if self.undecided >> feature & 1 else False


def roles(xpg: ExplanationGraph, known: int = 0, complete: bool = False) -> Roles:
    """Return the roles of all features.

    *known* is the union of XPs found before; *complete* says that it is the union of a whole family, and so the answer.
    """
    everything = xpg.all_variables
    if not reaches_zero(xpg, everything):
        return Roles(0, 0, 0)
    every_axp = necessary(xpg, everything, 0)
    every_cxp = everything & ~droppable(xpg, everything)
    return Roles(known if complete else _relevant(xpg, known | every_axp | every_cxp), every_axp, every_cxp)


def _relevant(xpg: ExplanationGraph, known: int) -> int:
    if xpg.is_tree() and xpg.node_count <= LARGE_TREE:
        union = 0
        for cxp in tree_cxps(xpg):
            union |= mask_of(cxp)
        return union
    small = pruned(xpg)
    tested = 0
    for bit in small.bit_of:
        tested |= bit
    with ExitStack() as opened:
        solver: MembershipSolver | None = None
        for feature in indices(tested & ~known):
            # An XP that holds the feature answers for its other features too.
            if known >> feature & 1:
                continue
            settled, free = decisive_by_paths(small, feature)
            if settled:
                known |= 0 if free is None else cxp_inside(small, free) or 0
                continue
            solver = solver or opened.enter_context(MembershipSolver(small))
            known |= mask_of(solver.axp_with(feature) or ())
    return known
