"""Rows of the examples: what they print, recomputed on the embedded models of the figures."""

from __future__ import annotations

from xpgcheck.paper.rows import Row, example

ROWS = (
    Row(
        "example-1",
        "Example 1, Fig. 1",
        "The decision tree of 15 nodes predicts T at (O, L, Y, P), along nodes 1, 3, 7 and 10.",
        (example("1", "another instance"),),
    ),
    Row(
        "example-2",
        "Example 2, Fig. 2",
        "The OMDD of 8 nodes predicts R at (0, 1, 2), along nodes 1, 3, 5 and 6.",
        (example("2", "another instance"),),
    ),
    Row(
        "example-3",
        "Example 3, Fig. 3",
        "The XpG of the tree has its labels: five terminals 0, and the edges labelled 1 of the figure.",
        (example("3", "another instance"),),
    ),
    Row(
        "example-4",
        "Example 4, Fig. 4",
        "The XpG of the OMDD has its labels: two terminals 0, and the edges labelled 1 of the figure.",
        (example("4", "another instance"),),
    ),
    Row(
        "example-5",
        "Example 5",
        "σ and ε of the tree are the equations printed, at all 16 assignments.",
        (example("5", "another instance"),),
    ),
    Row(
        "example-6",
        "Example 6",
        "σ and ε of the OMDD are the equations printed, at all 8 assignments.",
        (example("6", "another instance"),),
    ),
    Row(
        "example-7",
        "Example 7",
        "{1, 4} is an AXp of the tree, reached by freeing 2 and 3.",
        (example("7", "another instance"),),
    ),
    Row(
        "example-8",
        "Example 8",
        "{1} is an AXp of the OMDD.",
        (example("8", "another instance"),),
        remark="It is the only one.",
    ),
    Row(
        "example-9",
        "Example 9, Eq. 5",
        "The formula of a decision list with its class variable y, at y = 1, is the function of the list.",
        (example("9", "rules in another order"),),
    ),
)
