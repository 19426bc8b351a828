"""The file of the deck: the parts, of which its schema is made."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from xpgcheck.reports.schemas import Count, JsonText, Record

FORMAT = "xpgcheck-deck"
VERSION = 2
"""The version that is written.  Version 1 had no sets of values; it is read, too."""

Text = Annotated[str, Meta(min_length=1)]
Features = Annotated[
    list[Count], Meta(description="Indices of features, increasing.", extra_json_schema={"uniqueItems": True})
]


class DeckInflation(Record):
    """An inflated AXp, or an inflated CXp: its features, and the values of each."""

    features: Annotated[
        list[Count],
        Meta(
            description="Indices of features; of an AXp in the order in which their sets grow, the first as far as it can.",
            extra_json_schema={"uniqueItems": True},
        ),
    ]
    values: Annotated[
        list[list[str | int]],
        Meta(description="The set of each feature, in the same order, as 'in' of edges lists it."),
    ]


class DeckTest(Record):
    """An instance of the graph, with its XPs.

    A family that is too large to list is left out; of such an instance one XP is asked for, and membership.  Either of
    the two families says all: the AXps are the minimal sets that share a feature with every CXp, and the other way round.
    """

    comment: str
    instance: Annotated[
        dict[str, str],
        Meta(
            min_length=1,
            description="The value of each feature as a text: 0 or 1 of a Boolean one, a category, "
            "an exact number (an integer, a decimal or p/q), missing.",
        ),
    ]
    class_name: Annotated[str, Meta(description="The class of the instance, by name.")] = field(name="class")
    axps: Annotated[
        list[Features] | UnsetType, Meta(description="All AXps, by size and then by members; left out where too many.")
    ] = UNSET
    cxps: Annotated[
        list[Features] | UnsetType, Meta(description="All CXps, by size and then by members; left out where too many.")
    ] = UNSET
    inflated_axp: Annotated[
        DeckInflation | UnsetType, Meta(description="A largest box around the instance that leaves the class as it is.")
    ] = UNSET
    inflated_cxp: Annotated[
        DeckInflation | UnsetType, Meta(description="All values that changes of a CXp give its features.")
    ] = UNSET


class DeckCase(Record):
    """A graph with instances, and why they are asked."""

    name: Text
    kinds: Annotated[list[Text], Meta(min_length=1, description="The errors of explainers that it is aimed at.")]
    reason: Annotated[Text, Meta(description="The effect of such a bug in an explainer.")]
    stands_for: Annotated[Text, Meta(description="The trait of real models that it is like.")]
    asked: Annotated[
        Literal["all", "one"],
        Meta(
            description="all: all XPs are asked for too; one: one AXp, one CXp, and membership, as there are too many."
        ),
    ]
    graph: Annotated[JsonText, Meta(description="A decision-graph document, see the schema decision-graph.")]
    tests: Annotated[list[DeckTest], Meta(min_length=1)]


class DeckSequence(Record):
    """Cases to be asked one after the other, by name: what an explainer remembers of one must not change another."""

    name: Text
    kinds: Annotated[list[Text], Meta(min_length=1)]
    reason: Text
    steps: Annotated[
        list[Text],
        Meta(
            min_length=2,
            description="Names of cases, each asked at all of its instances. 'again: NAME' asks about the same graph object "
            "as before, 'another: NAME' about an equal graph read again, 'nonsense: NAME' a question without an answer.",
        ),
    ]


class Deck(Record):
    """Designed cases for explainers of decision graphs, with the right families of XPs."""

    format: Literal["xpgcheck-deck"]
    version: Literal[1, 2]
    description: Text
    made_with: dict[str, Text]
    kinds: Annotated[dict[Text, Text], Meta(description="The subject of each of the kinds.")]
    number_of_cases: Count
    number_of_tests: Count
    cases: Annotated[list[DeckCase], Meta(min_length=1)]
    sequences: list[DeckSequence]
