"""The subject of the properties of ensembles: every route of the judges, each a method that a seeded bug may override."""

from __future__ import annotations

from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.oracles.ensembles.box_sums import SumForest
from xpgcheck.oracles.ensembles.boxes import Forest
from xpgcheck.oracles.ensembles.clauses import VoteClauses
from xpgcheck.oracles.ensembles.every_cell import EveryCell
from xpgcheck.oracles.ensembles.integer_sums import IntegerSums
from xpgcheck.oracles.smt_sessions import SmtSession


class HonestEnsembleRoutes:
    """The routes as they are; each has a method ``at`` that gives the oracle of an instance."""

    name = "the project's own"
    rules: tuple[str, ...] = ("votes", "sums")
    """The rules of the ensembles that it is tried on."""
    solver_cases = 3
    """One case of so many is put to solvers."""

    def ensemble(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble that is judged."""
        return ensemble

    def clauses(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as clauses."""
        return VoteClauses(ensemble)

    def boxes(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as boxes see it."""
        return (Forest if isinstance(ensemble.rule, Majority) else SumForest)(ensemble)

    def integers(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as a program of whole numbers."""
        return IntegerSums(ensemble)

    def cells(self, ensemble: Ensemble) -> Any:
        """Return the cells of *ensemble*."""
        return EveryCell(ensemble)

    def sums(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as sums over the original domains, for Z3."""
        return SmtSession(ensemble)
