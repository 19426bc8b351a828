"""Errors of nodes that are no decision graph, with the nodes and values at fault."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.errors import ModelError, shown
from xpgcheck.model.value_sets import ValueSet

NodeId = str | int
"""The name of a node in its source."""


class StructureError(ModelError):
    """The graph is not a DAG with one root, reachable nodes and legal literals.  ``nodes`` are the ones at fault."""

    def __init__(self, problem: str, nodes: Sequence[NodeId] = (), *, mend: str = "") -> None:
        place = f"node {shown(nodes[0])}" if len(nodes) == 1 else ""
        super().__init__(problem, place=place, mend=mend)
        self.nodes = tuple(nodes)


class CycleError(StructureError):
    """The edges form a cycle; ``nodes`` is the cycle."""


class RootError(StructureError):
    """No root, or several, or another one than announced; ``nodes`` are those without incoming edges."""


class UnreachableError(StructureError):
    """``nodes`` cannot be reached from the root."""


class LiteralError(ModelError):
    """A literal at fault: ``node``, ``feature`` (index) and the ``values`` concerned; ``path`` from the root if known."""

    def __init__(
        self, problem: str, node: NodeId, feature: int, values: ValueSet, path: Sequence[NodeId] = (), *, mend: str
    ) -> None:
        super().__init__(problem, place=f"node {shown(node)}", mend=mend)
        self.node = node
        self.feature = feature
        self.values = values
        self.path = tuple(path)


class EmptyLiteralError(LiteralError):
    """A literal that no value of the domain satisfies."""


class OverlapError(LiteralError):
    """Two outgoing literals of one node share ``values``."""


def path_text(path: Iterable[NodeId]) -> str:
    """Return *path* for a message, its middle left out where it is long."""
    steps = [shown(key, 40) for key in path]
    return " → ".join(steps if len(steps) <= 12 else [*steps[:6], "…", *steps[-5:]])
