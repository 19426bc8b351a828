"""Inflated explanations: which values would do, and not only which features (Izza et al., AAAI 2024).

An *inflated AXp* is an AXp 𝒳 with a set E_i of values for each i ∈ 𝒳 that has the instance's v_i in it, such that every
point whose values are in these sets has the prediction, and no E_i can be larger.  An *inflated change* is a CXp 𝒴 with a
set of values for each i ∈ 𝒴 around those of a changed point, such that every point with values in these sets, and those of
the instance elsewhere, has the class of the changed point; again no set can be larger.  Of ordered features the sets are
intervals (and the missing value apart), of others any values.

A box has points of one class alone iff each of its slices has, so that one traversal a feature finds all values that may
join; the order of features decides whose set grows first.
"""

from __future__ import annotations

import functools
import operator
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xpgcheck.arguments import INDICES, Rule, instance_of_type, optional, takes
from xpgcheck.errors import InputError, InstanceError, LimitError
from xpgcheck.model.boxes import Box, cell_index, union_of_cells
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import contains
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.model.values import Point
from xpgcheck.xpg.ensembles.places import FeaturePlaces
from xpgcheck.xpg.explanation_graph import mask_of
from xpgcheck.xpg.tree_boxes import OtherPaths, ShutPaths, TreePaths, cells_of, paths_near

if TYPE_CHECKING:
    from xpgcheck.xpg.ensembles.deciding import Allowance

MAX_STATES = 1_000_000
"""Combinations of a node and what is left of features that paths test again, which one traversal may look at."""

_CLASSIFIER = Rule(
    lambda graph: isinstance(graph, DecisionGraph | Ensemble),
    "a decision graph or an ensemble",
    "pass what xpgcheck.read_classifier(path) returns",
)
_POINT = instance_of_type(tuple, "a point", "pass what xpgcheck.read_point(graph.features, instance) returns")


@takes(graph=_CLASSIFIER, point=_POINT, axp=INDICES, order=optional(INDICES))
def inflate_axp(
    graph: DecisionGraph | Ensemble,
    point: Point,
    axp: Iterable[int],
    order: Sequence[int] | None = None,
    *,
    allowance: Allowance | None = None,
) -> Box:
    """Return of each feature of *axp*, a weak AXp, a largest set of values that leaves the prediction as it is.

    *order* says whose set grows first, those not named last (default: increasing index).  Raises ``InputError`` where *axp*
    does not suffice for the prediction, ``LimitError`` where paths test features with sets of several pieces again and
    again.  O(|axp| · edges) set operations on masks as a rule.  Of an ensemble it takes some log(cells) questions a feature,
    and raises ``UndecidedError`` where one stays open, as within the *allowance*.
    """
    _own_class(graph, point)
    return _grown(graph, point, axp, order, allowance, free=True)


@takes(graph=_CLASSIFIER, point=_POINT, cxp=INDICES, changed=_POINT, order=optional(INDICES))
def inflate_cxp(
    graph: DecisionGraph | Ensemble,
    point: Point,
    cxp: Iterable[int],
    changed: Point,
    order: Sequence[int] | None = None,
    *,
    allowance: Allowance | None = None,
) -> Box:
    """Return of each feature of *cxp* a largest set of values around that of *changed* that gives the class of *changed*.

    *changed* is a point of another class that has the values of *point* outside *cxp*.  Raises as :func:`inflate_axp`.
    """
    members = frozenset(map(operator.index, cxp))
    own = _own_class(graph, point)
    if len(changed) != len(point):
        raise _outside()
    differs = [i for i, (a, b) in enumerate(zip(point, changed, strict=True)) if a is not b and a != b]
    if not all(contains(graph.features[i].domain, changed[i]) for i in differs):
        raise _outside()
    if graph.kappa(changed) == own:
        raise InputError("the changed point has the class of the instance", mend="give a point of another class")
    if not members.issuperset(differs):
        raise InputError("the changed point differs outside the CXp", mend="change features of the CXp only")
    return _grown(graph, changed, members, order, allowance, free=False)


def _own_class(graph: DecisionGraph | Ensemble, point: Point) -> int:
    """Return the class of *point*; that of the last point of the last graph is kept.

    Raises ``InstanceError`` where it is not in the feature space.
    """
    if not isinstance(graph, DecisionGraph):
        if not in_feature_space(graph, point):
            raise _outside()
        return graph.kappa(point)
    prepared = _prepared(graph)
    if prepared.own is None or prepared.own[0] is not point:
        if not in_feature_space(graph, point):
            raise _outside()
        prepared.own = point, graph.kappa(point)
    return prepared.own[1]


