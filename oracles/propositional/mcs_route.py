"""All MCSes of a CNF by PySAT's LBX or MCSls.

C. Mencía, A. Previti, J. Marques-Silva, "Literal-based MCS extraction", IJCAI 2015 (LBX); J. Marques-Silva, F. Heras,
M. Janota, A. Previti, A. Belov, "On computing minimal correction subsets", IJCAI 2013 (MCSls).

Both (python-sat 1.9) take the first literal of a clause as its selector: they end with an ``IndexError`` on the empty
clause, and MCSls names one of two equal unit clauses twice instead of both.  So each clause gets a selector of its own
here.
"""

from __future__ import annotations

from typing import Any, Literal

from xpgcheck.oracles.propositional.families import McsEnumeration, family
from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.oracles.propositional.limits import Deadline


def mcses_by_pysat(
    formula: Cnf,
    *,
    limit: int | None = None,
    deadline: Deadline | None = None,
    algorithm: Literal["LBX", "MCSls"] = "LBX",
) -> McsEnumeration:
    """Return the MCSes of *formula*; ∅ alone if it is satisfiable.

    It ends incomplete where there are over *limit* MCSes, or *deadline* has passed, which is looked at before each MCS.
    """
    from pysat.examples.lbx import LBX
    from pysat.examples.mcsls import MCSls
    from pysat.formula import WCNF

    until = deadline or Deadline()
    first = formula.variables + 1
    weighted = WCNF()
    for position, clause in enumerate(formula.clauses):
        weighted.append([*clause, -(first + position)])
    for position in range(len(formula.clauses)):
        weighted.append([first + position], weight=1)
    mcses: list[frozenset[int]] = []
    maker: Any = LBX if algorithm == "LBX" else MCSls
    with maker(weighted) as enumerator:
        while not until.passed():
            found = enumerator.compute()
            if found is None:
                return McsEnumeration(family(mcses), complete=True)
            if limit is not None and len(mcses) >= limit:
                break
            enumerator.block(found)
            mcses.append(frozenset(number - 1 for number in found))
    return McsEnumeration(family(mcses), complete=False)
