"""Certification of what a vector says: found by the explainer, and judged by routes that share nothing.

Route one is every cell of feature space, route two Z3; each is asked alone, with the closed set of nodes as the second
engine that a "no" needs.  Families must be complete by both, and be what the definitions give over all sets of features.
Every verdict must be the same by both.  Nothing is put to the vote: a disagreement ends the generation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple

from xpgcheck.errors import UndecidedError, shown
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import FamilyJudgement, Judgement, judge_axp, judge_cxp, judge_family
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.properties.definitions import Definition
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import Kind

Members = frozenset[int]

MAX_FEATURES = 12
"""Features up to which the definitions are tried on all sets of features."""


class UncertifiedError(UndecidedError):
    """Two routes, or a route and the explainer, say different things of one instance: no vector is made of it."""


class CertifiedFamilies(NamedTuple):
    """All AXps and all CXps of an instance, each sorted by size and then by members."""

    axps: tuple[Members, ...]
    cxps: tuple[Members, ...]


class GraphCertifier:
    """The routes of one graph.  A context manager: the solver is freed on leaving."""

    def __init__(self, graph: DecisionGraph) -> None:
        self.graph = graph
        cells = Panel(graph, solvers=(), thorough=True)
        self._routes = (cells, Panel(graph, cells=False, thorough=True))

    def __enter__(self) -> GraphCertifier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for route in self._routes:
            route.close()

    def at(self, instance: Point) -> Certifier:
        """Return what certifies at *instance*."""
        return Certifier(self.graph, instance, [route.at(instance) for route in self._routes])


class Certifier:
    """Certified families and verdicts of one instance.

    *routes* are the ones asked apart from each other; the evidence is the first one's, so that it is the same with every
    version of a solver.
    """

    def __init__(self, graph: DecisionGraph, instance: Point, routes: Iterable[Consensus]) -> None:
        self.graph = graph
        self.instance = instance
        self._routes = tuple(routes)

    def families(self) -> CertifiedFamilies:
        """Return all XPs.  Raises ``UncertifiedError`` where they are not what both routes and the definitions say.

        Exponential in the features, of which there are at most ``MAX_FEATURES``.
        """
        found: dict[Kind, list[Members]] = {Kind.AXP: [], Kind.CXP: []}
        for kind, members in enumerate_xps(explanation_graph(self.graph, self.instance)):
            found[kind].append(members)
        families = CertifiedFamilies(*(tuple(sorted(found[kind], key=_size_first)) for kind in (Kind.AXP, Kind.CXP)))
        self._check_definitions(families)
        for route in self._routes:
            judgement = judge_family(route, families.axps, families.cxps)
            if judgement.verdict is not Verdict.COMPLETE:
                self._refuse(f"the XPs found are {judgement.verdict.value} by a route: {judgement.reason}")
        return families

    def axp(self, claim: Members) -> Judgement:
        """Return the verdict on *claim* as an AXp.  Raises ``UncertifiedError`` where the routes differ."""
        return self._agreed(claim, [judge_axp(route, claim) for route in self._routes])

    def cxp(self, claim: Members) -> Judgement:
        """Return the verdict on *claim* as a CXp.  Raises ``UncertifiedError`` where the routes differ."""
        return self._agreed(claim, [judge_cxp(route, claim) for route in self._routes])

    def family(self, axps: Iterable[Members], cxps: Iterable[Members]) -> FamilyJudgement:
        """Return the verdict on claimed families.  Raises ``UncertifiedError`` where the routes differ."""
        listed = list(axps), list(cxps)
        first, *others = [judge_family(route, *listed) for route in self._routes]
        for other in others:
            same = first.verdict is other.verdict and first.missing == other.missing
            if not same or first.verdict is Verdict.INCONCLUSIVE:
                self._refuse(f"families are {first.verdict.value} and {other.verdict.value} by two routes")
        return first

    def _agreed(self, claim: Members, judgements: list[Judgement]) -> Judgement:
        first = judgements[0]
        for other in judgements:
            same = (first.verdict, first.needless, first.inside) == (other.verdict, other.needless, other.inside)
            if not same or other.verdict is Verdict.INCONCLUSIVE:
                names = sorted(claim)
                self._refuse(f"features {names} are {first.verdict.value} and {other.verdict.value} by two routes")
        return first

    def _check_definitions(self, families: CertifiedFamilies) -> None:
        """Compare with Eq. 1 and Eq. 2 over all cells and all sets of features."""
        features = range(len(self.graph.features))
        if len(features) > MAX_FEATURES:
            self._refuse(f"{len(features)} features are too many for the definitions")
        changes = Definition(self.graph, self.instance).minimal_changes()
        if changes != set(families.cxps):
            self._refuse("the CXps found are not those of Eq. 2")
        axps: list[Members] = []
        for size in range(len(features) + 1):
            for chosen in map(frozenset, itertools.combinations(features, size)):
                # Smaller sets come first, so that what contains a found AXp is not minimal.
                if not any(axp <= chosen for axp in axps) and all(chosen & change for change in changes):
                    axps.append(chosen)
        if set(axps) != set(families.axps):
            self._refuse("the AXps found are not those of Eq. 1")

    def _refuse(self, problem: str) -> None:
        names = [feature.name for feature in self.graph.features]
        point = ", ".join(f"{n}={value_text(v)}" for n, v in zip(names, self.instance, strict=True))
        raise UncertifiedError(
            problem, place=f"{shown(self.graph.name)} at {shown(point)}", mend="report it with the seed: it is a bug"
        )


def _size_first(members: Members) -> tuple[int, list[int]]:
    return len(members), sorted(members)