def _outside() -> InstanceError:
    return InstanceError("the point is not in the model's feature space", mend="give one domain value a feature")


def _members(features: int, members: Iterable[int], order: Sequence[int] | None) -> list[int]:
    """Return *members*, those first that *order* names, in its order.  Raises ``InputError`` on what is no feature."""
    chosen = frozenset(map(operator.index, members))
    outside = [i for i in (*chosen, *(order or ())) if not 0 <= i < features]
    if outside:
        raise InputError(f"feature index {outside[0]} is not in 0 … {features - 1}", mend="correct the set")
    return list(dict.fromkeys([*(i for i in order or () if i in chosen), *sorted(chosen)]))


def _grown(
    graph: DecisionGraph | Ensemble,
    point: Point,
    members: Iterable[int],
    order: Sequence[int] | None,
    allowance: Allowance | None,
    *,
    free: bool,
) -> Box:
    """Return of *members* the largest sets around *point* that leave its class, other features *free* or as they are."""
    growing = _members(len(graph.features), members, order)
    if isinstance(graph, Ensemble):
        # Solvers take their time to import, and graphs need none.
        from xpgcheck.xpg.ensembles.inflation import grown_by_questions

        held = {} if free else {i: 1 << cell_index(graph.cells[i], v) for i, v in enumerate(point) if i not in growing}
        return grown_by_questions(graph, point, held, growing, allowance)
    prepared = _prepared(graph)
    own, at = graph.kappa(point), prepared.at(point)
    bad: _Behind | ShutPaths
    if not graph.is_tree():
        bad = _Behind(graph, own, at, growing, free=free)
    elif free:
        bad = ShutPaths(prepared.paths.others(at, own), mask_of(growing))
    else:
        # With the others held few paths are left, and no two points have the same.
        bad = ShutPaths(OtherPaths(paths_near(graph, at, mask_of(growing), own), at), mask_of(growing))
    if bad.is_open:
        raise _undecided()
    box: dict[int, ValueSet] = {}
    for feature in growing:
        split = graph.cells[feature]
        kept = _one_piece(split, at[feature], (1 << len(split)) - 1 & ~bad.bad(feature))
        bad.grow(feature, kept)
        box[feature] = union_of_cells(split, kept)
    return box


class _Prepared:
    """The part of the work that serves every box of one graph: the places of values, and the paths of a tree."""

    def __init__(self, graph: DecisionGraph) -> None:
        self.graph = graph
        self.places = [FeaturePlaces(split) for split in graph.cells]
        self.own: tuple[Point, int] | None = None
        """The last point that was checked, and its class."""
        self._last: tuple[Point, tuple[int, ...]] | None = None

    @functools.cached_property
    def paths(self) -> TreePaths:
        """The paths of the graph, a tree."""
        return TreePaths(self.graph)

    def at(self, point: Point) -> tuple[int, ...]:
        """Return the place of each value of *point*; those that are the last point's need not be found again."""
        if self._last is None:
            self._last = point, tuple([own.of(value) for own, value in zip(self.places, point, strict=True)])
        before, known = self._last
        if before is not point:
            values = zip(self.places, point, before, known, strict=True)
            self._last = point, tuple([place if value is b else own.of(value) for own, value, b, place in values])
        return self._last[1]


class _Last(threading.local):
    prepared: _Prepared | None = None


_last = _Last()


def _prepared(graph: DecisionGraph) -> _Prepared:
    """Return what serves every box of *graph*; that of the last graph is kept, as many boxes of one are asked for."""
    if _last.prepared is None or _last.prepared.graph is not graph:
        _last.prepared = _Prepared(graph)
    return _last.prepared


def _undecided() -> InputError:
    return InputError("these features do not suffice for the prediction", mend="give a weak AXp")


def _one_piece(split: tuple[ValueSet, ...], at: int, good: int) -> int:
    """Return what of *good* a set may have: of ordered cells the run around *at*, and the missing value."""
    if not isinstance(split[0], IntervalSet):
        return good
    last = len(split) - 1
    missing = 1 << last if not _has_numbers(split[last]) else 0
    if 1 << at == missing:
        # The instance has no value: numbers are a second piece, of which the lowest run is as good as any.
        numbers = good & ~missing
        if not numbers:
            return missing
        at = (numbers & -numbers).bit_length() - 1
    low = high = at
    while low > 0 and good >> low - 1 & 1:
        low -= 1
    while high < last and good >> high + 1 & 1 and 1 << high + 1 != missing:
        high += 1
    return (1 << high + 1) - (1 << low) | good & missing


