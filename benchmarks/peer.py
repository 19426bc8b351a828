"""The peer: the paper's own package, ``XpGraph`` from PyPI, fed our explanation graphs through its file format."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import SkippedError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.writers.xpg import write_xpg
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.xps import XP, Kind


class Peer:
    """One XpG in the peer's hands."""

    def __init__(self, graph: DecisionGraph, xpg: ExplanationGraph) -> None:
        from xpg.xpg import MarcoXpG, XpGraph

        self._marco: Any = MarcoXpG
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "graph.xpg")
            file.write_text(write_xpg(labelled(graph, xpg)))
            self._graph = XpGraph.from_file(str(file))
        # The peer numbers features by where they are first named in VarDef.
        ours = {name: index for index, name in enumerate(xpg.variables)}
        self._index = [ours[name] for name in self._graph.features]

    def enumerate(self, horn: bool = True) -> Any:
        """Run the peer's enumeration as it comes (Horn clauses and SAT for AXps), or by traversal alone."""
        return self._marco(self._graph, Horn=horn).enum()

    def xps(self, answer: Sequence[Sequence[Sequence[int]]]) -> set[XP]:
        """Return what :meth:`enumerate` answered in our words."""
        return {
            XP(kind, frozenset(self._index[i] for i in xp))
            for kind, family in zip((Kind.AXP, Kind.CXP), answer, strict=True)
            for xp in family
        }


def require_peer() -> None:
    """Raise ``SkippedError`` where the peer is not installed."""
    try:
        import xpg.xpg  # noqa: F401
    except ImportError as error:
        raise SkippedError(
            f"the peer is not installed ({error}): pip install XpGraph==0.0.1 networkx six numpy"
        ) from None


def is_constant(xpg: ExplanationGraph) -> bool:
    """Tell whether no terminal is labelled 0: the peer ends in an AssertionError on these."""
    return not any(xpg.is_zero)


def labelled(graph: DecisionGraph, xpg: ExplanationGraph) -> LabelledGraph:
    """Return *xpg* as the plain data that the `.xpg` writer takes."""
    edges = []
    for one, zeros in zip(xpg.one_child, xpg.zero_children, strict=True):
        ones = [(one, True)] if one >= 0 else []
        edges.append((*ones, *((child, False) for child in zeros)))
    labels = tuple(v < 0 and not zero for v, zero in zip(xpg.variable_of, xpg.is_zero, strict=True))
    return LabelledGraph(graph.name, xpg.variables, xpg.variable_of, tuple(edges), labels, graph.node_ids, xpg.shape)
