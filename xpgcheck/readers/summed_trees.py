"""Ensembles of trees whose leaves hold weights that are summed: what boosting leaves.

A weight is a finite binary64 number, taken exactly.  The answers of a tree are the weights that its leaves have, each once,
called by their texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.errors import InputError, LimitError, XpgcheckError
from xpgcheck.model.combination import Row, Sum
from xpgcheck.model.decision_graph import Node
from xpgcheck.model.domains import Feature
from xpgcheck.model.ensemble import MAX_TREES, Ensemble, ensemble
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.pauses import no_cycle_collection
from xpgcheck.readers.source_trees import tree_graph


class Weights:
    """The weights of a tree's leaves, each once: its answers, numbered as they come."""

    def __init__(self) -> None:
        self._numbers: dict[float, int] = {}

    def answer(self, weight: float, place: str) -> int:
        """Return the number of *weight* among the answers.  Raises ``FormatError`` where it is no finite number."""
        refuse_infinite(weight, place)
        # Both zeros add the same.
        return self._numbers.setdefault(weight + 0.0, len(self._numbers))

    @property
    def numbers(self) -> Sequence[float]:
        """The weights in the order of their numbers."""
        return list(self._numbers)

    @property
    def most(self) -> float:
        """The largest magnitude of a weight; 0 where there are none."""
        return max(map(abs, self._numbers), default=0.0)


def refuse_infinite(weight: float, place: str) -> None:
    """Refuse the *weight* of a leaf that is NaN or infinite: no sum with it says anything."""
    if weight - weight != 0:
        raise damaged(f"the weight of a leaf is {weight}", place)


@dataclass(frozen=True, slots=True)
class WeighingTree:
    """A tree as a source has it: classes of its terminals are numbers of ``weights``, which are added to ``score``.

    ``place`` says where in the source it is.
    """

    nodes: Mapping[NodeId, Node]
    root: NodeId
    weights: Weights
    score: int
    place: str


def refuse_count(trees: int, place: str, more: str) -> None:
    """Refuse a number of *trees* that makes no ensemble; *more* says how to train at least one."""
    if not trees:
        raise InputError("there are no trees", place=place, mend=more)
    if trees > MAX_TREES:
        problem = f"there are {trees:,} trees"
        raise LimitError(problem, place=place, mend=f"train at most {MAX_TREES:,}, all classes counted")


def summed_trees(
    name: str, features: Sequence[Feature], classes: Sequence[str], trees: Sequence[WeighingTree], rule: Sum
) -> Ensemble:
    """Return the ensemble of *trees*, whose weights *rule* adds.

    Raises ``FormatError`` with the place of a tree that is none, and ``ModelError`` where sums may overflow.  As
    :func:`xpgcheck.readers.source_trees.tree_graph` for each tree.
    """
    scores = len(rule.base)
    outputs: list[list[Row]] = []
    graphs = []
    with no_cycle_collection():
        for number, tree in enumerate(trees):
            weights = tree.weights.numbers
            try:
                graphs.append(tree_graph(f"tree {number}", features, [repr(w) for w in weights], tree.nodes, tree.root))
            except XpgcheckError as error:
                raise error.at(tree.place) from None
            outputs.append([_row(weight, tree.score, scores) for weight in weights])
        return ensemble(name, features, classes, graphs, rule, outputs)


_ZERO = Fraction(0)


def _row(weight: float, score: int, scores: int) -> Row:
    before, after = (_ZERO,) * score, (_ZERO,) * (scores - score - 1)
    return (*before, Fraction(weight), *after)
