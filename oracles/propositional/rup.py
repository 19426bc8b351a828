"""Refutations in RUP: made by CaDiCaL or Glucose, checked by unit propagation alone.

A line is a clause.  It is RUP (reverse unit propagation) with respect to clauses if unit propagation on them and on the
negation of its literals meets a conflict; then they imply it.  A *refutation* is lines that are each RUP with respect
to the clauses and the lines before it, and end with the empty clause.

E. Goldberg, Y. Novikov, "Verification of proofs of unsatisfiability for CNF formulas", DATE 2003.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.oracles.propositional.formulas import Literals
from xpgcheck.oracles.propositional.limits import Deadline, solved

SOLVER = "cadical153"
INTERRUPTIBLE = "glucose4"


def refutation(clauses: Iterable[Iterable[int]], *, deadline: Deadline | None = None) -> tuple[Literals, ...]:
    """Return a refutation of *clauses*: the lines that a solver derived, without its deletions.

    That of clauses that hold the empty one is ``((),)``.  Raises ``ValueError`` where *clauses* are satisfiable.
    Exponential at worst.  CaDiCaL cannot be interrupted, so with a *deadline* it is Glucose, and ``OutOfTime`` once that has
    passed.
    """
    from pysat.solvers import Solver

    given = [list(clause) for clause in clauses]
    if not all(given):
        return ((),)
    # Clauses that come later, and assumptions, would be missing in the proof.
    name = SOLVER if deadline is None else INTERRUPTIBLE
    with Solver(name=name, bootstrap_with=given, with_proof=True) as solver:
        if solved(solver, deadline):
            raise ValueError("satisfiable clauses have no refutation")
        proof = solver.get_proof() or []
    lines: list[Literals] = []
    for text in proof:
        if not text.startswith("d"):
            literals = tuple(int(literal) for literal in text.split()[:-1])
            lines.append(literals)
            if not literals:
                return tuple(lines)
    return (*lines, ())


def rup_fault(
    clauses: Iterable[Literals], lines: Sequence[Literals], *, deadline: Deadline | None = None
) -> str | None:
    """Return None where *lines* refute *clauses*, else which line (counted from 1) is at fault and why.

    Raises ``OutOfTime`` once *deadline* has passed.  A propagation a line over two watched literals a clause, each at
    most linear in the literals of the clauses and the lines before.
    """
    if not lines or lines[-1]:
        return "the last line is not the empty clause"
    given = list(clauses)
    if any(0 in clause for clause in given):
        return "the clauses hold 0, which is no literal"
    checker = _Propagation(max((abs(literal) for literals in (*given, *lines) for literal in literals), default=0))
    for clause in given:
        checker.add(clause)
    for number, line in enumerate(lines, 1):
        if deadline is not None:
            deadline.check()
        if 0 in line:
            return f"line {number}: 0 is no literal"
        if not checker.implies(line):
            return f"line {number}: ({' '.join(map(str, line))}) is not RUP"
        checker.add(line)
    return None


class _Propagation:
    """Unit propagation over a growing set of clauses, each watched at two literals.

    ``value[literal]`` is 1 where the literal is true, -1 where it is false, 0 where open; a negative index counts
    from the end, so one list serves both signs.  Between two calls only what the clauses imply by propagation is set.
    """

    def __init__(self, variables: int) -> None:
        self.value = [0] * (2 * variables + 1)
        self.watched: list[list[list[int]]] = [[] for _ in range(2 * variables + 1)]
        self.trail: list[int] = []
        self.conflict = False

    def add(self, clause: Literals) -> None:
        """Add *clause* and propagate."""
        if self.conflict:
            return
        value = self.value
        literals = list(dict.fromkeys(clause))
        if any(value[literal] > 0 for literal in literals):
            return
        # What is set now stays set, so false literals can go.
        literals = [literal for literal in literals if not value[literal]]
        if len(literals) > 1:
            self.watched[literals[0]].append(literals)
            self.watched[literals[1]].append(literals)
        elif literals:
            self._set(literals[0])
            self.conflict = not self._propagate(len(self.trail) - 1)
        else:
            self.conflict = True

    def implies(self, clause: Literals) -> bool:
        """Tell whether *clause* is RUP."""
        if self.conflict:
            return True
        start = len(self.trail)
        met = False
        for literal in clause:
            if self.value[literal] > 0:
                met = True
                break
            if not self.value[literal]:
                self._set(-literal)
        met = met or not self._propagate(start)
        for literal in self.trail[start:]:
            self.value[literal] = self.value[-literal] = 0
        del self.trail[start:]
        return met

    def _set(self, literal: int) -> None:
        self.value[literal] = 1
        self.value[-literal] = -1
        self.trail.append(literal)

    def _propagate(self, head: int) -> bool:
        """Propagate the trail from *head* on; return False at a conflict."""
        value, watched, trail = self.value, self.watched, self.trail
        while head < len(trail):
            false = -trail[head]
            head += 1
            watching = watched[false]
            kept = 0
            for index, clause in enumerate(watching):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if value[first] > 0:
                    watching[kept] = clause
                    kept += 1
                    continue
                for place in range(2, len(clause)):
                    other = clause[place]
                    if value[other] >= 0:
                        clause[1], clause[place] = other, false
                        watched[other].append(clause)
                        break
                else:
                    watching[kept] = clause
                    kept += 1
                    if value[first] < 0:
                        watching[kept:] = watching[index + 1 :]
                        return False
                    value[first] = 1
                    value[-first] = -1
                    trail.append(first)
            del watching[kept:]
        return True
