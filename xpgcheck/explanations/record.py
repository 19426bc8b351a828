"""Explanations as JSON-ready values; the schema is ``schemas/explanations.schema.json``."""

from __future__ import annotations

from typing import Any

from xpgcheck.explanations.result import Explanations
from xpgcheck.explanations.words import axp_sentence, cxp_sentence, family_notes
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.value_sets import number_text, value_text
from xpgcheck.version import __version__
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind


def record(found: Explanations) -> dict[str, Any]:
    """Return *found* as a dict of texts, numbers and lists.

    Values are the exact texts that readers of instances take back: ``0``/``1``, a category, a number, ``missing``.
    """
    case, graph = found.case, found.case.graph
    values = None if case.point is None else dict(zip(case.names, map(value_text, case.point), strict=True))
    return {
        "format": "xpgcheck-explanations",
        "version": 1,
        "xpgcheck": __version__,
        "model": {"name": graph.name, "features": len(case.names), "nodes": graph.node_count},
        "instance": values,
        "prediction": case.prediction,
        "mode": found.mode.value,
        "complete": found.complete,
        "axps": _family(found, Kind.AXP),
        "cxps": _family(found, Kind.CXP),
        "features": _features(found),
    }


def _family(found: Explanations, kind: Kind) -> dict[str, Any]:
    family, wish = found.families[kind], found.wishes.get(kind)
    answer: dict[str, Any] = {
        "total": family.total,
        "complete": family.complete,
        "members": [_axp(found, m) if kind is Kind.AXP else _cxp(found, m) for m in family.masks],
        "notes": list(family_notes(found, kind)),
    }
    if wish is not None:
        answer["never"] = list(found.case.names_in(wish.never))
        answer["left_out"] = list(found.case.names_in(wish.left_out))
        if wish.obstacle is not None:
            answer["obstacle"] = _cxp(found, wish.obstacle) if kind is Kind.AXP else _axp(found, wish.obstacle)
    return answer


def _axp(found: Explanations, mask: int) -> dict[str, Any]:
    return {"features": list(found.case.names_in(mask)), "text": axp_sentence(found.case, mask)}


def _cxp(found: Explanations, mask: int) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "features": list(found.case.names_in(mask)),
        "text": cxp_sentence(found, mask),
        "closest": None,
    }
    closest = found.closest_point(mask)
    if closest is not None:
        answer["closest"] = {
            "values": {found.case.names[i]: value_text(closest.point[i]) for i in indices(mask)},
            "class": closest.prediction,
            "cells": closest.distance.cells,
            "value_distance": number_text(closest.distance.value),
            "proven": closest.proven,
        }
    return answer


def _features(found: Explanations) -> list[dict[str, Any]]:
    case, roles = found.case, found.roles
    domains = (
        [str(feature.domain) for feature in case.graph.features] if isinstance(case.graph, DecisionGraph) else None
    )
    return [
        {
            "name": name,
            "domain": None if domains is None else domains[i],
            "in_some_axp": bool(roles.relevant >> i & 1),
            "in_every_axp": bool(roles.in_every_axp >> i & 1),
            "in_some_cxp": bool(roles.relevant >> i & 1),
            "in_every_cxp": bool(roles.in_every_cxp >> i & 1),
        }
        for i, name in enumerate(case.names)
    ]
