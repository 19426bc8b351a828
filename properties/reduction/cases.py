"""A case of a property of the reduction: a formula, and a number that what has to be chosen is chosen by."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.oracles.propositional.formulas import Cnf
from xpgcheck.wording import counted


@dataclass(frozen=True, slots=True)
class FormulaCase:
    """A CNF; ``dice`` seeds what a property chooses (a point, a permutation)."""

    formula: Cnf
    dice: int = 0

    @property
    def size(self) -> tuple[int, int, int]:
        """The measures of a small case: clauses, literals, variables."""
        return len(self.formula.clauses), sum(map(len, self.formula.clauses)), self.formula.variables


def formula_text(formula: Cnf) -> str:
    """Return *formula* on one line: ``(1 -2)(2)() over 2 variables``."""
    clauses = "".join(f"({' '.join(map(str, clause))})" for clause in formula.clauses)
    return f"{clauses or 'no clause'} over {counted(formula.variables, 'variable')}"
