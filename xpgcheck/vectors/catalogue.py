"""The vector files: their names, what they hold and how their tests are numbered."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_SEED = 1
"""The seed of the files that come with the package."""


class VectorFamily(NamedTuple):
    """A vector file: of one kind of generated graph, or hand-made where ``kind`` is empty.  ``first`` numbers its tests."""

    kind: str
    first: int
    description: str


FAMILIES: dict[str, VectorFamily] = {
    "edge_cases": VectorFamily(
        "", 1, "Hand-made graphs at the ends of what is allowed, and ones that explainers failed on."
    ),
    "trees": VectorFamily("tree", 1001, "Generated decision trees over any domains."),
    "obdds": VectorFamily("obdd", 2001, "Generated ordered decision diagrams over Boolean features, not reduced."),
    "omdds": VectorFamily("omdd", 3001, "Generated ordered decision diagrams over finite domains."),
    "ordered": VectorFamily("ordered", 4001, "Generated ordered decision graphs (read-once) over any domains."),
    "graphs": VectorFamily(
        "graph", 5001, "Generated decision graphs with shared nodes, features tested again and again."
    ),
    "ladders": VectorFamily("ladder", 6001, "Generated chains of diamonds and ladders: few nodes, many paths."),
}
"""The files by name; numbers of tests leave room for 999 in each."""
