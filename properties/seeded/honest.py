"""An oracle written for reading, from the definitions alone: correct, and meant to be mutated.

It looks at κ at one point of every combination of cells, once for each graph and instance.  Each step is a method of its
own, so that a seeded bug is a subclass that overrides one or two of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Domain
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.answers import Answer, Oracle, replay

Features = frozenset[int]
Family = Collection[Features]

MAX_POINTS = 20_000
"""Combinations of cells above which the oracle does not know."""


class HonestOracle:
    """All that an oracle may be able to do (see :mod:`xpgcheck.properties.subjects`), for small graphs."""

    name = "honest"

    def __init__(self) -> None:
        self._last: tuple[DecisionGraph, Point, dict[Features, Point]] | None = None

    # Eq. 1 and Eq. 2

    def changes(self, graph: DecisionGraph, instance: Point) -> dict[Features, Point]:
        """Return the sets of features in which a point of another class differs from *instance*, each with one."""
        if self._last is None or self._last[0] is not graph or self._last[1] != instance:
            found: dict[Features, Point] = {}
            own = graph.kappa(instance)
            for point in self.points(graph, instance):
                if self.is_of_another_class(graph, point, own):
                    differs = frozenset(i for i, (a, b) in enumerate(zip(point, instance, strict=True)) if a is not b)
                    found.setdefault(differs, point)
            self._last = graph, instance, found
        return self._last[2]

    def points(self, graph: DecisionGraph, instance: Point) -> Iterator[Point]:
        """Yield a point of every combination of cells; in the cells of *instance* with its own values."""
        yield from itertools.product(
            *[
                [value if value in cell else self.value_in(feature.domain, cell) for cell in self.tried(cells)]
                for feature, cells, value in zip(graph.features, graph.cells, instance, strict=True)
            ]
        )

    def tried(self, cells: tuple[ValueSet, ...]) -> tuple[ValueSet, ...]:
        """Return the cells of a feature that are looked at."""
        return cells

    def value_in(self, domain: Domain, cell: ValueSet) -> Value:
        """Return a value of *cell*."""
        return cell.representative()

    def is_of_another_class(self, graph: DecisionGraph, point: Point, own: int) -> bool:
        """Tell whether κ(*point*) is not *own*."""
        return graph.kappa(point) != own

    def witness(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Point | None:
        """Return a point of another class that agrees with *instance* on *fixed*; None where there is none."""
        return next((p for change, p in self.changes(graph, instance).items() if not change & fixed), None)

    def changeable(self, graph: DecisionGraph, instance: Point, fixed: Features) -> Answer:
        """Answer the question of oracles."""
        if math.prod(map(len, graph.cells)) > MAX_POINTS:
            return Answer(None, None, self.name, f"more than {MAX_POINTS} combinations of cells")
        found = self.witness(graph, instance, fixed)
        shown = None if found is None else self.handed_out(graph, instance, fixed, found)
        return Answer(found is not None, shown, self.name)

    def handed_out(self, graph: DecisionGraph, instance: Point, fixed: Features, witness: Point) -> Point | None:
        """Return *witness* as it is handed out."""
        return witness

    # Verdicts on one claimed XP

    def is_weak(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        """Eq. 1 or Eq. 2."""
        if kind == "AXp":
            return self.witness(graph, instance, features) is None
        rest = frozenset(range(len(instance))) - features
        return self.witness(graph, instance, rest) is not None

    def is_minimal(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        """Tell whether no feature can be left out."""
        return not any(self.is_weak(graph, instance, kind, features - {i}) for i in features)

    def judge(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> str:
        """Return the verdict on one claimed XP."""
        if not self.is_weak(graph, instance, kind, features):
            return "insufficient" if kind == "AXp" else "ineffective"
        return kind if self.is_minimal(graph, instance, kind, features) else "redundant"

    # Verdicts on families

    def judge_family(self, graph: DecisionGraph, instance: Point, axps: Family, cxps: Family) -> str:
        """Return the verdict on two families."""
        if self.has_duplicates(axps) or self.has_duplicates(cxps):
            return "duplicate"
        for kind, family in (("AXp", axps), ("CXp", cxps)):
            for features in family:
                verdict = self.judge(graph, instance, kind, features)
                if verdict != kind:
                    return verdict
        return "complete" if self.are_dual(axps, cxps) else "incomplete"

    def has_duplicates(self, family: Family) -> bool:
        """Tell whether a set is listed twice."""
        return len(set(family)) < len(family)

    def dual(self, axps: Family, cxps: Family, universe: int) -> bool:
        """Tell whether two families are dual."""
        return not self.has_duplicates(axps) and not self.has_duplicates(cxps) and self.are_dual(axps, cxps)

    def are_dual(self, axps: Family, cxps: Family) -> bool:
        """Tell whether each family holds the minimal hitting sets of the other, and nothing else."""
        return self.minimal_hitting_sets(axps) == set(cxps) and self.minimal_hitting_sets(cxps) == set(axps)

    def minimal_hitting_sets(self, family: Family) -> set[Features]:
        """Return the minimal sets of one or more features of each member of *family*."""
        choices = {frozenset(choice) for choice in itertools.product(*map(sorted, family))}
        return {hitting for hitting in choices if not any(other < hitting for other in choices)}

    # Consensus

    def settle(self, graph: DecisionGraph, instance: Point, fixed: Features, oracles: Sequence[Oracle]) -> bool | None:
        """Return what is believed when *oracles* are asked: a proof, or two routes against nothing."""
        answers = [(oracle, oracle.changeable(fixed)) for oracle in oracles]
        proofs = [a for _, a in answers if a.changeable and self.is_proof(graph, instance, fixed, a)]
        bare = [a for _, a in answers if a.changeable and a.witness is None]
        routes = self.routes(oracle for oracle, a in answers if self.denies(a))
        return self.believed(len(proofs), len(bare), routes)

    def is_proof(self, graph: DecisionGraph, instance: Point, fixed: Features, answer: Answer) -> bool:
        """Tell whether the answer's witness proves that the class can change."""
        return answer.witness is not None and replay(graph, instance, fixed, answer.witness) is None

    def denies(self, answer: Answer) -> bool:
        """Tell whether the answer is that the class cannot change."""
        return answer.changeable is False

    def routes(self, oracles: Iterable[Oracle]) -> int:
        """Return how many routes *oracles* are: those of one engine are one."""
        return len({oracle.engine for oracle in oracles})

    def believed(self, proofs: int, bare: int, routes: int) -> bool | None:
        """Return what is believed of *proofs*, *bare* claims without a witness, and *routes* that deny."""
        if proofs:
            return True if not routes else None
        return False if routes > 1 and not bare else None
