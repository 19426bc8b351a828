"""Subjects: the explainers and the oracles that properties judge.

A subject is any object with a ``name`` and some of the methods below; what it has is what it declares to be able to do,
and only that is judged.  The usual ones are protocols of this module too (:class:`FindsAxps` and the like), for type
checkers.  A method that cannot answer for a graph raises ``NotImplementedError``: the question is declined.  Each takes
the decision graph and the instance first, and features are indices from 0:

``predict(graph, instance) -> int``
    the index of the predicted class;
``axp(graph, instance)``, ``cxp(graph, instance)``
    one AXp, one CXp, as an iterable of features; ``cxp`` returns None where there is none (a constant classifier);
``axp_inside(graph, instance, seed)``, ``cxp_inside(graph, instance, seed)``
    one inside *seed*, a frozenset that is a weak AXp (a weak CXp);
``enumerate(graph, instance)``
    all of them: an iterable of ``("AXp" or "CXp", features)``;
``sat_calls(graph, instance) -> int``
    the SAT calls that a full enumeration takes, the last one, which finds nothing more, among them; a constant classifier
    has one XP, the AXp ∅, so it takes two;
``member(graph, instance, feature) -> bool``
    is the feature in some AXp, equivalently in some CXp?
``sigma(graph, instance, fixed) -> bool``
    σ(s) of the instance's XpG, s being 1 exactly at the features *fixed*;
``path_to_zero(graph, instance, free) -> bool`` and ``path_steps(graph, instance, free) -> int``
    Algorithm 1's answer, and the nodes that it takes up to give it, each as often as its edges are looked at (one that is
    met again and left, as it is marked, does not count);
``tree_cxps(graph, instance)`` and ``tree_steps(graph, instance) -> int``
    all CXps of a tree by a method of its own, and the elementary steps that it takes: nodes visited and pairs of
    sets compared;
``terminals(graph, instance) -> iterable of int``
    the terminals that the instance reaches (a decision graph has one).

Where the subject has a ``notion`` other than "features" ("conditions", "conditions-with-theory"), the sets that it answers
are of conditions, by their index in ``xpgcheck.oracles.conditions.conditions_of(graph)``; the gate judges these.

The values of an instance are those of its features' domains: ``bool`` of Boolean ones, ``str`` of categorical ones, ``int``
of integer ones, ``Fraction`` of all others, where ``xpgcheck.model.values.MISSING`` stands for a missing value.  Counts are
taken on the subject's word.

A subject that is an *oracle* has instead:

``changeable(graph, instance, fixed) -> Answer``
    see :mod:`xpgcheck.oracles.answers`;
``dual(axps, cxps, universe)``
    see :mod:`xpgcheck.oracles.duality`;
``judge(graph, instance, kind, features) -> str``, ``judge_family(graph, instance, axps, cxps) -> str``
    the verdict on one claimed XP, on two claimed families;
``settle(graph, instance, fixed, oracles) -> bool | None``
    what is believed when *oracles* (of whatever kind) are asked at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point

EXPLAINS = (
    "predict",
    "axp",
    "cxp",
    "axp_inside",
    "cxp_inside",
    "enumerate",
    "sat_calls",
    "member",
    "sigma",
    "path_to_zero",
    "path_steps",
    "tree_cxps",
    "tree_steps",
    "terminals",
)
"""What an explainer may be able to do."""

JUDGES = ("changeable", "dual", "judge", "judge_family", "settle")
"""What an oracle may be able to do."""


class Subject(Protocol):
    """Who is judged; see this module's text for the methods that a subject may have beside its name."""

    @property
    def name(self) -> str:
        """What reports call it."""


class Predicts(Subject, Protocol):
    """Predicts a class."""

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        """Return the index of the predicted class."""


class FindsAxps(Subject, Protocol):
    """Finds one AXp."""

    def axp(self, graph: DecisionGraph, instance: Point) -> Iterable[int]:
        """Return one AXp."""


class FindsCxps(Subject, Protocol):
    """Finds one CXp."""

    def cxp(self, graph: DecisionGraph, instance: Point) -> Iterable[int] | None:
        """Return one CXp, None where there is none."""


class FindsAxpsInside(Subject, Protocol):
    """Finds one AXp inside a seed."""

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> Iterable[int]:
        """Return one AXp inside the weak AXp *seed*."""


class FindsCxpsInside(Subject, Protocol):
    """Finds one CXp inside a seed."""

    def cxp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> Iterable[int]:
        """Return one CXp inside the weak CXp *seed*."""


class EnumeratesXps(Subject, Protocol):
    """Enumerates all XPs."""

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[tuple[str, Iterable[int]]]:
        """Return all AXps and CXps, as pairs of "AXp" or "CXp" and the features."""


class DecidesMembership(Subject, Protocol):
    """Decides feature membership."""

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some AXp, equivalently in some CXp."""


def abilities(subject: object) -> frozenset[str]:
    """Return the names of the methods, of those that properties know, that *subject* has."""
    return frozenset(name for name in (*EXPLAINS, *JUDGES) if _has(subject, name))


def _has(subject: object, name: str) -> bool:
    try:
        return callable(getattr(subject, name, None))
    except Exception:
        # Whoever cannot be asked for an ability does not have it.
        return False


def subject_name(subject: object) -> str:
    """Return what reports call *subject*: its ``name`` as text, or else the name of its type."""
    try:
        return str(getattr(subject, "name", None) or type(subject).__name__)
    except Exception:
        return type(subject).__name__
