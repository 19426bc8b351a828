"""The reduction from MUS membership to prime implicant (PI) membership for DNFs: the paper's proof of Σ₂ᵖ-hardness.

From a CNF φ = {γ_1, …, γ_k} over x it makes the DNF ψ(s, x) = ⋁_j (s_j ∧ ¬γ_j), with a selector s_j per clause.  The paper
defines ψ on the selectors alone; how x is to be taken is what the *readings* differ in:

A. ∀x. ψ(s, x) as a function of the selectors: 1 exactly where the selected clauses are unsatisfiable;
B. ψ(s, x) as a DNF over selectors and x;
C. ψ as a classifier, at the instance (1, …, 1, x₀): AXps, features being selectors and variables;
D. as C, with a third value ∗ of each variable: no literal holds of ∗, every point that has it somewhere is of class 1, and
   the instance is (1, …, 1, ∗, …, ∗).  This is ours, and repairs C.

In ψ the selector of clause j (from 0) is the variable j + 1, and variable v of φ is the variable k + v.
"""

from __future__ import annotations

from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals


def selector(clause: int) -> int:
    """Return the variable of ψ that selects *clause* (from 0)."""
    return clause + 1


def lifted(formula: Cnf, literal: int) -> int:
    """Return the literal of ψ that *literal* of *formula* becomes."""
    shift = len(formula.clauses)
    return literal + shift if literal > 0 else literal - shift


def selector_dnf(formula: Cnf) -> Dnf:
    """Return ψ of *formula*: one term a clause, in order, the selector first.

    Linear: k + n variables, and k + L literals for a formula of k clauses, n variables and L literals.  The term of a
    tautology holds a literal and its negative, and is 0; that of an empty clause is the selector alone.
    """
    terms: list[Literals] = []
    for position, clause in enumerate(formula.clauses):
        terms.append((selector(position), *(-lifted(formula, literal) for literal in clause)))
    return Dnf(len(formula.clauses) + formula.variables, tuple(terms))
