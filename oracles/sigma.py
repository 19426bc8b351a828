"""Oracles of σ for graphs that come as an explanation graph already (`.xpg` files): domains and literals are lost.

What can be judged there is the paper's evaluation function: ``changeable(fixed)`` means σ(s) = 0 for the s with s_i = 1
exactly on *fixed*.  Two routes: the paper's equations of ε and σ as an SMT formula, and the definition computed node by
node.  Both read the labelled graph's plain data; neither shares code with the explainer.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType

from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.pysmt_backend import Backend, UnknownError


def assignment(graph: LabelledGraph, fixed: Iterable[int]) -> Point:
    """Return the point s with s_i = 1 exactly on *fixed*."""
    chosen = frozenset(fixed)
    return tuple(i in chosen for i in range(len(graph.variables)))


def sigma(graph: LabelledGraph, s: Point) -> bool:
    """Return σ(*s*) by the definition: ε from the root down, then no active terminal labelled 0.  O(edges)."""
    active = [False] * graph.node_count
    active[0] = True
    for parent in range(graph.node_count):
        if not active[parent]:
            continue
        variable = graph.variable_of[parent]
        if variable < 0:
            if not graph.terminal_label[parent]:
                return False
            continue
        for child, label in graph.edges[parent]:
            if label or not s[variable]:
                active[child] = True
    return True


def replay_sigma(graph: LabelledGraph, fixed: Iterable[int], witness: Point) -> str | None:
    """Return what is wrong with *witness* as evidence of σ = 0, or None where it proves it."""
    if witness != assignment(graph, fixed):
        return "the witness is not the assignment asked about"
    return "σ is 1 at the witness" if sigma(graph, witness) else None


class SigmaByDefinition:
    """σ computed node by node."""

    name = "definition of σ"
    engine = "definition"

    def __init__(self, graph: LabelledGraph) -> None:
        self._graph = graph

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether σ(s) = 0, s being 1 exactly on *fixed*; the witness is s itself."""
        s = assignment(self._graph, fixed)
        return Answer(False, None, self.name) if sigma(self._graph, s) else Answer(True, s, self.name)


class SigmaSession:
    """σ as the paper's equations in an SMT solver: one Boolean a variable s_i, one a node for ε.  A context manager.

    O(edges) to encode, one check under assumptions a question.
    """

    def __init__(self, graph: LabelledGraph, solver: str = "z3", timeout_ms: int | None = 30_000) -> None:
        """Encode *graph*.  Raises ``MissingPackageError`` where the solver is not installed."""
        self.name = f"{solver}-sigma"
        self.engine = solver
        self._graph = graph
        self._backend = Backend(solver, "QF_BOOL", timeout_ms)
        f = self._backend.formulas
        count = len(graph.variables)
        variables = [f.Symbol(f"s{i}") for i in range(count)]
        epsilon = [f.Symbol(f"e{r}") for r in range(graph.node_count)]
        terms: list[list[object]] = [[] for _ in epsilon]
        for p, edges in enumerate(graph.edges):
            for r, label in edges:
                free = f.Not(variables[graph.variable_of[p]])
                terms[r].append(epsilon[p] if label else f.And(epsilon[p], free))
        self._backend.add(epsilon[0])
        self._backend.add(*(f.Iff(epsilon[r], f.Or(terms[r])) for r in range(1, graph.node_count)))
        zeros = [r for r in range(graph.node_count) if graph.variable_of[r] < 0 and not graph.terminal_label[r]]
        value = f.Symbol("sigma")
        self._backend.add(f.Iff(value, f.And([f.Not(epsilon[t]) for t in zeros])))
        handle = self._backend.handle
        self._is_zero = handle(f.Not(value))
        self._ones = [handle(v) for v in variables]
        self._zeros = [handle(f.Not(v)) for v in variables]

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Tell whether σ(s) = 0, s being 1 exactly on *fixed*; the witness is s itself."""
        s = assignment(self._graph, fixed)
        chosen = [one if bit else zero for bit, one, zero in zip(s, self._ones, self._zeros, strict=True)]
        try:
            zero = self._backend.check([self._is_zero, *chosen])
        except UnknownError as reason:
            return Answer(None, None, self.name, str(reason))
        return Answer(True, s, self.name) if zero else Answer(False, None, self.name)

    def close(self) -> None:
        """Free the solver.  Closing twice is harmless."""
        self._backend.close()

    def __enter__(self) -> SigmaSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
