"""``xpgcheck.explain``: the explanations of a prediction, from whatever model and instance a user has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from xpgcheck.arguments import FLAG, SECONDS, TEXTS, count_from, optional, takes
from xpgcheck.errors import InputError, InstanceError, shown
from xpgcheck.explanations.case import ExplainedInstance, case_of
from xpgcheck.explanations.families_shown import FamilyMasks
from xpgcheck.explanations.inputs import classifier_of, instance_of
from xpgcheck.explanations.result import Explanations, Mode, Wish
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.xpg.explanation_graph import mask_of
from xpgcheck.xpg.xps import Kind


@takes(
    limit=optional(count_from(1)), order=TEXTS, boxes=count_from(1), missing=optional(FLAG), seconds=optional(SECONDS)
)
def explain(
    model: object,
    instance: object = None,
    *,
    limit: int | None = None,
    missing: bool | None = None,
    seconds: float | None = None,
    domains: object = None,
    constraints: Constraint | str | os.PathLike[str] | None = None,
    order: Sequence[str] = (),
    boxes: int = 1,
) -> Explanations:
    """Return all AXps and CXps of a prediction.

    Parameters
    ----------
    model
        A decision graph or an ensemble, a path or the name of an embedded model, or a fitted tree, forest or
        pipeline of scikit-learn; a pipeline is explained over the columns of its table.
    instance
        A dict, a pandas row, a sequence (one value for each feature) or a point; left out for an `.xpg` model, which stands
        for one instance.
    limit
        The largest number of explanations, which can be exponential; the result's ``complete`` says whether these are all.
    missing
        Whether values may be missing, where the model leaves that open.
    seconds
        The time for the questions about an ensemble; the result has what was found by then, and says what stayed open.
    domains
        The values that the columns have, as in ``read_model``.
    constraints
        The points that can occur, a ``Constraint`` or its file (docs/reference/constraints.md): only these count then.
    order
        The features of an AXp whose sets of values grow first.
    boxes
        The number of sets of values for each AXp, each as large as can be.

    Returns
    -------
    Explanations
        The AXps and CXps by the names of their features.

    Raises
    ------
    InputError
        The model or the instance cannot be read; the message is one line.

    Examples
    --------
    >>> found = explain("hardware", {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"})
    >>> found.prediction, found.axps, found.cxps
    ('T', (('Age', 'Credit'),), (('Age',), ('Credit',)))

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Eq. 1, Eq. 2 and
    Algorithm 4.
    """
    case = _case(model, instance, missing, seconds, domains, constraints)
    return explain_case(case, limit=limit, order=order, boxes=boxes)


@takes(prefer=TEXTS, never=TEXTS, smallest=FLAG, missing=optional(FLAG), seconds=optional(SECONDS))
def explain_one(
    model: object,
    instance: object = None,
    *,
    smallest: bool = False,
    prefer: Sequence[str] = (),
    never: Sequence[str] = (),
    missing: bool | None = None,
    seconds: float | None = None,
    domains: object = None,
    constraints: Constraint | str | os.PathLike[str] | None = None,
) -> Explanations:
    """Return one AXp and one CXp of a prediction.

    Parameters
    ----------
    model, instance, missing, seconds, domains, constraints
        As for :func:`explain`.
    smallest
        Whether they have as few features as any.
    prefer
        Features to hold where an XP can, the most wanted first.
    never
        Features to do without; where that is impossible the family is empty and ``wishes`` says why.

    Returns
    -------
    Explanations
        One AXp and one CXp; a constant classifier has no CXp.

    Raises
    ------
    InputError
        The model, the instance or a wish cannot be read; the message is one line.

    Examples
    --------
    >>> explain_one("hardware", ["O", "L", "Y", "P"], never=["Age"]).cxps
    (('Credit',),)

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Algorithms 2 and 3.
    """
    mode = Mode.SMALLEST if smallest else Mode.ONE
    case = _case(model, instance, missing, seconds, domains, constraints)
    return explain_case(case, mode=mode, prefer=prefer, never=never)


def explain_case(
    case: ExplainedInstance,
    *,
    mode: Mode = Mode.ALL,
    limit: int | None = None,
    prefer: Sequence[str] = (),
    never: Sequence[str] = (),
    order: Sequence[str] = (),
    boxes: int = 1,
) -> Explanations:
    """Return the explanations of *case* in *mode*; wishes (*prefer*, *never*) are for the modes that find one XP a kind.

    Sets of values grow in *order*, and up to *boxes* of them are found for an AXp.

    Raises ``InputError`` where a wish names an unknown feature, or contradicts the mode or another wish.
    """
    if order or boxes > 1:
        case = replace(case, order=tuple([case.index(name, "order") for name in order]), boxes=boxes)
    if mode is Mode.ALL:
        if prefer or never:
            raise InputError("all explanations leave nothing to wish", place="prefer, never", mend="ask for one")
        axps, cxps = case.explainer.families(limit)
        return Explanations(case, {Kind.AXP: axps, Kind.CXP: cxps})
    wanted = [case.index(name, "prefer") for name in prefer]
    unwanted = case.mask_of_names(never, "never")
    both = [name for name, feature in zip(prefer, wanted, strict=True) if unwanted >> feature & 1]
    if both:
        problem = f"feature {shown(both[0])} is both to be held and to be left out"
        raise InputError(problem, place="prefer, never", mend="name it once")
    if mode is Mode.SMALLEST and wanted:
        mend = "leave one of the two wishes out"
        raise InputError("a smallest explanation cannot also prefer features", place="prefer", mend=mend)
    families, wishes = {}, {}
    for kind in Kind:
        families[kind], wishes[kind] = _one(case, kind, mode, wanted, unwanted)
    return Explanations(case, families, mode, wishes)


def _one(
    case: ExplainedInstance, kind: Kind, mode: Mode, prefer: Sequence[int], never: int
) -> tuple[FamilyMasks, Wish]:
    explainer = case.explainer
    smallest = mode is Mode.SMALLEST
    found = explainer.smallest(kind, never) if smallest else explainer.preferred(kind, prefer, never)
    if found is not None:
        doubts = {} if found.doubt is None else {found.mask: found.doubt}
        # A constant model has the one AXp ∅; of any other there may be more.
        family = FamilyMasks((found.mask,), 1 if found.mask == 0 else None, doubts=doubts)
        return family, Wish(never, mask_of(found.left_out))
    obstacle = explainer.inside(Kind.CXP if kind is Kind.AXP else Kind.AXP, never)
    total = 0 if kind is Kind.CXP and obstacle == 0 else None
    return FamilyMasks((), total), Wish(never, 0, obstacle)


def _case(
    model: object,
    instance: object,
    missing: bool | None,
    seconds: float | None,
    domains: object,
    constraints: Constraint | str | os.PathLike[str] | None,
) -> ExplainedInstance:
    graph = classifier_of(model, missing=missing, domains=domains)
    constraint = constraint_of(graph, constraints)
    if instance is None or isinstance(graph, LabelledGraph):
        if instance is not None:
            raise InstanceError("an .xpg model stands for one instance", mend="leave the instance out")
        return case_of(graph, None, constraint=constraint)
    return case_of(graph, instance_of(graph.features, instance), seconds, constraint)


def constraint_of(
    model: DecisionGraph | LabelledGraph | Ensemble, constraints: Constraint | str | os.PathLike[str] | None
) -> Constraint | None:
    """Return the constraint that *constraints* are, or the one in that file over the features of *model*.

    Raises ``InputError`` of an `.xpg` model, and what reading raises.
    """
    if constraints is None or isinstance(constraints, Constraint):
        return constraints
    if isinstance(model, LabelledGraph):
        mend = "give the model that it was made from"
        raise InputError("an .xpg model has no values that a constraint could be about", mend=mend)
    if not isinstance(constraints, (str, os.PathLike)):
        problem = f"{shown(repr(constraints))} is not a constraint"
        raise InputError(problem, place="constraints", mend="pass a Constraint, or the path of its file")
    from xpgcheck.readers.json_constraints import read_constraint

    return read_constraint(constraints, model.features)
