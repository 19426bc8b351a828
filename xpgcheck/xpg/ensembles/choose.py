"""Which way to decide the question suits an ensemble: votes are counted by a SAT solver, sums bounded over boxes."""

from __future__ import annotations

import logging
import threading

from xpgcheck.model.combination import Majority
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.ensembles.sum_boxes import SumBoxes
from xpgcheck.xpg.ensembles.vote_solver import VoteSolver

_log = logging.getLogger(__name__)


class _LastPrepared(threading.local):
    """The last prepared ensemble: it serves all its instances, which mostly come one after the other."""

    ensemble: Ensemble | None = None
    solver: VoteSolver | SumBoxes | None = None


_last = _LastPrepared()


def explained_ensemble(ensemble: Ensemble, point: Point) -> ExplainedEnsemble:
    """Return *ensemble* at *point*, ready for questions.  Raises ``LimitError`` where it has too many paths."""
    solver = prepared_once(ensemble)
    return ExplainedEnsemble(solver.places, point, solver.at(point))


def prepared_once(ensemble: Ensemble) -> VoteSolver | SumBoxes:
    """Return what decides questions about *ensemble*; that of the last ensemble is kept."""
    if _last.solver is None or _last.ensemble is not ensemble:
        _last.ensemble, _last.solver = ensemble, prepared(ensemble)
        _log.info("questions about %d trees are decided by %s", len(ensemble.trees), type(_last.solver).__name__)
    return _last.solver


def prepared(ensemble: Ensemble) -> VoteSolver | SumBoxes:
    """Return what decides questions about every instance of *ensemble*.  Raises as :func:`explained_ensemble`."""
    places = EnsemblePlaces(ensemble)
    return VoteSolver(places) if isinstance(ensemble.rule, Majority) else SumBoxes(places)
