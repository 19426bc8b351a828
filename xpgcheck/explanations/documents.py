"""Explanations as JSON: the parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from xpgcheck.explanations.result import Mode
from xpgcheck.reports.schemas import Count, Record, ReportRecord

Names = Annotated[list[str], Meta(extra_json_schema={"uniqueItems": True})]
Values = Annotated[
    dict[str, str],
    Meta(description="Exact values by feature: 0 or 1, a category, an integer, a decimal or p/q, missing."),
]


Sets = Annotated[
    dict[str, list[str | int]],
    Meta(
        description="Sets of values by feature, exact, as the 'in' of edges of the decision-graph format writes them."
    ),
]


class ClassTallyRecord(Record):
    """The share of one class from the trees of an ensemble at the instance."""

    class_name: str = field(name="class")
    amount: Annotated[str, Meta(description="Votes, or the exact sum: an integer, a decimal or p/q.")]


class EnsembleRecord(Record):
    """The ensemble at the instance."""

    rule: Annotated[str, Meta(description="How its trees' answers become one class, in words.")]
    trees: Count
    tally: Annotated[list[ClassTallyRecord], Meta(description="In the order of the classes.")]
    margin: Annotated[str, Meta(description="By how much the class is ahead of the next: votes, or an exact sum.")]
    rounding: Annotated[str, Meta(description="How far the source's sums may be off: below this, nothing is certain.")]


class ExplainedModelRecord(Record):
    """The model that predicts."""

    name: str
    features: Count
    nodes: Count
    ensemble: Annotated[EnsembleRecord | UnsetType, Meta(description="Where it is one: how it stands.")] = UNSET
    constraints: Annotated[
        str | UnsetType, Meta(description="The digest of the constraint, where only points that can occur count.")
    ] = UNSET


class AxpRecord(Record):
    """An AXp."""

    features: Names
    text: Annotated[str, Meta(description="The AXp as a sentence.")]
    doubt: Annotated[
        str | UnsetType, Meta(description="The open questions about it, such as whether it is minimal.")
    ] = UNSET
    values: Annotated[Sets | UnsetType, Meta(description="An inflated AXp: which values of each feature would do.")] = (
        UNSET
    )
    other_values: Annotated[
        list[Sets] | UnsetType, Meta(description="Other inflated AXps of the same features, where they were asked for.")
    ] = UNSET
    all_values: Annotated[
        bool | UnsetType, Meta(description="Whether values and other_values are all inflated AXps of these features.")
    ] = UNSET
    settled_trees: Annotated[
        Count | UnsetType, Meta(description="For an ensemble: the trees whose answers it fixes.")
    ] = UNSET


class ClosestRecord(Record):
    """A closest point of another class."""

    values: Values
    class_name: Annotated[str, Meta(description="The class of the instance with these values.")] = field(name="class")
    cells: Annotated[Count, Meta(description="The distance: cells of the model between, over the features.")]
    value_distance: Annotated[str, Meta(description="For ties: the distance in numbers to the cells' near ends.")]
    proven: Annotated[bool, Meta(description="False where the search was cut short: a closer point may exist.")]
    around: Annotated[
        Sets | UnsetType,
        Meta(description="An inflated change: the values around these that give the class as well, all else as it is."),
    ] = UNSET


class CxpRecord(Record):
    """A CXp."""

    features: Names
    text: Annotated[str, Meta(description="The CXp with its closest change as a sentence.")]
    closest: Annotated[
        ClosestRecord | None, Meta(description="A closest point of another class; null for an .xpg model.")
    ]
    values: Annotated[
        Sets | UnsetType, Meta(description="An inflated CXp: all values of each feature that some change has.")
    ] = UNSET
    doubt: Annotated[
        str | UnsetType, Meta(description="The open questions about it, such as whether it is minimal.")
    ] = UNSET


class ExplainedFamilyRecord(Record, kw_only=True):
    """AXps, or CXps."""

    total: Annotated[Count | None, Meta(description="How many there are; null if not known.")]
    complete: Annotated[bool, Meta(description="Whether all of them are members.")]
    members: list[Any]
    notes: Annotated[list[str], Meta(description="Further remarks, in words.")]
    never: Annotated[Names | UnsetType, Meta(description="Features asked to be left out.")] = UNSET
    left_out: Annotated[
        Names | UnsetType, Meta(description="Preferred features that could not be held with the others.")
    ] = UNSET


class AxpsRecord(ExplainedFamilyRecord, kw_only=True):
    """AXps."""

    members: Annotated[list[AxpRecord], Meta(description="Smallest first.")]
    obstacle: Annotated[
        CxpRecord | UnsetType,
        Meta(
            description="Where no AXp does without 'never': a CXp made of these features alone, which every AXp must hit."
        ),
    ] = UNSET


class CxpsRecord(ExplainedFamilyRecord, kw_only=True):
    """CXps."""

    members: Annotated[list[CxpRecord], Meta(description="Smallest first.")]
    obstacle: Annotated[
        AxpRecord | UnsetType,
        Meta(
            description="Where no CXp does without 'never': an AXp made of these features alone, which every CXp must hit."
        ),
    ] = UNSET


class RolesRecord(Record):
    """A feature, and of which XPs it is a member."""

    name: str
    domain: Annotated[str | None, Meta(description="Its domain in words; null for an .xpg model.")]
    in_some_axp: Annotated[bool | None, Meta(description="Null where it was not decided, of an ensemble.")]
    in_every_axp: Annotated[bool | None, Meta(description="Necessary.")]
    in_some_cxp: Annotated[bool | None, Meta(description="The same as in_some_axp.")]
    in_every_cxp: Annotated[bool | None, Meta(description="Alone sufficient.")]


class ExplanationsDocument(ReportRecord, kw_only=True, tag="xpgcheck-explanations"):
    """The document that ``xpgcheck explain --json`` writes about one prediction."""

    model: ExplainedModelRecord
    instance: Annotated[
        Values | None, Meta(description="The instance; null for an .xpg model, which does not hold it.")
    ]
    prediction: Annotated[str | None, Meta(description="The class; null for an .xpg model.")]
    mode: Annotated[
        Mode,
        Meta(description="all: every AXp and CXp, or as many as the limit allows; one, smallest: one of each kind."),
    ]
    complete: Annotated[bool, Meta(description="Whether every AXp and every CXp is listed.")]
    axps: AxpsRecord
    cxps: CxpsRecord
    features: Annotated[list[RolesRecord], Meta(description="In the order of the model.")]
