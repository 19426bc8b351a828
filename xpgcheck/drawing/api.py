"""``xpgcheck.draw``: a picture of whatever model, instance and explanation a user has."""

from __future__ import annotations

import operator

from xpgcheck.arguments import FLAG, INDICES, Rule, count_from, optional, takes
from xpgcheck.drawing.ensemble_trees import tree_of
from xpgcheck.drawing.picture import Picture
from xpgcheck.drawing.view import View
from xpgcheck.errors import InputError, shown
from xpgcheck.explanations.case import ExplainedInstance, case_of
from xpgcheck.explanations.families_shown import all_families
from xpgcheck.explanations.inputs import classifier_of, instance_of
from xpgcheck.explanations.result import Explanations
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.wording import counted
from xpgcheck.xpg.explanation_graph import features_of
from xpgcheck.xpg.xps import XP, Kind

NOT_OF_ONE_TREE = "an explanation is of the whole ensemble, and not of one tree"

LIMIT = 1_000
"""XPs that a number can name: as many as ``xpgcheck explain`` lists unless told otherwise."""


_XP = Rule(
    lambda xp: (
        xp is None
        or isinstance(xp, str)
        or (isinstance(xp, int) and not isinstance(xp, bool))
        or (isinstance(xp, XP) and isinstance(xp.kind, Kind) and INDICES.holds(xp.features))
    ),
    "an explanation",
    "name it as 'explain' numbers them ('axp1', 'cxp2', or 1), or pass an XP such as XP(Kind.AXP, {0, 3})",
)


@takes(xp=_XP, tree=optional(count_from(0)), max_nodes=optional(count_from(1)), missing=optional(FLAG))
def draw(
    model: object,
    instance: object = None,
    xp: int | str | XP | None = None,
    *,
    tree: int | None = None,
    max_nodes: int | None = None,
    missing: bool | None = None,
) -> Picture:
    """Return a picture of a model, with the path of an instance and what an explanation leaves open.

    Parameters
    ----------
    model, instance
        What :func:`xpgcheck.explain` takes, or its result, which holds both.
    xp
        An XP, right or claimed, or the name of one: ``"axp1"``, ``"cxp2"``, or a number from 1 in the list of all, AXps
        first.
    tree
        The tree of an ensemble that is drawn, by its number from 0; no XP is of one tree alone.
    max_nodes
        The number of nodes that are shown before some are folded (300 of a tree, 80 of other graphs).
    missing
        Whether values may be missing, as in ``explain``.

    Returns
    -------
    Picture
        It shows itself in a notebook; ``save`` writes it to a file.

    Raises
    ------
    InputError
        The model, the instance or the number is wrong.

    Examples
    --------
    >>> draw("hardware")
    <Picture of <DecisionGraph 'hardware': 4 features, 15 nodes>>
    """
    if isinstance(model, Explanations):
        case = model.case
        if instance is not None:
            mend = f"write draw(…, xp={instance!r})" if _is_name(instance) else "leave the instance out"
            raise InputError("explanations have their instance", place="instance", mend=mend)
        if missing is not None:
            raise InputError("explanations have their model", place="missing", mend="leave 'missing' out")
        if case.constraint is not None and xp is not None:
            problem = "a picture shows what all points do, and these explanations are of those that can occur"
            raise InputError(problem, place="xp", mend="draw the model without an explanation")
        graph, point = drawable(case.graph, tree, "model"), case.point
    else:
        graph = drawable(classifier_of(model, missing=missing), tree, "model")
        point = None
        if _is_name(instance):
            mend = f"write draw(model, instance, xp={instance!r})"
            raise InputError(f"{instance!r} is not an instance", place="instance", mend=mend)
        if isinstance(graph, DecisionGraph) and instance is not None:
            point = instance_of(graph.features, instance)
    if xp is not None and tree is not None:
        raise InputError(NOT_OF_ONE_TREE, place="xp", mend="leave 'xp' or 'tree' out")
    if isinstance(graph, LabelledGraph):
        raise InputError("an .xpg model has no literals to draw", mend="draw the model that it was made from")
    if isinstance(xp, (int, str)):
        number, kind = which(xp) if isinstance(xp, str) else (xp, None)
        if point is None:
            raise InputError("an XP is drawn at an instance", mend="give the instance")
        families = model if isinstance(model, Explanations) else case_of(graph, point)
        return Picture(numbered(graph, families, number, kind), max_nodes)
    if xp is not None:
        xp = XP(xp.kind, frozenset(map(operator.index, xp.features)))
    return Picture(View(graph, point, xp), max_nodes)


def drawable(
    model: DecisionGraph | LabelledGraph | Ensemble, tree: int | None, place: str
) -> DecisionGraph | LabelledGraph:
    """Return what is drawn of *model*: itself, or of an ensemble its *tree* of that number.

    Raises ``InputError`` at *place* where there is no such tree, none is named, or one is where there are none.
    """
    if isinstance(model, Ensemble):
        if tree is None:
            problem = f"an ensemble of {counted(len(model.trees), 'tree')} is drawn tree by tree"
            raise InputError(problem, place=place, mend=f"name one by its number, from 0 to {len(model.trees) - 1:,}")
        try:
            return tree_of(model, tree)
        except InputError as error:
            raise error.at(place) from None
    if tree is not None:
        raise InputError("the model is no ensemble, of which a tree could be drawn", place=place, mend="name no tree")
    return model


def which(xp: str) -> tuple[int, Kind | None]:
    """Return the number that *xp* gives and the kind that it counts (None: all, AXps first).  Raises ``InputError``."""
    word = xp.strip().lower()
    kind = next((kind for kind in Kind if word.startswith(kind.value.lower())), None)
    digits = word.removeprefix(kind.value.lower()).strip() if kind is not None else word
    if not digits.isdecimal() or len(digits) > 9:
        raise InputError(f"{shown(xp)} names no explanation", place="xp", mend="write axp1, cxp2, or a number")
    return int(digits), kind


def _is_name(instance: object) -> bool:
    """Tell whether *instance* is no instance but names an explanation."""
    return isinstance(instance, (XP, int)) or (
        isinstance(instance, str) and instance.lower().startswith(("axp", "cxp"))
    )


def numbered(
    graph: DecisionGraph, source: ExplainedInstance | Explanations, number: int, kind: Kind | None = None
) -> View:
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
