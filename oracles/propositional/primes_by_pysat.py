"""Prime implicants of a DNF by PySAT's Primer: implicit hitting sets in the dual-rail encoding.

A. Previti, A. Ignatiev, A. Morgado, J. Marques-Silva, "Prime compilation of non-clausal formulae", IJCAI 2015.

Primer takes a CNF, so it is asked for the prime implicates of ¬f, whose clauses are the negated terms of f: the negatives
of the literals of such a clause are a prime implicant of f.  The negation of a CNF with the empty clause ends with an
``IndexError`` (python-sat 1.9), so the constants that show as such are answered before.
"""

from __future__ import annotations

from xpgcheck.oracles.propositional.formulas import Dnf, Literals, clashes
from xpgcheck.oracles.propositional.limits import Deadline, TooLarge
from xpgcheck.oracles.propositional.terms import sorted_terms

SOLVER = "minisat22"


def prime_implicants_by_pysat(
    formula: Dnf, limit: int | None = None, *, deadline: Deadline | None = None
) -> tuple[Literals, ...]:
    """Return all PIs of *formula*, in the order of ``sorted_terms``; () alone for the constant 1, none for 0.

    A few SAT calls for each PI and each prime implicate that comes up on the way.

    Raises ``TooLarge`` where there are over *limit* PIs, ``OutOfTime`` where *deadline* passes first (looked at after
    each PI).
    """
    from pysat.examples.primer import Primer
    from pysat.formula import CNF

    until = deadline or Deadline()
    clauses = sorted({tuple(sorted({-literal for literal in term})) for term in formula.terms if not clashes(term)})
    if not clauses:
        return ()
    if () in clauses:
        return ((),) if limit is None or limit > 0 else _over(limit)
    # Primer takes all variables up to the highest as atoms: those that are not there would only cost time.
    used = sorted({abs(literal) for clause in clauses for literal in clause})
    number = {variable: position for position, variable in enumerate(used, start=1)}
    negated = CNF(from_clauses=[[number[abs(lit)] * (1 if lit > 0 else -1) for lit in clause] for clause in clauses])
    primes: list[list[int]] = []
    until.check()
    with Primer(
        negated, negated=negated.negate(topv=len(used)), implicates=True, solver=SOLVER, unsorted=True
    ) as primer:
        for implicate in primer.enumerate():
            if limit is not None and len(primes) >= limit:
                _over(limit)
            primes.append([used[abs(lit) - 1] * (-1 if lit > 0 else 1) for lit in implicate])
            until.check()
    return sorted_terms(primes)


def _over(limit: int) -> tuple[Literals, ...]:
    raise TooLarge(f"over {limit} prime implicants by Primer")
