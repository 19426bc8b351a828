"""Wrong rules, wrong cells and wrong sums of votes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.ensembles.every_cell import EveryCell, EveryCellOracle
from xpgcheck.oracles.ensembles.vote_sums import VoteSums
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route


class _Rule(HonestEnsembleRoutes):
    rules = ("votes",)


@ensemble_route
class TiesToTheHighest(_Rule):
    """κ gives a tie to the highest class."""

    def ensemble(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with another rule."""
        return replace(ensemble, rule=_Highest())


class _Highest(Majority):
    def winner(self, votes: Sequence[int], classes: int) -> int:
        counts = [list(votes).count(c) for c in range(classes)]
        return max(range(classes), key=lambda c: (counts[c], c))


@ensemble_route
class FirstTreeAlone(_Rule):
    """κ is what the first tree says."""

    def ensemble(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with another rule."""
        return replace(ensemble, rule=_First())


class _First(Majority):
    def winner(self, votes: Sequence[int], classes: int) -> int:
        return votes[0]


@ensemble_route
class AverageForMajority(_Rule):
    """κ is the average of the votes: average for majority."""

    def ensemble(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble with another rule."""
        return replace(ensemble, rule=_Average())


class _Average(Majority):
    def winner(self, votes: Sequence[int], classes: int) -> int:
        return round(sum(votes) / len(votes))


@ensemble_route
class CellsOfTheFirstTree(HonestEnsembleRoutes):
    """The cells are those of the first tree."""

    def cells(self, ensemble: Ensemble) -> Any:
        """Return the cells of the first tree."""
        table = EveryCell(replace(ensemble, trees=ensemble.trees[:1]))
        table.ensemble = ensemble
        return table


@ensemble_route
class CellsWithoutTheLast(HonestEnsembleRoutes):
    """The last cell of each feature is left out."""

    def cells(self, ensemble: Ensemble) -> Any:
        """Return the cells, but for the last ones."""
        table = EveryCell(ensemble)
        table.values = [values[:-1] or values for values in table.values]
        return table


@ensemble_route
class CellsForgetTheInstance(HonestEnsembleRoutes):
    """Every point is looked at, whatever is fixed."""

    def cells(self, ensemble: Ensemble) -> Any:
        """Return the cells, whose oracles fix nothing."""
        return _Free(ensemble)


class _Free(EveryCell):
    def at(self, point: Point) -> EveryCellOracle:
        oracle = super().at(point)
        asked = oracle.changeable
        oracle.changeable = lambda fixed: asked(())  # type: ignore[method-assign]
        return oracle


class _Sums(HonestEnsembleRoutes):
    rules = ("votes",)
    solver_cases = 1

    def sums(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as sums of votes, with a bug."""
        session = SmtSession(ensemble)
        encoding = session._encoding
        if isinstance(encoding, VoteSums):
            self.spoil(encoding, ensemble)
        return session

    def spoil(self, encoding: VoteSums, ensemble: Ensemble) -> None:
        """Make the encoding wrong."""


def _other_class(encoding: VoteSums, compared: Any, rivals: slice, own: int) -> Any:
    """Return what ``VoteSums.other_class`` does, with another comparison, and not of all rivals."""
    VoteSums.other_class(encoding, own)
    formulas, sums = encoding._variables.formulas, encoding._sums
    assert sums is not None
    others = [c for c in range(len(sums)) if c != own][rivals]
    selector = formulas.Symbol(f"not_class_{own}")
    terms = [compared(formulas, c, own)(sums[c], sums[own]) for c in others]
    return selector, [formulas.Implies(selector, formulas.Or(terms))]


@ensemble_route
class SumsTiesReversed(_Sums):
    """Sums give a tie to the highest class."""

    def spoil(self, encoding: VoteSums, ensemble: Ensemble) -> None:
        """Compare the other way round."""
        compared = lambda formulas, rival, own: formulas.GE if rival > own else formulas.GT  # noqa: E731
        encoding.other_class = functools.partial(_other_class, encoding, compared, slice(None))  # type: ignore[method-assign]


@ensemble_route
class SumsOneRival(_Sums):
    """Sums compare the class with the first other one alone."""

    def spoil(self, encoding: VoteSums, ensemble: Ensemble) -> None:
        """Leave the other rivals out."""
        compared = lambda formulas, rival, own: formulas.GT if rival > own else formulas.GE  # noqa: E731
        encoding.other_class = functools.partial(_other_class, encoding, compared, slice(1))  # type: ignore[method-assign]


@ensemble_route
class SumsTreeForgotten(_Sums):
    """Sums leave the last tree out."""

    def spoil(self, encoding: VoteSums, ensemble: Ensemble) -> None:
        """Leave the last tree out, unless it is the only one."""
        encoding._ensemble = replace(ensemble, trees=ensemble.trees[:-1] or ensemble.trees)
