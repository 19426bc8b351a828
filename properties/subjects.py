"""Subjects: the explainers and the oracles that properties judge.

A subject is any object with a ``name`` and some of the methods below, and only these are judged.  A method counts where it
can be called with the arguments below, by position; one of the same name with other parameters is a helper of the
subject's own, and is passed over.  A subject with an attribute ``can``, a list of names, is judged on exactly those.
Reports say which methods were judged, and which were passed over and why.  The usual ones are protocols of this module
too (:class:`FindsAxps` and the like), for type checkers.  A method that cannot answer for a graph raises
``NotImplementedError``: the question is declined.  Each takes the model and the instance first, and features are
indices from 0.  The model is a decision graph; a subject that explains ensembles too, or these alone, has an attribute
``models``, a list of the :data:`MODEL_KINDS` that it takes, and is given objects of ``xpgcheck.model.ensemble.Ensemble``:

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
    the terminals that the instance reaches (a decision graph has one);
``inflate(graph, instance, axp, order) -> mapping``
    of each feature of *axp*, a frozenset that is an AXp, a largest set of values around the instance's that leaves the
    prediction as it is, whatever the other features are: an inflated AXp.  Sets grow in the order of the tuple *order*;
    those of ordered features are intervals, with the missing value or not.  A set is a ``ValueSet`` of
    :mod:`xpgcheck.model.value_sets`, or a list as literals of the JSON format write it;
``inflate_cxp(graph, instance, cxp) -> mapping``
    of each feature of *cxp*, a frozenset that is a CXp, all values that some point of another class has that differs from
    the instance on *cxp* alone: an inflated CXp.

Where the subject has a ``notion`` other than "features" ("conditions", "conditions-with-theory"), the sets that it answers
are of conditions, by their index in ``xpgcheck.oracles.conditions.conditions_of(graph)``; the gate judges these.  Where it
is "constraints", sets are of features, and what is asked about is a model with a constraint, of which only the points that
can occur count: a :class:`~xpgcheck.model.constraint.ConstrainedModel`.

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

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.model.combination import Majority
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point

EXPLAINS = {
    "predict": ("graph", "instance"),
    "axp": ("graph", "instance"),
    "cxp": ("graph", "instance"),
    "axp_inside": ("graph", "instance", "seed"),
    "cxp_inside": ("graph", "instance", "seed"),
    "enumerate": ("graph", "instance"),
    "sat_calls": ("graph", "instance"),
    "member": ("graph", "instance", "feature"),
    "sigma": ("graph", "instance", "fixed"),
    "path_to_zero": ("graph", "instance", "free"),
    "path_steps": ("graph", "instance", "free"),
    "tree_cxps": ("graph", "instance"),
    "tree_steps": ("graph", "instance"),
    "terminals": ("graph", "instance"),
    "inflate": ("graph", "instance", "axp", "order"),
    "inflate_cxp": ("graph", "instance", "cxp"),
}
"""Abilities that an explainer may have, and the arguments that it is asked with, by position."""

JUDGES = {
    "changeable": ("graph", "instance", "fixed"),
    "dual": ("axps", "cxps", "universe"),
    "judge": ("graph", "instance", "kind", "features"),
    "judge_family": ("graph", "instance", "axps", "cxps"),
    "settle": ("graph", "instance", "fixed", "oracles"),
}
"""Abilities that an oracle may have, in the same way."""

ARGUMENTS: dict[str, tuple[str, ...]] = {**EXPLAINS, **JUDGES}
"""Every ability and its arguments."""


GRAPH_KIND = "decision-graph"

MODEL_KINDS = {
    GRAPH_KIND: "decision graphs",
    "majority": "ensembles that vote",
    "sum": "ensembles whose trees are summed",
}
"""The kinds of models that a subject may take, and what reports call them; an ensemble's is that of its rule."""


ENSEMBLE_KINDS = tuple(kind for kind in MODEL_KINDS if kind != GRAPH_KIND)
"""The kinds of ensembles."""


def model_kind(model: object) -> str:
    """Return which of the :data:`MODEL_KINDS` *model* is: an ensemble is of the kind of its rule."""
    if isinstance(model, ConstrainedModel):
        model = model.model
    if isinstance(model, Ensemble):
        return "majority" if isinstance(model.rule, Majority) else "sum"
    return GRAPH_KIND


def models_of(subject: object) -> tuple[str, ...]:
    """Return the kinds of models that *subject* takes: its ``models``, by default decision graphs alone.

    Raises ``InputError`` where that is not a list of kinds, or is empty.
    """
    listed = _attribute(subject, "models")
    if listed is None or callable(listed):
        return (GRAPH_KIND,)
    mend = f"list some of {', '.join(MODEL_KINDS)}"
    called = subject_name(subject)
    if not isinstance(listed, (list, tuple, set, frozenset)) or not all(isinstance(kind, str) for kind in listed):
        raise InputError(f"the 'models' of {called} is not a list of names: {shown(type(listed).__name__)}", mend=mend)
    unknown = next((kind for kind in listed if kind not in MODEL_KINDS), None)
    if unknown is not None:
        problem = f"{called} lists {shown(unknown)} in 'models', which is not a kind of model"
        raise InputError(problem, mend=did_you_mean(unknown, MODEL_KINDS) or mend)
    if not listed:
        raise InputError(f"{called} takes no models: its 'models' is empty", mend=mend)
    return tuple(kind for kind in MODEL_KINDS if kind in listed)


