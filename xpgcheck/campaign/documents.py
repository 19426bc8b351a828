"""A campaign's findings and its status as JSON: the parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports.schemas import Count, PassedOver, Record, ReportRecord, Seconds, Tally

Time = Annotated[str, Meta(description="A time of day, UTC. Nothing is decided by it.")]
OfPlan = Annotated[Count | None, Meta(description="Null where the plan is endless.")]


class CampaignFindingRecord(Record, kw_only=True):
    """Failures and open questions, as units and journals hold it."""

    about: Annotated[str, Meta(description="The property, or what was asked or checked.")]
    is_property: bool
    verdict: str
    outcome: Annotated[str, Meta(extra_json_schema={"enum": ["violated", "inconclusive"]})]
    way: Annotated[str, Meta(description="Tells failures to answer apart.")]
    evidence: str
    subject: str
    origin: str
    example: Annotated[Count, Meta(description="The generated case that met it, from 1; 0 for none.")]
    times: Annotated[Count, Meta(description="How many findings have this cause.")]
    non_terminals: Count
    features: Count
    case: Annotated[
        dict[str, Any] | None,
        Meta(description="The case as 'xpgcheck replay' reads it; null where it cannot be written."),
    ]


class CauseRecord(CampaignFindingRecord, kw_only=True):
    """A cause, with the finding that stands for it."""

    cause: Annotated[str, Meta(description="The same for the same cause, on every machine.")]
    unit: Annotated[Count, Meta(description="The first unit that met it.")]
    replay: Annotated[str, Meta(description="The command that tries it again, once the cases are exported.")]


class DoneRecord(Record):
    """Counts of what is done, out of the plan."""

    done: Count
    of: OfPlan


class TimesRecord(Record):
    """Seconds."""

    spent: Annotated[Seconds, Meta(description="Over all sessions.")]
    limit: Annotated[Seconds | None, Meta(description="What it may take (--for).")]
    left: Annotated[Seconds | None, Meta(description="About; null where unknown.")]
    of_units: Annotated[Seconds, Meta(description="The sum over all units.")]


class RateRecord(Record):
    """Cases a second."""

    overall: Seconds
    lately: Seconds


class WorkerRecord(Record):
    """The work of a worker."""

    units: Count
    cases: Count
    last: Time


class SessionRecord(Record):
    """A run of a driver."""

    started: Time
    ended: Time | None
    host: str
    pid: int
    workers: int


class CampaignStatus(ReportRecord, kw_only=True, tag="xpgcheck-campaign-status"):
    """Progress and findings of a campaign, added up from its journal."""

    name: str
    kind: Literal["properties", "gate", "check"]
    state: Annotated[str, Meta(description="'finished', 'running (…)', 'stopped' or 'killed (…)'; 'not begun'.")]
    finished: bool
    outcome: Outcome
    options: Annotated[dict[str, Any], Meta(description="All that decides the results.")]
    identity: Annotated[
        str,
        Meta(description="With what the journal was written: version, digest of the sources, version of Hypothesis."),
    ]
    part: Annotated[
        str,
        Meta(
            pattern="^[1-9][0-9]*/[1-9][0-9]*$",
            description="The part of the plan that its driver carries out: K/N, 1/1 for all.",
        ),
    ]
    units: DoneRecord
    cases: DoneRecord
    seconds: TimesRecord
    rate: RateRecord
    counts: Annotated[dict[str, Tally], Meta(description="For each question, the number of each result.")]
    inconclusive: Count
    reasons: Annotated[list[str], Meta(description="Some reasons of open questions.")]
    passed_over: PassedOver
    sizes: Annotated[
        dict[str, Tally],
        Meta(
            description="For non-terminals, features, AXps and CXps, the number of cases that have each number of them."
        ),
    ]
    query_seconds: Annotated[
        dict[str, Tally],
        Meta(
            description='For each ability, the number of answers that took from 2^k up to 2^(k+1) microseconds, under "k".'
        ),
    ]
    layers: Annotated[dict[str, float], Meta(description="Where the time of the units went, in seconds.")]
    workers: dict[str, WorkerRecord]
    sessions: list[SessionRecord]
    last_unit: Time | None
    now: Time
    findings: list[CauseRecord]
    more_causes: Annotated[Count, Meta(description="Causes beyond those that are listed.")]
