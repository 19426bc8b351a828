"""Who answers: this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.membership_search import Queries, cxp_with


class MemberAnswer(NamedTuple):
    """What a subject says: ``cxp`` holds the feature, or None for "in no XP"; ``clauses`` of its SAT query."""

    cxp: frozenset[int] | None
    clauses: int = 0


Subject = Callable[[ExplanationGraph, int], MemberAnswer]


def ours(xpg: ExplanationGraph, feature: int) -> MemberAnswer:
    """Ask :func:`xpgcheck.xpg.membership_search.cxp_with`, as ``in_some_xp`` does."""
    queries = Queries()
    return MemberAnswer(cxp_with(xpg, feature, queries), queries.clauses)


OURS = "xpgcheck"

SUBJECTS: dict[str, Subject] = {OURS: ours}
"""Who answers, by name: tests add subjects that are wrong."""
