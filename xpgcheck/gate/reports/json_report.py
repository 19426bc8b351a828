"""The report as JSON; ``schemas/gate-report.schema.json`` describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from msgspec import UNSET

from xpgcheck.claims.documents import instance_document, judged_document
from xpgcheck.errors import FormatError
from xpgcheck.gate.reports.documents import CountRecord, DeckShare, GateFindingRecord, GateReport, PropertyTallyRecord
from xpgcheck.gate.reports.summary import grid, verdict_line
from xpgcheck.gate.results import MAX_FINDINGS, Finding, Report, Row
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.properties.cases import LabelledCase
from xpgcheck.properties.running.outcomes import PropertyTally
from xpgcheck.reports.documents import record_text
from xpgcheck.writers.json_constraints import constraint_json
from xpgcheck.writers.json_model import classifier_json


def json_report(report: Report) -> str:
    """Return *report* as JSON text, in ASCII; the same report always gives the same text."""
    document = GateReport(
        title=report.title,
        subject=report.subject,
        subject_version=report.version,
        notion=report.notion,
        abilities=list(report.abilities),
        passed_over=dict(report.passed_over),
        models=list(report.models),
        judges=list(report.judges),
        not_asked=dict(report.not_asked),
        again=report.again,
        outcome=report.outcome(),
        exit_status=cast("Any", report.exit_status()),
        verdict=verdict_line(report),
        claims=report.claims,
        violations=report.number(Outcome.VIOLATED),
        inconclusive=report.number(Outcome.INCONCLUSIVE),
        cases=dict(sorted(report.cases.items())),
        deck=DeckShare(cases=report.deck[1], judged=report.deck[0], late=dict(sorted(report.late.items()))),
        questions=report.questions,
        restarts=report.restarts,
        seconds=round(report.seconds, 6),
        counts=_counts(report.counts),
        projected=_counts(report.projected),
        unsupported=dict(sorted(report.unsupported.items())),
        properties=[_property(name, tally) for name, tally in report.properties.items()],
        findings=[_finding(finding) for finding in report.findings[:MAX_FINDINGS]],
        certified=report.certified,
        without_certificate=dict(sorted(report.without.items())),
        witnesses=dict(sorted(report.witnesses.items())),
        repeated=_counts(report.repeated),
        bad_count=report.bad_count,
        bad=list(report.bad),
    )
    return record_text(document)


def _counts(counts: Mapping[Row, int]) -> list[CountRecord]:
    cells = grid(counts)
    return [
        CountRecord(about=about, verdict=verdict, outcome=verdict.outcome, count=number)
        for about, numbers in cells.rows
        for verdict, number in zip(cells.columns, numbers, strict=True)
        if number
    ]


def _property(name: str, tally: PropertyTally) -> PropertyTallyRecord:
    return PropertyTallyRecord(
        name=name,
        held=tally.held,
        failed=tally.failed,
        open=tally.open,
        silent=tally.silent,
        seconds=round(tally.seconds, 6),
        reasons=list(tally.reasons),
    )


def _finding(finding: Finding) -> GateFindingRecord:
    graph, instance = finding.case.graph, finding.case.instance
    constraint = None if isinstance(finding.case, LabelledCase) else finding.case.constraint
    nodes, features, _ = finding.size
    return GateFindingRecord(
        about=finding.about,
        is_property=finding.is_property,
        verdict=finding.verdict,
        outcome=finding.outcome,
        text=finding.text,
        times=finding.times,
        origin=finding.origin,
        example=finding.example,
        line=finding.line,
        file=finding.file,
        certificate=finding.certificate,
        stderr=finding.stderr,
        non_terminals=nodes,
        features=features,
        dice=finding.case.dice,
        judged=[judged_document(judged, graph, instance) for judged in finding.judged],
        instance=instance_document(graph, instance),
        graph=_graph(graph),
        constraints=UNSET if constraint is None else json.loads(constraint_json(constraint)),
    )


def _graph(graph: DecisionGraph | Ensemble) -> Any:
    """Return the document of *graph*; None where the format cannot hold its names, which is no reason to lose the rest."""
    try:
        return json.loads(classifier_json(graph))
    except FormatError:
        return None
