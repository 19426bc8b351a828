"""Wrong explainers: Algorithm 1, its marks, its queue and its steps."""

from __future__ import annotations

from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.textbook import Features, Textbook, Xpg


@explainer
class _FeaturesMarked(Textbook):
    """Features are marked as visited, not nodes: of two nodes that test one feature the second is left out."""

    def mark(self, xpg: Xpg, node: int) -> int:
        feature = xpg.variable_of[node]
        return feature if feature >= 0 else -1 - node


@explainer
class _MarksSharedByTraversals(Textbook):
    """The marks of one traversal are still there in the next one of the same question."""

    def __init__(self) -> None:
        super().__init__()
        self._marks: set[int] = set()

    def xpg(self, graph: DecisionGraph, instance: Point) -> Xpg:
        self._marks = set()
        return super().xpg(graph, instance)

    def no_marks(self) -> set[int]:
        return self._marks


@explainer
class _NoMarks(Textbook):
    """Nodes are not marked: one with several parents is taken up once for each path to it, as Algorithm 1 is printed."""

    def mark(self, xpg: Xpg, node: int) -> Any:
        return object()


@explainer
class _EndsAtAnyTerminal(Textbook):
    """The traversal ends at the first terminal, whatever its label."""

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        stack, marks, steps = [0], set(), 0
        while stack:
            node = stack.pop()
            steps += node not in marks
            marks.add(node)
            if xpg.label_of[node] is not None:
                return not xpg.label_of[node], steps
            stack += self.followed(xpg, node, free)
        return False, steps


@explainer
class _OnePathTried(Textbook):
    """A single path is walked, over edges labelled 0 where it can, without a way back."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        zeros = [child for child, label in xpg.edges[node] if not label and xpg.variable_of[node] in free]
        return zeros[:1] or super().followed(xpg, node, free)


@explainer
class _RootAlwaysFree(Textbook):
    """The traversal starts with all children of the root, whether its feature is free or not."""

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return super().followed(xpg, node, free if node else free | {xpg.variable_of[0]})


@explainer
class _WaitsForAllParents(Textbook):
    """A node is taken up when all its parents have been, and waits for ever where one of them is never reached."""

    seconds = 0.1

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        queue, done = [0], set()
        while queue:
            node = queue.pop(0)
            if any(p not in done for p, out in enumerate(xpg.edges) if any(child == node for child, _ in out)):
                queue.append(node)
                continue
            done.add(node)
            if xpg.label_of[node] is False:
                return True, len(done)
            queue += [child for child in self.followed(xpg, node, free) if child not in queue and child not in done]
        return False, len(done)


@explainer
class _StartsOverAtEachNode(Textbook):
    """The traversal starts again from the root after each node that it finds: quadratic."""

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        found, steps = [0], 0
        for _ in xpg.edges:
            steps += len(found)
            fresh = [child for node in found for child in self.followed(xpg, node, free) if child not in found]
            found += fresh[:1]
        return not {*found}.isdisjoint(xpg.zeros), steps


@explainer
class _TreesOnly(Textbook):
    """Ends in an error at a node with two parents."""

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        children = [child for out in graph.children for child in out]
        if len(set(children)) < len(children):
            raise ValueError("the graph is not a tree")
        return super().mapped(graph, instance)


@explainer
class _OneSweepByNames(Textbook):
    """The nodes are swept once in the order of their names, as if that were topological."""

    def __init__(self) -> None:
        super().__init__()
        self._sweep: list[int] = []

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        self._sweep = sorted(range(graph.node_count), key=lambda node: str(graph.node_ids[node]))
        return super().mapped(graph, instance)

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        active = {0}
        for node in self._sweep:
            if node in active:
                active.update(self.followed(xpg, node, free))
        return not active.isdisjoint(xpg.zeros), len(self._sweep)


@explainer
class _ChangesOneFeatureAtATime(Textbook):
    """Only one of the free features is freed at a time, as if no two had to change together."""

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        found = super().traverse(xpg, frozenset())
        for feature in sorted(free):
            if not found[0]:
                found = super().traverse(xpg, frozenset((feature,)))
        return found


@explainer
class _PathsOfAtMostTwoTests(Textbook):
    """The search for a path gives up below a depth of two."""

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        level, found = {0}, {0}
        for _ in range(2):
            level = {child for node in level for child in self.followed(xpg, node, free)}
            found |= level
        return not found.isdisjoint(xpg.zeros), len(found)


@explainer
class _ReadsEachFeatureOnce(Textbook):
    """A path is given up where it tests a feature for the second time, as if every graph were read-once."""

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        stack: list[tuple[int, Features]] = [(0, frozenset())]
        taken: set[tuple[int, Features]] = set()
        while stack:
            node, tested = stack.pop()
            if (node, tested) in taken or xpg.variable_of[node] in tested:
                continue
            taken.add((node, tested))
            if xpg.label_of[node] is False:
                return True, len({node for node, _ in taken})
            stack += [(child, tested | {xpg.variable_of[node]}) for child in self.followed(xpg, node, free)]
        return False, len({node for node, _ in taken})
