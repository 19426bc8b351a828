"""The report of a gate as JSON: its parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from xpgcheck.claims.documents import InstanceRecord, JudgedRecord
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.reports.schemas import Count, PassedOver, Record, ReportRecord, Seconds, Tally


class CountRecord(Record):
    """The number of times that a question led to a verdict."""

    about: Annotated[str, Meta(description="What was asked: an ability, or a kind of claim on file.")]
    verdict: Verdict
    outcome: Outcome
    count: Annotated[int, Meta(ge=1)]


class PropertyTallyRecord(Record):
    """A property, and of how many cases it said what."""

    name: str
    held: Count
    failed: Count
    open: Count
    silent: Annotated[Count, Meta(description="Cases of which it says nothing.")]
    seconds: Seconds
    reasons: Annotated[list[str], Meta(description="Why some cases stayed open.")]


class GateFindingRecord(Record, kw_only=True):
    """Something that does not hold, or stayed open."""

    about: Annotated[str, Meta(description="What was asked: an ability, a kind of claim on file, or a property.")]
    is_property: bool
    verdict: str
    outcome: Outcome
    text: Annotated[str, Meta(description="What is wrong, in one line.")]
    times: Annotated[int, Meta(ge=1)]
    origin: Annotated[str, Meta(description="Where the case comes from.")]
    example: Annotated[Count, Meta(description="The generated case on which it first happened, from 1; 0: none.")]
    line: Annotated[Count, Meta(description="The line of the claims file, from 1; 0: none.")]
    file: Annotated[str, Meta(description="The saved case, for 'xpgcheck replay'; may be empty.")]
    certificate: Annotated[str, Meta(description="The certificate next to the saved case; may be empty.")]
    stderr: Annotated[str, Meta(description="The end of what the subject wrote there.")]
    non_terminals: Count
    features: Count
    dice: Annotated[Count, Meta(description="The number behind a property's own choices.")]
    judged: list[JudgedRecord]
    instance: InstanceRecord
    graph: Annotated[
        dict[str, Any] | None,
        Meta(description="A decision-graph or an ensemble document; null: its names cannot be written."),
    ]
    constraints: Annotated[
        dict[str, Any] | UnsetType,
        Meta(description="A constraints document, where claims are made under a constraint."),
    ] = UNSET


class DeckShare(Record):
    """The designed cases, and of how many of them some answer was judged."""

    cases: Count
    judged: Count
    late: Annotated[Tally, Meta(description="Answers that took too long where that is not judged, by what was asked.")]


class GateReport(ReportRecord, kw_only=True, tag="xpgcheck-gate-report"):
    """The report that ``xpgcheck gate --json``, ``verify --json`` and ``replay --json`` write."""

    title: Annotated[str, Meta(description="What was judged.")]
    subject: Annotated[str, Meta(description="The explainer that was judged; may be empty.")]
    subject_version: str
    notion: Annotated[
        str,
        Meta(
            description="The notion of the sets of its claims: features, conditions, conditions-with-theory, constraints."
        ),
    ]
    abilities: Annotated[list[str], Meta(description="The methods that are judged.")]
    passed_over: PassedOver
    models: Annotated[list[str], Meta(description="The kinds of models that the subject takes.")]
    judges: Annotated[list[str], Meta(description="Judges of plug-ins, whose disagreement leaves a claim open.")]
    not_asked: Annotated[
        Tally, Meta(description="Cases of other models, by the kind of these, at which it was not asked.")
    ]
    again: Annotated[str, Meta(description="The command line that repeats the run.")]
    outcome: Outcome
    exit_status: Literal[0, 1, 2, 3]
    verdict: Annotated[str, Meta(description="The last line of the report on the terminal.")]
    claims: Annotated[Count, Meta(description="Claims that were judged.")]
    violations: Annotated[Count, Meta(description="Wrong claims, and cases on which a property failed.")]
    inconclusive: Annotated[Count, Meta(description="Claims, and cases of properties, that stayed open.")]
    cases: Annotated[Tally, Meta(description="Cases by where they come from.")]
    deck: Annotated[DeckShare, Meta(description="How much of the deck was judged.")]
    questions: Annotated[Count, Meta(description="Questions to the subject.")]
    restarts: Annotated[Count, Meta(description="How often the subject was started again.")]
    seconds: Seconds
    counts: list[CountRecord]
    projected: Annotated[
        list[CountRecord],
        Meta(
            description="The same claims, over conditions, taken over features: "
            "a separate question without influence on the outcome."
        ),
    ]
    unsupported: Annotated[Tally, Meta(description="Questions that the subject declined, by what was asked.")]
    properties: list[PropertyTallyRecord]
    findings: Annotated[
        list[GateFindingRecord],
        Meta(
            max_length=1000,
            description="What does not hold or stayed open: the smallest case of each thing asked and verdict.",
        ),
    ]
    certified: Annotated[Count, Meta(description="Claims whose certificates were written (--certificates).")]
    without_certificate: Annotated[Tally, Meta(description="Claims that have none, by what they are.")]
    witnesses: Annotated[
        Tally, Meta(description="Witnesses that came with claimed CXps, by what is wrong with them; empty: nothing.")
    ]
    repeated: Annotated[list[CountRecord], Meta(description="Claims of an earlier line, which are in the counts too.")]
    bad_count: Annotated[Count, Meta(description="Input lines that were left out.")]
    bad: Annotated[list[str], Meta(max_length=1000, description="What is wrong with the first of them.")]
