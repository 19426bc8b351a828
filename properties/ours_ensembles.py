"""This project's explainer of ensembles as a subject."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xpgcheck.errors import LimitError, ModelError, UndecidedError
from xpgcheck.model.boxes import Box
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.properties.subjects import ENSEMBLE_KINDS
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble, FoundXp
from xpgcheck.xpg.ensembles.marco import EnsembleEnumeration
from xpgcheck.xpg.ensembles.membership import xp_holding
from xpgcheck.xpg.inflation import inflate_axp, inflate_cxp
from xpgcheck.xpg.xps import XP, Kind


class OurEnsembles:
    """The explainer of ensembles in ``xpgcheck explain``.  It declines what its limits, or rounding, leave open."""

    name = "xpgcheck, ensembles"
    models = ENSEMBLE_KINDS

    def predict(self, ensemble: Ensemble, instance: Point) -> int:
        """Return κ."""
        return ensemble.kappa(instance)

    def axp(self, ensemble: Ensemble, instance: Point) -> frozenset[int]:
        """Return one AXp by deletion."""
        return _found(self._explained(ensemble, instance), Kind.AXP, None)

    def cxp(self, ensemble: Ensemble, instance: Point) -> frozenset[int] | None:
        """Return one CXp by deletion, None where the class cannot change."""
        explained = self._explained(ensemble, instance)
        whole = explained.decide(0)
        if whole.changed is None:
            raise NotImplementedError(whole.reason)
        return _found(explained, Kind.CXP, None) if whole.changed else None

    def axp_inside(self, ensemble: Ensemble, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return an AXp inside *seed*."""
        return _found(self._explained(ensemble, instance), Kind.AXP, seed)

    def cxp_inside(self, ensemble: Ensemble, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return a CXp inside *seed*."""
        return _found(self._explained(ensemble, instance), Kind.CXP, seed)

    def enumerate(self, ensemble: Ensemble, instance: Point) -> Iterator[XP]:
        """Yield all XPs."""
        enumeration = EnsembleEnumeration(self._explained(ensemble, instance))
        yield from (XP(kind, _closed(found)) for kind, found in enumeration)
        if not enumeration.complete:
            raise NotImplementedError(enumeration.reason)

    def member(self, ensemble: Ensemble, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some AXp, by seeds that are refuted until one is right."""
        explained = self._explained(ensemble, instance)
        try:
            return xp_holding(explained, Kind.AXP, 1 << feature) is not None
        except UndecidedError as error:
            raise NotImplementedError(str(error)) from error

    def inflate(self, ensemble: Ensemble, instance: Point, axp: frozenset[int], order: Sequence[int]) -> Box:
        """Return the sets of an inflated AXp."""
        return boxed(lambda: inflate_axp(ensemble, instance, axp, order))

    def inflate_cxp(self, ensemble: Ensemble, instance: Point, cxp: frozenset[int]) -> Box:
        """Return all values of the features of *cxp* that some change has."""
        return boxed(lambda: inflate_cxp(ensemble, instance, cxp))

    def _explained(self, ensemble: Ensemble, instance: Point) -> ExplainedEnsemble:
        try:
            return explained_ensemble(ensemble, instance)
        except (LimitError, ModelError, UndecidedError) as error:
            raise NotImplementedError(str(error)) from error


def _found(explained: ExplainedEnsemble, kind: Kind, seed: frozenset[int] | None) -> frozenset[int]:
    try:
        return _closed(explained.find(kind, seed))
    except UndecidedError as error:
        raise NotImplementedError(str(error)) from error


def boxed(inflated: Callable[[], Box]) -> Box:
    """Return what *inflated* does; raise ``NotImplementedError`` where limits, or rounding, leave it open."""
    try:
        return inflated()
    except (LimitError, ModelError, UndecidedError) as error:
        raise NotImplementedError(str(error)) from error


def _closed(found: FoundXp) -> frozenset[int]:
    """Return the features of an XP of which nothing stayed open."""
    if found.open:
        raise NotImplementedError(found.reason)
    return found.features
