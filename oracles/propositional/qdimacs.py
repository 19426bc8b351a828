"""MUS membership as a QBF in QDIMACS, for any solver of 2QBF.

Clause γ_j of φ is in some MUS iff ∃s, y ∀x. s_j ∧ ⋀_{i≠j} (s_i → γ_i(y)) ∧ ⋁_i (s_i ∧ ¬γ_i(x)): there are unsatisfiable
clauses with γ_j among them, which y satisfies but for γ_j.  The disjunction is put into clauses with a variable t_i for
each of its terms, which has to come after x.

QDIMACS Standard, version 1.1, http://www.qbflib.org/qdimacs.html.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xpgcheck.oracles.propositional.formulas import Cnf, Literals, clashes


@dataclass(frozen=True, slots=True)
class Numbering:
    """The variables of the QBF, in this order: y_1 … y_n, s_1 … s_k, x_1 … x_n, t_1 … t_k.  Clauses count from 0."""

    variables: int
    clauses: int

    @property
    def highest(self) -> int:
        """The number of variables."""
        return 2 * (self.variables + self.clauses)

    def y(self, literal: int) -> int:
        """Return the literal of y for *literal* of the CNF."""
        return literal

    def s(self, clause: int) -> int:
        """Return the variable that selects *clause*."""
        return self.variables + 1 + clause

    def x(self, literal: int) -> int:
        """Return the literal of x for *literal* of the CNF."""
        shift = self.variables + self.clauses
        return literal + shift if literal > 0 else literal - shift

    def t(self, clause: int) -> int:
        """Return the variable that says that *clause* is selected and false at x."""
        return 2 * self.variables + self.clauses + 1 + clause


def membership_qdimacs(formula: Cnf, clause: int) -> str:
    """Return the QBF that is true iff *clause* (from 0) is in some MUS of *formula*, closed and in prenex form.

    Linear: 2·(n + k) variables and at most L + 2·k + 1 clauses, for k clauses with L literals over n variables.  No clause
    has a literal twice or both ways.  Raises ``ValueError`` where the formula has no such clause.
    """
    if not 0 <= clause < len(formula.clauses):
        raise ValueError(f"the formula has {len(formula.clauses)} clauses, and none at position {clause} (from 0)")
    number = Numbering(formula.variables, len(formula.clauses))
    matrix = list(_matrix(formula, clause, number))
    lines = [*_comments(clause, number), f"p cnf {number.highest} {len(matrix)}"]
    outer = range(1, formula.variables + len(formula.clauses) + 1)
    if formula.variables:
        lines.append(_line("e", outer))
        lines.append(_line("a", [number.x(variable) for variable in range(1, formula.variables + 1)]))
        lines.append(_line("e", [number.t(position) for position in range(len(formula.clauses))]))
    else:
        # Blocks have to alternate.
        lines.append(_line("e", [*outer, *(number.t(position) for position in range(len(formula.clauses)))]))
    lines += [_line("", literals) for literals in matrix]
    return "\n".join(lines) + "\n"


def _matrix(formula: Cnf, clause: int, number: Numbering) -> Iterator[Literals]:
    yield (number.s(clause),)
    for position, literals in enumerate(formula.clauses):
        if position != clause and not clashes(literals):
            yield (-number.s(position), *(number.y(literal) for literal in dict.fromkeys(literals)))
    for position, literals in enumerate(formula.clauses):
        term = number.t(position)
        yield (-term, number.s(position))
        for literal in dict.fromkeys(literals):
            yield (-term, -number.x(literal))
    yield tuple(number.t(position) for position in range(len(formula.clauses)))


def _comments(clause: int, number: Numbering) -> Iterator[str]:
    n, k = number.variables, number.clauses
    yield f"c Is clause {clause + 1} of a CNF with {n} variables and {k} clauses in some MUS?  True: yes.  False: no."
    if n:
        yield f"c y_v is v, for v = 1 ... {n}: a point that satisfies the selected clauses, but for clause {clause + 1}"
    yield f"c s_i is {n} + i, for i = 1 ... {k}: clause i is selected"
    if n:
        yield f"c x_v is {n + k} + v, for v = 1 ... {n}: a point, at which some selected clause has to be false"
    yield f"c t_i is {2 * n + k} + i, for i = 1 ... {k}: clause i is selected, and false at x"


def _line(head: str, literals: Sequence[int]) -> str:
    return " ".join([*([head] if head else []), *map(str, literals), "0"])
