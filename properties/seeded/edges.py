"""Wrong explainers: how the graph and the instance are mapped to an XpG, and which edges are followed in it."""

from __future__ import annotations

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook, Xpg

Edges = list[list[tuple[int, bool]]]


@explainer
class _ClassZeroIsTheTarget(Textbook):
    """Terminals are labelled 1 where they have the first class, whatever the instance's class is."""

    def terminal_label(self, own: int, target: int) -> bool:
        return own == 0


@explainer
class _ClassesTakenAsTwo(Textbook):
    """The classifier is taken as binary: all classes but the first are one."""

    def terminal_label(self, own: int, target: int) -> bool:
        return (own > 0) == (target > 0)


@explainer
class _OneTerminalIsTheTarget(Textbook):
    """Only the terminal that the instance reaches is labelled 1, and none of the others that have its class."""

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        own = graph.terminal(instance)
        return xpg._replace(label_of=[None if c < 0 else node == own for node, c in enumerate(graph.class_of)])


@explainer
class _LabelsSwapped(Textbook):
    """Terminals of the instance's class are labelled 0, and all others 1."""

    def terminal_label(self, own: int, target: int) -> bool:
        return own != target


@explainer
class _XpgOfTheFirstInstance(Textbook):
    """The XpG is kept for its graph, and handed out for other instances of the same graph."""

    def is_known(self, graph: DecisionGraph, instance: Point) -> bool:
        return self._last is not None and self._last[0] is graph


@explainer
class _OneChildForEachLabel(Textbook):
    """The children of a node are kept by the label of their edge: of several edges labelled 0 the last remains."""

    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        by_label = [{label: child for child, label in out} for out in super().labelled_edges(graph, instance)]
        return [[(child, label) for label, child in children.items()] for children in by_label]


@explainer
class _NodesTakenAsBinary(Textbook):
    """Only the first two edges of a node are looked at."""

    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        return [out[:2] for out in super().labelled_edges(graph, instance)]


@explainer
class _BooleanEdgesByPosition(Textbook):
    """The first edge of a Boolean feature's node is taken as the one for 0, the second as the one for 1."""

    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        edges = super().labelled_edges(graph, instance)
        for node, feature in enumerate(graph.feature_of):
            if feature >= 0 and isinstance(graph.features[feature].domain, Boolean):
                value = int(bool(instance[feature]))
                edges[node] = [(child, place == value) for place, (child, _) in enumerate(edges[node])]
        return edges


@explainer
class _FreeLeavesTheOneEdge(Textbook):
    """The edge labelled 1 of a free feature is not followed."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        is_free = xpg.variable_of[node] in free
        return [child for child, label in xpg.edges[node] if label is not is_free]


@explainer
class _EveryEdgeFollowed(Textbook):
    """Edges labelled 0 are followed of fixed features too."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return [child for child, _ in xpg.edges[node]]


@explainer
class _OneZeroEdgeFollowed(Textbook):
    """At a free feature the edge labelled 1 and only the first edge labelled 0 are followed."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        ones = [child for child, label in xpg.edges[node] if label]
        zeros = [child for child, label in xpg.edges[node] if not label]
        return [*ones, *zeros[:1]] if xpg.variable_of[node] in free else ones


@explainer
class _FreedAtTheFirstTest(Textbook):
    """A feature that is tested several times is freed only at the first node that tests it."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        feature = xpg.variable_of[node]
        is_free = feature in free and xpg.variable_of.index(feature) == node
        return [child for child, label in xpg.edges[node] if label or is_free]


@explainer
class _LastFeatureNeverFreed(Textbook):
    """The features are counted from 0 to one too few: the last one is always fixed."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return super().followed(xpg, node, free - {xpg.features - 1})


@explainer
class _FreeFeaturesInTwoBits(Textbook):
    """The set of free features is kept in two bits: feature 2 and those after it are cut off."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return super().followed(xpg, node, free & {0, 1})


@explainer
class _ActiveByAllParents(Textbook):
    """ε: a node is active where all its parents are active and their edges hold, not where one of them does."""

    def epsilon(self, xpg: Xpg, free: Features) -> set[int]:
        active = {0}
        for node in range(1, len(xpg.edges)):
            parents = [p for p, out in enumerate(xpg.edges) if any(child == node for child, _ in out)]
            if all(p in active and node in self.followed(xpg, p, free) for p in parents):
                active.add(node)
        return active


@explainer
class _ActiveByParity(Textbook):
    """ε: each active parent switches a node on or off, so that two of them leave it off."""

    def epsilon(self, xpg: Xpg, free: Features) -> set[int]:
        active = {0}
        for node in range(len(xpg.edges)):
            if node in active:
                active ^= set(self.followed(xpg, node, free))
        return active


@explainer
class _SigmaOfFreeFeatures(Textbook):
    """σ: s_i = 1 is taken to mean that feature i is free."""

    def sigma(self, graph: DecisionGraph, instance: Point, fixed: Features) -> bool:
        return super().sigma(graph, instance, frozenset(range(len(graph.features))) - fixed)


@explainer
class _SigmaOfOnes(Textbook):
    """σ is 1 where some terminal labelled 1 is active, rather than where none labelled 0 is."""

    def sigma(self, graph: DecisionGraph, instance: Point, fixed: Features) -> bool:
        xpg = self.xpg(graph, instance)
        return any(xpg.label_of[node] for node in self.epsilon(xpg, xpg.everything - fixed))


@explainer
class _SigmaNegated(Textbook):
    """σ is 1 where a terminal labelled 0 is active: Algorithm 1's answer is handed on as it is."""

    def sigma(self, graph: DecisionGraph, instance: Point, fixed: Features) -> bool:
        return not super().sigma(graph, instance, fixed)
