"""The subject of the properties of ensembles: every route of the judges, each a method that a seeded bug may override."""

from __future__ import annotations

from typing import Any

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.oracles.ensembles.boxes import Forest
from xpgcheck.oracles.ensembles.clauses import VoteClauses
from xpgcheck.oracles.ensembles.every_cell import EveryCell
from xpgcheck.oracles.smt_sessions import SmtSession


class HonestEnsembleRoutes:
    """The routes as they are; each has a method ``at`` that gives the oracle of an instance."""

    name = "the project's own"

    def ensemble(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble that is judged."""
        return ensemble

    def clauses(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as clauses."""
        return VoteClauses(ensemble)

    def boxes(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as boxes see it."""
        return Forest(ensemble)

    def cells(self, ensemble: Ensemble) -> Any:
        """Return the cells of *ensemble*."""
        return EveryCell(ensemble)

    def sums(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as sums of votes, for Z3."""
        return SmtSession(ensemble)
