"""Wrong oracles: verdicts on one claimed XP, on families of them, and duality."""

from __future__ import annotations

import itertools

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import oracle
from xpgcheck.properties.seeded.honest import Family, Features, HonestOracle


@oracle
class _WeakIsEnough(HonestOracle):
    """A weak XP gets the verdict of an XP: minimality is not asked for."""

    def is_minimal(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        return True


@oracle
class _FirstFeatureTried(HonestOracle):
    """Minimality is asked of the first feature only."""

    def is_minimal(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        return not any(self.is_weak(graph, instance, kind, features - {i}) for i in sorted(features)[:1])


@oracle
class _AllMustBeNeedless(HonestOracle):
    """An XP is redundant where each of its features can be left out, not where one can."""

    def is_minimal(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        return not features or not all(self.is_weak(graph, instance, kind, features - {i}) for i in features)


@oracle
class _MinimalIsFewest(HonestOracle):
    """An XP is redundant where another XP has fewer features."""

    def is_minimal(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        fewer = itertools.combinations(range(len(instance)), len(features) - 1) if features else ()
        return not any(self.is_weak(graph, instance, kind, frozenset(other)) for other in fewer)


@oracle
class _RedundantForInsufficient(HonestOracle):
    """A set that is no weak XP is called redundant."""

    def judge(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> str:
        verdict = super().judge(graph, instance, kind, features)
        return "redundant" if verdict in ("insufficient", "ineffective") else verdict


@oracle
class _InsufficientForRedundant(HonestOracle):
    """An XP that is not minimal is called insufficient, or ineffective."""

    def judge(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> str:
        verdict = super().judge(graph, instance, kind, features)
        return {"AXp": "insufficient", "CXp": "ineffective"}[kind] if verdict == "redundant" else verdict


@oracle
class _CxpJudgedAsAxp(HonestOracle):
    """CXps are asked the question of AXps."""

    def is_weak(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        return super().is_weak(graph, instance, "AXp", features)


@oracle
class _CxpFixedNotFreed(HonestOracle):
    """The features of a CXp are fixed, not freed, when it is asked whether the class can change."""

    def is_weak(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> bool:
        if kind == "AXp":
            return super().is_weak(graph, instance, kind, features)
        return self.witness(graph, instance, features) is not None


@oracle
class _EmptySetRefused(HonestOracle):
    """The empty set is never an XP, not of a constant classifier either."""

    def judge(self, graph: DecisionGraph, instance: Point, kind: str, features: Features) -> str:
        return super().judge(graph, instance, kind, features) if features else "insufficient"


@oracle
class _CompletenessNotAsked(HonestOracle):
    """Families are complete where all their members are XPs."""

    def judge_family(self, graph: DecisionGraph, instance: Point, axps: Family, cxps: Family) -> str:
        verdict = super().judge_family(graph, instance, axps, cxps)
        return "complete" if verdict == "incomplete" else verdict


@oracle
class _DuplicatesIgnored(HonestOracle):
    """A set that is listed twice is taken as listed once."""

    def has_duplicates(self, family: Family) -> bool:
        return False


@oracle
class _CxpsNotAsked(HonestOracle):
    """Families are complete where the AXps are AXps, whatever the CXps are."""

    def judge_family(self, graph: DecisionGraph, instance: Point, axps: Family, cxps: Family) -> str:
        right = all(self.judge(graph, instance, "AXp", features) == "AXp" for features in axps)
        return "complete" if right and not self.has_duplicates(axps) else "incomplete"


@oracle
class _SizesCompared(HonestOracle):
    """Families are complete where they hold as many sets as there are XPs."""

    def judge_family(self, graph: DecisionGraph, instance: Point, axps: Family, cxps: Family) -> str:
        changes = self.changes(graph, instance)
        right = [change for change in changes if not any(other < change for other in changes)]
        whole = len(cxps) == len(right) and len(axps) == len(self.minimal_hitting_sets(right))
        return "complete" if whole else "incomplete"


@oracle
class _LargerSetsAccepted(HonestOracle):
    """Families are complete where every XP is inside a listed set."""

    def judge_family(self, graph: DecisionGraph, instance: Point, axps: Family, cxps: Family) -> str:
        weak = all(self.is_weak(graph, instance, "AXp", features) for features in axps)
        weak = weak and all(self.is_weak(graph, instance, "CXp", features) for features in cxps)
        pairs = ((self.minimal_hitting_sets(cxps), axps), (self.minimal_hitting_sets(axps), cxps))
        covered = all(any(xp <= features for features in family) for xps, family in pairs for xp in xps)
        once = not self.has_duplicates(axps) and not self.has_duplicates(cxps)
        return "complete" if weak and covered and once else "incomplete"


@oracle
class _MeetingIsEnough(HonestOracle):
    """Two families are called dual where each AXp meets each CXp."""

    def are_dual(self, axps: Family, cxps: Family) -> bool:
        return all(axp & cxp for axp in axps for cxp in cxps)


@oracle
class _HittingSetsOfCxpsOnly(HonestOracle):
    """Two families are called dual where the AXps are the minimal hitting sets of the CXps; the other way is not asked."""

    def are_dual(self, axps: Family, cxps: Family) -> bool:
        return self.minimal_hitting_sets(cxps) == set(axps)


@oracle
class _HittingSetsOfAxpsOnly(HonestOracle):
    """Two families are called dual where the CXps are the minimal hitting sets of the AXps; the other way is not asked."""

    def are_dual(self, axps: Family, cxps: Family) -> bool:
        return self.minimal_hitting_sets(axps) == set(cxps)


@oracle
class _EmptyFamilyIgnored(HonestOracle):
    """Two families are called dual where one of them is empty."""

    def are_dual(self, axps: Family, cxps: Family) -> bool:
        return not axps or not cxps or super().are_dual(axps, cxps)


@oracle
class _ConstantNotDual(HonestOracle):
    """The families of a constant classifier, {∅} and {}, are not called dual."""

    def are_dual(self, axps: Family, cxps: Family) -> bool:
        return bool(axps) and bool(cxps) and super().are_dual(axps, cxps)


@oracle
class _HittingSetsNotShrunk(HonestOracle):
    """Duality is asked of all hitting sets with one feature of each set, minimal or not."""

    def minimal_hitting_sets(self, family: Family) -> set[Features]:
        return {frozenset(choice) for choice in itertools.product(*map(sorted, family))}
