"""The question to an oracle and its answer.

There is one question, of a decision graph 𝒢, an instance v and a set of *fixed* features: **is there a point that
agrees with v on the fixed features and has another class than v?**  Both definitions of the paper are this question:

* 𝒳 is a weak AXp (Eq. 1) iff nothing changes the class while 𝒳 is fixed:  ``changeable(𝒳) is False``;
* 𝒴 is a weak CXp (Eq. 2) iff something does while ℱ∖𝒴 is fixed:          ``changeable(ℱ ∖ 𝒴) is True``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from xpgcheck.model.classifier import Classifier
from xpgcheck.model.domains import Domain, Float32, Float64, contains
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.float_ranks import ranks_of

WITHIN_ROUNDING = "within rounding"
"""The reason of an answer that hangs on points so near to a tie that the rounding of the source's sums decides there."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One oracle's answer to one question.

    ``changeable`` is None where the oracle does not know; ``reason`` then says why.  ``witness`` is a point of another
    class; an oracle that claims ``changeable=True`` without one cannot be believed on its own word.
    """

    changeable: bool | None
    witness: Point | None
    oracle: str
    reason: str = ""


class Oracle(Protocol):
    """Something that answers the question for one graph at one instance.

    ``name`` tells oracles apart in reports; ``engine`` is the *route* by which the answer is found: two oracles with
    the same engine (two encodings for the same solver) do not confirm each other.
    """

    @property
    def name(self) -> str:
        """The name of this oracle in reports."""

    @property
    def engine(self) -> str:
        """The route: equal for oracles that could share a bug."""

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether some point that agrees with the instance on *fixed* (indices from 0) has another class."""


@dataclass(frozen=True, slots=True)
class OracleFault:
    """An answer that its own evidence contradicts: which oracle, on which fixed features, and what is wrong."""

    oracle: str
    fixed: frozenset[int]
    problem: str
    answer: Answer


def replay(
    graph: Classifier, instance: Point, fixed: Iterable[int], witness: Point, own_class: int | None = None
) -> str | None:
    """Return what is wrong with *witness* as evidence of ``changeable(fixed)``, or None where it proves it.

    Exact, by the plain definition of κ: the witness is a point of feature space, agrees with *instance* on *fixed*, and
    has another class, whatever the rounding of a source's sums.  *own_class* is κ(*instance*), for callers that have it,
    and know that it does not hang on rounding.  O(m + depth).
    """
    if len(witness) != len(instance):
        return "the witness is not a point of feature space: it has another number of values"
    for feature, (own, value) in enumerate(zip(instance, witness, strict=True)):
        # The instance's value is in the domain; types count, for True == 1 == Fraction(1).
        same = type(own) is type(value) and own == value
        if not same and not _in_domain(graph.features[feature].domain, value):
            return f"the witness is not a point of feature space: feature {feature} cannot be {value!r}"
    for feature in fixed:
        if witness[feature] != instance[feature]:
            return f"the witness differs from the instance on the fixed feature {feature}"
    try:
        own = graph.kappa(instance) if own_class is None else own_class
        if isinstance(graph, Ensemble):
            return _other_class(graph, instance, witness, own, known=own_class is not None)
        if graph.kappa(witness) == own:
            return "the witness has the class of the instance"
    except ValueError as error:
        return f"the witness reaches no terminal: {error}"
    return None


def _other_class(ensemble: Ensemble, instance: Point, witness: Point, own: int, *, known: bool) -> str | None:
    if not known and not ensemble.is_settled(instance):
        return f"the class of the instance is {WITHIN_ROUNDING}"
    differs = ensemble.differs(witness, own)
    if differs is None:
        return f"whether the witness has the class of the instance is {WITHIN_ROUNDING}"
    return None if differs else "the witness has the class of the instance"


def _in_domain(domain: Domain, value: Value) -> bool:
    if isinstance(domain, (Float32, Float64)) and isinstance(value, Fraction):
        # The model finds out by bisection, this is one packing; it is asked of every witness.
        try:
            ranks_of(domain).rank_of(value)
        except ValueError:
            return False
        return True
    return contains(domain, value)
