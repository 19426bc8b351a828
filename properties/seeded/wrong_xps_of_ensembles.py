"""Seeded bugs of explainers of ensembles: which points and sets of features they look at, and what they answer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.properties.seeded.bugs import ensemble_explainer
from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook, Features

MAX_COMBINATIONS = 20_000


@ensemble_explainer
class EnsembleLastCellForgotten(EnsembleTextbook):
    """The values beyond the last threshold of each feature are forgotten."""

    def cells(self, ensemble: Ensemble) -> Sequence[Sequence[ValueSet]]:
        """Return the cells of each feature but the last."""
        return [own[:-1] or own for own in ensemble.cells]


@ensemble_explainer
class EnsembleCellsOfOneTree(EnsembleTextbook):
    """Only the thresholds of the first tree split a feature."""

    def points(self, ensemble: Ensemble, instance: Point) -> Iterator[Point]:
        """Yield one point of each combination of outcomes of the first tree's literals."""
        known: set[tuple[bool, ...]] = set()
        literals = ensemble.trees[0].literals
        for point in super().points(ensemble, instance):
            outcomes = tuple(point[feature] in values for feature, values in literals)
            if outcomes not in known:
                known.add(outcomes)
                yield point


@ensemble_explainer
class EnsembleOneFeatureAtATime(EnsembleTextbook):
    """Only points that differ from the instance in one feature are looked at."""

    def changing(self, ensemble: Ensemble, instance: Point) -> set[Features]:
        """Return the features that can change the class alone."""
        return {differing for differing in super().changing(ensemble, instance) if len(differing) == 1}


@ensemble_explainer
class EnsembleHigherRivalsAlone(EnsembleTextbook):
    """Only classes behind that of the instance are taken for others."""

    def is_other(self, found: int, own: int) -> bool:
        """Tell whether the class comes behind."""
        return found > own


@ensemble_explainer
class EnsembleNextRivalAlone(EnsembleTextbook):
    """The instance's class is compared with its neighbours alone, where there are several."""

    def is_other(self, found: int, own: int) -> bool:
        """Tell whether the class is a neighbour of the instance's."""
        return abs(found - own) == 1


@ensemble_explainer
class EnsembleTreesApart(EnsembleTextbook):
    """Each tree may choose a point of its own, so that thresholds of one feature clash."""

    def changing(self, ensemble: Ensemble, instance: Point) -> set[Features]:
        """Return the sets of features with which some choice of a point for each tree changes the class."""
        own = self.class_of(ensemble, instance)
        answers = [
            (differing, self.answers(ensemble, point))
            for point in self.points(ensemble, instance)
            for differing in [frozenset(i for i, value in enumerate(point) if value != instance[i])]
        ]
        found = set()
        for size in range(len(instance) + 1):
            for free in map(frozenset, itertools.combinations(range(len(instance)), size)):
                reached = [answer for differing, answer in answers if differing <= free]
                choices = itertools.product(*({*column} for column in zip(*reached, strict=True)))
                combined = itertools.islice(choices, MAX_COMBINATIONS)
                if any(self.winner(ensemble, self.scores(ensemble, choice)) != own for choice in combined):
                    found.add(free)
        return found


@ensemble_explainer
class EnsembleStaleInstance(EnsembleTextbook):
    """The answer for one instance is used for all instances with the first value."""

    def changing(self, ensemble: Ensemble, instance: Point) -> set[Features]:
        """Return what is kept of an instance that begins alike and has as many features."""
        if self._last is not None and self._last[1][:1] == instance[:1] and len(self._last[1]) == len(instance):
            return self._last[2]
        return super().changing(ensemble, instance)


@ensemble_explainer
class EnsembleStopsEarly(EnsembleTextbook):
    """Deletion ends at the first feature that has to stay."""

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        """Drop features until one is needed."""
        kept = seed
        for feature in sorted(seed):
            if not is_weak(kept - {feature}):
                return kept
            kept -= {feature}
        return kept


@ensemble_explainer
class EnsembleDropsOneTooMany(EnsembleTextbook):
    """Once deletion is done, the last feature is dropped too where several are left."""

    def shrunk(self, seed: Features, is_weak: Callable[[Features], bool]) -> Features:
        """Return the XP without its last feature."""
        kept = super().shrunk(seed, is_weak)
        return kept - {max(kept)} if len(kept) > 1 else kept


@ensemble_explainer
class EnsembleSeedForgotten(EnsembleTextbook):
    """Inside a seed, all features are tried, those of the seed first to go."""

    def axp_inside(self, ensemble: Ensemble, instance: Point, seed: Features) -> Features:
        """Return an AXp that keeps features outside the seed."""
        kept = frozenset(range(len(instance)))
        for feature in sorted(kept, key=lambda i: i not in seed):
            if self.is_weak_axp(ensemble, instance, kept - {feature}):
                kept -= {feature}
        return kept


