"""``xpgcheck.draw``: a picture of whatever model, instance and explanation a user has."""

from __future__ import annotations

from xpgcheck.drawing.picture import Picture
from xpgcheck.drawing.view import View
from xpgcheck.errors import InputError
from xpgcheck.explanations.case import Case, case_of
from xpgcheck.explanations.families import all_families
from xpgcheck.explanations.inputs import instance_of, model_of
from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.texts import counted
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.xpg.explanation_graph import features_of
from xpgcheck.xpg.xps import XP, Kind

LIMIT = 1_000
"""XPs that a number can name: as many as ``xpgcheck explain`` lists unless told otherwise."""


def draw(
    model: object,
    instance: object = None,
    xp: int | XP | None = None,
    *,
    max_nodes: int | None = None,
    missing: bool | None = None,
) -> Picture:
    """Return a picture of *model*, with the path of *instance* and what *xp* leaves open.

    *model* and *instance* are what :func:`xpgcheck.explain` takes, or its result, which holds both.  *xp* is an XP, right
    or claimed, or the number of one in the list of all: AXps first, then CXps, counted from 1.  *max_nodes*: how many
    nodes are shown before some are folded (300 of a tree, 80 of other graphs).  *missing* is as in ``explain``.

    Raises ``InputError`` where model, instance or number is wrong.
    """
    if isinstance(model, Explanations):
        case = model.case
        if instance is not None or missing is not None:
            raise InputError("explanations have their instance", mend="leave the instance and 'missing' out")
        graph, point = case.graph, case.point
    else:
        graph = model_of(model, missing=missing)
        point = None
        if isinstance(graph, DecisionGraph) and instance is not None:
            point = instance_of(graph.features, instance)
    if isinstance(graph, LabelledGraph):
        raise InputError("an .xpg model has no literals to draw", mend="draw the model that it was made from")
    if isinstance(xp, int):
        if point is None:
            raise InputError("an XP is drawn at an instance", mend="give the instance")
        families = model if isinstance(model, Explanations) else case_of(graph, point)
        return Picture(numbered(graph, families, xp), max_nodes)
    return Picture(View(graph, point, xp), max_nodes)


def numbered(graph: DecisionGraph, source: Case | Explanations, number: int, kind: Kind | None = None) -> View:
    """Return the view of the XP of that number among those of *kind*; of all, AXps first, if None.  They count from 1.

    Raises ``InputError`` where there is none, saying how many there are.
    """
    if isinstance(source, Explanations):
        case, families = source.case, (source.families[Kind.AXP], source.families[Kind.CXP])
    else:
        case, families = source, all_families(source.xpg, LIMIT)
    axps, cxps = (family.masks for family in families)
    if kind is not None and not 1 <= number <= len(axps if kind is Kind.AXP else cxps):
        have = counted(len(axps if kind is Kind.AXP else cxps), kind.value)
        problem = f"there is no {kind.value} {number:,}: there {'is' if have.startswith('1 ') else 'are'} {have}"
        raise InputError(problem, place="xp", mend="name one that 'explain' lists")
    if kind is Kind.CXP:
        number += len(axps)
    if not 1 <= number <= len(axps) + len(cxps):
        bound = "" if all(family.complete for family in families) else "the first "
        have = f"{counted(len(axps), 'AXp')} and {counted(len(cxps), 'CXp')}"
        problem = f"there is no XP {number:,}: {bound}{have} are numbered in this order"
        raise InputError(problem, place="xp", mend=f"give a number from 1 to {len(axps) + len(cxps)}")
    if number <= len(axps):
        return View(graph, case.point, XP(Kind.AXP, features_of(axps[number - 1])), number)
    place = number - len(axps)
    return View(graph, case.point, XP(Kind.CXP, features_of(cxps[place - 1])), place)
