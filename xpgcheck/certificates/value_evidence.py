"""Claims of sets of values in certificates: trees of boxes, and a point for each place next to a set, or in one.

A decision graph is read as an ensemble of one here, as its nodes alone cannot show all that is true of a box: edges of one
path may each meet a set of values, and no value of it all of them.  What is a place, and which are next to a set, is asked
of the checker itself.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from xpgcheck import check_certificate as checker
from xpgcheck.certificates.box_trees import Box
from xpgcheck.certificates.canonical_texts import value_json
from xpgcheck.certificates.ensemble_evidence import EnsembleTables, SearchesBoxes
from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.literals import write_literal
from xpgcheck.model.value_sets import BOTTOM, TOP, Cut, IntervalSet, ValueSet, set_of_spans
from xpgcheck.model.values import MISSING, Point, Value

Within = Mapping[int, set[int]]
"""Places that points of a box may have, by feature; those of other features are all in it."""


class ValueEvidence:
    """The evidence for claims of sets of values about one instance of one model."""

    def __init__(self, tables: EnsembleTables, instance: Point) -> None:
        self._tables, self._model = tables, tables.model
        self._ensemble, self._instance = tables.ensemble, instance
        self._whole = checker.first_box(self._model, self._read(instance), frozenset())

    def claim(self, claim: Claim, verdict: Verdict, odd: Mapping[int, ValueSet]) -> str | None:
        """Return the claim with what shows that it is *verdict*, as JSON text; None where nothing is found that does.

        *odd* has values that can join a set, or that no change has.  Raises ``UndecidedError`` as the search does.
        """
        ensemble = self._ensemble
        box = {i: ensemble.features[i].domain.all_values().intersection(values) for i, values in claim.box or ()}
        raw: dict[str, Any] = {
            "kind": claim.kind.value,
            "features": sorted(box),
            "verdict": verdict.value,
            "values": [write_literal(ensemble.features[i].domain, box[i]) for i in sorted(box)],
        }
        sets = dict(checker.sets_of(self._model, raw, self._unlimited()))
        axp, cxp = claim.kind is ClaimKind.INFLATED_AXP, claim.kind is ClaimKind.INFLATED_CXP
        held = {} if axp else {i: {self._place(i, v)} for i, v in enumerate(self._instance) if i not in sets}
        whole = held if cxp else {**held, **{i: places for i, (_, places, _, _) in sets.items()}}
        own = ensemble.kappa(self._instance)
        at, target, points = self._instance, own, list[Point]()
        change = claim.kind is ClaimKind.INFLATED_CHANGE
        if change:
            changed = self._change(box, own, verdict)
            if changed is None:
                return None
            at, target, points = changed, ensemble.kappa(changed), [changed]
        proofs: list[Within] = []
        wanted: list[Within] = []
        inside: Mapping[int, ValueSet] = {}
        if verdict is Verdict.INFLATED:
            proofs = [{**held, i: others} for i, (_, _, _, others) in sets.items()] if cxp else [whole]
            pairs = [(i, p) for i, (_, places, nearby, _) in sets.items() for p in sorted(places if cxp else nearby)]
            wanted = [{**whole, i: {p}} for i, p in pairs]
        elif odd and verdict is (Verdict.INEFFECTIVE if cxp else Verdict.NOT_MAXIMAL):
            feature, values = min(odd.items(), key=lambda pair: pair[0])
            value = values.representative()
            raw["value"] = [feature, json.loads(value_json(value))]
            place = self._place(feature, value)
            proofs = [{**held, feature: {place}} if cxp else {**whole, feature: sets[feature][1] | {place}}]
        elif verdict is Verdict.NOT_MAXIMAL and cxp and odd:
            feature, values = min(odd.items(), key=lambda pair: pair[0])
            wanted, inside = [{**held, feature: {self._place(feature, values.representative())}}], {feature: values}
        elif verdict is Verdict.INSUFFICIENT and all(at[i] in values for i, values in box.items()):
            wanted, inside = [whole], box
        elif verdict not in (Verdict.INSUFFICIENT, Verdict.INEFFECTIVE) or cxp:
            return None
        raw["boxes"] = []
        for within in proofs:
            tree = self._search(within, at, target, occurs=change)
            if not isinstance(tree, list):
                return None
            raw["boxes"].append(tree)
        for within in wanted:
            found = self._search(within, at, target, inside, occurs=change)
            if isinstance(found, list):
                return None
            points.append(found)
        raw["points"] = [self._changes(point) for point in points]
        return json.dumps(raw, ensure_ascii=False, separators=(",", ":"))

    def _change(self, box: Mapping[int, ValueSet], own: int, verdict: Verdict) -> Point | None:
        """Return a point with values in *box*, elsewhere those of the instance, that is a change, or is none."""
        pairs = enumerate(self._instance)
        point = tuple([v if i not in box or v in box[i] else box[i].representative() for i, v in pairs])
        changes = self._ensemble.kappa(point) != own and self._tables.occurs(point)
        return point if changes is not (verdict is Verdict.INEFFECTIVE) else None

    def _search(
        self,
        within: Within,
        at: Point,
        target: int,
        inside: Mapping[int, ValueSet] | None = None,
        *,
        occurs: bool = False,
    ) -> list[int] | Point:
        """Return a tree of boxes in which *target* wins where points have places *within*, or a point of another class.

        A set may end inside a place: the point has values *inside* those that are given.
        """
        box = [(min(within[i]), max(within[i]) + 1) if i in within else every for i, every in enumerate(self._whole)]
        if not all(within.values()):
            return [-1]
        search = self._tables.search(self._whole, target, occurs=occurs)
        found = self._cut(dict(enumerate(box)), within, search)
        return found if isinstance(found, list) else self._point(found, at, inside or {})

    def _cut(self, box: Box, within: Within, search: SearchesBoxes) -> list[int] | Box:
        """Return what *search* says of the parts of *box* that have all places *within*, or none of some feature."""
        for i, places in within.items():
            low, high = box[i]
            row = [p for p in self._filled(i) if low <= p < high]
            if row[0] in places and row[-1] in places and places.issuperset(row):
                continue
            if places.isdisjoint(row):
                return [-1]
            cut = next(b for a, b in itertools.pairwise(row) if (a in places) != (b in places))
            halves: list[int] = []
            for half in ((low, cut), (cut, high)):
                found = self._cut({**box, i: half}, within, search)
                if not isinstance(found, list):
                    return found
                halves += found
            return [i, cut, *halves]
        ended = search.boxes(box)
        if ended.boxes is not None:
            return ended.boxes
        assert ended.other is not None
        return ended.other

    def _point(self, box: Box, at: Point, inside: Mapping[int, ValueSet]) -> Point:
        """Return a point of *box* that has the values of the instance where it can, else those of *at*, all *inside*."""
        point: list[Value] = []
        for i, (own, other) in enumerate(zip(self._instance, at, strict=True)):
            low, high = box[i]
            wanted = inside.get(i)
            fits = [value for value in (own, other) if wanted is None or value in wanted]
            fits = [value for value in fits if low <= self._place(i, value) < high]
            point.append(
                fits[0] if fits else self._value(i, next(p for p in self._filled(i) if low <= p < high), wanted)
            )
        return tuple(point)

    def _filled(self, feature: int) -> list[int]:
        """Return the places of a feature that have values, in order."""
        return self._tables.filled(feature)

    def _place(self, feature: int, value: Value) -> int:
        domain = self._model.domains[feature]
        return checker.place_of(self._model, feature, domain.value(json.loads(value_json(value))))

    def _value(self, feature: int, place: int, wanted: ValueSet | None) -> Value:
        """Return a value at a place that has some, one of *wanted* if there is one."""
        row, whole = self._model.places[feature], self._ensemble.features[feature].domain.all_values()
        if not isinstance(whole, IntervalSet):
            return bool(row[place]) if self._model.domains[feature].kind == "boolean" else row[place]
        if place == len(row) - 1:
            return MISSING
        ends: list[Cut] = []
        for number, after in row[place : place + 2]:
            infinite = isinstance(number, float)
            ends.append((BOTTOM if number < 0 else TOP) if infinite else whole.grid.cut(Fraction(number), after))
        values = set_of_spans(whole.grid, [(ends[0], ends[1])]).intersection(whole)
        inner = values if wanted is None else values.intersection(wanted)
        return (inner if inner.cuts else values).representative()

    def _changes(self, point: Point) -> list[list[Any]]:
        pairs = enumerate(zip(self._instance, point, strict=True))
        return [[i, json.loads(value_json(value))] for i, (own, value) in pairs if own != value]

    def _read(self, point: Point) -> list[checker.Value]:
        raw = [json.loads(value_json(value)) for value in point]
        return [domain.value(item) for domain, item in zip(self._model.domains, raw, strict=True)]

    @staticmethod
    def _unlimited() -> checker.Work:
        work = checker.Work()
        work.left = 2**62
        return work
