"""Claims: statements of a subject about one instance of a decision graph."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xpgcheck.model.value_sets import ValueSet


class Notion(Enum):
    """The elements of a claim's sets, and so the definition by which it is judged."""

    FEATURES = "features"
    """Features: Eq. 1 and Eq. 2 of the paper."""

    CONDITIONS = "conditions"
    """Two-way conditions of the graph, each an independent Boolean variable."""

    THEORY = "conditions-with-theory"
    """Two-way conditions of the graph, at points of feature space: conditions of one feature depend on each other."""

    CONSTRAINTS = "constraints"
    """Features, over the points that can occur: Eq. 1 and Eq. 2 under a constraint."""

    @property
    def of_features(self) -> bool:
        """Whether sets are made of features."""
        return self in (Notion.FEATURES, Notion.CONSTRAINTS)


class ClaimKind(Enum):
    """The statement that a claim makes."""

    AXP = "AXp"
    CXP = "CXp"
    FAMILY = "family"
    PREDICTION = "prediction"
    MEMBERSHIP = "membership"
    INFLATED_AXP = "inflated AXp"
    INFLATED_CXP = "inflated CXp"
    INFLATED_CHANGE = "inflated change"


OF_VALUES = (ClaimKind.INFLATED_AXP, ClaimKind.INFLATED_CXP, ClaimKind.INFLATED_CHANGE)
"""The kinds whose claims are sets of values (``xpgcheck.xpg.inflation`` defines them)."""


class FaultKind(Enum):
    """The way in which a subject failed to answer."""

    CRASH = "crash"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    MALFORMED = "malformed answer"


Members = frozenset[int]
"""Indices of features; where the notion is one of conditions, indices of conditions in the order of ``conditions_of``."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim.  ``kind`` says which fields speak:

    * ``AXP``, ``CXP``: ``members`` is an AXp (CXp), and lies inside ``seed`` if there is one; None: there is no CXp;
    * ``FAMILY``: ``axps`` are all AXps and ``cxps`` all CXps; a side that is None is not claimed;
    * ``PREDICTION``: the class is the one of index ``class_index``;
    * ``MEMBERSHIP``: ``feature``, a member as those of sets, is in some AXp (equivalently, in some CXp), or not, as
      ``member`` says;
    * ``INFLATED_AXP``, ``INFLATED_CXP``, ``INFLATED_CHANGE``: ``box`` has the features and the set of values of each.

    Where ``fault`` is set there is no answer, and ``message`` says what came instead.  ``under`` is the digest of the
    constraint that the claim is made under, where its notion is one of constraints and it says which.
    """

    kind: ClaimKind
    notion: Notion = Notion.FEATURES
    members: Members | None = None
    seed: Members | None = None
    axps: tuple[Members, ...] | None = None
    cxps: tuple[Members, ...] | None = None
    class_index: int = -1
    feature: int = -1
    member: bool = False
    box: tuple[tuple[int, ValueSet], ...] | None = None
    fault: FaultKind | None = None
    message: str = ""
    under: str = ""
