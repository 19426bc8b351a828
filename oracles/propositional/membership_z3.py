"""MUS membership by Z3, with its quantifier: ∃s, y ∀x. s_j ∧ ⋀_{i≠j} (s_i → γ_i(y)) ∧ ⋁_i (s_i ∧ ¬γ_i(x)).

Clause γ_j is in some MUS iff there are unsatisfiable clauses with γ_j among them, which y satisfies but for γ_j.  The
formula is built as it is written, term by term, in a context of its own for each question.  Z3's answer comes without
evidence, and counts as one route's word.

Of Z3's solvers its plain one is asked (``SimpleSolver``, quantifiers instantiated by models).  The default one and the
tactics ``qsat``, ``qe2`` and ``qe_rec`` give up on formulas of thirty clauses; those for bit-vectors are about as fast.
"""

from __future__ import annotations

import threading
from typing import Any

from xpgcheck.oracles.propositional.formulas import Cnf

GRACE = 1.0
"""Seconds after its timeout at which Z3 is interrupted: not all that it does looks at the time."""


def mus_with_by_z3(formula: Cnf, clause: int, milliseconds: int) -> bool | None:
    """Tell whether *clause* (from 0) is in some MUS of *formula*; None: Z3 does not know, or not in *milliseconds*.

    Raises ``ValueError`` where the formula has no such clause, or *milliseconds* is not positive.  The question is linear in
    the formula; Z3 may take exponential time.
    """
    if not 0 <= clause < len(formula.clauses):
        raise ValueError(f"the formula has {len(formula.clauses)} clauses, and none at position {clause} (from 0)")
    if milliseconds <= 0:
        raise ValueError(f"a time of {milliseconds} ms is not positive")
    import z3

    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    solver.set("timeout", milliseconds)
    solver.add(*_question(formula, clause, context))
    guard = threading.Timer(milliseconds / 1000 + GRACE, context.interrupt)
    guard.daemon = True
    guard.start()
    try:
        answer = solver.check()
    except z3.Z3Exception:
        return None
    finally:
        guard.cancel()
        guard.join()
    if answer == z3.sat:
        return True
    return False if answer == z3.unsat else None


def _question(formula: Cnf, clause: int, context: Any) -> list[Any]:
    import z3

    count = range(formula.variables)
    y = [z3.Bool(f"y{variable}", context) for variable in count]
    x = [z3.Bool(f"x{variable}", context) for variable in count]
    s = [z3.Bool(f"s{position}", context) for position in range(len(formula.clauses))]

    def literal(point: list[Any], value: int) -> Any:
        return point[value - 1] if value > 0 else z3.Not(point[-value - 1])

    asked = [s[clause]]
    for position, literals in enumerate(formula.clauses):
        if position != clause:
            asked.append(z3.Implies(s[position], z3.Or([*(literal(y, each) for each in literals), _false(context)])))
    false_at_x = z3.Or(
        [z3.And([s[position], *(z3.Not(literal(x, each)) for each in g)]) for position, g in enumerate(formula.clauses)]
    )
    return [*asked, z3.ForAll(x, false_at_x) if x else false_at_x]


def _false(context: Any) -> Any:
    """An operand that says in which context an empty disjunction is."""
    import z3

    return z3.BoolVal(False, context)
