"""Trees whose leaves add to several scores, as the answers of decision graphs: forests, several classes at a leaf.

Where each tree adds to one score alone, see :mod:`xpgcheck.readers.summed_trees`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.model.combination import Row

Weights = tuple[float, ...]
"""The numbers that a leaf adds to the scores, one per score."""

MAX_NAME = 120
"""Characters that the numbers of an answer's name take at most."""


class Numbers:
    """Exact numbers of floats, each made once for all trees of an ensemble."""

    def __init__(self) -> None:
        self._known: dict[float, Fraction] = {}

    def row(self, weights: Weights) -> Row:
        """Return *weights* exactly.  Raises ``InputError`` where one of them is NaN or infinite."""
        known = self._known
        try:
            return tuple([known[weight] for weight in weights])
        except KeyError:
            for weight in weights:
                if weight - weight != 0:
                    problem = f"a leaf weighs {shown(weight)}"
                    raise InputError(problem, mend="train again on finite numbers") from None
                known[weight] = Fraction(weight)
        return tuple([known[weight] for weight in weights])


class TreeAnswers:
    """The distinct answers of one tree: leaves that weigh the same give the same one."""

    def __init__(self, numbers: Numbers) -> None:
        self.names: list[str] = []
        self.rows: list[Row] = []
        self._numbers = numbers
        self._index: dict[Weights, int] = {}
        self._taken: set[str] = set()

    def number(self, weights: Weights) -> int:
        """Return which answer *weights* are.  Raises ``InputError`` where one of them is NaN or infinite."""
        known = self._index.get(weights)
        if known is None:
            known = self._index[weights] = len(self.rows)
            self.rows.append(self._numbers.row(weights))
            name = _named_by_numbers(weights)
            if name in self._taken:
                name = f"{name} (answer {known})"
            self._taken.add(name)
            self.names.append(name)
        return known


def _named_by_numbers(weights: Weights) -> str:
    """Return the *weights* as Python writes them, cut where they are many."""
    text = ", ".join(map(repr, weights))
    return text if len(text) <= MAX_NAME else f"{text[:MAX_NAME]}…"


@contextlib.contextmanager
def in_tree(number: int) -> Iterator[None]:
    """Give errors inside the place of the tree *number*."""
    try:
        yield
    except XpgcheckError as error:
        raise error.at(f"tree {number}") from None


def only_at(score: int, scores: int, rate: float = 1.0) -> Callable[[Sequence[float]], Weights]:
    """Return what makes of a leaf's one value what it adds to *scores* scores: *rate* times as much, to one score alone."""
    before, after = (0.0,) * score, (0.0,) * (scores - score - 1)
    return lambda values: (*before, rate * values[0], *after)


def positions(wanted: Sequence[object], labels: Sequence[object]) -> list[int] | None:
    """Return where each of *wanted* is among *labels*; None where one is not."""
    known = {label: position for position, label in enumerate(labels)}
    found = [known.get(label) for label in wanted]
    return None if None in found else [position for position in found if position is not None]
