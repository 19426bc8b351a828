"""Growing decision graphs that satisfy the assumptions (i) and (ii) of the definition by construction.

A graph is grown downwards, depth first.  What a path leaves of each feature is a set of atoms, and a node parts what is
left of one feature among its edges: the edges cover it (i), and each of them leaves something (ii).

A sub-graph can be entered once more by another path that leaves less than the path it was grown for (so that it is
covered), where each of its own paths keeps some value of each feature (so that they are consistent).  That gives graphs in
which nodes are shared *and* paths test a feature again and again, with unlike sets of values at the shared nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hypothesis import strategies as st

from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.properties.strategies.atoms import MAX_PARTS, Atoms, below, partitions, thresholds

MAX_DEPTH = 24
"""Edges on a path at most, far below the depth to which Hypothesis lets strategies nest."""

LOOKED_AT = 24
"""Sub-graphs, the latest ones, among which one is looked for that can be entered again."""

BYTE = 0xFF


@dataclass(frozen=True, slots=True)
class GraphSource:
    """The arguments from which :func:`~xpgcheck.model.decision_graph.decision_graph` builds a graph."""

    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    nodes: Mapping[NodeId, Node]
    root: NodeId | None

    def build(self, name: str) -> DecisionGraph:
        """Return the graph.  Raises what :func:`~xpgcheck.model.decision_graph.decision_graph` does."""
        return decision_graph(name, self.features, self.classes, self.nodes, self.root)


class Style(NamedTuple):
    """A way to grow: the value of each field that is listed first here is the simplest.

    ``ordered``: features are tested in their order.  ``separate``: every leaf is a terminal of its own; else there is one
    terminal a class.  ``share``: among how many sub-graphs that could be entered again a leaf may choose.  ``merge``: equal
    sub-graphs are one.  ``loose``: literals may hold values that cannot arrive, as learners write them.  ``idle``: all edges
    of a node may lead to one child, and then are one edge.  ``halves``: nodes have two edges, for what is below a threshold
    and for the rest of the whole domain.
    """

    ordered: bool = False
    separate: bool = True
    share: int = 0
    merge: bool = False
    loose: bool = False
    idle: bool = False
    halves: bool = False

    @property
    def least(self) -> int:
        """The least that a non-terminal takes of the budget (see :func:`budget_of`)."""
        return 2 if self.separate else 1


def budget_of(size: int, classes: int, style: Style) -> int:
    """Return the budget with which at most *size* nodes grow, terminals counted.

    It counts nodes.  With separate terminals a non-terminal of w children takes the place of a leaf and brings w of them: it
    costs w.  Else it costs 1, and the terminals are counted beforehand.
    """
    return max(size - (1 if style.separate else classes), 0)


class _SubGraph(NamedTuple):
    """A sub-graph grown where ``left`` was left of the features it tests, whose bytes are set in ``tested``.

    ``needs`` are sets of atoms of one feature each: a path of the sub-graph keeps nothing of one of them exactly where what
    is left does not meet it.  ``lowest`` is the lowest feature tested.
    """

    node: int
    tested: int
    left: int
    needs: frozenset[int]
    lowest: int


@st.composite
def _below_an_edge(draw: st.DrawFn, grower: Grower) -> _SubGraph:
    """Grow what an edge leads to: a strategy of its own, so that Hypothesis can put a part in the place of the whole."""
    return grower.grow(draw)


class Grower:
    """Grows the nodes of one graph over *atoms*, one entry a feature, with *classes* classes in use.

    What is left of all features is one integer, a byte of atoms a feature.
    """

    def __init__(self, atoms: Sequence[Atoms], classes: int, style: Style) -> None:
        self.nodes: dict[NodeId, Node] = {}
        self._atoms = atoms
        self._classes = classes
        self._style = style
        self._finished: list[_SubGraph] = []
        self._merged: dict[object, int] = {}
        self._leaves: list[int] = []
        self._edge = _below_an_edge(self)
        self._arguments = (0, 0, 0, 0, 0, 0, False)
        self._used = 0

    def root(self, draw: st.DrawFn, budget: int) -> int:
        """Grow a graph with at most *budget* and return its root; ``nodes`` then are its nodes."""
        left = sum(atoms.full << MAX_PARTS * index for index, atoms in enumerate(self._atoms))
        if budget < self._style.least:
            return self._terminal(draw(below(self._classes)) if self._classes > 1 else 0).node
        return self._inner(draw, left, budget, 0, 0)[0].node

    def grow(self, draw: st.DrawFn) -> _SubGraph:
        """Grow what the edge at hand leads to."""
        left, cap, start, depth, position, avoided, last = self._arguments
        self._used = 0
        # The last edge most often takes all that its sisters leave; others share evenly, or now and then take all.
        least = self._style.least
        units = cap // least
        choices = units * (5 if self._finished else 8) + 1 if last else units + 2
        amount = min(least * draw(below(choices)), cap)
        if not amount:
            return self._leaf(draw, left, start, position, avoided)
        grown, self._used = self._inner(draw, left, amount, start, depth)
        return grown

    def _testable(self, left: int, start: int) -> list[int]:
        """Return the features that can be tested: with two atoms left, in ordered graphs from *start* on."""
        found = []
        for feature in range(start if self._style.ordered else 0, len(self._atoms)):
            mask = left >> MAX_PARTS * feature & BYTE
            if mask & mask - 1:
                found.append(feature)
        return found

    def _choose_feature(self, draw: st.DrawFn, testable: list[int]) -> int:
        if len(self._atoms) == 1:
            return testable[0]
        choice = draw(below(len(self._atoms)))
        if self._style.ordered:
            # The next feature, seldom the one after it: else paths would end early.
            return testable[-1 if len(testable) == 1 else max(0, choice - len(self._atoms) + 2)]
        return next((feature for feature in testable if feature >= choice), testable[0])

    def _inner(self, draw: st.DrawFn, left: int, budget: int, start: int, depth: int) -> tuple[_SubGraph, int]:
        """Grow a non-terminal; return it and what it took of *budget*."""
        style = self._style
        feature = self._choose_feature(draw, self._testable(left, start))
        shift = MAX_PARTS * feature
        own = left >> shift & BYTE
        # Terminals of their own are costly: a third of the budget stays for what is below.
        if style.halves:
            ways = thresholds(own)
        else:
            ways = partitions(own, min(budget - budget // 3, MAX_PARTS) if style.separate else MAX_PARTS)
        groups = ways[draw(below(len(ways)))] if len(ways) > 1 else ways[0]
        literals = self._literals(draw, feature, own, groups)
        used = len(groups) if style.separate else 1
        rest = left & ~(BYTE << shift)
        children: list[int] = []
        needs: set[int] = set()
        tested = BYTE << shift
        lowest = feature
        for position, group in enumerate(groups):
            following = rest | group << shift
            cap = budget - used
            last = position == len(groups) - 1
            avoided = children[0] if last and not style.idle and children.count(children[0]) == position else -1
            if cap >= style.least and depth < MAX_DEPTH and self._testable(following, feature + 1):
                self._arguments = following, cap, feature + 1, depth + 1, position, avoided, last
                # A part that cannot have parts is not worth a strategy of its own.
                child = draw(self._edge) if cap >= 2 * style.least else self.grow(draw)
                used += self._used
            else:
                child = self._leaf(draw, following, feature + 1, position, avoided)
            children.append(child.node)
            needs.add(group << shift)
            needs.update(child.needs)
            tested |= child.tested
            lowest = min(lowest, child.lowest)
        union = self._atoms[feature].union
        edges = tuple((child, union(literal)) for child, literal in zip(children, literals, strict=True))
        node = self._add((feature, tuple(children), literals), NonTerminal(feature, edges))
        grown = _SubGraph(node, tested, left & tested, frozenset(needs), lowest)
        if style.share:
            self._finished.append(grown)
        return grown, used

    def _literals(self, draw: st.DrawFn, feature: int, own: int, groups: tuple[int, ...]) -> tuple[int, ...]:
        """Return the sets of atoms of the literals: *groups*, which some literals exceed by atoms that cannot arrive."""
        extra = self._atoms[feature].full & ~own
        if not extra or not self._style.loose:
            return groups
        choice = 2 if self._style.halves else draw(below(3))
        if not choice:
            return groups
        widened = list(groups)
        if choice == 1:
            widened[-1] |= extra
            return tuple(widened)
        # As thresholds do: each atom goes with the next lower one that can arrive, the lowest with the first.
        home = 0
        for position in range(MAX_PARTS):
            bit = 1 << position
            if own & bit:
                home = next(index for index, group in enumerate(groups) if group & bit)
            elif extra & bit:
                widened[home] |= bit
        return tuple(widened)

    def _leaf(self, draw: st.DrawFn, left: int, start: int, position: int, avoided: int) -> _SubGraph:
        """End a path at edge *position* of a node: at a terminal, or at a sub-graph that is there already.

        The node *avoided* is not taken where there is another choice.
        """
        classes = self._classes
        again = self._enterable(left, start, avoided) if self._finished else []
        # Sub-graphs count thrice, so that paths meet again in small graphs too.
        options = classes + 3 * len(again)
        choice = draw(below(options)) if options > 1 else 0
        if choice >= classes:
            found = again[(choice - classes) // 3]
            return found._replace(left=left & found.tested, needs=frozenset([left & need for need in found.needs]))
        # Counted from the edge's place, the simplest choice gives sisters unlike classes.
        index = (choice + position) % classes
        if avoided >= 0 and self._merged.get(("class", index)) == avoided:
            index = (index + 1) % classes
        return self._terminal(index)

    def _enterable(self, left: int, start: int, avoided: int) -> list[_SubGraph]:
        found: list[_SubGraph] = []
        for known in self._finished[: -LOOKED_AT - 1 : -1]:
            if (
                known.node != avoided
                and not left & known.tested & ~known.left
                and (not self._style.ordered or known.lowest >= start)
                and all(left & need for need in known.needs)
            ):
                found.append(known)
                if len(found) == self._style.share:
                    break
        return found

    def _terminal(self, index: int) -> _SubGraph:
        if len(self._leaves) == 1 and index == self._leaves[0]:
            # The first two leaves hang from one node: unlike classes make sure that the graph is not constant.
            index = (index + 1) % self._classes
        self._leaves.append(index)
        key = ("leaf", len(self._leaves)) if self._style.separate else ("class", index)
        return _SubGraph(self._add(key, Terminal(index)), 0, 0, frozenset(), len(self._atoms))

    def _add(self, key: object, node: Node) -> int:
        known = self._merged.get(key) if self._style.merge or isinstance(node, Terminal) else None
        if known is None:
            known = self._merged[key] = len(self.nodes)
            self.nodes[known] = node
        return known
