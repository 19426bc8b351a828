"""One graph at one instance: its truth, and what the code makes of it, computed when a law asks."""

from __future__ import annotations

from functools import cached_property, lru_cache

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.paper.bounded import forms
from xpgcheck.paper.bounded.code import Code
from xpgcheck.paper.bounded.generation import Bound, Rows
from xpgcheck.paper.bounded.truth import Truth
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.xps import XP, Kind


class BoundedCase:
    """*graph* is one form of *rows*, *ends* the points by class; laws read nothing else."""

    def __init__(
        self, bound: Bound, rows: Rows, graph: DecisionGraph, ends: dict[int, int], truth: Truth, code: Code
    ) -> None:
        """Keep what is given; everything else is computed when asked for."""
        self.bound, self.rows, self.graph, self.ends, self.truth, self.code = bound, rows, graph, ends, truth, code
        self.instance: Point = forms.instance(bound)

    @cached_property
    def xpg(self) -> ExplanationGraph:
        """The explanation graph that the code maps to."""
        return self.code.explanation_graph(self.graph, self.instance)

    @cached_property
    def terminals(self) -> list[int]:
        """The terminal that each point reaches, by the code."""
        return [self.code.terminal(self.graph, point) for point in forms.points(self.bound)]

    @cached_property
    def sigma(self) -> list[bool]:
        """σ(s) at [s], by the definition."""
        return [self.code.sigma(self.xpg, members(s)) for s in range(1 << self.bound.features)]

    @cached_property
    def families(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(AXps, CXps) that the code's default enumeration gives, sorted as the truth's."""
        return sorted_families(self.code.all_xps(self.xpg))


def sorted_families(xps: list[XP]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return (AXps, CXps) of *xps* as masks, sorted by size, then as numbers; what comes twice stays twice."""
    found: dict[Kind, list[int]] = {Kind.AXP: [], Kind.CXP: []}
    for kind, features in xps:
        found[kind].append(mask(features))
    axps, cxps = (tuple(sorted(family, key=lambda one: (one.bit_count(), one))) for family in found.values())
    return axps, cxps


@lru_cache(maxsize=1 << 12)
def mask(features: frozenset[int]) -> int:
    """Return a set of features as a mask."""
    return sum(1 << feature for feature in features)


@lru_cache(maxsize=1 << 12)
def members(mask: int) -> frozenset[int]:
    """Return the set of features of a mask."""
    return frozenset(feature for feature in range(mask.bit_length()) if mask >> feature & 1)


def text(mask: int) -> str:
    """Return a set of features as {x1, x3}."""
    return "{" + ", ".join(f"x{feature + 1}" for feature in sorted(members(mask))) + "}"


def family_text(family: tuple[int, ...]) -> str:
    """Return a family of sets of features in braces."""
    return "{" + ", ".join(map(text, family)) + "}"
