"""The report of ``xpgcheck reduction`` as JSON: its parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

from xpgcheck.reports.schemas import Count, Record, ReportRecord, Seconds

Number = Annotated[int, Meta(ge=1)]
PointText = Annotated[str, Meta(pattern="^[01]*$")]
Literals = list[Annotated[int, Meta(extra_json_schema={"not": {"const": 0}})]]
ReadingName = Literal["A", "B", "C", "C-some", "C-every", "D"]
OutcomeName = Literal["holds", "fails", "inconclusive"]


class DnfRecord(Record):
    """The size of ψ: k + n variables, k terms, k + L literals."""

    variables: Count
    terms: Count
    literals: Count


class MusRecord(Record):
    """A MUS: RUP lines that refute its clauses, and of each of them a point that satisfies the others."""

    clauses: list[Number]
    refutation: list[Literals]
    models: list[PointText]


class FamilyRecord(Record):
    """Evidence that the lists are complete."""

    muses: list[MusRecord]
    mcses: list[list[Number]]
    models: list[PointText]
    refutation: list[Literals]


class RouteRecord(Record):
    """The answer of one route."""

    route: str
    answer: bool | None
    reason: str


class SettledRecord(Record):
    """The belief about one question."""

    answer: bool | None
    routes: list[RouteRecord]
    reason: Annotated[str, Meta(description="Why the question stays open.")]


class NoRecord(Record):
    """Evidence that the clause is in no MUS."""

    counterexamples: list[PointText]
    refutation: list[Literals]


class ClauseRecord(Record):
    """The findings about one clause."""

    clause: Number
    literals: Literals
    in_some_mus: SettledRecord
    mus: Annotated[
        MusRecord | None,
        Meta(
            description=(
                "A MUS with the clause: RUP lines that refute its clauses, and of each of them a point that "
                "satisfies the others."
            )
        ),
    ]
    no: Annotated[
        NoRecord | None,
        Meta(description=("Evidence that the clause is in no MUS: RUP lines, see docs/explanation/reduction.md.")),
    ]
    selected: Annotated[
        dict[str, SettledRecord],
        Meta(
            description="What each reading says of the clause's selector.",
            extra_json_schema={"propertyNames": {"enum": list(get_args(ReadingName))}},
        ),
    ]
    prime_implicant: Annotated[
        Literals | None,
        Meta(
            description=(
                "A prime implicant of ψ over selectors and variables that holds the selector, in variables of ψ."
            )
        ),
    ]
    axp: Annotated[
        list[Number] | None,
        Meta(description="An AXp that holds the selector, at the first x₀ that has one, as variables of ψ."),
    ]
    at_points: Annotated[
        list[bool | None],
        Meta(
            description=(
                "Reading C at each x₀, in the order of binary numbers, variable 1 the highest digit; empty "
                "where it was not asked."
            )
        ),
    ]


class ReadingRecord(Record):
    """The verdict on a reading."""

    reading: ReadingName
    statement: str
    outcome: OutcomeName
    asked: Count
    fails_at: list[Number]
    open_at: list[Number]
    evidence: str


class ReductionReport(ReportRecord, kw_only=True, tag="xpgcheck-reduction-report"):
    """Clauses are numbered from 1, in the order of the file.

    Variable j of the DNF ψ selects clause j; with k clauses, variable k + v is variable v of the formula.
    A point is a text of 0s and 1s, variable 1 first.
    """

    formula: Annotated[str, Meta(description="The name of the file.")]
    variables: Count
    clauses: Annotated[list[Literals], Meta(description="The formula.")]
    literals: Count
    dnf: DnfRecord
    satisfiable: Annotated[bool | None, Meta(description="Null: not decided in time.")]
    model: Annotated[PointText | None, Meta(description="A point that satisfies the formula, or null.")]
    muses: Annotated[list[list[Number]], Meta(description="The MUSes that were listed.")]
    mcses: Annotated[list[list[Number]], Meta(description="The MCSes met on the way.")]
    complete: Annotated[bool, Meta(description="Whether both lists are complete.")]
    family: Annotated[
        FamilyRecord | None,
        Meta(
            description=(
                "That the lists are complete: each MUS with its evidence; of each MCS a point that "
                "satisfies what it leaves; RUP lines that refute 'hold a clause of each MCS, contain no "
                "MUS' over one variable for each clause: clauses for the MCSes, then for the MUSes. Null where the "
                "lists are not complete, or the time for this was over."
            )
        ),
    ]
    asked: list[ClauseRecord]
    readings: list[ReadingRecord]
    required: Annotated[list[ReadingName], Meta(description="The readings that had to hold.")]
    outcome: OutcomeName
    exit_status: Literal[0, 1, 3]
    verdict: str
    disagreements: list[str]
    left_out: Annotated[list[str], Meta(description="What was not asked, and why.")]
    seconds: Seconds
