"""All XPs of the embedded models' instances: Algorithm 4 and the best method against the peer."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from benchmarks.measure import Report, Target, interleaved
from benchmarks.peer import Peer, is_constant, require_peer
from xpgcheck import embedded
from xpgcheck.xpg import enumeration as algorithm_4
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, features_of
from xpgcheck.xpg.xps import XP, axp_of, cxp_of

METHOD = """\
CPU µs per XP (medians), all XPs of a sample of instances per model. Algorithm 4 is list(Enumeration(xpg)), best is \
list(enumerate_xps(xpg)); the peer is MarcoXpG(graph).enum() of XpGraph, as it comes (AXps through Horn clauses and \
SAT) and with Horn=False (by traversal), on the same XpGs read from .xpg files. Building the XpGs is in nobody's time. \
Our side's memory of earlier XPs is cleared before each repetition. All families were compared and are equal."""

COLUMNS = ("model", "nodes", "instances", "XPs", "peer", "peer, traversal", "Algorithm 4", "best")
RATIOS = ("Alg. 4 ×", "best ×", "Alg. 4 × (traversal)", "best × (traversal)")


def run(sample: int = 60, repetitions: int = 9, models: Sequence[str] = ()) -> Report:
    """Measure *models* (all embedded ones if none is named) on *sample* instances each."""
    require_peer()
    report = Report("enumeration", METHOD, (*COLUMNS, *RATIOS))
    ratios: list[list[float]] = []
    constant = 0
    for name in models or embedded.names():
        model = embedded.load(name)
        points = list(model.instances)
        if len(points) > sample:
            points = random.Random(0).sample(points, sample)
        xpgs = [explanation_graph(model.graph, point) for point in points]
        constant += sum(map(is_constant, xpgs))
        xpgs = [xpg for xpg in xpgs if not is_constant(xpg)]
        peers = [Peer(model.graph, xpg) for xpg in xpgs]
        total = 0
        for xpg, peer in zip(xpgs, peers, strict=True):
            expected = peer.xps(peer.enumerate())
            total += len(expected)
            for found in (list(Enumeration(xpg)), list(enumerate_xps(xpg)), peer.xps(peer.enumerate(horn=False))):
                if set(found) != expected or len(found) != len(expected):
                    raise AssertionError(f"{name}: the families differ, so there is nothing to time")

        sides = {
            "peer": partial(_by_peer, peers, horn=True),
            "traversal": partial(_by_peer, peers, horn=False),
            "algorithm 4": partial(_by_us, Enumeration, xpgs),
            "best": partial(_by_us, enumerate_xps, xpgs),
        }
        seconds = interleaved(sides, repetitions)
        times = [seconds[side] / total * 1e6 for side in sides]
        horn, traversal, ours, best = times
        row = [horn / ours, horn / best, traversal / ours, traversal / best]
        ratios.append(row)
        report.rows.append((name, xpgs[0].node_count, len(xpgs), total, *times, *row))
    medians = [statistics.median(column) for column in zip(*ratios, strict=True)]
    report.rows.append(("median", None, None, None, None, None, None, None, *medians))
    report.targets = [
        Target("Algorithm 4, median × of the peer", medians[0], "≥", 25),
        Target("best method, median × of the peer", medians[1], "≥", 50),
        Target("Algorithm 4, median × of the peer by traversal", medians[2], "≥", 20),
        Target("best method, median × of the peer by traversal", medians[3], "≥", 40),
    ]
    report.notes.append(f"{constant} instances left out: no terminal of another class, where the peer crashes")
    return report


def _by_us(explain: Callable[[ExplanationGraph], Iterable[XP]], xpgs: Sequence[ExplanationGraph]) -> None:
    for remembered in (features_of, axp_of, cxp_of, algorithm_4._fixed_literals):
        remembered.cache_clear()
    for xpg in xpgs:
        list(explain(xpg))


def _by_peer(peers: Sequence[Peer], horn: bool) -> None:
    for peer in peers:
        peer.enumerate(horn)
