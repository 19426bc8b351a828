"""The explanations of an ensemble that certificates are about: found by the explainer, whose questions leave their evidence.

For votes the explainer's SAT solver answers, and its points are kept as evidence; boxes are then searched only for sets that
suffice.  For sums its questions are put to the search for boxes itself, so that all of them have their evidence by then.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from itertools import islice

from xpgcheck.certificates.closed_sets_and_points import OtherPoint
from xpgcheck.certificates.ensemble_evidence import EnsembleEvidence
from xpgcheck.errors import UndecidedError
from xpgcheck.model.combination import Majority
from xpgcheck.xpg.ensembles.deciding import Allowance, Decider, Decision
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble
from xpgcheck.xpg.ensembles.marco import EnsembleEnumeration
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.ensembles.vote_solver import VoteSolver
from xpgcheck.xpg.xps import Kind


class EvidenceExplainer:
    """Explains one ensemble at what evidence is asked for."""

    def __init__(self, places: EnsemblePlaces) -> None:
        """Raises ``LimitError`` where the ensemble has too many paths."""
        self._places = places

    @contextlib.contextmanager
    def at(self, asked: EnsembleEvidence) -> Iterator[ExplainedEnsemble]:
        """Give the ensemble at the instance of *asked*, which keeps the evidence that is found.

        With a solver of its own, so that what it finds does not depend on what was asked before.
        """
        with contextlib.ExitStack() as stack:
            inner = None
            if isinstance(self._places.ensemble.rule, Majority):
                inner = stack.enter_context(VoteSolver(self._places)).at(asked.instance)
            yield ExplainedEnsemble(self._places, asked.instance, _Noting(asked, self._places, inner))

    def explanations(self, asked: EnsembleEvidence, limit: int | None = None) -> tuple[list[int], list[int], bool]:
        """Return AXps and CXps at the instance of *asked*, as masks, at most *limit* together, and whether these are all.

        Raises ``UndecidedError`` as :meth:`EnsembleEvidence.of` does, and where a question stays open.
        """
        masks: dict[Kind, list[int]] = {Kind.AXP: [], Kind.CXP: []}
        with self.at(asked) as explained:
            enumeration = EnsembleEnumeration(explained)
            ongoing = iter(enumeration)
            for kind, found in islice(ongoing, limit):
                if found.open:
                    raise _open(found.reason)
                masks[kind].append(found.mask)
            next(ongoing, None)  # that there is none more shows that these are all
        if enumeration.reason:
            raise _open(enumeration.reason)
        return masks[Kind.AXP], masks[Kind.CXP], enumeration.complete


class _Noting:
    """Answers by the search for boxes, or by another decider, whose points it hands on as evidence."""

    def __init__(self, asked: EnsembleEvidence, places: EnsemblePlaces, inner: Decider | None) -> None:
        self._asked = asked
        self._places = places
        self._inner = inner

    def decide(self, fixed: int, allowance: Allowance) -> Decision:
        """Decide whether a point of another class agrees with the instance on the features *fixed* (a mask)."""
        if self._inner is not None:
            found = self._inner.decide(fixed, allowance)
            if found.changed:
                values = tuple(
                    own.value(place) if found.mask >> i & 1 else value
                    for i, (own, place, value) in enumerate(
                        zip(self._places.features, found.places, self._asked.instance, strict=True)
                    )
                )
                self._asked.note(values)
            return found
        shown = self._asked.of(self._asked.all_variables & ~fixed)
        if not isinstance(shown, OtherPoint):
            return Decision(False, shown.fixed)
        values = self._asked.values_of(shown)
        places = tuple([own.of(value) for own, value in zip(self._places.features, values, strict=True)])
        return Decision(True, shown.changed, places)

    def order(self) -> Sequence[int]:
        """Return the features, those first that are likely to matter least."""
        return range(len(self._places.features)) if self._inner is None else self._inner.order()


def _open(reason: str) -> UndecidedError:
    return UndecidedError(f"a question stays open ({reason}), so that there is no certificate", mend="use --limit")
