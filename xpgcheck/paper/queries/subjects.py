"""Who answers: this package, and seeded bugs that the row has to catch."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from xpgcheck.xpg.explanation_graph import ExplanationGraph, features_of
from xpgcheck.xpg.membership_pruning import path_through
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


def yes_if_on_a_path(xpg: ExplanationGraph, feature: int) -> MemberAnswer:
    """Say yes, with what the path frees, where some path to another class frees the feature.  Wrong: not minimal."""
    freed = path_through(xpg, feature, xpg.all_variables)
    return MemberAnswer(None if freed is None else features_of(freed))


def no_always(xpg: ExplanationGraph, feature: int) -> MemberAnswer:
    """Say that no feature is in any XP.  Wrong."""
    return MemberAnswer(None)


OURS = "xpgcheck"

SUBJECTS: dict[str, Subject] = {OURS: ours, "yes if on a path": yes_if_on_a_path, "no always": no_always}
"""Ours, and the seeded bugs that turn its row red."""
