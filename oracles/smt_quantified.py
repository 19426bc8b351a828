"""Eq. 1 as the paper writes it, with its quantifier: ∀x. [⋀_{i∈𝒳} x_i = v_i] → κ(x) = c.

A third formulation for small graphs, closest to the paper's text and slowest: a fresh solver for each question.  It
says whether Eq. 1 is valid and gives no witness.
"""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.pysmt_backend import Backend, Term, UnknownError
from xpgcheck.oracles.smt_encoding import Variables

MAX_NODES = 120
"""Nodes up to which the quantified form is asked; above, the answer is "unknown"."""


class QuantifiedOracle:
    """Eq. 1 with its quantifier, by Z3.  ``engine`` is Z3's: it does not confirm the other Z3 oracles."""

    name = "z3-quantified"
    engine = "z3"

    def __init__(
        self, graph: DecisionGraph, point: Point, timeout_ms: int | None = 10_000, max_nodes: int = MAX_NODES
    ) -> None:
        self._graph = graph
        self._point = point
        self._timeout_ms = timeout_ms
        self._max_nodes = max_nodes
        self._class = graph.kappa(point)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether Eq. 1 fails for *fixed*.  ``unknown`` above the limit of nodes."""
        if self._graph.node_count > self._max_nodes:
            reason = f"{self._graph.node_count} nodes, over this formulation's limit of {self._max_nodes}"
            return Answer(None, None, self.name, reason)
        chosen = frozenset(fixed)
        with Backend("z3", "UFLIRA", self._timeout_ms) as backend:
            asked = backend.formulas.Symbol("asked")
            # Valid iff its negation is unsatisfiable, which is also what Z3 is quick at.
            variables = Variables(backend.formulas, self._graph)
            backend.add(backend.formulas.Not(equation_1(variables, self._point, chosen, self._class)))
            try:
                return Answer(backend.check([backend.handle(asked)]), None, self.name)
            except UnknownError as reason:
                return Answer(None, None, self.name, str(reason))


def equation_1(variables: Variables, point: Point, fixed: frozenset[int], class_index: int) -> Term:
    """Return Eq. 1 for *fixed* at *point* of class *class_index*, a closed formula."""
    formulas = variables.formulas
    agrees = [v.equals(point[i]) for i, v in variables.of.items() if i in fixed]
    symbols = [symbol for v in variables.of.values() for symbol in v.symbols]
    inside = formulas.And([*variables.bounds(), *agrees])
    body = formulas.Implies(inside, _has_class(variables, class_index))
    return formulas.ForAll(symbols, body) if symbols else body


def _has_class(variables: Variables, wanted: int) -> Term:
    """Return κ(x) = c as "some path to a terminal of class c is consistent with x", shared on the DAG."""
    formulas, graph = variables.formulas, variables.graph
    terms: list[Term] = [None] * graph.node_count
    for node in range(graph.node_count - 1, -1, -1):
        class_index = graph.class_of[node]
        if class_index >= 0:
            terms[node] = formulas.Bool(class_index == wanted)
        else:
            edges = variables.literals(node)
            terms[node] = formulas.Or([formulas.And(literal, terms[child]) for child, literal in edges])
    return terms[0]
