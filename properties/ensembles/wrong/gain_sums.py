"""Wrong sums over the original domains: of rivals, trees, ties, rounding and signs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from xpgcheck.model.combination import Lead, Tally
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.oracles.ensembles.vote_sums import GainSums
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.properties.ensembles.routes import HonestEnsembleRoutes
from xpgcheck.properties.seeded.bugs import ensemble_route


class _Gains(HonestEnsembleRoutes):
    rules = ("sums",)
    solver_cases = 1

    def sums(self, ensemble: Ensemble) -> Any:
        """Return *ensemble* as sums over the original domains, with a bug where it sums."""
        session = SmtSession(ensemble)
        encoding = session._encoding
        if isinstance(encoding, GainSums):
            encoding._ensemble = self.wrong(ensemble)
        return session

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble that is written in place of *ensemble*."""
        raise NotImplementedError


def _with(tally: Tally, kind: type[Tally]) -> Tally:
    return kind(tally.rows, tally.base, tally.unit, tally.ties_to_last, tally.slack)


@ensemble_route
class GainsOneRival(_Gains):
    """Sums of gains let the last class never win."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Leave the last class out, unless there are two."""
        return replace(ensemble, classes=ensemble.classes[: max(2, len(ensemble.classes) - 1)])


@ensemble_route
class GainsTreeForgotten(_Gains):
    """Sums of gains leave the last tree out."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Leave the last tree out, unless it is the only one."""
        if len(ensemble.trees) == 1:
            return ensemble
        tally = replace(ensemble.tally, rows=ensemble.tally.rows[:-1])
        return replace(ensemble, trees=ensemble.trees[:-1], tally=tally)


@ensemble_route
class GainsBaseLeftOut(_Gains):
    """Sums of gains begin with nothing."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Leave the base out, and the threshold in it."""
        return replace(ensemble, tally=replace(ensemble.tally, base=(0,) * len(ensemble.tally.base)))


@ensemble_route
class GainsTiesReversed(_Gains):
    """Sums of gains give a tie to the other class."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Turn ties round."""
        return replace(ensemble, tally=replace(ensemble.tally, ties_to_last=not ensemble.tally.ties_to_last))


@ensemble_route
class GainsTheOtherWay(_Gains):
    """Sums of gains count what the class gains over its rival."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Turn every sign round."""
        tally = ensemble.tally
        rows = tuple(tuple(tuple(-x for x in row) for row in rows) for rows in tally.rows)
        return replace(ensemble, tally=replace(tally, rows=rows, base=tuple(-x for x in tally.base)))


@ensemble_route
class GainsSlackIgnored(_Gains):
    """Sums of gains say that nothing changes the class where rounding may."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Return an ensemble whose rivals win only for certain."""
        return replace(ensemble, tally=_with(ensemble.tally, _Certain))


class _Certain(Tally):
    def lead(self, own: int, rival: int) -> Lead:
        lead = super().lead(own, rival)
        return Lead(lead.must, lead.must)


@ensemble_route
class GainsRoundingIsAChange(_Gains):
    """Sums of gains show points where rounding decides."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Return an ensemble whose rivals win where they may."""
        return replace(ensemble, tally=_with(ensemble.tally, _Perhaps))


class _Perhaps(Tally):
    def lead(self, own: int, rival: int) -> Lead:
        lead = super().lead(own, rival)
        return Lead(lead.may, lead.may)


@ensemble_route
class GainsSlackTwice(_Gains):
    """Sums of gains take the slack twice."""

    def wrong(self, ensemble: Ensemble) -> Ensemble:
        """Return an ensemble of twice the slack."""
        return replace(ensemble, tally=replace(ensemble.tally, slack=2 * ensemble.tally.slack))
