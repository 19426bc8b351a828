"""Pictures of the first explanations of a prediction, for pages and notebooks."""

from __future__ import annotations

import contextlib

from xpgcheck.drawing.api import draw
from xpgcheck.errors import MissingPackageError
from xpgcheck.explanations.result import Explanations
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.xpg.explanation_graph import features_of
from xpgcheck.xpg.xps import XP, Kind

MAX_NODES = 60
"""Nodes above which some are folded: enough for the instance's path and what an explanation leaves open around it."""


def first_pictures(found: Explanations) -> dict[Kind, str]:
    """Return pictures of the first XP of each kind, as SVG; none of an ensemble, under constraints, or without the extra."""
    if isinstance(found.case.graph, Ensemble) or found.case.constraint is not None:
        return {}
    drawn = {}
    for kind, family in found.families.items():
        with contextlib.suppress(MissingPackageError):
            if family.masks:
                drawn[kind] = draw(found, xp=XP(kind, features_of(family.masks[0])), max_nodes=MAX_NODES).svg
    return drawn
