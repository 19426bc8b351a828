"""Wrong explainers: all CXps of a tree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook, Xpg


@explainer
class _PathsNotCompared(Textbook):
    """The features that each path to a terminal labelled 0 needs freed are listed, minimal or not."""

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        return list(family), 0


@explainer
class _NeighboursCompared(Textbook):
    """A path's features are compared with those of the path before it only."""

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        kept: list[Features] = []
        for features in family:
            if not kept or not kept[-1] <= features:
                kept.append(features)
        return kept, len(kept)


@explainer
class _EqualPathsKept(Textbook):
    """Proper supersets are left out, but equal sets stay."""

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        found = list(family)
        return [features for features in found if not any(other < features for other in found)], len(found) ** 2


@explainer
class _EqualPathsDropped(Textbook):
    """Equal sets are listed once, but supersets stay."""

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        found = list(dict.fromkeys(family))
        return found, len(found)


@explainer
class _OneOfEachSize(Textbook):
    """Only the first of the CXps of one size is kept."""

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        kept, steps = super().minimal(family)
        return list({len(features): features for features in reversed(kept)}.values()), steps


@explainer
class _SupersetsKept(Textbook):
    """The comparison is the wrong way round: the largest sets are kept."""

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        found = list(dict.fromkeys(family))
        return [features for features in found if not any(features < other for other in found)], len(found) ** 2


@explainer
class _OneEdgesFreedToo(Textbook):
    """Features are freed along edges labelled 1 as well: every feature of the path counts."""

    def freed_after(self, xpg: Xpg, node: int, label: bool, freed: Features) -> Features:
        return freed | {xpg.variable_of[node]}


@explainer
class _LastFreedOnly(Textbook):
    """Only the feature of the last edge labelled 0 on a path is kept."""

    def freed_after(self, xpg: Xpg, node: int, label: bool, freed: Features) -> Features:
        return freed if label else frozenset((xpg.variable_of[node],))


@explainer
class _FreedAgainFixedAgain(Textbook):
    """A feature that is freed twice on a path drops out (the sets are added up modulo two)."""

    def freed_after(self, xpg: Xpg, node: int, label: bool, freed: Features) -> Features:
        return freed if label else freed ^ {xpg.variable_of[node]}


@explainer
class _FreedAndTestedAgain(Textbook):
    """A path is given up where it tests a feature that it has freed already."""

    def goes_on(self, xpg: Xpg, node: int, freed: Features) -> bool:
        return xpg.variable_of[node] not in freed


@explainer
class _TerminalsNextToThePath(Textbook):
    """Only the terminals that hang on the consistent path itself are looked at, and none further below."""

    def goes_on(self, xpg: Xpg, node: int, freed: Features) -> bool:
        return not freed


@explainer
class _ConditionsForFeatures(Textbook):
    """Sets of conditions are compared, and read as sets of features afterwards (PyXAI's contrastive reasons)."""

    def tree_cxps(self, graph: DecisionGraph, instance: Point) -> list[Features]:
        xpg = self.xpg(graph, instance)
        conditions = {literal: k for k, literal in enumerate(graph.literals)}
        found: list[Features] = []
        stack: list[tuple[int, Features]] = [(0, frozenset())]
        while stack:
            node, broken = stack.pop()
            if xpg.label_of[node] is False:
                found.append(broken)
            held = [i for i, (_, label) in zip(graph.literal_ids[node], xpg.edges[node], strict=True) if label]
            stack += [(child, broken if label else broken.union(held)) for child, label in xpg.edges[node]]
        feature = {k: literal.feature for literal, k in conditions.items()}
        return [frozenset(feature[k] for k in broken) for broken in self.minimal(found)[0]]


@explainer
class _EachFeatureOnItsOwn(Textbook):
    """Each feature that a path needs freed is listed as a CXp of its own."""

    def tree_walk(self, xpg: Xpg) -> tuple[list[Features], int]:
        found, steps = super().tree_walk(xpg)
        return [frozenset((feature,)) for freed in found for feature in freed], steps


@explainer
class _OwnTerminalsToo(Textbook):
    """Each terminal that the instance does not reach gives a CXp, whatever its class."""

    def tree_cxps(self, graph: DecisionGraph, instance: Point) -> list[Features]:
        xpg = self.xpg(graph, instance)
        every = xpg._replace(label_of=[None if label is None else False for label in xpg.label_of])
        return [freed for freed in self.tree_walk(every)[0] if freed]


@explainer
class _AllSubsetsTried(Textbook):
    """All sets of features are tried on the whole tree: exponential."""

    def tree_steps(self, graph: DecisionGraph, instance: Point) -> int:
        return graph.node_count << len(graph.features)


@explainer
class _ComparedAtEachNode(Textbook):
    """The sets found so far are compared with one another at every node: cubic."""

    def tree_steps(self, graph: DecisionGraph, instance: Point) -> int:
        found, visited = self.tree_walk(self.xpg(graph, instance))
        return visited + visited * len(found) ** 2


@explainer
class _TreeCxpsAsMasks(Textbook):
    """CXps of a tree are handed out as the masks that they are kept in."""

    def tree_cxps(self, graph: DecisionGraph, instance: Point) -> Any:
        return [sum(1 << feature for feature in features) for features in super().tree_cxps(graph, instance)]
