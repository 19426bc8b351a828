"""Ensembles: decision graphs over one feature space whose votes a rule combines into one class.

κ of an ensemble is its rule: :class:`Majority` now.  The rule is a type of its own, so that others (averages, sums) stand
beside it; what an ensemble votes with are decision graphs, one or many, of any domains.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xpgcheck.arguments import TEXT, TEXTS, Rule, features_of_a_model, takes
from xpgcheck.errors import ModelError, shown
from xpgcheck.model.cells import cells
from xpgcheck.model.decision_graph import DecisionGraph, Literal
from xpgcheck.model.domains import Feature
from xpgcheck.model.value_sets import Location, ValueSet
from xpgcheck.model.values import Point

MAX_TREES = 10_000
"""Trees that an ensemble may have: beyond, no question about it would be answered."""


@dataclass(frozen=True, slots=True)
class Majority:
    """Each tree votes for the class of its terminal; the most votes win, among equals the lowest class."""

    def winner(self, votes: Sequence[int], classes: int) -> int:
        """Return which of *classes* classes the trees' *votes*, an index of a class each, elect."""
        counts = [0] * classes
        for vote in votes:
            counts[vote] += 1
        return counts.index(max(counts))

    def __str__(self) -> str:
        return "majority, ties to the lowest class"


CombinationRule = Majority
"""How the trees' answers become one class; a union, once there are several rules."""


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Decision graphs over one feature space, and the rule that makes one class of theirs.

    ``trees`` have exactly the ``features`` and ``classes`` of the ensemble; each is a decision graph of any shape, which
    mostly is a tree.  ``cells[i]`` splits the domain of feature i into what no literal of any tree can tell apart.
    """

    name: str
    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    trees: tuple[DecisionGraph, ...]
    rule: CombinationRule
    cells: tuple[tuple[ValueSet, ...], ...]

    @property
    def node_count(self) -> int:
        """The number of nodes of all trees, terminals counted."""
        return sum(tree.node_count for tree in self.trees)

    def votes(self, point: Point) -> list[int]:
        """Return of each tree the class, by its index, of the terminal that *point* reaches."""
        located: dict[int, Location] = {}
        return [tree.class_of[tree.terminal(point, located)] for tree in self.trees]

    def kappa(self, point: Point) -> int:
        """Return κ(*point*), the index in ``classes`` of the class that the rule makes of the votes.  O(Σ depth)."""
        return self.rule.winner(self.votes(point), len(self.classes))

    def __repr__(self) -> str:
        return f"<Ensemble {shown(self.name)}: {len(self.features)} features, trees: {len(self.trees)}, {self.rule}>"


_TREES = Rule(
    lambda trees: isinstance(trees, Collection) and all(isinstance(tree, DecisionGraph) for tree in trees),
    "a list of decision graphs",
    "pass a list of DecisionGraph objects",
)
_RULE = Rule(lambda rule: isinstance(rule, Majority), "a combination rule", "pass Majority()")


@takes(name=TEXT, features=features_of_a_model(Feature), classes=TEXTS, trees=_TREES, rule=_RULE)
def ensemble(
    name: str,
    features: Sequence[Feature],
    classes: Sequence[str],
    trees: Sequence[DecisionGraph],
    rule: CombinationRule = Majority(),
) -> Ensemble:
    """Return the ensemble of *trees*, whose answers *rule* combines.

    Raises ``ModelError`` where there are no trees, too many of them, or one over other features or classes.
    O(c log c) for c cuts in the literals of all trees.
    """
    if not trees:
        raise ModelError("an ensemble of no trees", mend="give at least one tree")
    if len(trees) > MAX_TREES:
        raise ModelError(f"an ensemble of {len(trees):,} trees", mend=f"give at most {MAX_TREES:,}")
    own = tuple(features), tuple(classes)
    for number, tree in enumerate(trees):
        for what, wanted, found in zip(("features", "classes"), own, (tree.features, tree.classes), strict=True):
            if found != wanted:
                problem = f"its {what} are not those of the ensemble"
                raise ModelError(problem, place=f"tree {number}", mend=f"build every tree over the same {what}")
    return Ensemble(name, *own, tuple(trees), rule, _cells(own[0], trees))


def literals_of(trees: Sequence[DecisionGraph], features: int) -> list[list[Literal]]:
    """Return of each of *features* features the literals that some of *trees* has on it, each once."""
    found: list[dict[Literal, None]] = [{} for _ in range(features)]
    for literal in itertools.chain.from_iterable(tree.literals for tree in trees):
        found[literal.feature][literal] = None
    return [list(each) for each in found]


def _cells(features: Sequence[Feature], trees: Sequence[DecisionGraph]) -> tuple[tuple[ValueSet, ...], ...]:
    return tuple(
        cells(feature.domain.all_values(), [literal.values for literal in literals]).cells
        for feature, literals in zip(features, literals_of(trees, len(features)), strict=True)
    )
