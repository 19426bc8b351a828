"""Explanations as a document; the schema is ``schemas/explanations.schema.json``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from xpgcheck.explanations.documents import (
    AxpRecord,
    AxpsRecord,
    ClosestRecord,
    CxpRecord,
    CxpsRecord,
    ExplainedModelRecord,
    ExplanationsDocument,
    RolesRecord,
)
from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.words import axp_sentence, cxp_sentence, family_notes
from xpgcheck.model.decision_graph import DecisionGraph
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
        model=ExplainedModelRecord(name=graph.name, features=len(case.names), nodes=graph.node_count),
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
    return AxpRecord(features=list(found.case.names_in(mask)), text=axp_sentence(found.case, mask))


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
        )
    return CxpRecord(features=list(found.case.names_in(mask)), text=cxp_sentence(found, mask), closest=point)


def _features(found: Explanations) -> list[RolesRecord]:
    case, roles = found.case, found.roles
    domains = (
        [str(feature.domain) for feature in case.graph.features] if isinstance(case.graph, DecisionGraph) else None
    )
    return [
        RolesRecord(
            name=name,
            domain=None if domains is None else domains[i],
            in_some_axp=bool(roles.relevant >> i & 1),
            in_every_axp=bool(roles.in_every_axp >> i & 1),
            in_some_cxp=bool(roles.relevant >> i & 1),
            in_every_cxp=bool(roles.in_every_cxp >> i & 1),
        )
        for i, name in enumerate(case.names)
    ]
