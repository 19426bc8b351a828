"""Wrong explainers: from some size of the answer, or of the family, on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.one_xp import tested_on_the_way
from xpgcheck.properties.seeded.reach import Row, row
from xpgcheck.properties.seeded.scalable import Scalable
from xpgcheck.properties.seeded.textbook import Features, Xpg

Pairs = Iterator[tuple[str, Features]]


class _OfAnswers(Scalable):
    kind = "size of the answer"

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def first(self, found: Features) -> Features:
        return frozenset(sorted(found)[: self.most])


class _AxpCutAt(_OfAnswers):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        return self.first(super().axp(graph, instance))


class _CxpCutAt(_OfAnswers):
    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        found = super().cxp(graph, instance)
        return None if found is None else self.first(found)


class _XpsCutAt(_OfAnswers):
    def enumerate(self, graph: DecisionGraph, instance: Point) -> Pairs:
        return ((kind, self.first(found)) for kind, found in super().enumerate(graph, instance))


class _XpsUpTo(_OfAnswers):
    def enumerate(self, graph: DecisionGraph, instance: Point) -> Pairs:
        return ((kind, found) for kind, found in super().enumerate(graph, instance) if len(found) <= self.most)


class _TriesEndAfter(_OfAnswers):
    def order(self, seed: Features) -> list[int]:
        return sorted(seed)[: self.most]


class _SeedsReturnedAbove(_OfAnswers):
    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        return seed if len(seed) > self.most else super().shrunk(seed, is_weak)


class _PathAbove(_OfAnswers):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        path = tested_on_the_way(self.xpg(graph, instance))
        return path if len(path) > self.most else super().axp(graph, instance)


class _AnswersAboveAreNone(_OfAnswers):
    def cxp(self, graph: DecisionGraph, instance: Point) -> Features | None:
        found = super().cxp(graph, instance)
        return None if found is not None and len(found) > self.most else found


class _MasksOf(_OfAnswers):
    def followed(self, xpg: Xpg, node: int, free: Features) -> list[int]:
        return super().followed(xpg, node, frozenset(i for i in free if i < self.most))


class _IndicesWrapAt(_OfAnswers):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        return frozenset(i % self.most for i in super().axp(graph, instance))


class _MembersBelow(_OfAnswers):
    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        return feature < self.most and super().member(graph, instance, feature)


class _LargeSeedsRaise(_OfAnswers):
    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: Features) -> Features:
        if len(seed) > self.most:
            raise ValueError("too many features")
        return super().axp_inside(graph, instance, seed)


class _AxpsOfExactly(_OfAnswers):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        found = super().axp(graph, instance)
        return found - {min(found)} if len(found) == self.most else found


class _OfFamilies(Scalable):
    kind = "size of the family"

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Any:
        return self.spoilt(list(super().enumerate(graph, instance)))

    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        return found


class _ListEndsAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        return found[: self.after]


class _TwiceAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        return [*found, found[0]] if len(found) > self.after else found


class _BlocksOfTwice(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        # The last of a block comes again as the first of the next.
        return [one for k, one in enumerate(found) for _ in range(1 + (k % self.after == self.after - 1))]


class _LastMissingAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        return found[:-1] if len(found) > self.after else found


class _OneOfMissing(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        return [one for k, one in enumerate(found) if k != self.after]


class _RaisesAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        for k, one in enumerate(found):
            if k == self.after:
                raise IndexError("list index out of range")
            yield one


class _FullBlocksOf(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        return found if len(found) % self.after else found[:-1]


class _NotMinimalAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        everything = frozenset().union(*(members for _, members in found))
        return [
            (kind, members | frozenset(sorted(everything - members)[:1]) if k >= self.after else members)
            for k, (kind, members) in enumerate(found)
        ]


class _CxpsEndAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        cxps = [one for one in found if one[0] == "CXp"][: self.after]
        return [*cxps, *(one for one in found if one[0] == "AXp")]


class _AxpsEndAfter(_OfFamilies):
    def spoilt(self, found: list[tuple[str, Features]]) -> Any:
        axps = [one for one in found if one[0] == "AXp"][: self.after]
        return [*axps, *(one for one in found if one[0] == "CXp")]


class _MembershipOfTheFirst(_OfFamilies):
    def is_member(self, xpg: Xpg, feature: int) -> bool:
        return any(feature in cxp for cxp in self.all_cxps(xpg)[: self.after])


class _PathsWalkedUpTo(_OfFamilies):
    def freed_on_paths(self, xpg: Xpg) -> list[list[Features]]:
        sets: list[list[Features]] = [[] for _ in xpg.edges]
        sets[0] = [frozenset()]
        for node, edges in enumerate(xpg.edges):
            # A limit on the sets that are kept of a node.
            sets[node] = self.minimal(sets[node])[0][: self.after]
            for child, label in edges:
                sets[child] += [freed if label else freed | {xpg.variable_of[node]} for freed in sets[node]]
        return sets


def rows() -> Iterator[Row]:
    """Yield the rows of this module."""
    for most in (6, 9, 10, 13):
        yield row(_AxpCutAt, "an AXp has at most {most} features, the others are cut", most=most)
    for most in (6, 12):
        yield row(_CxpCutAt, "a CXp has at most {most} features, the others are cut", most=most)
    for most in (7, 11):
        yield row(_XpsCutAt, "listed XPs have at most {most} features, the others are cut", most=most)
    for most in (8, 9):
        yield row(_XpsUpTo, "XPs of more than {most} features are not listed", most=most)
    for most in (6, 9, 12, 18):
        yield row(_TriesEndAfter, "deletion tries the first {most} features of the seed", most=most)
    for most in (8, 10, 15):
        yield row(_SeedsReturnedAbove, "seeds of more than {most} features come back as they are", most=most)
    for most in (7, 10):
        yield row(_PathAbove, "where the path tests more than {most} features, these are the AXp", most=most)
    yield row(
        _AnswersAboveAreNone, "there is said to be no CXp where one of more than {most} features was found", most=9
    )
    for most in (8, 16, 31, 63):
        yield row(_MasksOf, "sets of free features are masks of {most} bits", most=most)
    for most in (16, 32, 64):
        yield row(_IndicesWrapAt, "indices of features of an AXp are taken modulo {most}", most=most)
    yield row(_MembersBelow, "features from {most} on are said to be in no XP", most=10)
    yield row(_LargeSeedsRaise, "an error on seeds of more than {most} features", most=11)
    for most in (13, 17):
        yield row(_AxpsOfExactly, "an AXp of exactly {most} features lacks the first of them", most=most)
    for after in (32, 64):
        yield row(_FullBlocksOf, "where the number of XPs is a multiple of {after}, the last is missing", after=after)
    for after in (40, 50, 100, 200):
        yield row(_ListEndsAfter, "an enumeration ends after {after} XPs", after=after)
    for after in (40, 100, 250):
        yield row(_TwiceAfter, "of more than {after} XPs, the first comes once more", after=after)
    for after in (25, 64):
        yield row(_BlocksOfTwice, "XPs come in blocks of {after}, whose last is the first of the next too", after=after)
    for after in (40, 50, 128):
        yield row(_LastMissingAfter, "of more than {after} XPs the last is missing", after=after)
    for after in (33, 70):
        yield row(_OneOfMissing, "XP number {after}, from 0, is missing", after=after)
    for after in (40, 100, 300):
        yield row(_RaisesAfter, "an error after {after} XPs", after=after)
    yield row(_NotMinimalAfter, "XPs after the first {after} have a feature too many", after=60)
    for after in (30, 80):
        yield row(_CxpsEndAfter, "CXps after the first {after} are not listed", after=after)
    yield row(_AxpsEndAfter, "AXps after the first {after} are not listed", after=45)
    yield row(_MembershipOfTheFirst, "membership looks at the first {after} CXps", after=8)
    for after in (10, 30):
        yield row(_PathsWalkedUpTo, "of the sets to be freed to reach a node, {after} are kept", after=after)
