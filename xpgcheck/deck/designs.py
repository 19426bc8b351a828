"""Designs of the deck's cases, and dresses and names that several of them have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xpgcheck.deck import dresses
from xpgcheck.deck.dresses import Dresser
from xpgcheck.deck.shapes import CaseShape

KINDS = {
    "answer": "size of the answer",
    "family": "size of the family",
    "depth": "depth",
    "width": "width",
    "nodes": "size of the graph",
    "names": "names",
    "values": "values",
    "state": "state and time",
    "shape": "shape",
}
"""Kinds of errors of explainers, in the words of docs/reference/gate-reach.md; where several meet, a case has several."""


class Designed(NamedTuple):
    """A case as it is designed.

    ``reason`` says what goes wrong in explainers, ``stands_for`` what of real models it is like.  ``dress`` returns which
    dresser the feature of an index has; ``names`` and ``classes`` are used up to what the shape needs.
    """

    name: str
    kinds: tuple[str, ...]
    reason: str
    stands_for: str
    shape: CaseShape
    dress: Callable[[int], Dresser] = dresses.in_turn(dresses.boolean)
    names: Sequence[str] = ()
    classes: Sequence[str] = ("no", "yes")


BEYOND = dresses.in_turn(dresses.BEYOND_INT32, dresses.BEYOND_DOUBLES)
MIXED = dresses.in_turn(dresses.boolean, dresses.steps(10), dresses.plain, dresses.steps("1/2", 1, "real"))
ALL_LEVELS = dresses.in_turn(dresses.steps(100))
CATEGORIES = dresses.in_turn(dresses.plain)
CONFUSABLE = [f"{word}{k}" for k in range(40) for word in ("Rate", "rate")]
BLANKS = [f"{word}" for k in range(40) for word in (f"age{k}", f"age{k} ")]
