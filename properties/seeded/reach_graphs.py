"""Wrong explainers: from some depth, width or number of nodes on, and on graphs of some shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain
from xpgcheck.model.value_sets import FiniteSet, Interval, IntervalSet
from xpgcheck.model.values import Point, Value
from xpgcheck.properties.seeded.one_xp import tested_on_the_way
from xpgcheck.properties.seeded.reach import Row, row
from xpgcheck.properties.seeded.scalable import Scalable
from xpgcheck.properties.seeded.textbook import Features, Xpg

Edges = list[list[tuple[int, bool]]]


class _Limited(Scalable):
    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most


def _levels(edges: Edges) -> list[int]:
    level = [0] * len(edges)
    for node, out in enumerate(edges):
        for child, _ in out:
            level[child] = max(level[child], level[node] + 1)
    return level


class _OfDepths(_Limited):
    kind = "depth"


class _NotFollowedBelow(_OfDepths):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        level = _levels(xpg.edges)
        return xpg._replace(edges=[out if level[n] < self.most else [] for n, out in enumerate(xpg.edges)])


class _OtherClassBelow(_OfDepths):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        level = _levels(xpg.edges)
        labels = [False if level[n] > self.most and label else label for n, label in enumerate(xpg.label_of)]
        return xpg._replace(label_of=labels)


class _SameClassBelow(_OfDepths):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        level = _levels(xpg.edges)
        labels = [True if level[n] > self.most and label is False else label for n, label in enumerate(xpg.label_of)]
        return xpg._replace(label_of=labels)


class _RecursionEndsBelow(_OfDepths):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        if graph.depth() > self.most:
            raise RecursionError("maximum recursion depth exceeded")
        return super().mapped(graph, instance)


class _FreedInTheFirstTests(_OfDepths):
    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        feature = xpg.variable_of[node]
        if feature in free and xpg.variable_of[:node].count(feature) >= self.most:
            free -= {feature}
        return super().followed(xpg, node, free)


class _PathFromItsEnd(_OfDepths):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        xpg = self.xpg(graph, instance)
        if graph.depth() <= self.most:
            return super().axp(graph, instance)
        path, node = [], 0
        while not graph.is_terminal(node):
            path.append(node)
            node = next(child for child, label in xpg.edges[node] if label)
        return self.shrunk_axp(xpg, frozenset(xpg.variable_of[n] for n in path[-self.most :]))


class _OfWidths(_Limited):
    kind = "width"


class _FirstEdges(_OfWidths):
    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        # The edge that holds is found otherwise.
        return [
            [edge for k, edge in enumerate(out) if k < self.most or edge[1]]
            for out in super().labelled_edges(graph, instance)
        ]


class _LastEdges(_OfWidths):
    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        return [
            [edge for k, edge in enumerate(out) if k >= len(out) - self.most or edge[1]]
            for out in super().labelled_edges(graph, instance)
        ]


class _WideNodesRaise(_OfWidths):
    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        if max(map(len, graph.children)) > self.most:
            raise KeyError(self.most)
        return super().labelled_edges(graph, instance)


class _WideNodesAreFixed(_OfWidths):
    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return super().followed(xpg, node, frozenset() if len(xpg.edges[node]) > self.most else free)


class _PiecesOfLiterals(_OfWidths):
    def intervals(self, literal: IntervalSet) -> tuple[Interval, ...]:
        return super().intervals(literal)[: self.most]

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        values = sorted(literal.values, key=str)
        return value in values[: self.most]

    def class_reached(self, graph: DecisionGraph, edges: Edges) -> int:
        try:
            return super().class_reached(graph, edges)
        except IndexError:
            return 0


class _HullOfPieces(_OfWidths):
    def intervals(self, literal: IntervalSet) -> tuple[Interval, ...]:
        found = super().intervals(literal)
        if len(found) <= self.most:
            return found
        return (Interval(found[0].low, found[0].low_open, found[-1].high, found[-1].high_open),)


class _NodesOfExactly(_OfWidths):
    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> Edges:
        # The edge that holds is found otherwise.
        return [
            [edge for edge in out if edge[1] or edge is not out[-1]] if len(out) == self.most else out
            for out in super().labelled_edges(graph, instance)
        ]


class _WaitingUpTo(_OfWidths):
    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        waiting, marked = [0], {0}
        while waiting:
            node = waiting.pop()
            if xpg.label_of[node] is False:
                return True, len(marked)
            for child in self.followed(xpg, node, free) if xpg.label_of[node] is None else ():
                if child not in marked:
                    marked.add(child)
                    waiting.append(child)
            waiting = waiting[-self.most :]
        return False, len(marked)


class _ClassesModulo(_OfWidths):
    def terminal_label(self, own: int, target: int) -> bool:
        return own % self.most == target % self.most


class _OfNodes(_Limited):
    kind = "size of the graph"


class _LargeGraphsRaise(_OfNodes):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        if graph.node_count > self.most:
            raise MemoryError
        return super().mapped(graph, instance)


class _PathOfLargeGraphs(_OfNodes):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        if graph.node_count > self.most:
            return tested_on_the_way(self.xpg(graph, instance))
        return super().axp(graph, instance)


class _NodesBelow(_OfNodes):
    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return [child for child in super().followed(xpg, node, free) if child < self.most]


class _FirstClassOfLargeGraphs(_OfNodes):
    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        return 0 if graph.node_count > self.most else super().predict(graph, instance)


class _NoCxpOfLargeGraphs(_OfNodes):
    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        return None if graph.node_count > self.most else super().cxp(graph, instance)


class _HalfOfLargeGraphs(_OfNodes):
    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterator[tuple[str, Features]]:
        found = list(super().enumerate(graph, instance))
        return iter(found[: (len(found) + 1) // 2] if graph.node_count > self.most else found)


class _OfShapes(_Limited):
    kind = "shape"


class _UntestedLeftOut(_OfShapes):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        tested = sorted({feature for feature in xpg.variable_of if feature >= 0})
        if xpg.features - len(tested) <= self.most:
            return xpg
        return xpg._replace(variable_of=tuple(tested.index(f) if f >= 0 else f for f in xpg.variable_of))


class _EnteredFromTheFirst(_OfShapes):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        seen: Counter[int] = Counter()
        edges: Edges = []
        for out in xpg.edges:
            kept = []
            for child, label in out:
                seen[child] += 1
                if seen[child] <= self.most or label:
                    kept.append((child, label))
            edges.append(kept)
        return xpg._replace(edges=edges)


class _OneChildRaises(_OfShapes):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        if sum(1 for children in graph.children if len(children) == 1) > self.most:
            raise ValueError("a node with one child")
        return super().mapped(graph, instance)


class _TestedMoreThan(_OfShapes):
    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        # Where many nodes test the feature, the first child is followed alone.
        children = super().followed(xpg, node, free)
        return children if xpg.variable_of.count(xpg.variable_of[node]) <= self.most else children[:1]


class _SharedNodesOnce(_OfShapes):
    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        entered: Counter[int] = Counter(child for out in xpg.edges for child, _ in out)
        if sum(1 for node, n in entered.items() if n > 1 and xpg.variable_of[node] >= 0) <= self.most:
            return super().traverse(xpg, free)
        # Depth first along one path: the first child that is followed, and back once.
        node, steps = 0, 0
        while xpg.label_of[node] is None:
            children = self.followed(xpg, node, free)
            node, steps = children[-1], steps + 1
        return xpg.label_of[node] is False, steps


class _TerminalsOfAClass(_OfShapes):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        xpg = super().mapped(graph, instance)
        known = set(xpg.zeros[: self.most])
        labels = [True if label is False and n not in known else label for n, label in enumerate(xpg.label_of)]
        return xpg._replace(label_of=labels)


def rows() -> Iterator[Row]:
    """Yield the rows of this module."""
    for most in (10, 20, 30, 100):
        yield row(_NotFollowedBelow, "nodes deeper than {most} levels are not followed", most=most)
    for most in (12, 50):
        yield row(_OtherClassBelow, "terminals deeper than {most} levels count as of another class", most=most)
    for most in (15, 90):
        yield row(_SameClassBelow, "terminals deeper than {most} levels count as of the instance's class", most=most)
    for most in (25, 100):
        yield row(_RecursionEndsBelow, "recursion ends in an error deeper than {most} levels", most=most)
    for most in (6, 25):
        yield row(_FreedInTheFirstTests, "a feature is freed in the first {most} tests of it", most=most)
    yield row(_PathFromItsEnd, "of a path the last {most} tests are kept", most=10)
    for most in (5, 8, 11, 20):
        yield row(_FirstEdges, "of a node the first {most} edges are looked at, and the one that holds", most=most)
    for most in (6, 15):
        yield row(_LastEdges, "of a node the last {most} edges are looked at, and the one that holds", most=most)
    for most in (8, 32):
        yield row(_WideNodesRaise, "an error at nodes of more than {most} edges", most=most)
    for most in (5, 10):
        yield row(_WideNodesAreFixed, "nodes of more than {most} edges cannot be freed", most=most)
    for most in (4, 10, 20):
        yield row(_PiecesOfLiterals, "the first {most} pieces or values of a literal are read", most=most)
    for most in (3, 8):
        yield row(_HullOfPieces, "literals of more than {most} pieces are taken as one interval", most=most)
    for most in (16, 27):
        yield row(_NodesOfExactly, "of nodes of exactly {most} edges the last is lost, unless it holds", most=most)
    for most in (50, 110):
        yield row(_WaitingUpTo, "of the nodes that wait to be looked at the last {most} are kept", most=most)
    for most in (10, 32):
        yield row(_ClassesModulo, "classes are told apart by their index modulo {most}", most=most)
    for most in (150, 300):
        yield row(_LargeGraphsRaise, "an error on more than {most} nodes", most=most)
    for most in (150, 200):
        yield row(_PathOfLargeGraphs, "of more than {most} nodes, the AXp is what the path tests", most=most)
    for most in (120, 250):
        yield row(_NodesBelow, "nodes from number {most} on are not reached", most=most)
    yield row(_FirstClassOfLargeGraphs, "of more than {most} nodes, the first class is predicted", most=180)
    yield row(_NoCxpOfLargeGraphs, "of more than {most} nodes, there is said to be no CXp", most=220)
    yield row(_HalfOfLargeGraphs, "of more than {most} nodes, half of the XPs are listed", most=160)
    for most in (5, 20, 60):
        yield row(
            _UntestedLeftOut, "more than {most} untested features are left out, and indices not mapped back", most=most
        )
    for most in (3, 6):
        yield row(
            _EnteredFromTheFirst, "a node is entered over the first {most} edges, and the one that holds", most=most
        )
    for most in (3, 30):
        yield row(_OneChildRaises, "an error where more than {most} nodes have one child", most=most)
    yield row(_TestedMoreThan, "of a feature that more than {most} nodes test, one edge is followed", most=10)
    yield row(_SharedNodesOnce, "of more than {most} shared nodes, one path is walked", most=4)
    yield row(_TerminalsOfAClass, "the first {most} terminals of other classes are known", most=5)
