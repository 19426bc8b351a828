"""Controls: what has to be satisfiable.  A theorem without one of its assumptions, or with a part of the encoding left out.

Without an assumption the smallest graph of its kind is looked for, and the theorem is seen to fail on it by plain
evaluation.  Without a group of clauses the formula no longer says what it should: if it stayed unsatisfiable, that
group would prove nothing.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from xpgcheck.paper.symbolic.decoding import SymbolicCounterexample, decoded, replayed
from xpgcheck.paper.symbolic.graphs import GraphKind, Size
from xpgcheck.paper.symbolic.solving import SECOND, satisfied
from xpgcheck.paper.symbolic.theorems import Theorem

LARGEST = Size(4, 3, 2)
"""The size at which the search for a smallest counterexample ends."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """A counterexample, of which ``size``, and what plain evaluation finds on it; None: nothing, so it is none."""

    size: Size
    found: SymbolicCounterexample
    replay: str | None


def smallest_counterexample(theorem: Theorem, kind: GraphKind, part: str) -> Refuted | None:
    """Return a counterexample to *part* with the fewest non-terminals, then features; None up to ``LARGEST``."""
    for n, m in itertools.product(range(1, LARGEST.nodes + 1), range(1, LARGEST.features + 1)):
        size = Size(n, m, LARGEST.values)
        if part in theorem.parts(size):
            denial = theorem.denial(size, kind, part)
            model = satisfied(denial.formula.bare(), SECOND)
            if model is not None:
                found = decoded(size, set(itertools.compress(denial.formula.names, model)), denial.sets)
                return Refuted(size, found, replayed(theorem.key, part, found))
    return None


def satisfiable_without(theorem: Theorem, size: Size, kind: GraphKind, group: str) -> str | None:
    """Return the first part of *theorem* that is satisfiable without the clauses of *group*; None: no part is."""
    for part in theorem.parts(size):
        if satisfied(theorem.denial(size, kind, part, [group]).formula.bare(), SECOND) is not None:
            return part
    return None
