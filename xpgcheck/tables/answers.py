"""The explanations of rows: those of a tree by its paths, those of any other model one by one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from xpgcheck.errors import UndecidedError
from xpgcheck.explanations.case import ExplainedInstance, case_of
from xpgcheck.explanations.families_shown import FamilyMasks, in_order
from xpgcheck.explanations.result import Explanations
from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import write_literal
from xpgcheck.model.values import Point
from xpgcheck.tables.asked import RowAnswer, RowChange, RowCondition, RowItem, RowPart, TableAsked
from xpgcheck.tables.tree_changes import TreeChanges
from xpgcheck.wording import condition_text
from xpgcheck.xpg.explanation_graph import indices, mask_of
from xpgcheck.xpg.families import minimal_hitting_sets, smallest_hitting_set
from xpgcheck.xpg.inflation import inflate_axp
from xpgcheck.xpg.tree_table import RowCxps, TreeTable
from xpgcheck.xpg.trees import axps_by_dualization
from xpgcheck.xpg.xps import Kind

BRANCHES = 20_000
"""Branches after which a smallest AXp is left to the MaxSAT solver."""

COMPARISONS = 200_000
"""Comparisons of sets after which all AXps of a row are left to the SAT solver."""

MAX_KNOWN = 10_000
"""Answers that a process keeps for rows whose values are in the same cells."""

Answerer = Callable[[Sequence[RowItem]], list[RowAnswer]]


@dataclass(slots=True)
class TableWork:
    """Explains blocks of rows of one model; what it makes for the first block is kept, in every process."""

    model: DecisionGraph | Ensemble
    asked: TableAsked
    _answerer: Answerer | None = field(default=None, init=False, repr=False)

    def __call__(self, items: Sequence[RowItem]) -> list[RowAnswer]:
        """Return what is found of each of *items*."""
        if self._answerer is None:
            self._answerer = answerer_of(self.model, self.asked)
        return self._answerer(items)


def answerer_of(model: DecisionGraph | Ensemble, asked: TableAsked) -> Answerer:
    """Return what explains rows of *model*."""
    if isinstance(model, DecisionGraph) and model.is_tree() and asked.constraint is None:
        return TreeRows(model, asked)
    return OtherRows(model, asked)


def representative(model: DecisionGraph | Ensemble, cells: Iterable[int]) -> Point:
    """Return a point with values in *cells*."""
    return tuple([split[cell].representative() for split, cell in zip(model.cells, cells, strict=True)])


class TreeRows:
    """Explains rows of a tree.  All CXps are known of each, and so is everything else by duality."""

    def __init__(self, graph: DecisionGraph, asked: TableAsked) -> None:
        """Prepare the tables."""
        self._graph = graph
        self._asked = asked
        self._table = TreeTable(graph)
        self._changes = TreeChanges(graph, self._table) if RowPart.CHANGE in asked.parts else None
        self._known: dict[tuple[int, ...], tuple[RowCxps, RowAnswer]] = {}

    def __call__(self, items: Sequence[RowItem]) -> list[RowAnswer]:
        """Return what is found of each of *items*."""
        if len(self._known) > MAX_KNOWN:
            self._known.clear()
        new = list(dict.fromkeys(item.cells for item in items if item.cells not in self._known))
        for cells, row in zip(new, self._table.cxps(new), strict=True):
            self._known[cells] = row, self._answer(cells, row)
        return [self._with_change(item, *self._known[item.cells]) for item in items]

    def _with_change(self, item: RowItem, row: RowCxps, answer: RowAnswer) -> RowAnswer:
        """Return *answer*, which rows in the same cells share, with the closest change of this one where that is wanted."""
        if self._changes is None or item.point is None:
            return answer
        return answer._replace(change=self._changes.closest(item.point, item.cells, row))

    def _answer(self, cells: tuple[int, ...], row: RowCxps) -> RowAnswer:
        parts, limit = self._asked.parts, self._asked.limit
        relevant = necessary = 0
        for mask in row.cxps:
            relevant |= mask
            necessary |= 0 if mask & mask - 1 else mask
        axp = None
        conditions: tuple[RowCondition, ...] = ()
        if parts & {RowPart.AXP, RowPart.VALUES}:
            axp = smallest_axp(row.cxps)
        if RowPart.VALUES in parts and axp is not None:
            point = representative(self._graph, cells)
            conditions = _conditions(self._graph, axp, inflate_axp(self._graph, point, indices(axp)))
        axps, more_axps = _all_axps(row.cxps, limit) if RowPart.AXPS in parts else ((), False)
        cxps = in_order(row.cxps) if RowPart.CXPS in parts else ()
        return RowAnswer(
            row.label,
            relevant,
            necessary,
            in_smallest(row.cxps),
            axp=axp,
            conditions=conditions,
            axps=axps,
            cxps=cxps[:limit],
            left_open=_cut(more_axps, len(cxps) > limit, limit),
        )


def smallest_axp(cxps: Sequence[int]) -> int:
    """Return a smallest AXp, given all CXps: by branch and bound, or by MaxSAT where that takes long."""
    found = smallest_hitting_set(cxps, BRANCHES)
    if found is not None:
        return found
    from pysat.examples.hitman import Hitman

    with Hitman(bootstrap_with=[list(indices(mask)) for mask in cxps], solver="m22", htype="sorted") as hitman:
        return mask_of(hitman.get())


def in_smallest(cxps: Iterable[int]) -> int:
    """Return the features in some of the smallest of *cxps*."""
    found, size = 0, 1 << 30
    for mask in cxps:
        count = mask.bit_count()
        if count < size:
            found, size = mask, count
        elif count == size:
            found |= mask
    return found


def _all_axps(cxps: Sequence[int], limit: int) -> tuple[tuple[int, ...], bool]:
    """Return all AXps, given all CXps, or *limit* of them, and whether there are more."""
    every = minimal_hitting_sets(sorted(cxps, key=int.bit_count), COMPARISONS)
    if every is None:
        found = axps_by_dualization(map(indices, cxps))
        every = [mask_of(axp) for axp in itertools.islice(found, limit + 1)]
    return in_order(every)[:limit], len(every) > limit


def _cut(axps: bool, cxps: bool, limit: int) -> str:
    """Return what lists were cut at the limit."""
    kinds = [kind for kind, more in (("AXps", axps), ("CXps", cxps)) if more]
    return f"there are more than {limit:,} {' and '.join(kinds)}" if kinds else ""


def _conditions(model: DecisionGraph | Ensemble, axp: int, box: Box) -> tuple[RowCondition, ...]:
    found = []
    for feature in indices(axp):
        own = model.features[feature]
        if feature not in box:
            found.append(RowCondition(feature, None, None))
            continue
        values = box[feature]
        text = condition_text(own.name, own.domain, values)
        found.append(RowCondition(feature, text, tuple(write_literal(own.domain, values))))
    return tuple(found)


class OtherRows:
    """Explains rows of a graph, an ensemble or any model under a constraint, one by one, as single instances are."""

    def __init__(self, model: DecisionGraph | Ensemble, asked: TableAsked) -> None:
        """Prepare nothing."""
        self._model = model
        self._asked = asked

    def __call__(self, items: Sequence[RowItem]) -> list[RowAnswer]:
        """Return what is found of each of *items*."""
        return [self._answer(item.point or representative(self._model, item.cells)) for item in items]

    def _answer(self, point: Point) -> RowAnswer:
        try:
            return self._found(case_of(self._model, point, self._asked.seconds, self._asked.constraint))
        except UndecidedError as error:
            # The class of this row is open, say, within rounding: the other rows can still be explained.
            everything = (1 << len(self._model.features)) - 1
            return RowAnswer(self._model.kappa(point), 0, 0, None, everything, left_open=error.problem)

    def _found(self, case: ExplainedInstance) -> RowAnswer:
        parts = self._asked.parts
        axps, cxps = case.explainer.families(self._asked.limit)
        roles = Explanations(case, {Kind.AXP: axps, Kind.CXP: cxps}).roles
        assert case.model is not None
        assert case.point is not None
        axp, doubt = _smallest_of(case, axps)
        change = _closest_of(case, cxps) if RowPart.CHANGE in parts else None
        return RowAnswer(
            case.model.kappa(case.point),
            roles.relevant,
            roles.in_every_axp,
            in_smallest(cxps.masks) if _is_known(cxps) else None,
            roles.undecided & ~roles.relevant,
            axp=axp if parts & {RowPart.AXP, RowPart.VALUES} else None,
            conditions=_conditions(case.model, axp, case.values_of_axp(axp) or {}) if RowPart.VALUES in parts else (),
            axps=axps.masks if RowPart.AXPS in parts else (),
            cxps=cxps.masks if RowPart.CXPS in parts else (),
            change=change,
            left_open=doubt or _open_text(axps, cxps),
        )


def _is_known(family: FamilyMasks) -> bool:
    return family.complete and not family.doubts


def _smallest_of(case: ExplainedInstance, axps: FamilyMasks) -> tuple[int, str]:
    """Return a smallest AXp of *case*, whose *axps* may be all, and what stays open of it."""
    if _is_known(axps):
        return axps.masks[0], ""
    found = case.explainer.smallest(Kind.AXP, 0)
    assert found is not None
    return found.mask, "" if found.doubt is None else f"there may be a smaller AXp: {found.doubt.reason}"


def _open_text(axps: FamilyMasks, cxps: FamilyMasks) -> str:
    if _is_known(axps) and _is_known(cxps):
        return ""
    return f"not all AXps and CXps were found: {axps.cut or cxps.cut or 'the limit cut the search short'}"


def _closest_of(case: ExplainedInstance, cxps: FamilyMasks) -> RowChange | None:
    """Return the closest of the closest changes for each of *cxps*; the smaller CXp of two that are as close."""
    assert case.model is not None
    best = None
    for mask in cxps.masks:
        found = case.explainer.closest(mask)
        if found is not None and (best is None or found.distance < best[1].distance):
            best = mask, found
    if best is None:
        return None
    mask, found = best
    values = tuple([(feature, found.point[feature]) for feature in indices(mask)])
    proven = found.proven and _is_known(cxps)
    return RowChange(values, case.model.classes.index(found.prediction), found.distance, proven)
