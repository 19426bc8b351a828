"""Wrong explainers: Algorithm 4, its clauses, its seeds and its end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import explainer
from xpgcheck.properties.seeded.one_xp import tested_on_the_way
from xpgcheck.properties.seeded.textbook import Features, HittingClause, Textbook, Xpg

XPs = Iterator[tuple[str, Features]]


class _AsManyAsSubsets(Textbook):
    """A right one that stops after as many XPs as there are subsets: wrong clauses never end otherwise."""

    def xps(self, xpg: Xpg) -> XPs:
        return itertools.islice(super().xps(xpg), 2 << xpg.features)


@explainer
class _AxpClauseWithTheWrongSign(_AsManyAsSubsets):
    """An AXp is blocked by the clause of a CXp: one of its features has to be fixed."""

    def blocks_axp(self, found: Features) -> HittingClause:
        return HittingClause(True, found)


@explainer
class _CxpClauseWithTheWrongSign(_AsManyAsSubsets):
    """A CXp is blocked by the clause of an AXp: one of its features has to be free."""

    def blocks_cxp(self, found: Features) -> HittingClause:
        return HittingClause(False, found)


@explainer
class _ClausesKept(Textbook):
    """The clauses of one enumeration are still there in the next one at the same instance."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: tuple[Point, list[HittingClause]] = (), []

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        if self._kept[0] is not instance:
            self._kept = instance, []
        return super().mapped(graph, instance)

    def first_clauses(self, xpg: Xpg) -> list[HittingClause]:
        return self._kept[1]


@explainer
class _ModelsBlocked(Textbook):
    """The model itself is blocked, and not all that holds the XP found: XPs come once for each model."""

    def xps(self, xpg: Xpg) -> XPs:
        for chosen in range(1 << xpg.features):
            fixed = frozenset(i for i in range(xpg.features) if chosen >> i & 1)
            if self.is_weak_axp(xpg, fixed):
                yield "AXp", self.shrunk_axp(xpg, fixed)
            else:
                yield "CXp", self.shrunk_cxp(xpg, xpg.everything - fixed)


@explainer
class _EndsAtTheFirstAxp(Textbook):
    """The enumeration ends at the first AXp."""

    def xps(self, xpg: Xpg) -> XPs:
        for kind, found in super().xps(xpg):
            yield kind, found
            if kind == "AXp":
                return


@explainer
class _AtMostOneForEachFeature(Textbook):
    """At most as many XPs are listed as there are features."""

    def xps(self, xpg: Xpg) -> XPs:
        return itertools.islice(super().xps(xpg), xpg.features)


@explainer
class _LastOneLost(Textbook):
    """An XP is handed out when the next SAT call has succeeded: the last one is lost."""

    def xps(self, xpg: Xpg) -> XPs:
        return iter([*super().xps(xpg)][:-1])


@explainer
class _OneSetForBothKinds(Textbook):
    """Listed sets are kept without their kind: a set that is an AXp and a CXp is listed once."""

    def xps(self, xpg: Xpg) -> XPs:
        listed: set[Features] = set()
        for kind, found in super().xps(xpg):
            if found not in listed:
                listed.add(found)
                yield kind, found


@explainer
class _LastAxpTwice(Textbook):
    """The last AXp is listed again when the solver finds no more."""

    def xps(self, xpg: Xpg) -> XPs:
        found = [*super().xps(xpg)]
        return iter([*found, *[xp for xp in found if xp[0] == "AXp"][-1:]])


@explainer
class _AxpsNotShrunk(Textbook):
    """The models, which fix what no clause mentions, are listed as AXps where they are weak AXps."""

    def model(self, everything: Features, clauses: list[HittingClause]) -> Features | None:
        fixed = super().model(everything, clauses)
        return None if fixed is None else fixed | everything.difference(*(clause.features for clause in clauses))

    def listed(self, kind: str, weak: Features, found: Features) -> Features:
        return weak if kind == "AXp" else found


@explainer
class _CxpsNotShrunk(Textbook):
    """The features that the models leave free are listed as CXps."""

    def listed(self, kind: str, weak: Features, found: Features) -> Features:
        return weak if kind == "CXp" else found


