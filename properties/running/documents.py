"""The report of a run as JSON: its parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from xpgcheck.reports.schemas import Count, Record, ReportRecord, Seconds


class OptionsRecord(Record):
    """The options of the run, which reproduce it."""

    subject: str
    profile: str
    examples: Count
    seed: Count
    size: Annotated[int, Meta(ge=1)]
    properties: Annotated[list[str], Meta(description="As selected; empty: all.")]
    smt: bool
    corpus: str | None


class PropertyRecord(Record):
    """A property, and of how many cases it said what."""

    name: str
    statement: str
    source: Annotated[str, Meta(description="The place in the paper.")]
    held: Annotated[Count, Meta(description="Cases on which it held.")]
    failed: Annotated[Count, Meta(description="Cases on which it failed; what shrinking tries is not counted.")]
    open: Annotated[Count, Meta(description="Cases on which the oracles left it open.")]
    silent: Annotated[Count, Meta(description="Cases of which it says nothing.")]
    seconds: Seconds
    reasons: Annotated[list[str], Meta(description="Why some cases stayed open.")]


class FindingRecord(Record):
    """A property that failed, with the smallest case."""

    property: str
    subject: str
    verdict: str
    evidence: str
    example: Annotated[
        Count,
        Meta(description=("The generated case on which it first failed, from 1; 0: a kept case.")),
    ]
    origin: str
    non_terminals: Count
    features: Annotated[int, Meta(ge=1)]
    dice: Annotated[Count, Meta(description="The number behind the property's own choices.")]
    instance: dict[str, str]
    graph: Annotated[dict[str, Any], Meta(description="A decision-graph document.")]


class RunReport(ReportRecord, kw_only=True, tag="xpgcheck-run-report"):
    """The report that ``xpgcheck properties run --json`` writes."""

    options: OptionsRecord
    abilities: Annotated[list[str], Meta(description="The methods of the subject that are judged.")]
    passed_over: Annotated[
        dict[str, str], Meta(description="Methods that have the name of an ability and are not judged, each with why.")
    ]
    cases: Annotated[Count, Meta(description="Cases tried: kept ones and generated ones.")]
    violations: Annotated[Count, Meta(description="Properties that failed.")]
    inconclusive: Annotated[Count, Meta(description="Questions that stayed open.")]
    properties: list[PropertyRecord]
    labels: Annotated[
        dict[str, Count],
        Meta(description=("With --statistics: how many generated cases had each label.")),
    ]
    findings: list[FindingRecord]
