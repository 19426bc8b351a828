"""Algorithms 2 and 3 unrolled: one run of Algorithm 1 a feature, on a set that the solver chooses.

The features are taken in the order 0 … m-1.  Renaming features maps decision graphs to decision graphs, so what holds of
all graphs in this order holds of all graphs in every order.
"""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.paper.symbolic.formulas import Formula
from xpgcheck.paper.symbolic.graphs import Graphs
from xpgcheck.paper.symbolic.sigma import SymbolicActivation, activation


@dataclass(frozen=True, slots=True)
class Run:
    """``seed[i]`` and ``result[i]``: feature i is in the set at the start, at the end.

    ``dropped[i]``: step i took it out.  ``asked[i]`` is σ at step i, where feature i is taken out on trial.
    """

    seed: tuple[int, ...]
    result: tuple[int, ...]
    dropped: tuple[int, ...]
    asked: tuple[SymbolicActivation, ...]


def algorithm_2(formula: Formula, g: Graphs) -> Run:
    """Add Algorithm 2 from a seed A of fixed features: i is taken out where no path to 0 exists without it."""
    return _run(formula, g, "A", drops_at_zero=False)


def algorithm_3(formula: Formula, g: Graphs) -> Run:
    """Add Algorithm 3 from a seed C of free features: i is taken out where a path to 0 exists without it."""
    return _run(formula, g, "C", drops_at_zero=True)


def _run(formula: Formula, g: Graphs, letter: str, *, drops_at_zero: bool) -> Run:
    features = range(g.size.features)
    sign = -1 if drops_at_zero else 1
    out = -sign * formula.true()
    seed = tuple(formula.variable(f"seed_f{i}") for i in features)
    result: list[int] = []
    dropped: list[int] = []
    asked: list[SymbolicActivation] = []
    for i in features:
        # What is left of the set, without i; σ is asked at what is fixed then: A itself, or what C does not hold.
        fixed = [*[sign * kept for kept in result], out, *[sign * member for member in seed[i + 1 :]]]
        asked.append(activation(formula, g, fixed, f"{letter}{i}"))
        formula.heading(f"loop, {letter}", "a member is kept or taken out by what Algorithm 1 answers without it")
        zero = asked[-1].zero
        result.append(formula.conjunction(f"result_f{i}", [seed[i], -zero if drops_at_zero else zero]))
        dropped.append(formula.conjunction(f"dropped_f{i}", [seed[i], zero if drops_at_zero else -zero]))
    return Run(seed, tuple(result), tuple(dropped), tuple(asked))
