"""Proved theorems as SMT-LIB 2: Booleans only, one assertion per clause, with the theorem and headings as comments."""

from __future__ import annotations

from xpgcheck.paper.symbolic.graphs import GraphKind, Size
from xpgcheck.paper.symbolic.sigma import IDEAS
from xpgcheck.paper.symbolic.theorems import Theorem


def smtlib(theorem: Theorem, size: Size, kind: GraphKind, part: str) -> str:
    """Return *part* of the negation of *theorem* for all graphs of *kind* and *size*; ``unsat`` proves it.

    The same arguments always give the same text.  Definitions alone are in it, and no cubes: any solver can be asked.
    """
    formula = theorem.denial(size, kind, part, IDEAS).formula
    used = {abs(literal) for clause in formula.bare() for literal in clause}
    lines = [
        f"; {theorem.source}: {theorem.statement}",
        f"; Denied for all {kind.value} graphs with at most {size.nodes} non-terminals",
        f"; over {size.features} features of {size.values} values (part: {part}).",
        "; unsat: it holds of all of them.  sat: the model is a counterexample.",
        "; Nodes n0 (the root), n1, … come in a topological order; SAME is the terminal of the instance's class c,",
        "; OTHER that of all other classes.  The instance is (0, …, 0): feature f0 has value v0, and so on.",
        "; tests_nR_fI: node R tests feature I.  leads_nR_vK_Q: value K leads from node R to Q.",
        "(set-info :smt-lib-version 2.6)",
        "(set-logic QF_UF)",
        f"(set-info :status {'unsat' if kind in theorem.kinds else 'unknown'})",
    ]
    lines += [f"(declare-const {name} Bool)" for v, name in enumerate(formula.names, 1) if v in used]
    heading = ""
    for group, clause in formula.clauses:
        if group != heading:
            heading = group
            lines.append(f"; {group}: {formula.comments[group]}")
        literals = [_literal(formula.names, literal) for literal in clause]
        lines.append(f"(assert {literals[0]})" if len(literals) == 1 else f"(assert (or {' '.join(literals)}))")
    lines.append("(check-sat)")
    return "\n".join([*lines, ""])


def _literal(names: list[str], literal: int) -> str:
    name = names[abs(literal) - 1]
    return name if literal > 0 else f"(not {name})"
