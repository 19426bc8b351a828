"""Making vector files: hand-made groups, and generated ones of every kind of graph.

The same name, seed and versions of xpgcheck and Hypothesis give the same bytes; evidence comes from a route without a
solver, so that solvers' versions do not matter.  Needs Hypothesis; ``xpgcheck vectors`` without ``--generate`` does not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import hypothesis

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.borders import border_values
from xpgcheck.properties.cases import Case
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import labels, property_cases
from xpgcheck.vectors.catalogue import DEFAULT_SEED, FAMILIES
from xpgcheck.vectors.documents import VectorFile
from xpgcheck.vectors.edge_cases import edge_cases
from xpgcheck.vectors.grouping import Group, graph_document, vector_file
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph


class GraphShare(NamedTuple):
    """A number of graphs, of at most ``size`` nodes and at least ``least`` non-terminals, out of so many generated ones."""

    size: int
    least: int
    graphs: int
    examples: int


SHARES = (GraphShare(12, 2, 26, 150), GraphShare(20, 5, 12, 80), GraphShare(40, 8, 6, 40))

INSTANCES = 3
"""Instances of a graph at most."""

TRIES = 20
"""Points looked at for further instances of a graph."""


def vector_document(name: str, seed: int = DEFAULT_SEED, shares: tuple[GraphShare, ...] = SHARES) -> VectorFile:
    """Return the vector file *name*, made again.  Seconds.

    Raises ``KeyError`` on an unknown name, ``UncertifiedError`` where two oracles differ: then nothing is made.
    """
    family = FAMILIES[name]
    made_with = {}
    if family.kind:
        made_with["hypothesis"] = hypothesis.__version__
        groups = [group for share in shares for group in _groups(family.kind, share, seed)]
    else:
        groups = edge_cases()
    return vector_file(name, family.description, groups, first=family.first, seed=seed, made_with=made_with)


def _groups(kind: str, share: GraphShare, seed: int) -> Iterator[Group]:
    """Yield groups of generated graphs, each graph once, those first that show something that the ones before do not."""
    cases = _generated(kind, share, seed)
    chosen = _varied(cases, share.graphs)
    rng = random.Random(f"{kind} {share.size} {seed}")
    for case in chosen:
        document = graph_document(case.graph)
        comment = f"generated: {kind}, at most {share.size} nodes"
        yield Group(kind, document, tuple((comment, point) for point in _instances(case, rng)))


def _generated(kind: str, share: GraphShare, seed: int) -> list[Case]:
    """Return cases with enough non-terminals, no graph twice."""
    found: dict[str, Case] = {}

    def keep(case: Case) -> None:
        if case.size[0] >= share.least:
            found.setdefault(str(graph_document(case.graph)["nodes"]), case)

    visit(property_cases(size=share.size, kinds=(kind,)), keep, share.examples, seed)
    return list(found.values())


def _varied(cases: list[Case], most: int) -> list[Case]:
    """Return at most *most* of *cases*: again and again the first one whose labels were seen least."""
    seen: dict[str, int] = {}
    left = [(case, labels(case.graph, case.instance)) for case in cases]
    chosen: list[Case] = []
    while left and len(chosen) < most:
        best = min(range(len(left)), key=lambda k: _seen_least(left[k][1], seen))
        case, shows = left.pop(best)
        chosen.append(case)
        for label in shows:
            seen[label] = seen.get(label, 0) + 1
    return chosen


def _seen_least(shows: tuple[str, ...], seen: dict[str, int]) -> tuple[int, int]:
    counts = sorted(seen.get(label, 0) for label in shows)
    return counts[0], sum(counts[:3])


def _instances(case: Case, rng: random.Random) -> list[Point]:
    """Return instances that differ in class or XPs: the case's own, and points at the borders of cells with the most XPs."""
    graph = case.graph
    tried = [case.instance]
    tried += [tuple(rng.choice(border_values(rng.choice(cells))) for cells in graph.cells) for _ in range(TRIES)]
    # The first point of each answer is kept; sorting is stable.
    first: dict[Answer, Point] = {}
    for point in tried:
        first.setdefault(_answer(graph, point), point)
    own, *others = first
    others.sort(key=lambda answer: -len(answer[1]))
    return [first[answer] for answer in (own, *others[: INSTANCES - 1])]


Answer = tuple[int, frozenset[tuple[str, frozenset[int]]]]
"""The class and the XPs of an instance."""


def _answer(graph: DecisionGraph, point: Point) -> Answer:
    found = enumerate_xps(explanation_graph(graph, point))
    return graph.kappa(point), frozenset((kind.value, members) for kind, members in found)
