"""Explanations as a document; the schema is ``schemas/explanations.schema.json``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from xpgcheck.explanations.case import ExplainedInstance
from xpgcheck.explanations.documents import (
    AxpRecord,
    AxpsRecord,
    ClassTallyRecord,
    ClosestRecord,
    CxpRecord,
    CxpsRecord,
    EnsembleRecord,
    ExplainedModelRecord,
    ExplanationsDocument,
    RolesRecord,
    Sets,
)
from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.standing import settled_trees, standing
from xpgcheck.explanations.words import axp_sentence, cxp_sentence, doubt_text, family_notes
from xpgcheck.model.boxes import Box
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import write_literal
from xpgcheck.model.value_sets import number_text, value_text
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind

Xp = TypeVar("Xp", AxpRecord, CxpRecord)


def record(found: Explanations) -> ExplanationsDocument:
    """Return *found* as a document.

    Values are the exact texts that readers of instances take back: ``0``/``1``, a category, a number, ``missing``.
    """
    case, graph, families = found.case, found.case.graph, found.families
    values = None if case.point is None else dict(zip(case.names, map(value_text, case.point), strict=True))
    return ExplanationsDocument(
        model=ExplainedModelRecord(
            name=graph.name,
            features=len(case.names),
            nodes=graph.node_count,
            ensemble=_ensemble(case),
            constraints=UNSET if case.constraint is None else case.constraint.digest,
        ),
        instance=values,
        prediction=case.prediction,
        mode=found.mode,
        complete=found.complete,
        axps=AxpsRecord(
            members=[_axp(found, mask) for mask in families[Kind.AXP].masks],
            obstacle=_obstacle(found, Kind.AXP, _cxp),
            **_family(found, Kind.AXP),
        ),
        cxps=CxpsRecord(
            members=[_cxp(found, mask) for mask in families[Kind.CXP].masks],
            obstacle=_obstacle(found, Kind.CXP, _axp),
            **_family(found, Kind.CXP),
        ),
        features=_features(found),
    )


def _family(found: Explanations, kind: Kind) -> dict[str, Any]:
    """Return the fields that both families have."""
    family, wish = found.families[kind], found.wishes.get(kind)
    return {
        "total": family.total,
        "complete": family.complete,
        "notes": list(family_notes(found, kind)),
        "never": UNSET if wish is None else list(found.case.names_in(wish.never)),
        "left_out": UNSET if wish is None else list(found.case.names_in(wish.left_out)),
    }


def _obstacle(found: Explanations, kind: Kind, written: Callable[[Explanations, int], Xp]) -> Xp | UnsetType:
    wish = found.wishes.get(kind)
    return UNSET if wish is None or wish.obstacle is None else written(found, wish.obstacle)


def _axp(found: Explanations, mask: int) -> AxpRecord:
    case = found.case
    settled: int | UnsetType = UNSET
    if isinstance(case.graph, Ensemble) and case.point is not None:
        settled = settled_trees(case.graph, case.point, mask)
    others, complete = case.other_values_of_axp(mask)
    return AxpRecord(
        features=list(case.names_in(mask)),
        text=axp_sentence(case, mask),
        doubt=doubt_text(found, Kind.AXP, mask) or UNSET,
        values=_sets(case, case.values_of_axp(mask)),
        other_values=UNSET if case.boxes < 2 else [_written(case, box) for box in others],
        all_values=UNSET if case.boxes < 2 else complete,
        settled_trees=settled,
    )


def _cxp(found: Explanations, mask: int) -> CxpRecord:
    names, closest = found.case.names, found.closest_point(mask)
    point = None
    if closest is not None:
        point = ClosestRecord(
            values={names[i]: value_text(closest.point[i]) for i in indices(mask)},
            class_name=closest.prediction,
            cells=closest.distance.cells,
            value_distance=number_text(closest.distance.value),
            proven=closest.proven,
            around=_sets(found.case, found.case.values_of_change(mask, closest.point)),
        )
    return CxpRecord(
        features=list(found.case.names_in(mask)),
        text=cxp_sentence(found, mask),
        closest=point,
        values=_sets(found.case, found.case.values_of_cxp(mask)),
        doubt=doubt_text(found, Kind.CXP, mask) or UNSET,
    )


def _sets(case: ExplainedInstance, box: Box | None) -> Sets | UnsetType:
    return UNSET if box is None else _written(case, box)


def _written(case: ExplainedInstance, box: Box) -> Sets:
    assert case.model is not None
    features = case.model.features
    return {features[i].name: write_literal(features[i].domain, values) for i, values in sorted(box.items())}


def _ensemble(case: ExplainedInstance) -> EnsembleRecord | UnsetType:
    if not isinstance(case.graph, Ensemble) or case.point is None:
        return UNSET
    stands = standing(case.graph, case.point)
    return EnsembleRecord(
        rule=str(case.graph.rule),
        trees=len(case.graph.trees),
        tally=[
            ClassTallyRecord(class_name=name, amount=number_text(amount))
            for name, amount in zip(case.graph.classes, stands.amounts, strict=True)
        ],
        margin=number_text(stands.margin),
        rounding=number_text(stands.rounding),
    )


def _features(found: Explanations) -> list[RolesRecord]:
    case, roles = found.case, found.roles
    domains = None if case.model is None else [str(feature.domain) for feature in case.model.features]
    return [
        RolesRecord(
            name=name,
            domain=None if domains is None else domains[i],
            in_some_axp=roles.tells(roles.relevant, i),
            in_every_axp=roles.tells(roles.in_every_axp, i),
            in_some_cxp=roles.tells(roles.relevant, i),
            in_every_cxp=roles.tells(roles.in_every_cxp, i),
        )
        for i, name in enumerate(case.names)
    ]
