"""The verdict on a reading, and what a study means for the exit status.

A reading holds where γ_j is in some MUS exactly if the reading says so of s_j, at every clause that was asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.formulas import Cnf, points
from xpgcheck.paper.reduction.answers import ClauseStudy, Reading, ReadingVerdict, Study
from xpgcheck.paper.reduction.clause_texts import clause_text, point_text, set_text, term_text

WORDS = {Outcome.HOLDS: "holds", Outcome.VIOLATED: "fails", Outcome.INCONCLUSIVE: "inconclusive"}
"""Words for readings in tables and in JSON: a reading fails, it is no claim that is violated."""

_STATUS = {Outcome.HOLDS: 0, Outcome.VIOLATED: 1, Outcome.INCONCLUSIVE: 3}


def verdict_on(reading: Reading, formula: Cnf, studies: Sequence[ClauseStudy]) -> ReadingVerdict:
    """Return the verdict on *reading*, with what is known of the first clause at which it fails, or else stays open."""
    fails, opens = [], []
    for study in studies:
        agreed = _agrees(reading, study)
        if agreed is None:
            opens.append(study.clause)
        elif not agreed:
            fails.append(study.clause)
    outcome = Outcome.VIOLATED if fails else Outcome.INCONCLUSIVE if opens else Outcome.HOLDS
    evidence = ""
    if fails:
        evidence = _evidence(reading, formula, next(s for s in studies if s.clause == fails[0]))
    elif opens:
        evidence = _why_open(reading, next(s for s in studies if s.clause == opens[0]))
    return ReadingVerdict(reading, outcome, len(studies), tuple(fails), tuple(opens), evidence)


def _agrees(reading: Reading, study: ClauseStudy) -> bool | None:
    member = study.in_mus.answer
    if reading is Reading.C:
        if not study.at_points:
            return None
        said = {None if answer is None or member is None else answer == member for answer in study.at_points}
        return False if False in said else None if None in said else True
    answered = study.selected.get(reading)
    if answered is None or answered.answer is None or member is None:
        return None
    return answered.answer == member


def _why_open(reading: Reading, study: ClauseStudy) -> str:
    """Say of one clause why it is not known whether the reading is right."""
    if study.in_mus.answer is None:
        return f"clause {study.clause + 1}, in some MUS? {study.in_mus.reason}"
    answered = study.selected.get(Reading.C_SOME if reading is Reading.C else reading)
    if answered is None:
        return "not asked"
    return f"clause {study.clause + 1}, selected? {answered.reason or 'open at some x₀'}"


def _evidence(reading: Reading, formula: Cnf, study: ClauseStudy) -> str:
    """Say of one clause what the reading says and what is right."""
    name = f"clause {study.clause + 1}, {clause_text(formula.clauses[study.clause])},"
    right = f"{name} is in {'a' if study.in_mus.answer else 'no'} MUS"
    if reading is Reading.B and study.prime_implicant is not None:
        return f"{right}; {term_text(formula, study.prime_implicant)} is a PI of ψ"
    if reading in (Reading.C, Reading.C_SOME, Reading.C_EVERY):
        member = study.in_mus.answer
        wrong = [
            at for at, said in zip(points(formula.variables), study.at_points, strict=True) if said is (not member)
        ]
        says = "is in no AXp" if member else "is in an AXp"
        shown = point_text(wrong[0]) if wrong else "…"
        more = f" (and {len(wrong) - 1} more of {len(study.at_points)} x₀)" if len(wrong) > 1 else ""
        axp = f", {set_text(formula, study.axp)}" if study.axp is not None and not member else ""
        return f"{right}; s_{study.clause + 1} {says}{axp} at x₀ = {shown}{more}"
    return f"{right}; s_{study.clause + 1} {'is not' if study.in_mus.answer else 'is'} selected"


def outcome_of(study: Study, required: Sequence[Reading]) -> Outcome:
    """Return what came out: a failure of a *required* reading before anything that stays open.

    Routes that disagree, and clauses whose membership stays open, are inconclusive whatever is required.
    """
    outcomes = [verdict.outcome for verdict in study.readings if verdict.reading in required]
    if Outcome.VIOLATED in outcomes:
        return Outcome.VIOLATED
    opened = any(clause.in_mus.answer is None for clause in study.clauses)
    return Outcome.INCONCLUSIVE if opened or study.disagreements or Outcome.INCONCLUSIVE in outcomes else Outcome.HOLDS


def exit_status(study: Study, required: Sequence[Reading]) -> int:
    """Return the exit status: 0, 1 or 3."""
    return _STATUS[outcome_of(study, required)]
