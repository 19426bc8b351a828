"""Cases drawn at random as the deck's are designed: deep, wide, many-featured, many-noded, with hostile names and values.

Their families are found by our explainer and by the textbook's, which share nothing; a case on which these differ is not
asked, and a claim that does not fit is judged by the oracles before anyone is told that it is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from xpgcheck.deck import changes, dresses, shapes
from xpgcheck.deck.designs import BLANKS, CONFUSABLE, Designed
from xpgcheck.deck.dresses import Dresser
from xpgcheck.deck.shapes import CaseShape

MAX_CELLS_OF_LISTS = 10

Drawn = tuple[CaseShape, tuple[str, ...]]


def _answer(dice: random.Random) -> Drawn:
    count = dice.randint(7, 26)
    shape = shapes.conjunction(count) if dice.random() < 0.7 else shapes.parity(min(count, 14))
    return shape, ("answer",)


def _family(dice: random.Random) -> Drawn:
    if dice.random() < 0.5:
        return shapes.groups(dice.randint(4, 8), 2), ("family",)
    count = dice.randint(7, 10)
    return shapes.majority(count, dice.randint(3, count - 2)), ("family",)


def _depth(dice: random.Random) -> Drawn:
    return shapes.staircase(dice.choice((dice.randint(8, 40), dice.randint(40, 200))), dice.choice((1, 1, 1, 4))), (
        "depth",
    )


def _width(dice: random.Random) -> Drawn:
    levels = dice.choice((dice.randint(4, 20), dice.randint(20, 70)))
    if dice.random() < 0.4:
        return shapes.switch(levels), ("width",)
    if dice.random() < 0.3:
        return shapes.pieces(2, dice.randint(3, 22)), ("width",)
    return shapes.fan(levels, dice.randrange(levels)), ("width",)


def _nodes(dice: random.Random) -> Drawn:
    return shapes.lookup(dice.choice((6, 7, 8)), dice.randint(3, 60)), ("nodes",)


def _shape(dice: random.Random) -> Drawn:
    count = dice.randint(3, 7)
    if dice.random() < 0.5:
        return shapes.diamonds(count), ("shape",)
    return shapes.reconvergent(count + 2), ("shape",)


SHAPES: tuple[Callable[[random.Random], Drawn], ...] = (_answer, _family, _depth, _width, _nodes, _shape)

NAMES: tuple[tuple[str, ...], ...] = (
    dresses.CASE,
    dresses.BLANKS,
    dresses.ACCENTS,
    dresses.LONG,
    dresses.TEXTS_OF_NUMBERS,
    dresses.WORDS_OF_CODE,
    dresses.TRUTHS,
    dresses.MARKS,
    dresses.DIGITS,
    dresses.LIGATURES,
    dresses.COMMAS,
    dresses.BEYOND_ASCII,
)

POWERS = (15, 16, 24, 31, 32, 53, 63, 64, 100)


def _values(dice: random.Random) -> Dresser:
    """Return a dresser of numbers, hostile in some way."""
    power = dice.choice(POWERS)
    near = (1 << power) + dice.randint(-3, 3)
    small = dice.randint(3, 40)
    return dice.choice(
        (
            dresses.steps(near),
            dresses.steps(-near),
            dresses.steps(-small),
            dresses.steps(f"1/{10**small}", f"1/{10**small}", "real"),
            dresses.floats(f"{dice.randint(1, 99)}/{dice.randint(3, 97)}", dice.choice(("float32", "float64"))),
            dresses.backwards,
        )
    )


def drawn_case(seed: int, number: int) -> Designed:
    """Return the case *number* of *seed*: each of the kinds in turn, the rest at random."""
    dice = random.Random(f"deck {seed} {number}")
    shape, kinds = SHAPES[number % len(SHAPES)](dice)
    if len(shape.levels) < MAX_CELLS_OF_LISTS and dice.random() < 0.4:
        shape, kinds = _changed(dice, shape, kinds)
    plain: Dresser = dresses.boolean
    dress: Callable[[int], Dresser] = dresses.in_turn(plain)
    if dice.random() < 0.5:
        dress, kinds = dresses.in_turn(_values(dice), dice.choice((plain, _values(dice)))), (*kinds, "values")
    names: list[str] = []
    classes: tuple[str, ...] = ("no", "yes")
    if dice.random() < 0.5:
        names, kinds = dice.choice((CONFUSABLE, BLANKS)), (*kinds, "names")
        classes = tuple(dice.sample(dice.choice(NAMES), 2))
    reason = "drawn at random, as the cases of the deck are designed"
    return Designed(
        f"drawn {number}, seed {seed}", tuple(dict.fromkeys(kinds)), reason, reason, shape, dress, names, classes
    )


def _changed(dice: random.Random, shape: CaseShape, kinds: tuple[str, ...]) -> Drawn:
    which = dice.randrange(4)
    if which == 0:
        return changes.with_spares(shape, dice.randint(0, 9), dice.randint(0, 2), dice.randint(1, 9)), (*kinds, "shape")
    if which == 1:
        return changes.below_idle_nodes(shape, dice.randint(5, 60)), (*kinds, "depth")
    if which == 2:
        return changes.reversed_edges(shape), kinds
    return changes.unfolded(shape, dice.randint(60, 300)), (*kinds, "nodes")
