"""Sequences of the deck: what an explainer remembers of one question must not change the answer to another."""

from __future__ import annotations

from collections.abc import Collection

from xpgcheck.deck.documents import DeckSequence

SEQUENCES: tuple[tuple[str, tuple[str, ...], str, tuple[str, ...]], ...] = (
    (
        "the same again",
        ("state", "answer"),
        "the answer to a question is another when it is asked again",
        ("AND of 7", "AND of 7", "again: AND of 7", "again: AND of 7"),
    ),
    (
        "two graphs in turn",
        ("state", "shape"),
        "what is kept of one graph is used for another that has as many nodes and features",
        (
            "3 of 5 below 3 diamonds, unfolded",
            "AND of 7",
            "again: AND of 7",
            "6 diamonds",
            "again: AND of 7",
            "5 crossed layers",
        ),
    ),
    (
        "an equal graph again",
        ("state", "nodes"),
        "what is kept of a graph is found by its identity, which another one may get",
        (
            "complete tree of depth 6",
            "another: complete tree of depth 6",
            "complete tree of depth 7",
            "another: complete tree of depth 6",
        ),
    ),
    (
        "the same name again",
        ("state", "names"),
        "what is kept is found by names of features, which another graph has too",
        ("AND of 7", "parity of 8", "3 of 8", "again: AND of 7", "4 of 7"),
    ),
    (
        "after nonsense",
        ("state", "depth"),
        "after an error, what was half done is used for the next question",
        ("8 steps", "nonsense: 8 steps", "again: 8 steps", "nonsense: AND of 7", "AND of 7", "12 steps"),
    ),
    (
        "large, then small",
        ("state", "family"),
        "what was kept of a large question is in the way of a small one",
        ("8 pairs", "4 pairs", "again: 8 pairs", "again: 4 pairs", "20 pairs", "again: 4 pairs"),
    ),
    (
        "wide, then narrow",
        ("state", "width"),
        "children of another node are used",
        ("fan of 21", "fan of 5", "again: fan of 21", "switch of 7", "again: fan of 5"),
    ),
    (
        "values in turn",
        ("state", "values"),
        "instances are kept by a text or a hash of their values, which others have too",
        (
            "values of both signs",
            "values from −1 to 0",
            "again: values of both signs",
            "values missing",
            "again: values from −1 to 0",
        ),
    ),
)
"""Each: its name, its kinds, why it exists, its steps."""


def designed_sequences(cases: Collection[str]) -> list[DeckSequence]:
    """Return the sequences, with those of their steps that are about *cases*."""
    made = []
    for name, kinds, reason, steps in SEQUENCES:
        known = [step for step in steps if step.partition(": ")[2] in cases or step in cases]
        if len(known) > 1:
            made.append(DeckSequence(name=name, kinds=list(kinds), reason=reason, steps=known))
    return made