def _has_numbers(cell: ValueSet) -> bool:
    return isinstance(cell, IntervalSet) and bool(cell.cuts)


class _Behind:
    """Which cells of a feature have a terminal of another class behind them, in a box of any graph."""

    def __init__(
        self, graph: DecisionGraph, own: int, at: Sequence[int], growing: Sequence[int], *, free: bool
    ) -> None:
        self._graph = graph
        self._allowed = [
            (1 << len(split)) - 1 if free and i not in growing else 1 << place
            for i, (split, place) in enumerate(zip(graph.cells, at, strict=True))
        ]
        self._wrong = [c >= 0 and c != own for c in graph.class_of]
        self._masks = [cells_of(ranges) for ranges in graph.literal_cells]
        # Literals that are one run of cells, as a path's have a common cell, meet a run wherever each of them does.
        self._ragged = {
            literal.feature
            for literal, ranges in zip(graph.literals, graph.literal_cells, strict=True)
            if len(ranges) > 1
        }

    @property
    def is_open(self) -> bool:
        """Whether the box has a point of another class."""
        return bool(self._walk(-1, self._allowed))

    def bad(self, feature: int) -> int:
        """Return the cells of *feature* that make a point of another class with what the box has of the others."""
        return self._walk(feature, self._allowed)

    def grow(self, feature: int, kept: int) -> None:
        """Have the box have the cells *kept* of *feature*."""
        self._allowed[feature] = kept

    def _walk(self, feature: int, allowed: Sequence[int]) -> int:
        graph, masks = self._graph, self._masks
        loose = (
            []
            if graph.shape.read_once
            else [j for j in range(len(allowed)) if j != feature and self._loose(j, allowed)]
        )
        if not loose:
            return self._straight(feature, allowed)
        slot = {j: k for k, j in enumerate(loose)}
        start = tuple([allowed[j] for j in loose])
        whole = (1 << len(graph.cells[feature])) - 1 if feature >= 0 else 1
        states: list[dict[tuple[int, ...], int]] = [{} for _ in range(graph.node_count)]
        states[0][start] = whole
        found = 0
        seen = 0
        for node, here in enumerate(states):
            if not here:
                continue
            if graph.class_of[node] >= 0:
                if self._wrong[node]:
                    for reached in here.values():
                        found |= reached
                continue
            seen += len(here)
            if seen > MAX_STATES:
                problem = f"over {MAX_STATES:,} combinations of values on paths that test a feature again"
                raise LimitError(problem, mend="inflate fewer features")
            tested = graph.feature_of[node]
            for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
                mask = masks[index]
                for left, reached in here.items():
                    if tested == feature:
                        reached &= mask
                    elif tested in slot:
                        k = slot[tested]
                        narrowed = left[k] & mask
                        if not narrowed:
                            continue
                        left = (*left[:k], narrowed, *left[k + 1 :])
                    elif not allowed[tested] & mask:
                        continue
                    if reached & ~found:
                        states[child][left] = states[child].get(left, 0) | reached
            states[node] = {}
        return found

    def _straight(self, feature: int, allowed: Sequence[int]) -> int:
        """Return what :meth:`_walk` does where each literal of a path meets what is allowed iff all of them do at once."""
        graph, masks = self._graph, self._masks
        reached = [0] * graph.node_count
        reached[0] = (1 << len(graph.cells[feature])) - 1 if feature >= 0 else 1
        found = 0
        for node, here in enumerate(reached):
            if not here:
                continue
            tested = graph.feature_of[node]
            if tested < 0:
                if self._wrong[node]:
                    found |= here
                continue
            children = zip(graph.children[node], graph.literal_ids[node], strict=True)
            if tested == feature:
                for child, index in children:
                    reached[child] |= here & masks[index]
            else:
                own = allowed[tested]
                for child, index in children:
                    if own & masks[index]:
                        reached[child] |= here
        return found

    def _loose(self, feature: int, allowed: Sequence[int]) -> bool:
        """Tell whether a path's literals may each meet what is allowed of *feature*, and not all of them at once."""
        own = allowed[feature]
        if own & own - 1 == 0 or own == (1 << len(self._graph.cells[feature])) - 1:
            return False
        run = own >> (own & -own).bit_length() - 1
        return feature in self._ragged or run & run + 1 != 0
