"""Candidates for families of XPs, found by our own explainer for speed alone: the one module of this folder that sees it.

Nothing here is believed: every candidate is judged by the oracles like any other claim, and duality decides whether a
family is all.  A wrong candidate costs an answer (inconclusive), and never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.judging.claim import Members
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.xpg.choose import xp_masks
from xpgcheck.xpg.explanation_graph import explanation_graph, features_of
from xpgcheck.xpg.families import minimal_hitting_sets


def candidate_families(space: DecisionGraph, instance: Point) -> tuple[list[Members], list[Members]] | None:
    """Return what the explainer calls all AXps and all CXps; None where there are too many."""
    masks = xp_masks(explanation_graph(space, instance))
    if masks is None:
        return None
    axps, cxps = ([features_of(mask) for mask in family] for family in masks)
    return axps, cxps


def candidate_duals(family: Iterable[Members], budget: int) -> list[Members] | None:
    """Return what the explainer calls the minimal hitting sets of *family*; None beyond *budget* comparisons of sets."""
    masks = minimal_hitting_sets([sum(1 << i for i in members) for members in family], budget)
    return None if masks is None else [features_of(mask) for mask in masks]
