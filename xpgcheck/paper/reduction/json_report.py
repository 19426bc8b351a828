"""A study as JSON; ``schemas/reduction-report.schema.json`` describes it.  Clauses are numbered from 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from xpgcheck.oracles.propositional.formulas import Point
from xpgcheck.oracles.propositional.membership_cegar import NoEvidence
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.oracles.propositional.refutations import FamilyEvidence, MusEvidence
from xpgcheck.paper.reduction.answers import ClauseStudy, Reading, ReadingVerdict, Settled, Study
from xpgcheck.paper.reduction.console import verdict_line
from xpgcheck.paper.reduction.documents import (
    ClauseRecord,
    DnfRecord,
    FamilyRecord,
    MusRecord,
    NoRecord,
    ReadingRecord,
    ReductionReport,
    RouteRecord,
    SettledRecord,
)
from xpgcheck.paper.reduction.verdicts import WORDS, exit_status, outcome_of
from xpgcheck.reports.documents import record_text


def json_report(study: Study, required: Sequence[Reading]) -> str:
    """Return *study* as JSON text, in ASCII; the same study always gives the same text."""
    psi = selector_dnf(study.formula)
    document = ReductionReport(
        formula=study.name,
        variables=study.formula.variables,
        clauses=[list(clause) for clause in study.formula.clauses],
        literals=sum(map(len, study.formula.clauses)),
        dnf=DnfRecord(variables=psi.variables, terms=len(psi.terms), literals=sum(map(len, psi.terms))),
        satisfiable=study.satisfiable,
        model=None if study.model is None else _point(study.model),
        muses=[_numbers(mus) for mus in study.muses],
        mcses=[_numbers(mcs) for mcs in study.mcses],
        complete=study.complete,
        family=None if study.family is None else _family(study.family),
        asked=[_clause(clause, study) for clause in study.clauses],
        readings=[_reading(verdict) for verdict in study.readings],
        required=[cast("Any", reading.value) for reading in required],
        outcome=cast("Any", WORDS[outcome_of(study, required)]),
        exit_status=cast("Any", exit_status(study, required)),
        verdict=verdict_line(study, required),
        disagreements=study.disagreements,
        left_out=list(study.notes),
        seconds=round(study.seconds, 6),
    )
    return record_text(document)


def _clause(clause: ClauseStudy, study: Study) -> ClauseRecord:
    return ClauseRecord(
        clause=clause.clause + 1,
        literals=list(study.formula.clauses[clause.clause]),
        in_some_mus=_settled(clause.in_mus),
        mus=None if clause.mus is None else _mus(clause.mus),
        no=None if clause.no is None else _no(clause.no),
        selected={reading.value: _settled(said) for reading, said in clause.selected.items()},
        prime_implicant=None if clause.prime_implicant is None else list(clause.prime_implicant),
        axp=None if clause.axp is None else [feature + 1 for feature in sorted(clause.axp)],
        at_points=list(clause.at_points),
    )


def _settled(said: Settled) -> SettledRecord:
    return SettledRecord(
        answer=said.answer,
        routes=[RouteRecord(route=r.route, answer=r.answer, reason=r.reason) for r in said.routes],
        reason=said.reason,
    )


def _mus(evidence: MusEvidence) -> MusRecord:
    return MusRecord(
        clauses=[clause + 1 for clause in evidence.clauses],
        refutation=[list(line) for line in evidence.refutation],
        models=[_point(model) for model in evidence.models],
    )


def _family(evidence: FamilyEvidence) -> FamilyRecord:
    return FamilyRecord(
        muses=[_mus(mus) for mus in evidence.muses],
        mcses=[_numbers(mcs) for mcs in evidence.mcses],
        models=[_point(model) for model in evidence.models],
        refutation=[list(line) for line in evidence.refutation],
    )


def _no(evidence: NoEvidence) -> NoRecord:
    return NoRecord(
        counterexamples=[_point(point) for point in evidence.counterexamples],
        refutation=[list(line) for line in evidence.refutation],
    )


def _reading(verdict: ReadingVerdict) -> ReadingRecord:
    return ReadingRecord(
        reading=cast("Any", verdict.reading.value),
        statement=verdict.reading.statement,
        outcome=cast("Any", WORDS[verdict.outcome]),
        asked=verdict.asked,
        fails_at=_numbers(verdict.fails_at),
        open_at=_numbers(verdict.open_at),
        evidence=verdict.evidence,
    )


def _numbers(clauses: Iterable[int]) -> list[int]:
    return sorted(clause + 1 for clause in clauses)


def _point(point: Point) -> str:
    return "".join("1" if value else "0" for value in point)
