"""Graphs small enough for brute force, and the definitions by which judged claims are checked again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from xpgcheck import embedded
from xpgcheck.judging.claim import ClaimKind
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.closed_set import check_closed_set

Set = frozenset[int]


class Brute:
    """Eq. 1 and Eq. 2 at one instance, by all points of feature space."""

    def __init__(self, graph: DecisionGraph, instance: Point) -> None:
        self.graph = graph
        self.instance = instance
        self.everything = frozenset(range(len(graph.features)))
        own = graph.kappa(instance)
        self.others = [point for point in embedded.all_points(graph.features) if graph.kappa(point) != own]

    def agrees(self, point: Point, members: Iterable[int]) -> bool:
        return all(point[i] == self.instance[i] for i in members)

    def weak_axp(self, members: Set) -> bool:
        return not any(self.agrees(point, members) for point in self.others)

    def weak_cxp(self, members: Set) -> bool:
        return not self.weak_axp(self.everything - members)

    def weak(self, kind: ClaimKind, members: Set) -> bool:
        return self.weak_axp(members) if kind is ClaimKind.AXP else self.weak_cxp(members)

    def is_xp(self, kind: ClaimKind, members: Set) -> bool:
        return self.weak(kind, members) and not any(self.weak(kind, members - {i}) for i in members)

    def subsets(self) -> Iterator[Set]:
        for size in range(len(self.everything) + 1):
            yield from map(frozenset, itertools.combinations(sorted(self.everything), size))

    def all_xps(self, kind: ClaimKind) -> tuple[Set, ...]:
        return tuple(members for members in self.subsets() if self.is_xp(kind, members))

    def verdict(self, kind: ClaimKind, members: Set) -> Verdict:
        """Return the verdict that one claimed XP has by definition."""
        if self.is_xp(kind, members):
            return Verdict(kind.value)
        if self.weak(kind, members):
            return Verdict.REDUNDANT
        return Verdict.INSUFFICIENT if kind is ClaimKind.AXP else Verdict.INEFFECTIVE


def recheck(brute: Brute, judged: Judged, *, kind: ClaimKind | None = None, members: Set | None = None) -> None:
    """Check by brute force all that the evidence of a judged XP says."""
    kind = kind or judged.claim.kind
    members = judged.claim.members if members is None else members
    assert members is not None
    evidence, verdict, graph = judged.evidence, judged.verdict, brute.graph
    own = graph.kappa(brute.instance)
    is_axp = kind is ClaimKind.AXP
    fixed = members if is_axp else brute.everything - members
    if evidence.witness is not None:
        assert graph.kappa(evidence.witness) != own
        assert brute.agrees(evidence.witness, fixed)
    assert (evidence.witness is not None) == (not brute.weak_axp(fixed))
    for i, point in evidence.needed.items():
        assert graph.kappa(point) != own
        assert brute.agrees(point, members - {i})
    if verdict is Verdict.AXP:
        assert set(evidence.needed) == set(members)
    needless = frozenset(i for i in members if brute.weak(kind, members - {i}))
    assert evidence.needless == (needless if verdict is Verdict.REDUNDANT else frozenset())
    if evidence.closed_set is not None:
        assert check_closed_set(graph, brute.instance, fixed, evidence.closed_set) is None
    for i, nodes in evidence.closed_sets.items():
        without = members - {i} if is_axp else fixed | {i}
        assert check_closed_set(graph, brute.instance, without, nodes) is None
    if verdict in (Verdict.REDUNDANT, Verdict.INSUFFICIENT, Verdict.INEFFECTIVE):
        correct = evidence.correct
        if correct is None:
            # A constant classifier has no CXp.
            assert not brute.all_xps(kind)
        else:
            assert correct.kind == kind.value
            assert brute.is_xp(kind, correct.members)
            assert verdict is not Verdict.REDUNDANT or correct.members < members