@ensemble_explainer
class EnsembleAllTested(EnsembleTextbook):
    """The AXp is all features that some tree tests on its path."""

    def axp(self, ensemble: Ensemble, instance: Point) -> Features:
        """Return the features on the paths of the instance."""
        found: set[int] = set()
        for tree in ensemble.trees:
            node = 0
            while not tree.is_terminal(node):
                found.add(tree.feature_of[node])
                value = instance[tree.feature_of[node]]
                node = next(child for child, values in tree.edges(node) if value in values)
        return frozenset(found)


@ensemble_explainer
class EnsembleMajoritaryReasons(EnsembleTextbook):
    """An AXp is a smallest set that fixes the answers of more than half of the trees, one by one."""

    def axp_inside(self, ensemble: Ensemble, instance: Point, seed: Features) -> Features:
        """Return what deletion leaves, whose fixed features settle most trees for the class of the instance."""
        own = self.answers(ensemble, instance)
        mine = self.class_of(ensemble, instance)
        answers = [
            (frozenset(i for i, value in enumerate(point) if value != instance[i]), self.answers(ensemble, point))
            for point in self.points(ensemble, instance)
        ]

        def settles(fixed: Features) -> bool:
            reached = [found for differing, found in answers if not differing & fixed]
            settled = [all(found[t] == own[t] for found in reached) for t in range(len(own))]
            return 2 * sum(s and answer == mine for s, answer in zip(settled, own, strict=True)) > len(own)

        return self.shrunk(seed, settles) if settles(seed) else super().axp_inside(ensemble, instance, seed)


@ensemble_explainer
class EnsembleCxpIsTheAxp(EnsembleTextbook):
    """The CXp is all features of the AXp."""

    def cxp(self, ensemble: Ensemble, instance: Point) -> Features | None:
        """Return the AXp where the class can change."""
        return None if super().cxp(ensemble, instance) is None else self.axp(ensemble, instance)


@ensemble_explainer
class EnsembleNoCxpIsTheEmptySet(EnsembleTextbook):
    """The CXp is called empty where the class cannot change."""

    def cxp(self, ensemble: Ensemble, instance: Point) -> Features | None:
        """Return the empty set for none."""
        return super().cxp(ensemble, instance) or frozenset()


@ensemble_explainer
class EnsembleFailsWithoutChange(EnsembleTextbook):
    """It fails where the class cannot change."""

    def axp(self, ensemble: Ensemble, instance: Point) -> Features:
        """Return one AXp that is not empty."""
        found = super().axp(ensemble, instance)
        assert found, "no AXp"
        return found


@ensemble_explainer
class EnsembleLastAxpMissing(EnsembleTextbook):
    """The enumeration lacks the last of several XPs."""

    def enumerate(self, ensemble: Ensemble, instance: Point) -> list[tuple[str, Features]]:
        """Return all XPs but the last."""
        found = super().enumerate(ensemble, instance)
        return found[:-1] if len(found) > 1 else found


@ensemble_explainer
class EnsembleAxpTwice(EnsembleTextbook):
    """The enumeration lists the first XP twice."""

    def enumerate(self, ensemble: Ensemble, instance: Point) -> list[tuple[str, Features]]:
        """Return all XPs, and the first once more."""
        found = super().enumerate(ensemble, instance)
        return [*found, found[0]]


@ensemble_explainer
class EnsembleWeakOnesListed(EnsembleTextbook):
    """The enumeration lists all weak AXps of the smallest size but one, too."""

    def enumerate(self, ensemble: Ensemble, instance: Point) -> list[tuple[str, Features]]:
        """Return all XPs and the whole set of features, which is a weak AXp."""
        found = super().enumerate(ensemble, instance)
        return list(dict.fromkeys([*found, ("AXp", frozenset(range(len(instance))))]))


@ensemble_explainer
class EnsembleKindsExchanged(EnsembleTextbook):
    """AXps are called CXps, and CXps AXps."""

    def enumerate(self, ensemble: Ensemble, instance: Point) -> list[tuple[str, Features]]:
        """Return all XPs, each of the other kind."""
        other = {"AXp": "CXp", "CXp": "AXp"}
        return [(other[kind], features) for kind, features in super().enumerate(ensemble, instance)]


@ensemble_explainer
class EnsembleMemberIfTested(EnsembleTextbook):
    """A feature that some tree tests is called a member of some XP."""

    def member(self, ensemble: Ensemble, instance: Point, feature: int) -> bool:
        """Tell whether a tree tests the feature."""
        return any(feature in tree.feature_of for tree in ensemble.trees)


@ensemble_explainer
class EnsembleMemberOfOneXp(EnsembleTextbook):
    """A feature that is not in the first AXp and the first CXp is called a member of none."""

    def member(self, ensemble: Ensemble, instance: Point, feature: int) -> bool:
        """Tell whether the feature is in one of two XPs."""
        return feature in self.axp(ensemble, instance) | (self.cxp(ensemble, instance) or frozenset())


@ensemble_explainer
class EnsemblePredictsByTheFirstTree(EnsembleTextbook):
    """The class is predicted by the first tree's answer."""

    def predict(self, ensemble: Ensemble, instance: Point) -> int:
        """Return the first answer."""
        return self.answers(ensemble, instance)[0]
