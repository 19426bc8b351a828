"""Certificates about formulas: that some clauses are a minimal unsatisfiable subset (MUS).

A refutation from these clauses alone, and for each of them a model of all others.  PySAT finds both, and need not be
believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.certificates.canonical_texts import end_text, formula_header_text, members_json
from xpgcheck.certificates.completeness import refutation_of_clauses
from xpgcheck.errors import InputError
from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.oracles.propositional.refutations import MusEvidence

MODELS_BY = "minisat22"


def mus_line(variables: int, clauses: Sequence[Sequence[int]], mus: Iterable[int]) -> str:
    """Return the line that shows that *mus*, indices from 0, is a MUS of *clauses* over the variables 1 … *variables*.

    Under the header that ``formula_header_text(variables, clauses)`` gives.  Raises ``InputError`` where it is no MUS, or
    names a clause that there is not.  One SAT call a clause and one more.
    """
    from pysat.solvers import Solver

    chosen = sorted(set(mus))
    if any(not 0 <= k < len(clauses) for k in chosen):
        problem = "the MUS names a clause that the formula does not have"
        raise InputError(problem, mend=f"count clauses from 0 to {len(clauses) - 1}")
    lines = refutation_of_clauses([clauses[k] for k in chosen])
    if lines is None:
        raise InputError("the clauses are satisfiable, so they are no MUS", mend="give an unsatisfiable subset")
    models = []
    # A selector a clause: assumed, the clause holds; so one solver serves all subsets that lack one.
    selectors = {k: variables + 1 + place for place, k in enumerate(chosen)}
    with Solver(name=MODELS_BY, bootstrap_with=[[*clauses[k], -selectors[k]] for k in chosen]) as solver:
        for left_out in chosen:
            if not solver.solve([selectors[k] for k in chosen if k != left_out]):
                problem = f"clause {left_out} can be left out, so the set is not minimal"
                raise InputError(problem, mend="give a minimal unsatisfiable subset")
            true = sum(1 << v - 1 for v in solver.get_model() or () if 0 < v <= variables)
            models.append(f'"{true:x}"')
    return _line(chosen, lines, models)


def mus_certificate(formula: Cnf, muses: Iterable[MusEvidence]) -> str:
    """Return the certificate that each of *muses* is a MUS of *formula*, from the evidence that is there.  Linear."""
    lines = []
    for mus in muses:
        models = [f'"{sum(1 << v for v, value in enumerate(model) if value):x}"' for model in mus.models]
        lines.append(_line(mus.clauses, mus.refutation, models))
    return formula_header_text(formula.variables, formula.clauses) + "".join(lines) + end_text(len(lines))


def prime_certificate(formula: Cnf, primes: Iterable[Sequence[int]]) -> str:
    """Return the certificate that each of *primes* is a prime implicant of the DNF ψ of *formula*, over selectors and x.

    Selectors S and literals τ of x are an implicant of ψ exactly if the clauses of S and the unit clauses of τ are
    unsatisfiable, and a prime one if they are a MUS.  So it is about *formula* with the unit clauses (x_1), (¬x_1), (x_2), …
    after its own.  Raises ``InputError`` where one is no prime implicant.
    """
    count = len(formula.clauses)
    units = [(sign * variable,) for variable in range(1, formula.variables + 1) for sign in (1, -1)]
    extended = [*formula.clauses, *units]
    lines = []
    for prime in primes:
        members = [x - 1 if 0 < x <= count else count + 2 * (abs(x) - count - 1) + (x < 0) for x in prime]
        lines.append(mus_line(formula.variables, extended, members))
    return formula_header_text(formula.variables, extended) + "".join(lines) + end_text(len(lines))


def _line(mus: Sequence[int], lines: Iterable[Sequence[int]], models: Iterable[str]) -> str:
    refutation = ",".join(map(members_json, lines))
    return f'{{"mus":{members_json(mus)},"refutation":[{refutation}],"models":[{",".join(models)}]}}\n'
