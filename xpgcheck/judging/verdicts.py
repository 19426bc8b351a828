"""The verdicts on claims and what they mean for the exit status: the one place for both vocabularies."""

from __future__ import annotations

from enum import Enum


class Outcome(Enum):
    """The result of a judgement, a property, a campaign or a run: it holds, is violated, or stays open."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"


class Verdict(Enum):
    """The verdicts on claims, in the words of the design."""

    AXP = "AXp"
    CXP = "CXp"
    COMPLETE = "complete"
    PREDICTION = "right prediction"
    MEMBERSHIP = "right membership"
    INFLATED = "inflated"
    REDUNDANT = "redundant"
    INSUFFICIENT = "insufficient"
    INEFFECTIVE = "ineffective"
    NOT_MAXIMAL = "not maximal"
    OUTSIDE_SEED = "outside the seed"
    INCOMPLETE = "incomplete"
    DUPLICATE = "duplicate"
    NOT_DUAL = "not dual"
    PREDICTION_MISMATCH = "prediction mismatch"
    WRONG_MEMBERSHIP = "wrong membership"
    CRASH = "crash"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    MALFORMED = "malformed answer"
    INCONCLUSIVE = "inconclusive"

    @property
    def outcome(self) -> Outcome:
        """The outcome, which decides the exit status."""
        if self in _RIGHT:
            return Outcome.HOLDS
        return Outcome.INCONCLUSIVE if self is Verdict.INCONCLUSIVE else Outcome.VIOLATED


_RIGHT = (Verdict.AXP, Verdict.CXP, Verdict.COMPLETE, Verdict.PREDICTION, Verdict.MEMBERSHIP, Verdict.INFLATED)
