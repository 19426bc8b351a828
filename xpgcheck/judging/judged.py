"""The verdict on one claim and its evidence, as immutable data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from xpgcheck.judging.claim import Claim, Members
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point


@dataclass(frozen=True, slots=True)
class Named:
    """An XP that evidence names: its kind ("AXp", "CXp") and its members."""

    kind: str
    members: Members


@dataclass(frozen=True, slots=True)
class Evidence:
    """The proof that a verdict is right; each part can be checked without a solver.

    ``witness`` is a point of another class: for ``insufficient`` one that agrees with the instance on the claim, for a
    (weak) CXp one that differs from it only there.  ``needed`` has, for each needed member of an AXp, a point that
    agrees with the instance on the other members and has another class.  ``needless`` are the members that can be left out,
    one at a time.  ``closed_set`` proves that the claim (of an ineffective one: all but the claim), fixed, leaves one class;
    ``closed_sets`` prove it of the claim without each needless member (of a CXp: of all but the claim, and that member).
    ``correct`` is an XP of the claimed kind at the same instance, as near to the claim as deletion finds it.
    ``missing`` is an XP that a claimed family lacks.  ``clash`` are two sets of a family that cannot both be in it.
    Of sets of values, ``joining`` has values that should be in a set, ``idle`` values that should not, and ``pieces`` of
    other pieces next to a set, or in one, a point that shows it.
    ``text`` says it in one line, ``reason`` what stayed open, ``confirmed_by`` which oracles are believed.
    """

    text: str = ""
    witness: Point | None = None
    needed: Mapping[int, Point] = field(default_factory=dict)
    needless: Members = frozenset()
    closed_set: frozenset[int] | None = None
    closed_sets: Mapping[int, frozenset[int]] = field(default_factory=dict)
    correct: Named | None = None
    missing: Named | None = None
    clash: tuple[Members, ...] = ()
    reason: str = ""
    confirmed_by: tuple[str, ...] = ()
    joining: Mapping[int, ValueSet] = field(default_factory=dict)
    idle: Mapping[int, ValueSet] = field(default_factory=dict)
    pieces: tuple[tuple[int, ValueSet, Point], ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim, the verdict on it, and the evidence.

    ``projected`` is the verdict on the same claim taken over features, where its notion is another one: a separate
    question, which says nothing of whether the claim is right.
    """

    claim: Claim
    verdict: Verdict
    evidence: Evidence
    projected: Judged | None = None

    @property
    def outcome(self) -> Outcome:
        """The outcome, which decides the exit status."""
        return self.verdict.outcome

    @property
    def way(self) -> str:
        """The way an answer failed, without what differs from case to case: "axp raised KeyError"; else nothing."""
        if self.claim.fault is None:
            return ""
        # Numbers of questions, features and the like are those of the case.
        return re.sub(r"\d+", "…", self.claim.message.partition(":")[0].partition(", after ")[0])
