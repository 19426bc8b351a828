"""The conditions of an ensemble, with the theory that links them: fixed conditions leave a box, to which it is confined.

A point comes out as the instance on some conditions exactly if each of its values is on the instance's side of these: in a
*box*.  So "may the class change?" is asked of the ensemble :func:`~xpgcheck.model.boxes.confined` to the box, with nothing
fixed, and the usual oracles answer.  A point that they give is replayed by the conditions themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from xpgcheck.judging.consensus import Belief, Consensus
from xpgcheck.model.boxes import confined, retracted
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, OracleFault
from xpgcheck.oracles.conditions import Condition, replay_on_conditions


class AsksAnEnsemble(Protocol):
    """The oracles of one ensemble, put together."""

    def at(self, instance: Point) -> Consensus:
        """Return the consensus at *instance*."""


Panels = Callable[[Ensemble], AbstractContextManager[AsksAnEnsemble]]
"""Opens the oracles of an ensemble."""


class TheoryConsensus(Consensus):
    """The consensus on sets of conditions of an ensemble, with theory: a confined ensemble for each question."""

    def __init__(self, ensemble: Ensemble, conditions: Sequence[Condition], instance: Point, panels: Panels) -> None:
        """Ask the oracles that *panels* opens, at each question those of another ensemble."""
        own_class = ensemble.kappa(instance)
        super().__init__(
            len(conditions),
            (),
            lambda fixed, point: replay_on_conditions(ensemble, conditions, instance, fixed, point, own_class),
            open_because="" if ensemble.is_settled(instance) else WITHIN_ROUNDING,
        )
        self._ensemble = ensemble
        self._conditions = tuple(conditions)
        self._point = instance
        self._panels = panels
        self._sufficient: dict[frozenset[int], Belief] = {}

    def _settle(self, fixed: frozenset[int]) -> Belief:
        if self._open_because:
            return super()._settle(fixed)
        for smaller, known in self._sufficient.items():
            # What leaves one class leaves it with more conditions fixed, too.
            if smaller <= fixed:
                return known
        belief = self._asked(fixed)
        if belief.changeable is False:
            self._sufficient[fixed] = belief
        elif belief.witness is not None and belief.changeable:
            differs = (i for i, c in enumerate(self._conditions) if c.holds(belief.witness) is not c.holds(self._point))
            self._found.appendleft((frozenset(differs), belief))
        return belief

    def _asked(self, fixed: frozenset[int]) -> Belief:
        box = self._box(fixed)
        own = confined(self._ensemble, box, self._point)
        assert isinstance(own, Ensemble)
        with self._panels(own) as panel:
            consensus = panel.at(self._point)
            belief = consensus.ask(())
        self.queries += consensus.queries
        self.faults += consensus.faults
        self.disagreements += consensus.disagreements
        if belief.witness is None:
            return belief
        witness = retracted(belief.witness, box, self._point)
        problem = self._replay(fixed, witness)
        if problem is None:
            return replace(belief, witness=witness)
        self.faults.append(
            OracleFault(belief.confirmed_by[0] if belief.confirmed_by else "", fixed, problem, belief.answers[0])
        )
        return Belief(None, None, (), f"a witness does not replay: {problem}", False, belief.answers)

    def _box(self, fixed: frozenset[int]) -> dict[int, ValueSet]:
        """Return of each feature of the *fixed* conditions the values on the instance's side of all of them."""
        box: dict[int, ValueSet] = {}
        for index in sorted(fixed):
            condition = self._conditions[index]
            whole = self._ensemble.features[condition.feature].domain.all_values()
            side = whole.intersection if condition.holds(self._point) else whole.difference
            before = box.get(condition.feature, whole)
            box[condition.feature] = before.intersection(side(condition.values))
        return box
