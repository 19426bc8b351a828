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


class ExplainedModelRecord(Record):
    """The model that predicts."""

    name: str
    features: Count
    nodes: Count


class AxpRecord(Record):
    """An AXp."""

    features: Names
    text: Annotated[str, Meta(description="The AXp as a sentence.")]


class ClosestRecord(Record):
    """A closest point of another class."""

    values: Values
    class_name: Annotated[str, Meta(description="The class of the instance with these values.")] = field(name="class")
    cells: Annotated[Count, Meta(description="The distance: cells of the model between, over the features.")]
    value_distance: Annotated[str, Meta(description="For ties: the distance in numbers to the cells' near ends.")]
    proven: Annotated[bool, Meta(description="False where the search was cut short: a closer point may exist.")]


class CxpRecord(Record):
    """A CXp."""

    features: Names
    text: Annotated[str, Meta(description="The CXp with its closest change as a sentence.")]
    closest: Annotated[
        ClosestRecord | None, Meta(description="A closest point of another class; null for an .xpg model.")
    ]


class ExplainedFamilyRecord(Record, kw_only=True):
    """AXps, or CXps."""

    total: Annotated[Count | None, Meta(description="How many there are; null if not known.")]
    complete: Annotated[bool, Meta(description="Whether all of them are members.")]
    members: list[Any]
    notes: Annotated[list[str], Meta(description="What else is to be said, in words.")]
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
    in_some_axp: bool
    in_every_axp: Annotated[bool, Meta(description="Necessary.")]
    in_some_cxp: Annotated[bool, Meta(description="The same as in_some_axp.")]
    in_every_cxp: Annotated[bool, Meta(description="Alone sufficient.")]


class ExplanationsDocument(ReportRecord, kw_only=True, tag="xpgcheck-explanations"):
    """What ``xpgcheck explain --json`` writes about one prediction."""

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