class Subject(Protocol):
    """The explainer or oracle that is judged; this module's text has the methods that it may have next to its name."""

    @property
    def name(self) -> str:
        """Its name in reports."""


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


@dataclass(frozen=True, slots=True)
class Methods:
    """The methods of a subject that have the name of an ability: those that are judged, and why others are passed over."""

    judged: frozenset[str]
    passed_over: Mapping[str, str]


def methods_of(subject: object) -> Methods:
    """Return which methods of *subject* are judged: those listed in its ``can``, else those whose signature fits.

    Raises ``InputError`` where ``can`` is not a list of abilities that *subject* has methods for.
    """
    listed = _listed(subject)
    judged, passed_over = set(), {}
    for name in ARGUMENTS:
        method = _attribute(subject, name)
        if not callable(method):
            if listed is not None and name in listed:
                problem = f"{subject_name(subject)} lists {shown(name)} in 'can' and has no such method"
                raise InputError(problem, mend="write the method, or take the name out of the list")
            continue
        obstacle = _obstacle(method, name, trusted=listed is not None)
        if listed is None and obstacle is None:
            judged.add(name)
        elif listed is None or name not in listed:
            passed_over[name] = obstacle if listed is None and obstacle else "it is not listed in 'can'"
        elif obstacle is not None:
            problem = f"{subject_name(subject)} lists {shown(name)} in 'can', and {obstacle}"
            raise InputError(problem, mend="give the method these parameters, or take it out of the list")
        else:
            judged.add(name)
    return Methods(frozenset(judged), passed_over)


def abilities(subject: object) -> frozenset[str]:
    """Return the names of the methods of *subject* that are judged.  Raises as :func:`methods_of` does."""
    return methods_of(subject).judged


def is_judged(subject: object, name: str) -> bool:
    """Tell whether the ability *name* is among the :func:`abilities` of *subject*, without a look at the others."""
    listed = _listed(subject)
    method = _attribute(subject, name)
    if listed is not None:
        return name in listed
    return callable(method) and _obstacle(method, name, trusted=False) is None


def require_abilities(subject: object, called: str) -> Methods:
    """Return the methods of *subject* that are judged.

    Raises ``InputError`` where there are none, saying of each that was passed over why; *called* is its name in messages.
    """
    methods = methods_of(subject)
    if methods.judged:
        return methods
    reasons = "; ".join(passed_over_words(methods.passed_over))
    problem = f"{shown(called)} has none of the methods that properties judge"
    if reasons:
        raise InputError(f"{problem} ({reasons})", mend="give the method the parameters of the call")
    raise InputError(problem, mend=f"give it some of: {', '.join(ARGUMENTS)}")


def passed_over_words(passed_over: Mapping[str, str]) -> list[str]:
    """Return what reports say of methods that were passed over, one text for each."""
    return [f"{name}: {reason}" for name, reason in passed_over.items()]


def _listed(subject: object) -> frozenset[str] | None:
    """Return the names in the subject's ``can``; None where it has none (a method of this name is not a list)."""
    listed = _attribute(subject, "can")
    if listed is None or callable(listed):
        return None
    if not isinstance(listed, (list, tuple, set, frozenset)) or not all(isinstance(name, str) for name in listed):
        problem = f"the 'can' of {subject_name(subject)} is not a list of names: {shown(type(listed).__name__)}"
        raise InputError(problem, mend="write a list such as can = ['axp', 'cxp']")
    for name in listed:
        if name not in ARGUMENTS:
            problem = f"{subject_name(subject)} lists {shown(name)} in 'can', which is not an ability"
            raise InputError(problem, mend=did_you_mean(name, ARGUMENTS) or f"list some of {', '.join(ARGUMENTS)}")
    return frozenset(listed)


_STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def _obstacle(method: Any, name: str, *, trusted: bool) -> str | None:
    """Return why *method* cannot be called as the ability *name* is; None where it can be, or it is *trusted* to be."""
    call = f"{name}({', '.join(ARGUMENTS[name])})"
    try:
        signature = inspect.signature(method)
    except Exception:
        return None if trusted else f"its parameters cannot be read; list it in 'can' to have it judged as {call}"
    try:
        signature.bind(*ARGUMENTS[name])
    except TypeError:
        own = ", ".join(f"{_STARS.get(each.kind.name, '')}{each.name}" for each in signature.parameters.values())
        return f"its parameters ({shown(own, 60)[1:-1]}) do not fit the call {call}"
    return None


def _attribute(subject: object, name: str) -> Any:
    try:
        return getattr(subject, name, None)
    except Exception:
        # A subject that cannot be asked for an ability does not have it.
        return None


def subject_name(subject: object) -> str:
    """Return what reports call *subject*: its ``name`` as text, or else the name of its type."""
    try:
        return str(getattr(subject, "name", None) or type(subject).__name__)
    except Exception:
        return type(subject).__name__