@explainer
class _KindsSwapped(Textbook):
    """AXps are listed as CXps, and CXps as AXps."""

    def xps(self, xpg: Xpg) -> XPs:
        return (({"AXp": "CXp", "CXp": "AXp"}[kind], found) for kind, found in super().xps(xpg))


@explainer
class _AllAreAxps(Textbook):
    """CXps are listed as AXps next to the AXps."""

    def xps(self, xpg: Xpg) -> XPs:
        return (("AXp", found) for _, found in super().xps(xpg))


@explainer
class _HittingSetsNotMinimal(Textbook):
    """The AXps are put together from one feature of each CXp, without a look at minimality."""

    def xps(self, xpg: Xpg) -> XPs:
        cxps = [found for kind, found in super().xps(xpg) if kind == "CXp"]
        yield from (("CXp", found) for found in cxps)
        yield from (("AXp", found) for found in {frozenset(choice) for choice in itertools.product(*cxps)})


@explainer
class _AxpsOfAtMostTwo(Textbook):
    """Hitting sets of the CXps are looked for up to two features."""

    def xps(self, xpg: Xpg) -> XPs:
        return ((kind, xp) for kind, xp in super().xps(xpg) if kind == "CXp" or len(xp) < 3)


@explainer
class _SmallestOnly(Textbook):
    """The XPs of fewest features are listed, not all that are subset-minimal."""

    def xps(self, xpg: Xpg) -> XPs:
        found = [*super().xps(xpg)]
        fewest = {kind: min(len(xp) for k, xp in found if k == kind) for kind, _ in found}
        return iter([(kind, xp) for kind, xp in found if len(xp) == fewest[kind]])


@explainer
class _HalfOfTheModels(Textbook):
    """The search is split by feature 0, and ends when the half in which it is free has no more models."""

    def model(self, everything: Features, clauses: list[HittingClause]) -> Features | None:
        fixed = super().model(everything, clauses)
        return None if fixed is not None and 0 in fixed else fixed


@explainer
class _PathFeaturesOnly(Textbook):
    """The features that the consistent path does not test are always fixed."""

    def first_clauses(self, xpg: Xpg) -> list[HittingClause]:
        return [HittingClause(True, frozenset((i,))) for i in xpg.everything - tested_on_the_way(xpg)]


@explainer
class _NoAxpOfAConstant(Textbook):
    """Nothing is listed of a constant classifier: the empty AXp is no answer."""

    def xps(self, xpg: Xpg) -> XPs:
        return ((kind, xp) for kind, xp in super().xps(xpg) if xp)


@explainer
class _TwoSatCallsForOne(Textbook):
    """The solver is asked again for the model of each AXp and each CXp."""

    def calls(self, xps: int) -> int:
        return 2 * xps + 1


@explainer
class _LastSatCallNotCounted(Textbook):
    """The SAT call that finds no more XPs is not counted."""

    def calls(self, xps: int) -> int:
        return xps


@explainer
class _ChangedWhileRead(Textbook):
    """Ends in an error midway where an AXp holds a feature that the consistent path does not test."""

    def enumerate(self, graph: DecisionGraph, instance: Point) -> XPs:
        xpg = self.xpg(graph, instance)
        for kind, found in super().enumerate(graph, instance):
            if kind == "AXp" and found - tested_on_the_way(xpg):
                raise RuntimeError("dictionary changed size during iteration")
            yield kind, found


@explainer
class _UntestedFeatureInEachCxp(Textbook):
    """A feature that no node tests is listed in every CXp, as it may change at will."""

    def xps(self, xpg: Xpg) -> XPs:
        untested = xpg.everything.difference(xpg.variable_of)
        for kind, found in super().xps(xpg):
            yield kind, found | untested if kind == "CXp" else found


@explainer
class _FirstDisjointCxps(Textbook):
    """A CXp that shares a feature with one listed before is left out."""

    def xps(self, xpg: Xpg) -> XPs:
        used: set[int] = set()
        for kind, found in super().xps(xpg):
            if kind == "AXp" or used.isdisjoint(found):
                used |= found if kind == "CXp" else set()
                yield kind, found
