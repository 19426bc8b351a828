"""What a study means for the exit status."""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.paper.reduction.answers import Outcome, Reading, Study

_STATUS = {Outcome.HOLDS: 0, Outcome.FAILS: 1, Outcome.INCONCLUSIVE: 3}


def outcome_of(study: Study, required: Sequence[Reading]) -> Outcome:
    """Return what came out: a failure of a *required* reading before anything that stays open.

    Routes that disagree, and clauses whose membership stays open, are inconclusive whatever is required.
    """
    outcomes = [verdict.outcome for verdict in study.readings if verdict.reading in required]
    if Outcome.FAILS in outcomes:
        return Outcome.FAILS
    opened = any(clause.in_mus.answer is None for clause in study.clauses)
    return Outcome.INCONCLUSIVE if opened or study.disagreements or Outcome.INCONCLUSIVE in outcomes else Outcome.HOLDS


def exit_status(study: Study, required: Sequence[Reading]) -> int:
    """Return the exit status: 0, 1 or 3."""
    return _STATUS[outcome_of(study, required)]
