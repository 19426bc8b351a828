"""An explainer written for reading, from the paper alone: correct, and meant to be mutated.

It shares nothing with :mod:`xpgcheck.xpg`: it knows the model, and does every definition and algorithm in its plainest
form.  Each step is a method of its own, so that a seeded bug is a subclass that overrides one or two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain
from xpgcheck.model.value_sets import FiniteSet, Interval, IntervalSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.seeded.textbook_boxes import BoxGrower

Features = frozenset[int]


class Xpg(NamedTuple):
    """An XpG: υ (−1 at terminals), the edges of each node as (child, α_E), and α_V (None at non-terminals).

    Node 0 is the root; edges go to higher numbers.
    """

    features: int
    variable_of: tuple[int, ...]
    edges: list[list[tuple[int, bool]]]
    label_of: list[bool | None]

    @property
    def everything(self) -> Features:
        """The set of all features."""
        return frozenset(range(self.features))

    @property
    def zeros(self) -> list[int]:
        """The terminals labelled 0."""
        return [node for node, label in enumerate(self.label_of) if label is False]


class HittingClause(NamedTuple):
    """A clause of ℋ in Algorithm 4: some of ``features`` is fixed, or else some of them is free."""

    fixed: bool
    features: Features


class Textbook(BoxGrower):
    """All that an explainer may be able to do (see :mod:`xpgcheck.properties.subjects`), for small graphs."""

    name = "textbook"

    def __init__(self) -> None:
        self._last: tuple[DecisionGraph, Point, Xpg] | None = None

    # Definition 3: the mapping to an XpG

    def xpg(self, graph: DecisionGraph, instance: Point) -> Xpg:
        """Return the XpG of *graph* at *instance*; the last one is kept."""
        if self._last is None or not self.is_known(graph, instance):
            self._last = graph, instance, self.mapped(graph, instance)
        return self._last[2]

    def is_known(self, graph: DecisionGraph, instance: Point) -> bool:
        """Tell whether the XpG that is kept is the one asked for."""
        return self._last is not None and self._last[0] is graph and self._last[1] == instance

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        """Map *graph* and *instance* to their XpG."""
        edges = self.labelled_edges(graph, instance)
        target = self.class_reached(graph, edges)
        labels = [None if c < 0 else self.terminal_label(c, target) for c in graph.class_of]
        return Xpg(len(graph.features), graph.feature_of, edges, labels)

    def labelled_edges(self, graph: DecisionGraph, instance: Point) -> list[list[tuple[int, bool]]]:
        """Return of each node the children and α_E: 1 where the literal holds at the instance."""
        held = [
            self.holds(graph.features[feature].domain, instance[feature], literal)
            for feature, literal in graph.literals
        ]
        return [
            [(child, held[index]) for child, index in zip(children, ids, strict=True)]
            for children, ids in zip(graph.children, graph.literal_ids, strict=True)
        ]

    def class_reached(self, graph: DecisionGraph, edges: list[list[tuple[int, bool]]]) -> int:
        """Return κ: the class of the terminal that the edges labelled 1 lead to."""
        return graph.class_of[one_reached(edges)[-1]]

    def terminal_label(self, own: int, target: int) -> bool:
        """Return α_V of a terminal of class *own*: 1 where that is the class of the instance."""
        return own == target

    # Literals: is the value in the set?

    def holds(self, domain: Domain, value: Value, literal: ValueSet) -> bool:
        """Tell whether *value* is in *literal*."""
        if isinstance(literal, FiniteSet):
            return self.is_listed(domain, value, literal)
        if value is MISSING:
            return self.takes_missing(literal)
        return any(self.is_between(self.number(value), interval) for interval in self.intervals(literal))

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        """Tell whether a Boolean or a category is in *literal*."""
        return value in literal.values

    def takes_missing(self, literal: IntervalSet) -> bool:
        """Tell whether the missing value is in *literal*."""
        return literal.missing

    def intervals(self, literal: IntervalSet) -> tuple[Interval, ...]:
        """Return the intervals whose union is *literal*."""
        return literal.intervals()

    def number(self, value: Value) -> Any:
        """Return what is compared of a number."""
        return value

    def is_between(self, number: Any, interval: Interval) -> bool:
        """Tell whether *number* is in *interval*."""
        low, low_open, high, high_open = interval
        return (low is None or self.is_above(number, low, low_open)) and (
            high is None or self.is_below(number, high, high_open)
        )

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        """Compare with a lower end."""
        return bool(number > low if is_open else number >= low)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        """Compare with an upper end."""
        return bool(number < high if is_open else number <= high)

    # Definition 3, Eq. 3 and 4: ε and σ

    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        """Return the children of *node* that are active with it: of a free feature all, of a fixed one over edges of 1."""
        is_free = xpg.variable_of[node] in free
        return [child for child, label in xpg.edges[node] if label or is_free]

    def epsilon(self, xpg: Xpg, free: Features) -> set[int]:
        """Return the active nodes, each after its parents."""
        active = {0}
        for node in range(len(xpg.edges)):
            if node in active:
                active.update(self.followed(xpg, node, free))
        return active

    # Algorithm 1

    def traverse(self, xpg: Xpg, free: Features) -> tuple[bool, int]:
        """Return whether a terminal labelled 0 is reached, and how many nodes were taken up."""
        queue, marks, steps = [0], self.no_marks(), 0
        while queue:
            node = queue.pop(0)
            mark = self.mark(xpg, node)
            if mark in marks:
                continue
            marks.add(mark)
            steps += 1
            if xpg.label_of[node] is False:
                return True, steps
            queue += self.followed(xpg, node, free)
        return False, steps

    def no_marks(self) -> set[int]:
        """Return the marks of a traversal that starts."""
        return set()

    def mark(self, xpg: Xpg, node: int) -> int:
        """Return what is marked of a node that was taken up."""
        return node

    # Algorithms 2 and 3

    def is_weak_axp(self, xpg: Xpg, features: Features) -> bool:
        """Eq. 1 by Algorithm 1."""
        return not self.traverse(xpg, xpg.everything - features)[0]

    def is_weak_cxp(self, xpg: Xpg, features: Features) -> bool:
        """Eq. 2 by Algorithm 1."""
        return self.traverse(xpg, features)[0]

    def shrunk_axp(self, xpg: Xpg, seed: Features) -> Features:
        """Algorithm 2: return an AXp inside the weak AXp *seed*."""
        return self.shrunk(seed, lambda features: self.is_weak_axp(xpg, features))

    def shrunk_cxp(self, xpg: Xpg, seed: Features) -> Features:
        """Algorithm 3: return a CXp inside the weak CXp *seed*."""
        return self.shrunk(seed, lambda features: self.is_weak_cxp(xpg, features))

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        """Drop one feature after the other, if what is left *is_weak* still."""
        kept = seed
        for feature in self.order(seed):
            if is_weak(kept - {feature}):
                kept -= {feature}
        return kept

    def order(self, seed: Features) -> list[int]:
        """Return the order in which features are tried."""
        return sorted(seed)

    # Algorithm 4

    def xps(self, xpg: Xpg) -> Iterator[tuple[str, Features]]:
        """Yield all XPs; each is found in the model of all clauses, and blocked by a new one."""
        clauses = self.first_clauses(xpg)
        while (fixed := self.model(xpg.everything, clauses)) is not None:
            if self.is_weak_axp(xpg, fixed):
                found = self.shrunk_axp(xpg, fixed)
                clauses.append(self.blocks_axp(found))
                yield "AXp", self.listed("AXp", fixed, found)
            else:
                free = xpg.everything - fixed
                found = self.shrunk_cxp(xpg, free)
                clauses.append(self.blocks_cxp(found))
                yield "CXp", self.listed("CXp", free, found)

    def first_clauses(self, xpg: Xpg) -> list[HittingClause]:
        """Return ℋ of an enumeration that starts."""
        return []

    def listed(self, kind: str, weak: Features, found: Features) -> Features:
        """Return what is listed of an XP *found* within the *weak* one of the model."""
        return found

    def blocks_axp(self, found: Features) -> HittingClause:
        """Return the clause that no later weak AXp which holds *found* satisfies."""
        return HittingClause(False, found)

    def blocks_cxp(self, found: Features) -> HittingClause:
        """Return the clause that no later weak CXp which holds *found* satisfies."""
        return HittingClause(True, found)

    def model(self, everything: Features, clauses: list[HittingClause]) -> Features | None:
        """Return a set of features to fix that satisfies *clauses*, None where there is none: the SAT call."""
        to_hit = [features for fixed, features in clauses if fixed]
        forbidden = [features for fixed, features in clauses if not fixed]

        def search(fixed: Features, free: Features) -> Features | None:
            if any(features <= fixed for features in forbidden):
                return None
            missed = next((features for features in to_hit if not features & fixed), None)
            if missed is None:
                return fixed
            for feature in sorted(missed - free):
                found = search(fixed | {feature}, free)
                if found is not None:
                    return found
                free |= {feature}
            return None

        return search(frozenset(), frozenset())

    def calls(self, xps: int) -> int:
        """Return the SAT calls that an enumeration of *xps* XPs takes: one for each, and one that finds no more."""
        return xps + 1

    # Proposition 6: trees

    def tree_walk(self, xpg: Xpg) -> tuple[list[Features], int]:
        """Return of each terminal labelled 0 the features to be freed on its path, and the nodes visited."""
        found: list[Features] = []
        steps = 0
        stack: list[tuple[int, Features]] = [(0, frozenset())]
        while stack:
            node, freed = stack.pop()
            steps += 1
            if xpg.label_of[node] is False:
                found.append(freed)
            if self.goes_on(xpg, node, freed):
                stack += [(child, self.freed_after(xpg, node, label, freed)) for child, label in xpg.edges[node]]
        return found, steps

    def goes_on(self, xpg: Xpg, node: int, freed: Features) -> bool:
        """Tell whether the walk goes on below *node*."""
        return True

    def freed_after(self, xpg: Xpg, node: int, label: bool, freed: Features) -> Features:
        """Return the features freed after an edge of *node*: an edge of 0 frees the feature of its node."""
        return freed if label else freed | {xpg.variable_of[node]}

    def minimal(self, family: Iterable[Features]) -> tuple[list[Features], int]:
        """Return the sets of *family* that hold no other, each once, and the comparisons that took."""
        kept: list[Features] = []
        steps = 0
        for features in sorted(family, key=len):
            steps += len(kept)
            if not any(other <= features for other in kept):
                kept.append(features)
        return kept, steps

    # Membership

    def freed_on_paths(self, xpg: Xpg) -> list[list[Features]]:
        """Return of each node the minimal sets of features to be freed to reach it, from parents to children."""
        sets: list[list[Features]] = [[] for _ in xpg.edges]
        sets[0] = [frozenset()]
        for node, edges in enumerate(xpg.edges):
            sets[node] = self.minimal(sets[node])[0]
            for child, label in edges:
                sets[child] += [freed if label else freed | {xpg.variable_of[node]} for freed in sets[node]]
        return sets

    def is_member(self, xpg: Xpg, feature: int) -> bool:
        """Tell whether *feature* is in a minimal set of features to be freed to reach a terminal labelled 0: a CXp."""
        sets = self.freed_on_paths(xpg)
        return any(feature in freed for freed in self.minimal([s for node in xpg.zeros for s in sets[node]])[0])

    # What properties ask; see xpgcheck.properties.subjects

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        """Return κ."""
        return self.class_reached(graph, self.labelled_edges(graph, instance))

    def terminals(self, graph: DecisionGraph, instance: Point) -> list[int]:
        """Return the terminals that the edges labelled 1 lead to."""
        edges = self.xpg(graph, instance).edges
        return sorted(node for node in one_reached(edges) if graph.is_terminal(node))

    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        """Return one AXp."""
        xpg = self.xpg(graph, instance)
        return self.shrunk_axp(xpg, xpg.everything)

    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        """Return one CXp, None where the classifier is constant."""
        xpg = self.xpg(graph, instance)
        return self.shrunk_cxp(xpg, xpg.everything) if self.is_weak_cxp(xpg, xpg.everything) else None

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        """Return one AXp inside *seed*."""
        return self.shrunk_axp(self.xpg(graph, instance), seed)

    def cxp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        """Return one CXp inside *seed*."""
        return self.shrunk_cxp(self.xpg(graph, instance), seed)

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterator[tuple[str, Features]]:
        """Yield all XPs."""
        return self.xps(self.xpg(graph, instance))

    def sat_calls(self, graph: DecisionGraph, instance: Point) -> int:
        """Return the SAT calls of a full enumeration."""
        return self.calls(sum(1 for _ in self.xps(self.xpg(graph, instance))))

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some XP."""
        return self.is_member(self.xpg(graph, instance), feature)

    def sigma(self, graph: DecisionGraph, instance: Point, fixed: Features) -> bool:
        """Return σ: no terminal labelled 0 is active."""
        xpg = self.xpg(graph, instance)
        return not self.epsilon(xpg, xpg.everything - fixed).intersection(xpg.zeros)

    def path_to_zero(self, graph: DecisionGraph, instance: Point, free: Features) -> bool:
        """Return Algorithm 1's answer."""
        return self.traverse(self.xpg(graph, instance), free)[0]

    def path_steps(self, graph: DecisionGraph, instance: Point, free: Features) -> int:
        """Return the nodes that Algorithm 1 takes up."""
        return self.traverse(self.xpg(graph, instance), free)[1]

    def tree_cxps(self, graph: DecisionGraph, instance: Point) -> list[Features]:
        """Return all CXps of a tree."""
        return self.minimal(self.tree_walk(self.xpg(graph, instance))[0])[0]

    def tree_steps(self, graph: DecisionGraph, instance: Point) -> int:
        """Return the nodes visited and the sets compared to list all CXps of a tree."""
        found, visited = self.tree_walk(self.xpg(graph, instance))
        return visited + self.minimal(found)[1]


def one_reached(edges: list[list[tuple[int, bool]]]) -> list[int]:
    """Return the nodes that edges labelled 1 lead to from the root, in increasing order."""
    reached = {0}
    for node, out in enumerate(edges):
        if node in reached:
            reached.update(child for child, label in out if label)
    return sorted(reached)
