"""The explanations of a decision graph at an instance, by its explanation graph."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from xpgcheck.errors import LimitError, UndecidedError
from xpgcheck.explanations.closest import ClosestPoint, ClosestSearch
from xpgcheck.explanations.families_shown import FamilyMasks, all_families
from xpgcheck.explanations.preferences import Preferred, is_weak, preferred_xp
from xpgcheck.explanations.roles import Roles, roles
from xpgcheck.explanations.smallest import smallest_xp
from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, from_labels, indices, mask_of
from xpgcheck.xpg.find_one import shrink_axp, shrink_cxp
from xpgcheck.xpg.inflation import inflate_axp, inflate_change, inflate_cxp
from xpgcheck.xpg.traversal import droppable
from xpgcheck.xpg.xps import Kind

if TYPE_CHECKING:
    from xpgcheck.xpg.largest_boxes import LargestBoxes

_log = logging.getLogger(__name__)

MAX_WORK = 5_000_000
"""Nodes times features that sets of values may take, of all explanations together (seconds); others show the instance's."""


class GraphExplainer:
    """Finds the explanations of a decision graph at *point*, or of a labelled graph, which stands for one instance."""

    def __init__(self, graph: DecisionGraph | LabelledGraph, point: Point | None) -> None:
        """Make the explanation graph.  Linear.

        Under a constraint, *graph* is the product of :mod:`xpgcheck.xpg.constraints.product` for the class of *point*.
        """
        self.told: Callable[[int], None] = lambda _: None
        self._graph = graph
        self._point = point
        self._work = MAX_WORK
        if isinstance(graph, LabelledGraph):
            self.xpg: ExplanationGraph = from_labels(graph)
        else:
            assert point is not None
            self.xpg = explanation_graph(graph, point)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features."""
        return self.xpg.variables

    @property
    def everything(self) -> int:
        """All features."""
        return self.xpg.all_variables

    def families(self, limit: int | None) -> tuple[FamilyMasks, FamilyMasks]:
        """Return the AXps and the CXps, at most *limit* of both together."""
        axps, cxps = all_families(self.xpg, limit)
        _log.info("found in %d nodes: %d AXps, %d CXps", self.xpg.node_count, len(axps.masks), len(cxps.masks))
        return axps, cxps

    def preferred(self, kind: Kind, prefer: Sequence[int], never: int) -> Preferred | None:
        """Return an XP of *kind* without *never* that holds what it can of *prefer*; None where there is none."""
        return preferred_xp(self.xpg, kind, prefer, never)

    def smallest(self, kind: Kind, never: int) -> Preferred | None:
        """Return an XP of *kind* without *never* that has as few features as any; None where there is none."""
        mask = smallest_xp(self, kind, never)
        return None if mask is None else Preferred(mask, ())

    def is_weak(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is a weak XP of *kind*.  Linear."""
        return is_weak(self.xpg, kind, mask)

    def inside(self, kind: Kind, seed: int) -> int:
        """Return an XP of *kind* inside the weak XP *seed*."""
        return shrink_axp(self.xpg, seed) if kind is Kind.AXP else shrink_cxp(self.xpg, seed)

    def is_xp(self, kind: Kind, mask: int) -> bool:
        """Tell whether *mask* is an XP of *kind*."""
        if not self.is_weak(kind, mask):
            return False
        return not droppable(self.xpg, mask) if kind is Kind.CXP else self.inside(kind, mask) == mask

    def roles(self, known: int, complete: bool) -> Roles:
        """Return the roles of the features; *known* is the union of XPs, of a whole family where *complete*."""
        return roles(self.xpg, known, complete)

    def closest(self, cxp: int) -> ClosestPoint | None:
        """Return a closest point of another class for a CXp; None where the model has no values."""
        return None if self._search is None else self._search.closest(cxp)

    @cached_property
    def _search(self) -> ClosestSearch | None:
        if not isinstance(self._graph, DecisionGraph) or self._point is None:
            return None
        return ClosestSearch(self._graph, self._point, self.xpg)

    def values_of_axp(self, axp: int, order: Sequence[int] = ()) -> Box | None:
        """Return an inflated AXp: the values that would do of each feature of *axp*; None where that takes too long."""
        if not isinstance(self._graph, DecisionGraph) or self._point is None or not self._affordable(axp):
            return None
        with contextlib.suppress(LimitError):
            return inflate_axp(self._graph, self._point, indices(axp), order)
        return None

    def every_box(self, axp: int) -> LargestBoxes | None:
        """Return an enumeration of all inflated AXps over *axp*; None of a model without values."""
        from xpgcheck.xpg.largest_boxes import LargestBoxes

        if not isinstance(self._graph, DecisionGraph) or self._point is None:
            return None
        return LargestBoxes(self._graph, self._point, indices(axp))

    def values_of_cxp(self, cxp: int) -> Box | None:
        """Return an inflated CXp: all values of the features of *cxp* that some change has; None where that is too much."""
        if not isinstance(self._graph, DecisionGraph) or self._point is None or not self._affordable(cxp):
            return None
        with contextlib.suppress(LimitError):
            return inflate_cxp(self._graph, self._point, indices(cxp))
        return None

    def _affordable(self, features: int) -> bool:
        """Count the work for the sets of *features*, a mask; tell whether they are still to be worked out."""
        if isinstance(self._graph, DecisionGraph):
            # In a tree, paths that are gathered once are looked at, in place of every node and edge.
            cost = self._graph.node_count * features.bit_count()
            self._work -= cost // 8 if self._graph.is_tree() else cost
        return self._work >= 0

    def values_of_change(self, cxp: int, changed: Point) -> Box | None:
        """Return the values around those of the point *changed* that give its class as well, for a CXp."""
        if not isinstance(self._graph, DecisionGraph) or self._point is None or not self._affordable(cxp):
            return None
        with contextlib.suppress(LimitError):
            return inflate_change(self._graph, self._point, indices(cxp), changed)
        return None

    def membership(self, feature: int) -> dict[Kind, tuple[int, str]] | None:
        """Return an AXp and a CXp that hold *feature*, checked by Algorithm 1 (Proposition 8); None where there are none.

        No enumeration: polynomial for trees, one SAT query for other graphs; then at most m + 1 runs of Algorithm 1 a kind.
        """
        from xpgcheck.xpg.membership_certificate import Traversals, certificate_fault, membership_certificate

        found = {}
        for kind in Kind:
            certificate = membership_certificate(self.xpg, feature, kind)
            if certificate is None:
                return None
            runs = Traversals()
            fault = certificate_fault(self.xpg, certificate, runs)
            if fault is not None:
                problem = f"the certificate for {self.names[feature]} does not check: {fault}"
                raise UndecidedError(problem, mend="report this")
            found[kind] = mask_of(certificate.explanation), f"checked by {runs.count} runs of Algorithm 1"
        return found
