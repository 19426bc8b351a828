"""Algorithm 1: our traversal grows with the graph, the printed one with the number of paths."""

from __future__ import annotations

import statistics

from benchmarks.measure import Report, Target, cpu_seconds
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.traversal import path_to_zero, path_to_zero_as_printed

METHOD = """\
CPU ms (median) of path_to_zero with every variable free on diamonds in a row, none of whose terminals is labelled 0, so \
that all is visited; the ratio is to the row above it, of half the edges. The printed algorithm, without visited marks, \
runs on few diamonds and takes 2ⁿ times the steps for n more."""

COLUMNS = ("algorithm", "diamonds", "edges", "ms", "ratio", "steps")
VARIABLES = 64


def run(largest: int = 1_000_000, printed: int = 16, repetitions: int = 7) -> Report:
    """Double the edges up to *largest*, and the printed algorithm's diamonds up to *printed*."""
    report = Report("traversal", METHOD, COLUMNS)
    sizes = [largest]
    while sizes[-1] >= 16_000:
        sizes.append(sizes[-1] // 2)
    ratios: list[float] = []
    before: float | None = None
    for edges in reversed(sizes):
        graph = diamonds(max(2, edges // 4))
        free = range(len(graph.variables))
        ms = 1e3 * statistics.median(cpu_seconds(lambda: path_to_zero(graph, free)) for _ in range(repetitions))  # noqa: B023
        count = sum(map(len, graph.zero_children)) + sum(child >= 0 for child in graph.one_child)
        ratio = None if before is None else ms / before
        if ratio is not None:
            ratios.append(ratio)
        report.rows.append(("ours", edges // 4, count, ms, ratio, graph.node_count))
        before = ms
    if ratios:
        report.targets.append(Target("time for twice the edges, median ratio", statistics.median(ratios), "<", 2.5))
    before = None
    for n in range(2, printed + 1, 2):
        graph = diamonds(n)
        free = range(len(graph.variables))
        steps = path_to_zero_as_printed(graph, free)[1]
        ms = 1e3 * cpu_seconds(lambda: path_to_zero_as_printed(graph, free))  # noqa: B023
        count = sum(map(len, graph.zero_children)) + sum(child >= 0 for child in graph.one_child)
        report.rows.append(("as printed", n, count, ms, None if before is None else ms / before, steps))
        before = ms
    report.notes.append("as printed: each row has two diamonds more, so about four times the steps")
    return report


def diamonds(n: int) -> ExplanationGraph:
    """Return an XpG of *n* diamonds in a row, all nodes of a level testing one variable of ``VARIABLES`` in turn."""
    variable, one = [0], [1]
    zeros: list[tuple[int, ...]] = [(2,)]
    for level in range(1, n):
        start = len(variable)
        variable += [level % VARIABLES] * 2
        one += [start + 2] * 2
        zeros += [(start + 3,)] * 2
    end = len(variable) + 2
    variable += [n % VARIABLES] * 2
    one += [end] * 2
    zeros += [()] * 2
    names = tuple(f"s{i}" for i in range(VARIABLES))
    return ExplanationGraph(names, (*variable, -1), (*one, -1), (*zeros, ()), bytes(end + 1))
