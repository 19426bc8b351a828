"""Evidence about sets of free features of an ensemble at one instance: trees of boxes and points, each found once.

One search answers many questions: a point serves every set of free features that holds what it changes, a tree of boxes
every set of fixed features that holds what it fixes.  So the explanations that are found by asking have their evidence.
"""

from __future__ import annotations

import functools
import json
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from xpgcheck import check_certificate as checker
from xpgcheck.certificates.box_trees import Box, ForestPaths, Range, Search, SearchResult
from xpgcheck.certificates.canonical_texts import header_text, instance_json, members_json, value_json
from xpgcheck.certificates.closed_sets_and_points import BoxTree, OtherPoint, members_of
from xpgcheck.errors import FormatError, UndecidedError
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point, Value
from xpgcheck.xpg.explanation_graph import mask_of


class _Value(NamedTuple):
    """A value of a feature, and where it is among the places."""

    place: int
    value: Value


class SearchesBoxes(Protocol):
    """The search at one instance."""

    def boxes(self, whole: Box) -> SearchResult:
        """Return what the box *whole* shows, all features that it leaves out fixed."""


class EnsembleTables:
    """The tables that evidence of one ensemble's certificates is made from; made once, for every instance."""

    def __init__(self, ensemble: Ensemble) -> None:
        """Raises ``FormatError`` where JSON cannot hold the ensemble or its checker refuses it, ``LimitError`` as
        :class:`ForestPaths` does.
        """
        self.ensemble = ensemble
        self.header = header_text(ensemble)
        try:
            self.model = checker.Ensemble(json.loads(self.header)["model"])
        except (checker.Refused, ValueError) as error:
            mend = "see docs/reference/certificates.md for what they are limited to"
            raise FormatError(f"certificates cannot be about it: {error}", place=ensemble.name, mend=mend) from None
        self.forest = ForestPaths(self.model)
        self.values = [self.values_of(i) for i in range(len(ensemble.features))]

    @functools.cached_property
    def _filled(self) -> dict[int, list[int]]:
        return {}

    def values_of(self, feature: int) -> list[_Value]:
        """Return a value for each place of *feature* that has one, in order."""
        domain, found = self.model.domains[feature], []
        if domain.spans is None:
            boolean = domain.kind == "boolean"
            row = self.model.places[feature]
            return [_Value(place, bool(value) if boolean else value) for place, value in enumerate(row)]
        for cell in self.ensemble.cells[feature]:
            value = cell.representative()
            written = domain.value(json.loads(value_json(value)))
            found.append(_Value(checker.place_of(self.model, feature, written), value))
        return sorted(found, key=_place)

    def filled(self, feature: int) -> list[int]:
        """Return the places of *feature* that have values, in order.  Kept."""
        if feature not in self._filled:
            self._filled[feature] = checker.filled_places(self.model, feature)
        return self._filled[feature]

    def occurs(self, point: Point) -> bool:
        """Tell whether *point* can occur."""
        return True

    def search(self, first: Sequence[Range], own: int, *, occurs: bool = False) -> SearchesBoxes:
        """Return the search at an instance whose box is *first* and whose class is *own*: here, all of a box *occurs*."""
        return Search(self.forest, first, own)

    def at(self, instance: Point) -> EnsembleEvidence:
        """Return what is shown at *instance*, with nothing known yet.

        So a line does not depend on what was asked before it.  Raises ``UndecidedError`` where rounding decides its class.
        """
        return EnsembleEvidence(self, instance)


class EnsembleEvidence:
    """The evidence at one instance, kept as it is found."""

    def __init__(self, tables: EnsembleTables, instance: Point) -> None:
        """Raises ``UndecidedError`` as :meth:`EnsembleTables.at` does."""
        if not tables.ensemble.is_settled(instance):
            problem = "the class of the instance lies within rounding, so that there is no certificate about it"
            raise UndecidedError(problem, mend="name another instance")
        model = tables.model
        self.instance = instance
        self.variables = tuple([feature.name for feature in tables.ensemble.features])
        self.all_variables = (1 << len(self.variables)) - 1
        self._tables = tables
        raw = json.loads(instance_json(instance))
        point = [domain.value(item) for domain, item in zip(model.domains, raw, strict=True)]
        self._first = checker.first_box(model, point, frozenset(range(len(point))))
        self._whole = checker.first_box(model, point, frozenset())
        self.own = tables.ensemble.kappa(instance)
        self._search = tables.search(self._first, self.own)
        self._points: dict[OtherPoint, Point] = {}
        self._trees: list[BoxTree] = []

    def evidence(self, free_sets: Sequence[int], *, tight: bool = False) -> list[BoxTree | OtherPoint]:
        """Return what each mask of free features shows.  Raises ``UndecidedError`` as :meth:`Search.boxes` does."""
        return [self.of(free) for free in free_sets]

    def of(self, free: int) -> BoxTree | OtherPoint:
        """Return what the mask *free* of free features shows.  Raises ``UndecidedError`` as :meth:`Search.boxes` does."""
        fixed = self.all_variables & ~free
        for tree in self._trees:
            if not tree.fixed & ~fixed:
                return tree
        for point in self._points:
            if not point.changed & fixed:
                return point
        found = self._search.boxes({i: self._whole[i] for i in members_of(free)})
        if found.boxes is not None:
            tree = BoxTree(fixed, members_json(found.boxes))
            self._trees.append(tree)
            return tree
        assert found.other is not None
        return self.note(self._point(found.other))

    def note(self, point: Point) -> OtherPoint:
        """Keep *point* as evidence: of another class, whatever rounding does."""
        changed = [i for i, (own, value) in enumerate(zip(self.instance, point, strict=True)) if own != value]
        texts = [f"[{i},{value_json(point[i])}]" for i in changed]
        other = OtherPoint(mask_of(changed), f"[{','.join(texts)}]")
        self._points[other] = point
        return other

    def values_of(self, other: OtherPoint) -> Point:
        """Return a point that is kept as evidence."""
        return self._points[other]

    def _point(self, box: Box) -> Point:
        """Return a point of *box* that has the values of the instance where it can."""
        point = list(self.instance)
        for i, places in box.items():
            if not places[0] <= self._first[i][0] < places[1]:
                point[i] = self._nearest(i, places)
        return tuple(point)

    def _nearest(self, feature: int, places: Range) -> Value:
        """Return the value of *feature* in *places* that is nearest to the instance's."""
        values = self._tables.values[feature]
        low, high = places
        inside = values[bisect_left(values, low, key=_place) : bisect_left(values, high, key=_place)]
        return (inside[0] if self._first[feature][0] < low else inside[-1]).value


def _place(value: _Value) -> int:
    return value.place
