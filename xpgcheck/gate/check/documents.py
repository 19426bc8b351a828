"""The report of a cross-check as JSON: its parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from xpgcheck.reports.schemas import Count, Record, ReportRecord, Seconds


class KindRecord(Record):
    """XPs of one kind an instance, and their average length in percent of the features."""

    max: Count
    min: Count
    avg: Annotated[float, Meta(ge=0)]
    length_percent: Annotated[float, Meta(ge=0, le=100)]


class XpsRecord(Record):
    """XPs of both kinds."""

    avg: Annotated[float, Meta(ge=0)]


class CheckFindingRecord(Record):
    """Something that does not hold, or stayed open."""

    outcome: Literal["violated", "inconclusive"]
    check: Literal["axp_sufficient", "axp_minimal", "cxp_changes", "cxp_minimal", "values", "complete", "oracles"]
    instance: Count
    point: str
    claim: str
    verdict: str
    evidence: str


class ModelRecord(Record):
    """A row of the table."""

    name: str
    features: Count
    nodes: Annotated[Count, Meta(description="Terminals counted.")]
    depth: Annotated[Count, Meta(description="Edges on a longest path.")]
    instances: Count
    instances_from: Annotated[str, Meta(description="Where the instances come from.")]
    seconds: Annotated[Seconds, Meta(description="Time to build the XpGs and enumerate all XPs.")]
    oracle_seconds: Annotated[Seconds, Meta(description="Time of the oracles.")]
    xps: XpsRecord
    axp: KindRecord
    cxp: KindRecord
    violations: Count
    inconclusive: Count
    checks: Annotated[dict[str, Count], Meta(description="How many times each check was made.")]
    queries: Annotated[
        dict[str, Count],
        Meta(description="How many questions each oracle was asked, and how many an earlier witness answered."),
    ]
    findings: Annotated[list[CheckFindingRecord], Meta(description="The first 1,000 findings.")]


class CheckReport(ReportRecord, kw_only=True, tag="xpgcheck-check-report"):
    """The report that ``xpgcheck check --json`` writes."""

    options: Annotated[dict[str, Any], Meta(description="The options of the run, as given or by default.")]
    violations: Annotated[Count, Meta(description="Claims that do not hold, over all models.")]
    inconclusive: Annotated[Count, Meta(description="Questions that stayed open, over all models.")]
    models: list[ModelRecord]
