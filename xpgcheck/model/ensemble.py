"""Ensembles: decision graphs over one feature space whose votes a rule combines into one class.

κ of an ensemble is its rule (:mod:`xpgcheck.model.combination`): votes that are counted, or what terminals weigh, summed.
Its members are decision graphs, one or many, of any domains.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xpgcheck.arguments import TEXT, TEXTS, Rule, features_of_a_model, takes
from xpgcheck.errors import ModelError, shown
from xpgcheck.model.cells import cells
from xpgcheck.model.combination import CombinationRule, Majority, Row, Sum, Tally, tally_of_sums, tally_of_votes
from xpgcheck.model.decision_graph import DecisionGraph, Literal
from xpgcheck.model.domains import Feature
from xpgcheck.model.value_sets import Location, ValueSet
from xpgcheck.model.values import Point

MAX_TREES = 10_000
"""Trees that an ensemble may have: beyond, no question about it would be answered."""


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Decision graphs over one feature space, and the rule that makes one class of theirs.

    ``trees`` have exactly the ``features`` of the ensemble; each is a decision graph of any shape, which mostly is a tree.
    Where the rule is a majority, their classes are those of the ensemble, too.  Where it is a sum, the classes of a tree are
    its *answers*, and ``outputs[t][a]`` is what answer a of tree t adds to each score.  ``tally`` has the same as whole
    numbers, whatever the rule.  ``cells[i]`` splits the domain of feature i into what no literal of any tree can tell apart.
    """

    name: str
    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    trees: tuple[DecisionGraph, ...]
    rule: CombinationRule
    cells: tuple[tuple[ValueSet, ...], ...]
    outputs: tuple[tuple[Row, ...], ...]
    tally: Tally

    @property
    def node_count(self) -> int:
        """The number of nodes of all trees, terminals counted."""
        return sum(tree.node_count for tree in self.trees)

    def votes(self, point: Point) -> list[int]:
        """Return of each tree the class, by its index in that tree, of the terminal that *point* reaches."""
        located: dict[int, Location] = {}
        return [tree.class_of[tree.terminal(point, located)] for tree in self.trees]

    def kappa(self, point: Point) -> int:
        """Return κ(*point*), the index in ``classes`` of the class that the rule makes of the votes.  O(Σ depth)."""
        return self.class_of_votes(self.votes(point))

    def class_of_votes(self, votes: Sequence[int]) -> int:
        """Return the class, by its index, that the rule makes of *votes*, as :meth:`votes` returns them."""
        if isinstance(self.rule, Majority):
            return self.rule.winner(votes, len(self.classes))
        sums = self.tally.sums(votes)
        if self.tally.is_settled(sums):
            return self.tally.winner(sums)
        return self.rule.machine([rows[vote] for rows, vote in zip(self.outputs, votes, strict=True)])

    def is_settled(self, point: Point) -> bool:
        """Tell whether κ(*point*) holds whatever the rounding of the source's sums, whose own arithmetic decided if not."""
        return not self.tally.slack or self.tally.is_settled(self.tally.sums(self.votes(point)))

    def differs(self, point: Point, own: int) -> bool | None:
        """Tell whether *point* has another class than *own* whatever the rounding; None where rounding decides that."""
        if not self.tally.slack:
            return self.kappa(point) != own
        sums = self.tally.sums(self.votes(point))
        ahead = max(sums[:own] + sums[own + 1 :], default=sums[own] - self.tally.slack - 1) - sums[own]
        return None if abs(ahead) <= self.tally.slack else ahead > 0

    def __repr__(self) -> str:
        return f"<Ensemble {shown(self.name)}: {len(self.features)} features, trees: {len(self.trees)}, {self.rule}>"


_TREES = Rule(
    lambda trees: isinstance(trees, Collection) and all(isinstance(tree, DecisionGraph) for tree in trees),
    "a list of decision graphs",
    "pass a list of DecisionGraph objects",
)
MAJORITY = Majority()

_RULE = Rule(lambda rule: isinstance(rule, Majority | Sum), "a combination rule", "pass Majority() or Sum(…)")


@takes(name=TEXT, features=features_of_a_model(Feature), classes=TEXTS, trees=_TREES, rule=_RULE)
def ensemble(
    name: str,
    features: Sequence[Feature],
    classes: Sequence[str],
    trees: Sequence[DecisionGraph],
    rule: CombinationRule = MAJORITY,
    outputs: Sequence[Sequence[Row]] = (),
) -> Ensemble:
    """Return the ensemble of *trees*, whose answers *rule* combines.

    A sum takes *outputs*: of each tree, of each of its classes, what it adds to each score.
    Raises ``ModelError`` where there are no trees, too many of them, or one over other features or classes, and where
    outputs are missing or of another length.  O(c log c) for c cuts in the literals of all trees.
    """
    if not trees:
        raise ModelError("an ensemble of no trees", mend="give at least one tree")
    if len(trees) > MAX_TREES:
        raise ModelError(f"an ensemble of {len(trees):,} trees", mend=f"give at most {MAX_TREES:,}")
    own = tuple(features), tuple(classes)
    if isinstance(rule, Majority):
        tally = tally_of_votes(len(trees), len(classes))
        kept: tuple[tuple[Row, ...], ...] = ()
    else:
        kept = tuple([tuple([tuple(row) for row in rows]) for rows in outputs])
        _check_sum(classes, trees, rule, kept)
        tally = tally_of_sums(rule, kept)
    for number, tree in enumerate(trees):
        pairs = [("features", own[0] == tree.features)]
        pairs += [("classes", own[1] == tree.classes)] if isinstance(rule, Majority) else []
        for what, fits in pairs:
            if not fits:
                problem = f"its {what} are not those of the ensemble"
                raise ModelError(problem, place=f"tree {number}", mend=f"build every tree over the same {what}")
    return Ensemble(name, *own, tuple(trees), rule, _cells(own[0], trees), kept, tally)


def _check_sum(
    classes: Sequence[str], trees: Sequence[DecisionGraph], rule: Sum, outputs: Sequence[Sequence[Row]]
) -> None:
    """Refuse outputs that are not one row of numbers for each answer of each tree, and scores that fit no class."""
    scores = len(classes) if rule.threshold is None else 1
    if rule.threshold is not None and len(classes) != 2:
        raise ModelError(f"a threshold with {len(classes)} classes", mend="give two classes, or one score a class")
    if len(rule.base) != scores:
        raise ModelError(f"the base has {len(rule.base)} numbers for {scores} scores", mend="give one number a score")
    if len(outputs) != len(trees):
        raise ModelError(f"there are outputs of {len(outputs)} trees", mend=f"give those of all {len(trees)} trees")
    for number, (tree, rows) in enumerate(zip(trees, outputs, strict=True)):
        if len(rows) != len(tree.classes) or any(len(row) != scores for row in rows):
            problem = f"its outputs are not one row of {scores} numbers for each of its {len(tree.classes)} answers"
            raise ModelError(problem, place=f"tree {number}", mend="give what each answer adds to each score")


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
