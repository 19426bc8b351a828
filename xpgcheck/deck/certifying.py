"""The families of the deck: found by our explainer, and confirmed by routes that share nothing with it.

Route one is the textbook's: minimal sets to be freed on paths, node by node, from the paper alone, and of these the
minimal hitting sets by Berge's multiplication on sets.  Route two is Z3 over the original domains, with closed sets of
nodes as the second engine that a "no" needs: every member is a weak XP, and the two families are dual.  Where feature
space is small, every combination of cells is looked at too.  Families too large to be listed are left out, and the other
one of the two says all.  Sets of values are our explainer's, too, and confirmed by paths in the box and by the oracles of
the classifier confined to it.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable
from typing import NamedTuple

from xpgcheck.errors import UndecidedError, shown
from xpgcheck.judging.box_judge import BoxJudge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.definitions import MAX_POINTS, Definition
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.xpg.explanation_graph import explanation_graph, features_of
from xpgcheck.xpg.families import all_cxps, minimal_hitting_sets
from xpgcheck.xpg.find_one import find_axp
from xpgcheck.xpg.inflation import inflate_axp, inflate_cxp

Members = frozenset[int]

MAX_LISTED = 1_100
"""XPs of one kind that are listed."""

BUDGET = 20_000_000

EVERY_MEMBER = 130
"""XPs of a family up to which each is judged minimal by the solver as well."""


class Families(NamedTuple):
    """All AXps and all CXps, each by size and then by members; None where they are too many to be listed."""

    axps: tuple[Members, ...] | None
    cxps: tuple[Members, ...] | None


class Inflations(NamedTuple):
    """An inflated AXp, whose sets grew in the order of its features, and an inflated CXp; None where there is none."""

    axp: Box
    cxp: Box | None


MAX_GROWN = 12
"""Features of an inflated AXp up to which it is confirmed, set by set, that they grew in their order."""


def certified_inflations(graph: DecisionGraph, point: Point, families: Families, dice: random.Random) -> Inflations:
    """Return the sets of values of an AXp at *point*, in an order by the *dice*, and of a CXp; of large ones, if listed.

    Raises ``UndecidedError`` where a second route does not confirm them.
    """
    axp = sorted(families.axps[-1] if families.axps else find_axp(explanation_graph(graph, point)))
    dice.shuffle(axp)
    grown = inflate_axp(graph, point, axp, axp)
    found = Inflations(
        {i: grown[i] for i in axp}, inflate_cxp(graph, point, families.cxps[-1]) if families.cxps else None
    )
    _confirm_inflations(graph, point, found)
    return found


def _confirm_inflations(graph: DecisionGraph, point: Point, found: Inflations) -> None:
    judge = BoxJudge(graph)
    verdicts = [judge.inflated_axp(point, found.axp).verdict]
    if found.cxp is not None:
        verdicts.append(judge.inflated_cxp(point, found.cxp).verdict)
    box = {i: next(cell for cell in graph.cells[i] if point[i] in cell) for i in found.axp}
    for feature in list(found.axp) if len(box) <= MAX_GROWN else ():
        box[feature] = found.axp[feature]
        verdicts.append(judge.maximal(point, box, [feature]).verdict)
    if set(verdicts) - {Verdict.INFLATED}:
        said = ", ".join(verdict.value for verdict in verdicts)
        raise UndecidedError(f"{shown(graph.name)} at {point}: its sets of values are {said}", mend="look into it")


def certified_families(graph: DecisionGraph, points: Iterable[Point]) -> list[Families]:
    """Return the families of XPs at each of *points*.  Raises ``UndecidedError`` where two routes differ."""
    found = []
    with Panel(graph, cells=False, thorough=True) as panel:
        for point in points:
            families = found_families(graph, point)
            _confirm(graph, point, families, panel.at(point))
            found.append(families)
    return found


def found_families(graph: DecisionGraph, point: Point) -> Families:
    """Return what our explainer finds."""
    cxps = all_cxps(explanation_graph(graph, point), BUDGET)
    if cxps is None:
        raise UndecidedError(f"{shown(graph.name)}: no family can be listed", mend="make the shape smaller")
    axps = minimal_hitting_sets(cxps, BUDGET) if _hitting_sets_are_few(cxps) else None
    return Families(*(_listed(family) for family in (axps, cxps)))


def _hitting_sets_are_few(cxps: list[int]) -> bool:
    """Tell whether the hitting sets of *cxps* are worth listing: where these are disjoint, their number is a product."""
    together = 0
    for mask in cxps:
        if together & mask:
            return True
        together |= mask
    return math.prod(mask.bit_count() for mask in cxps) <= MAX_LISTED


def _listed(family: list[int] | None) -> tuple[Members, ...] | None:
    if family is None or len(family) > MAX_LISTED:
        return None
    return tuple(sorted(map(features_of, family), key=lambda members: (len(members), sorted(members))))


def compared_families(graph: DecisionGraph, points: Iterable[Point]) -> list[Families]:
    """Return the families of XPs at each of *points*, by two routes without a solver.

    Raises ``UndecidedError`` where they differ.
    """
    found = []
    for point in points:
        families = found_families(graph, point)
        _compare(graph, point, families)
        found.append(families)
    return found


def _compare(graph: DecisionGraph, point: Point, families: Families) -> None:
    """Compare with the textbook's.  Raises ``UndecidedError``."""
    axps, cxps = families
    name = f"{shown(graph.name)} at {point}"
    textbook = Textbook()
    xpg = textbook.xpg(graph, point)
    freed = textbook.freed_on_paths(xpg)
    if cxps is not None and set(textbook.minimal([s for node in xpg.zeros for s in freed[node]])[0]) != set(cxps):
        raise UndecidedError(f"{name}: the CXps are not the minimal sets to be freed", mend="look into it")
    if axps is not None and cxps is not None and set(axps) != hitting_sets(cxps):
        raise UndecidedError(f"{name}: the AXps are not the minimal hitting sets", mend="look into it")


def _confirm(graph: DecisionGraph, point: Point, families: Families, route: Consensus) -> None:
    axps, cxps = families
    name = f"{shown(graph.name)} at {point}"
    _compare(graph, point, families)
    if axps is not None and cxps is not None:
        verdict = judge_family(route, axps, cxps).verdict
        if verdict is not Verdict.COMPLETE:
            raise UndecidedError(f"{name}: the families are {verdict.value} by the solver", mend="look into it")
    for family, judge in ((axps, judge_axp), (cxps, judge_cxp)):
        for members in family[: EVERY_MEMBER if axps is not None and cxps is not None else None] if family else ():
            verdict = judge(route, members).verdict
            if verdict not in (Verdict.AXP, Verdict.CXP):
                raise UndecidedError(f"{name}: {sorted(members)} is {verdict.value}", mend="look into it")
    small = cxps is not None and math.prod(map(len, graph.cells)) <= MAX_POINTS
    if small and Definition(graph, point).minimal_changes() != set(cxps or ()):
        raise UndecidedError(f"{name}: the CXps are not those of Eq. 2", mend="look into it")


def hitting_sets(family: Iterable[Members]) -> set[Members]:
    """Return the minimal sets that share a member with each of *family*: Berge's multiplication, written for reading."""
    found: set[Members] = {frozenset()}
    for members in family:
        hit = {one for one in found if one & members}
        # Longer ones of one step lie in none of each other: what they had before missed these members, and was minimal.
        longer = {one | {i} for one, i in itertools.product(found - hit, members)}
        found = hit | {one for one in longer if not any(other <= one for other in hit)}
    return found
