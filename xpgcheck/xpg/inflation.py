"""Inflated explanations: which values would do, and not only which features (Izza et al., AAAI 2024).

An *inflated AXp* is an AXp 𝒳 with a set E_i of values for each i ∈ 𝒳 that has the instance's v_i in it, such that every
point whose values are in these sets has the prediction, and no E_i can be larger.  For ordered features the sets are
intervals (and the missing value apart), for others any values.  The order of features decides whose set grows first.

An *inflated CXp* is a CXp 𝒴 with, for each i ∈ 𝒴, the set G_i of all values that can be part of a change: those of points
of another class that differ from the instance on 𝒴 alone.  It is one, whatever the order.  Not every combination of these
values changes the class; an *inflated change* is a box around a changed point of which all do: a set of values for each
i ∈ 𝒴 such that every point with values in these sets, and those of the instance elsewhere, has the class of the changed
point, and no set can be larger.

A box has points of one class alone iff each of its slices has, so that one traversal a feature finds all values that may
join.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xpgcheck.arguments import INDICES, Rule, instance_of_type, optional, takes
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.model.boxes import Box, cell_index, union_of_cells
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import contains
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import Point
from xpgcheck.xpg.graph_boxes import box_at, cells_of_changes, one_piece, prepared_graph

if TYPE_CHECKING:
    from xpgcheck.xpg.ensembles.deciding import Allowance
    from xpgcheck.xpg.ensembles.inflation import BoxDecider

CLASSIFIER = Rule(
    lambda graph: isinstance(graph, DecisionGraph | Ensemble),
    "a decision graph or an ensemble",
    "pass what xpgcheck.read_classifier(path) returns",
)
POINT = instance_of_type(tuple, "a point", "pass what xpgcheck.read_point(graph.features, instance) returns")


@takes(graph=CLASSIFIER, point=POINT, axp=INDICES, order=optional(INDICES))
def inflate_axp(
    graph: DecisionGraph | Ensemble,
    point: Point,
    axp: Iterable[int],
    order: Sequence[int] | None = None,
    *,
    allowance: Allowance | None = None,
    decider: BoxDecider | None = None,
) -> Box:
    """Return for each feature of *axp*, a weak AXp, a largest set of values that leaves the prediction as it is.

    *order* says whose set grows first, those not named last (default: increasing index).  Raises ``InputError`` where *axp*
    does not suffice for the prediction, ``LimitError`` where paths test features with sets of several pieces again and
    again.  O(|axp| · edges) set operations on masks as a rule.  An ensemble takes some log(cells) questions per feature,
    and raises ``UndecidedError`` where one stays open, as within the *allowance*.  *decider* answers for it under a
    constraint (:class:`~xpgcheck.xpg.constraints.ensembles.ConstrainedEnsemble`); a graph is then given as its product.
    """
    own_class(graph, point)
    return _grown(graph, point, members_in_order(graph, axp, order), allowance, decider, free=True)


@takes(graph=CLASSIFIER, point=POINT, cxp=INDICES)
def inflate_cxp(
    graph: DecisionGraph | Ensemble,
    point: Point,
    cxp: Iterable[int],
    *,
    allowance: Allowance | None = None,
    decider: BoxDecider | None = None,
) -> Box:
    """Return of each feature of *cxp*, a weak CXp, all values that some change of *cxp* alone to another class gives it.

    Raises ``InputError`` where no such change gives another class, ``LimitError`` as :func:`inflate_axp`.  O(|cxp| · edges)
    set operations on masks as a rule; of an ensemble as many questions as such cells, and ``UndecidedError``.
    """
    own, growing = own_class(graph, point), members_in_order(graph, cxp, None)
    if isinstance(graph, Ensemble):
        from xpgcheck.xpg.ensembles.inflation import changes_by_questions

        found = changes_by_questions(graph, point, growing, allowance, decider)
    else:
        found = cells_of_changes(graph, prepared_graph(graph).at(point), own, growing)
    if not growing or not all(found.values()):
        raise InputError("these features cannot change the prediction", mend="give a weak CXp")
    return {i: union_of_cells(graph.cells[i], bits) for i, bits in found.items()}


@takes(graph=CLASSIFIER, point=POINT, cxp=INDICES, changed=POINT, order=optional(INDICES))
def inflate_change(
    graph: DecisionGraph | Ensemble,
    point: Point,
    cxp: Iterable[int],
    changed: Point,
    order: Sequence[int] | None = None,
    *,
    allowance: Allowance | None = None,
    decider: BoxDecider | None = None,
) -> Box:
    """Return of each feature of *cxp* a largest set of values around that of *changed* that gives the class of *changed*.

    *changed* is a point of another class that has the values of *point* outside *cxp*.  Raises as :func:`inflate_axp`.
    Under a constraint, a point that cannot occur is no change.
    """
    members = frozenset(map(operator.index, cxp))
    own = own_class(graph, point)
    if len(changed) != len(point):
        raise _outside()
    differs = [i for i, (a, b) in enumerate(zip(point, changed, strict=True)) if a is not b and a != b]
    if not all(contains(graph.features[i].domain, changed[i]) for i in differs):
        raise _outside()
    if graph.kappa(changed) == own:
        raise InputError("the changed point has the class of the instance", mend="give a point of another class")
    if not members.issuperset(differs):
        raise InputError("the changed point differs outside the CXp", mend="change features of the CXp only")
    return _grown(graph, changed, members_in_order(graph, members, order), allowance, decider, free=False)


def own_class(graph: DecisionGraph | Ensemble, point: Point) -> int:
    """Return the class of *point*; that of the last point of the last graph is kept.

    Raises ``InstanceError`` where it is not in the feature space.
    """
    if not isinstance(graph, DecisionGraph):
        if not in_feature_space(graph, point):
            raise _outside()
        return graph.kappa(point)
    prepared = prepared_graph(graph)
    if prepared.own is None or prepared.own[0] is not point:
        if not in_feature_space(graph, point):
            raise _outside()
        prepared.own = point, graph.kappa(point)
    return prepared.own[1]


def _outside() -> InstanceError:
    return InstanceError("the point is not in the model's feature space", mend="give one domain value for each feature")


def members_in_order(
    graph: DecisionGraph | Ensemble, members: Iterable[int], order: Sequence[int] | None = None
) -> list[int]:
    """Return *members*, those first that *order* names, in its order.  Raises ``InputError`` on what is no feature."""
    chosen = frozenset(map(operator.index, members))
    count = len(graph.features)
    outside = [i for i in (*chosen, *(order or ())) if not 0 <= i < count]
    if outside:
        raise InputError(f"feature index {outside[0]} is not in 0 … {count - 1}", mend="correct the set")
    return list(dict.fromkeys([*(i for i in order or () if i in chosen), *sorted(chosen)]))


def _grown(
    graph: DecisionGraph | Ensemble,
    point: Point,
    growing: Sequence[int],
    allowance: Allowance | None,
    decider: BoxDecider | None,
    *,
    free: bool,
) -> Box:
    """Return of *growing* the largest sets around *point* that leave its class, other features *free* or as they are."""
    if isinstance(graph, Ensemble):
        # Solvers take their time to import, and graphs need none.
        from xpgcheck.xpg.ensembles.inflation import grown_by_questions

        held = {} if free else {i: 1 << cell_index(graph.cells[i], v) for i, v in enumerate(point) if i not in growing}
        return grown_by_questions(graph, point, held, growing, allowance, decider, occurring=not free)
    at = prepared_graph(graph).at(point)
    bad = box_at(graph, at, graph.kappa(point), growing, free=free)
    if bad.is_open:
        raise InputError("these features do not suffice for the prediction", mend="give a weak AXp")
    box: dict[int, ValueSet] = {}
    for feature in growing:
        split = graph.cells[feature]
        kept = one_piece(split, at[feature], (1 << len(split)) - 1 & ~bad.bad(feature))
        bad.grow(feature, kept)
        box[feature] = union_of_cells(split, kept)
    return box
