"""``XpGraph``, the package of the paper's authors: explanation graphs go to it as `.xpg` files.

Release 0.0.1 is the one on PyPI.  Its explainers name features by where `VarDef` names them first, and
leave out those that no node tests; here they get back their index in the decision graph.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.subjects.adapters.packages import imported, titled
from xpgcheck.writers.xpg import write_xpg, xpg_of

REQUIREMENT = "XpGraph==0.0.1"


class XpGraph:
    """``MarcoXpG``: AXps by traversal of the graph, or of its Horn encoding (:meth:`horn`); CXps by traversal.

    Every question writes and reads a file again, so that none sees what another left behind.
    """

    def __init__(self, *, horn: bool = False) -> None:
        """Import the package.  Raises ``MissingPackageError`` where it cannot be."""
        self._module: Any = imported("xpg.xpg", REQUIREMENT)
        self._horn = horn
        self.name = f"{titled('XpGraph', 'XpGraph')}, {'Horn encoding' if horn else 'traversal'}"

    @classmethod
    def horn(cls) -> XpGraph:
        """Return the subject that finds AXps by the Horn encoding, as the package does where it is told nothing else."""
        return cls(horn=True)

    def axp(self, graph: DecisionGraph, instance: Point) -> list[int]:
        """Return what ``find_axp()`` answers."""
        marco, ours = self.opened(graph, instance)
        return [ours[i] for i in marco.find_axp()]

    def cxp(self, graph: DecisionGraph, instance: Point) -> list[int]:
        """Return what ``find_cxp()`` answers; it has no answer for "there is none"."""
        marco, ours = self.opened(graph, instance)
        return [ours[i] for i in marco.find_cxp()]

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> list[int]:
        """Return what ``find_axp(fixed)`` answers, *seed* being fixed."""
        marco, ours = self.opened(graph, instance)
        return [ours[i] for i in marco.find_axp(_flags(ours, seed))]

    def cxp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> list[int]:
        """Return what ``find_cxp(universal)`` answers, *seed* being universal."""
        marco, ours = self.opened(graph, instance)
        return [ours[i] for i in marco.find_cxp(_flags(ours, seed))]

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterator[tuple[str, Iterable[int]]]:
        """Yield what ``enum()`` answers."""
        marco, ours = self.opened(graph, instance)
        for kind, family in zip(("AXp", "CXp"), marco.enum(), strict=True):
            for found in family:
                yield kind, [ours[i] for i in found]

    def opened(self, graph: DecisionGraph, instance: Point) -> tuple[Any, list[int]]:
        """Return the package's explainer, and of each of its features the index of ours."""
        # Names that the format cannot hold do not matter to explanations, so all are plain here.
        names = tuple(f"f{index}" for index in range(len(graph.features)))
        text = write_xpg(dataclasses.replace(xpg_of(graph, instance), variables=names))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "graph.xpg")
            file.write_text(text, encoding="ascii")
            read = self._module.XpGraph.from_file(str(file))
        return self._module.MarcoXpG(read, Horn=self._horn), [names.index(name) for name in read.features]


def _flags(ours: list[int], members: frozenset[int]) -> list[bool]:
    return [index in members for index in ours]
