"""Lines of JSON about published claims: the verdict on each, and every answer that it rests on."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from xpgcheck.judging.verdicts import Verdict
from xpgcheck.reports.schemas import Record


class AnswerRecord(Record, kw_only=True):
    """One answer: a point of another class that agrees with the instance on what is fixed, or who says there is none."""

    fixed: Annotated[list[str], Meta(description="Features that have the values of the instance.")]
    point: Annotated[
        list[str] | UnsetType,
        Meta(description="A point of another class, replayed: a value for each feature in order."),
    ] = UNSET
    no_point_by: Annotated[
        list[str] | UnsetType, Meta(description="The routes that say, each by itself, that there is none.")
    ] = UNSET


class PublishedClaimRecord(Record, kw_only=True):
    """A claim of a log, judged: features, classes and values are written as in models."""

    forest: str
    line: Annotated[int, Meta(ge=1, description="The line of the log.")]
    claim: Annotated[str, Meta(description="What is judged: AXp, CXp, or the predicted class where it is another one.")]
    features: list[str]
    instance: dict[str, str]
    class_name: Annotated[str, Meta(description="The class of the instance.")] = field(name="class")
    verdict: Verdict
    text: Annotated[str, Meta(description="The verdict in words.")]
    evidence: list[AnswerRecord]
