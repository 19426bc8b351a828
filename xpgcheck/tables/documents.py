"""Explained rows and their summary as JSON: the parts, of which the schemas are made."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from xpgcheck.explanations.documents import Names, Sets, Values
from xpgcheck.reports.schemas import Count, Record, ReportRecord


class RowChangeRecord(Record):
    """A closest change of a row."""

    values: Annotated[Values, Meta(description="The new values.")]
    class_name: Annotated[str, Meta(description="The class that they give.")] = field(name="class")
    proven: Annotated[bool, Meta(description="False where a closer one may exist.")]


class ExplainedRowRecord(Record):
    """A row with what was asked of it."""

    row: Annotated[Count, Meta(description="Its number, counted from 1.")]
    prediction: str
    axp: Annotated[Names | UnsetType, Meta(description="A smallest AXp.")] = UNSET
    because: Annotated[str | UnsetType, Meta(description="The values that would do of its features, in words.")] = UNSET
    values: Annotated[Sets | UnsetType, Meta(description="The same, exactly: an inflated AXp.")] = UNSET
    axps: Annotated[list[Names] | UnsetType, Meta(description="All AXps, smallest first.")] = UNSET
    cxps: Annotated[list[Names] | UnsetType, Meta(description="All CXps, smallest first.")] = UNSET
    change: Annotated[
        RowChangeRecord | UnsetType | None, Meta(description="A closest change; null where nothing changes the class.")
    ] = UNSET
    left_open: Annotated[
        str | UnsetType, Meta(description="What is not known of the row, such as lists cut short.")
    ] = UNSET


class FeatureCountsRecord(Record):
    """In how many rows a feature plays each role."""

    name: str
    in_some_axp: Annotated[Count, Meta(description="Which is where it is in some CXp.")]
    in_every_axp: Annotated[Count, Meta(description="Where it alone can change the class.")]
    in_smallest_cxp: Annotated[Count, Meta(description="Where it is in some CXp of the least size.")]


class ClassSummaryRecord(Record):
    """The rows that are predicted one class."""

    class_name: str = field(name="class")
    rows: Count
    undecided: Annotated[Count, Meta(description="Rows in which not all roles of all features are known.")]
    features: Annotated[list[FeatureCountsRecord], Meta(description="In the order of the model.")]


class TableSummaryDocument(ReportRecord, kw_only=True, tag="xpgcheck-table-summary"):
    """The summary of a table, as ``xpgcheck explain --all --json`` writes it."""

    model: str
    rows: Count
    distinct: Annotated[Count, Meta(description="Rows that were explained; the others are like one of them.")]
    left_open: Annotated[Count, Meta(description="Rows of which something that was asked is not known.")]
    undecided: Annotated[Count, Meta(description="Rows in which not all roles of all features are known.")]
    features: Annotated[list[FeatureCountsRecord], Meta(description="Over all rows, in the order of the model.")]
    classes: Annotated[list[ClassSummaryRecord], Meta(description="In the order of the model.")]
