"""All MUSes of a CNF, smallest first, by PySAT's OptUx: implicit hitting sets over a MaxSAT solver.

A. Ignatiev, A. Previti, M. H. Liffiton, J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", CP 2015.

OptUx (python-sat 1.9) takes the first literal of a clause as its selector, and the first clause that a best model
falsifies as given: it ends with an ``IndexError`` on the empty clause, on a formula without clauses and on any
satisfiable one.  So each clause gets a selector of its own here, and a satisfiable formula is answered before.
"""

from __future__ import annotations

from xpgcheck.oracles.propositional.families import MusEnumeration, family
from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.oracles.propositional.limits import Deadline

SOLVER = "glucose3"


def muses_by_optux(formula: Cnf, *, limit: int | None = None, deadline: Deadline | None = None) -> MusEnumeration:
    """Return the MUSes of *formula*; the MCSes that OptUx met stay inside it, so ``mcses`` is empty.

    It ends incomplete where there are over *limit* MUSes (it then has the *limit* smallest), or *deadline* has passed.
    OptUx cannot be interrupted: the time is looked at before it starts and after each MUS.
    """
    from pysat.examples.optux import OptUx
    from pysat.formula import WCNF
    from pysat.solvers import Solver

    until = deadline or Deadline()
    with Solver(name=SOLVER, bootstrap_with=[list(clause) for clause in formula.clauses]) as solver:
        if solver.solve():
            return MusEnumeration((), (), complete=True)
    if until.passed():
        return MusEnumeration((), (), complete=False)
    first = formula.variables + 1
    weighted = WCNF()
    for position, clause in enumerate(formula.clauses):
        weighted.append([*clause, -(first + position)])
    for position in range(len(formula.clauses)):
        weighted.append([first + position], weight=1)
    muses: list[frozenset[int]] = []
    with OptUx(weighted, solver=SOLVER) as optux:
        while not until.passed():
            found = optux.compute()
            if found is None:
                return MusEnumeration(family(muses), (), complete=True)
            if limit is not None and len(muses) >= limit:
                break
            muses.append(frozenset(number - 1 for number in found))
    return MusEnumeration(family(muses), (), complete=False)
