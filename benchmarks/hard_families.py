"""Growing families of membership questions, with answers of both kinds: of CNFs, DNFs and explanation graphs.

The CNFs and DNFs come from random 2QBFs ∃X ∀Y ¬F(X, Y), with F a CNF of clauses of one literal over X and three over Y,
as many clauses as make about half of the answers yes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Point, cnf, dnf
from xpgcheck.xpg.explanation_graph import ExplanationGraph

CLAUSES_PER_VARIABLE, MORE_CLAUSES = 5, 10
"""Clauses of 2QBFs: with so many, about half of them are true."""

SAT_THRESHOLD = 4.26
"""Clauses a variable at which random 3-CNFs are about as often satisfiable as not."""


@dataclass(frozen=True)
class Qbf:
    """∃X ∀Y ¬F with X = 1 … n and Y = n + 1 … 2n.  A clause of F is (its literal over X, its literals over Y)."""

    n: int
    clauses: tuple[tuple[int, tuple[int, ...]], ...]


def random_qbf(n: int, seed: object, clauses: int | None = None) -> Qbf:
    """Return a random 2QBF over n ≥ 3 variables of each kind."""
    rng = random.Random(f"qbf {n} {seed}")
    made = []
    for _ in range(CLAUSES_PER_VARIABLE * n + MORE_CLAUSES if clauses is None else clauses):
        x = rng.choice((1, -1)) * rng.randint(1, n)
        made.append((x, tuple(rng.choice((y, -y)) for y in rng.sample(range(n + 1, 2 * n + 1), 3))))
    return Qbf(n, tuple(made))


def mus_question(qbf: Qbf) -> tuple[Cnf, int]:
    """Return a CNF and one of its clauses, which is in some MUS iff the 2QBF is true.

    The clauses are x_i and ¬x_i for each x_i in X, w (the one asked about), and ¬w ∨ δ for each clause δ of F.  A MUS with
    w holds no x_i together with ¬x_i, for these two are a MUS; so its units are a partial assignment of X, under which F is
    unsatisfiable.  The other way round, such an assignment and the rest are unsatisfiable, and satisfiable without w.
    """
    w = 2 * qbf.n + 1
    units = [(literal,) for i in range(1, qbf.n + 1) for literal in (i, -i)]
    return cnf([*units, (w,), *((-w, x, *ys) for x, ys in qbf.clauses)], w), len(units)


def axp_question(qbf: Qbf) -> tuple[Dnf, Point, int]:
    """Return a DNF classifier, a point and a feature, which is in some AXp there iff the 2QBF is true.

    The features are t (the one asked about), p_i and q_i for each x_i in X (fixing p_i makes x_i true, fixing q_i makes it
    false), and Y.  The point has t = p_i = q_i = 1, and values of Y that falsify F's first clause but for its literal
    over X.  The terms are

    * for each clause of F: t, the p_i or q_i that makes its literal over X false, and its literals over Y all false;
    * ¬t ∧ p_i ∧ q_i, and ¬t with y at the point's value.

    Where p_i and q_i are both fixed, or a y is, and the class is settled for t = 1, it is settled without t as well.  So an
    AXp with t fixes neither, and its p_i and q_i are a partial assignment under which F is unsatisfiable.  Needs a clause in
    F, without which the point is of class 0.
    """
    n = qbf.n
    t = 3 * n + 1
    values = {n + k: True for k in range(1, n + 1)}
    for literal in qbf.clauses[0][1]:
        values[abs(literal)] = literal < 0

    def y(literal: int) -> int:
        return literal + n if literal > 0 else literal - n

    terms = [(t, n + x if x > 0 else -x, *(-y(literal) for literal in ys)) for x, ys in qbf.clauses]
    terms += [(-t, i, n + i) for i in range(1, n + 1)]
    terms += [(-t, y(v if value else -v)) for v, value in values.items()]
    return dnf(terms, t), (*(True for _ in range(2 * n)), *values.values(), True), t - 1


def random_3cnf(n: int, seed: object) -> tuple[tuple[int, ...], ...]:
    """Return the clauses of a random 3-CNF over n ≥ 3 variables at the threshold."""
    rng = random.Random(f"3-CNF {n} {seed}")
    clauses = round(SAT_THRESHOLD * n)
    return tuple(tuple(rng.choice((v, -v)) for v in rng.sample(range(1, n + 1), 3)) for _ in range(clauses))


def xpg_question(n: int, clauses: tuple[tuple[int, ...], ...]) -> tuple[ExplanationGraph, int]:
    """Return an explanation graph and a feature, which is in some XP iff the CNF *clauses* over n variables is satisfiable.

    The features are p_i and q_i for each variable (freeing p_i makes it true, freeing q_i makes it false), and t.  A chain
    leads past n pairs of nodes, the i-th of which ends in 0 where p_i and q_i are free, to a node of t, and from there, with
    t free, past the clauses: each is passed where one of its literals is free.  No decision graph is behind the labels:
    paths test features again.
    """
    t = 2 * n
    first_clause = 2 * n + 1
    starts = [first_clause]
    for clause in clauses:
        starts.append(starts[-1] + len(clause))
    zero, one = starts[-1], starts[-1] + 1
    starts[-1] = zero
    variable, ones, zeros = [], [], []
    for i in range(n):
        following = 2 * i + 2
        variable += [i, n + i]
        ones += [following, following]
        zeros += [(following - 1,), (zero,)]
    variable.append(t)
    ones.append(one)
    zeros.append((starts[0],))
    for start, end, clause in zip(starts, starts[1:], clauses, strict=False):
        for position, literal in enumerate(clause, start=1):
            variable.append(literal - 1 if literal > 0 else n - literal - 1)
            ones.append(start + position if position < len(clause) else one)
            zeros.append((end,))
    names = (*(f"p{i}" for i in range(1, n + 1)), *(f"q{i}" for i in range(1, n + 1)), "t")
    labels = bytes([0] * len(variable) + [1, 0])
    return ExplanationGraph(names, (*variable, -1, -1), (*ones, -1, -1), (*zeros, (), ()), labels), t
