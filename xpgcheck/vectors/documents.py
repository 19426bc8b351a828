"""Files of test vectors: the parts, of which the schema is made."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, field

from xpgcheck.reports.schemas import Count, Record
from xpgcheck.vectors.notes import BugType

Text = Annotated[str, Meta(min_length=1)]
Flag = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
Values = Annotated[dict[str, Text], Meta(min_length=1)]
"""A point, for fields that say themselves which one: of two descriptions a schema keeps the inner one."""

Point = Annotated[
    Values,
    Meta(
        description="The value of each feature as a text: 0 or 1 of a Boolean one, a category, "
        "an exact number (an integer, a decimal or p/q), missing.",
    ),
]
Indices = Annotated[list[Count], Meta(extra_json_schema={"uniqueItems": True})]
"""A set of features, for fields that say themselves which one."""

Features = Annotated[Indices, Meta(description="Indices of features, increasing.")]
Needless = Annotated[
    Indices | UnsetType, Meta(description="For a redundant set: the features that can be left out, one at a time.")
]


class NoteRecord(Record):
    """The meaning of a flag."""

    bug_type: Annotated[
        BugType,
        Meta(
            description="basic: no bug in particular; edge case: input at an end of what is allowed; known bug: a published "
            "explainer fails on such inputs; arithmetic: numbers are rounded or compared wrongly; graph reading: nodes, "
            "edges, literals or names are lost; paths: shared nodes or features tested again are not followed; minimality: "
            "XPs that are not minimal, families that are not complete; notion: XPs over something else than features; "
            "cost: exponential time."
        ),
    ]
    description: Annotated[Text, Meta(description="The common point of the tests with the flag.")]
    effect: Annotated[Text, Meta(description="The effect of such a bug in an explainer.")]
    seen: Annotated[
        list[Text],
        Meta(description="Where such a bug was seen: published explainers, and seeded bugs of xpgcheck's self-test."),
    ]


class MissingXp(Record):
    """An XP."""

    kind: Literal["AXp", "CXp"]
    features: Features


class AxpClaim(Record, kw_only=True, tag_field="kind", tag="AXp"):
    """The claim that the features are an AXp."""

    features: Features
    verdict: Literal["AXp", "redundant", "insufficient"]
    needed: Annotated[
        list[Point] | UnsetType,
        Meta(
            description="For an AXp: for each of its features, in order, "
            "a point of another class that agrees with the instance on the others."
        ),
    ] = UNSET
    witness: Annotated[
        Values | UnsetType,
        Meta(description="For an insufficient set: a point of another class that agrees with the instance on it."),
    ] = UNSET
    needless: Needless = UNSET
    inside: Annotated[Indices | UnsetType, Meta(description="For a redundant set: an AXp inside it.")] = UNSET


class CxpClaim(Record, kw_only=True, tag_field="kind", tag="CXp"):
    """The claim that the features are a CXp."""

    features: Features
    verdict: Literal["CXp", "redundant", "ineffective"]
    witness: Annotated[
        Values | UnsetType,
        Meta(description="For a weak CXp: a point of another class that differs from the instance only there."),
    ] = UNSET
    needless: Needless = UNSET
    inside: Annotated[Indices | UnsetType, Meta(description="For a redundant set: a CXp inside it.")] = UNSET


class FamilyClaim(Record, kw_only=True, tag_field="kind", tag="family"):
    """The claim that the two families are all AXps and all CXps.  A wrong claim has one fault."""

    axps: list[Features]
    cxps: list[Features]
    verdict: Literal["complete", "incomplete", "duplicate", "not dual", "insufficient", "ineffective"]
    missing: Annotated[
        MissingXp | UnsetType, Meta(description="For incomplete families: an XP that is not listed.")
    ] = UNSET
    twice: Annotated[
        Indices | UnsetType, Meta(description="For families with a duplicate: the set that is listed twice.")
    ] = UNSET
    clash: Annotated[
        list[Features] | UnsetType,
        Meta(
            description="For families that are not dual: "
            "two sets of one family, the first of which lies inside the second.",
            extra_json_schema={"minItems": 2, "maxItems": 2},
        ),
    ] = UNSET
    at_fault: Annotated[
        Indices | UnsetType,
        Meta(description="A listed set that is no weak AXp (insufficient) or no weak CXp (ineffective)."),
    ] = UNSET
    witness: Annotated[
        Values | UnsetType,
        Meta(description="For an insufficient member: a point of another class that agrees with the instance on it."),
    ] = UNSET


class PredictionClaim(Record, tag_field="kind", tag="prediction"):
    """The claim that the instance has the class."""

    class_name: str = field(name="class")
    verdict: Literal["right prediction", "prediction mismatch"]


class MembershipClaim(Record, tag_field="kind", tag="membership"):
    """The claim that a feature is in some XP, or in none."""

    feature: Count
    member: bool
    verdict: Literal["right membership", "wrong membership"]


VectorClaim = AxpClaim | CxpClaim | FamilyClaim | PredictionClaim | MembershipClaim


class VectorTest(Record):
    """An instance of the graph, with all of its XPs."""

    tc_id: Annotated[int, Meta(ge=1, description="The number of the test: unique over all files, increasing in each.")]
    comment: Text
    flags: Annotated[list[Flag], Meta(min_length=1, extra_json_schema={"uniqueItems": True})]
    instance: Point
    class_name: Annotated[str, Meta(description="The class of the instance, by name.")] = field(name="class")
    axps: Annotated[
        list[Features],
        Meta(description="All AXps, by size and then by members. A constant classifier has the empty one alone."),
    ]
    cxps: Annotated[
        list[Features],
        Meta(description="All CXps, by size and then by members. A constant classifier has none."),
    ]
    claims: Annotated[
        list[VectorClaim],
        Meta(
            min_length=1,
            description="Claims about the instance, the verdict on each, and evidence (one of several possible).",
        ),
    ]


class GroupRecord(Record):
    """A graph with its tests."""

    kind: Literal["edge case", "tree", "obdd", "omdd", "ordered", "graph", "ladder"]
    graph: Annotated[
        dict[str, Any],
        Meta(
            description="A decision-graph document, see the schema decision-graph.",
            extra_json_schema={
                "required": ["format", "version", "name", "features", "classes", "nodes"],
                "properties": {"format": {"const": "decision-graph"}, "version": {"const": 1}},
            },
        ),
    ]
    tests: Annotated[list[VectorTest], Meta(min_length=1)]


class VectorFile(Record):
    """Test vectors for explainers of decision graphs.

    They are graphs, instances, all AXps and CXps of each, and claims with the verdicts on them.  Features are named by
    their index, from 0, in the order of the graph's features; a list of them is increasing.  That numbers of tests are
    unique, that flags have notes and that verdicts are right is checked by programs, not by this schema.
    """

    format: Literal["xpgcheck-test-vectors"]
    version: Literal[1]
    name: Annotated[str, Meta(pattern="^[a-z_]+$", description="The name of the file, without its ending.")]
    description: Text
    made_with: Annotated[
        dict[str, Text],
        Meta(
            description="The versions that made the file: the same ones and the same seed give the same bytes.",
            extra_json_schema={"required": ["xpgcheck"]},
        ),
    ]
    seed: Count
    number_of_tests: Annotated[int, Meta(ge=1)]
    notes: Annotated[dict[Flag, NoteRecord], Meta(min_length=1, description="What each flag in this file stands for.")]
    test_groups: Annotated[list[GroupRecord], Meta(min_length=1)]
