"""Time of judging claims about boosted forests: by boxes alone, and by two routes, whole numbers or Z3 the second."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

from benchmarks.boosted_models import boosted
from benchmarks.measure import Cell, Report
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.oracles.ensembles.box_sums import SumForest
from xpgcheck.oracles.ensembles.integer_sums import IntegerSums, is_available
from xpgcheck.oracles.smt_sessions import SmtSession

METHOD = """\
Boosted forests that scikit-learn trains, CPU time of one process. For each row an AXp is found by deletion and boxes (as \
many questions as there are features, timed); then it is claimed and judged: one question, and one for each of its \
features. By boxes alone, which is no evidence for a "no"; by boxes and whole numbers of CP-SAT; by boxes and Z3. Median \
and most of the rows. Open: claims that were not judged right."""

COLUMNS = (
    "data",
    "features",
    "trees",
    "depth",
    "classes",
    "AXp ms",
    "most",
    "AXp's size",
    "boxes ms/claim",
    "most boxes",
    "CP-SAT ms/claim",
    "most CP-SAT",
    "Z3 ms/claim",
    "most Z3",
    "open",
)

MODELS = (
    ("wine", 51, 3),
    ("breast_cancer", 50, 3),
    ("breast_cancer", 50, 4),
    ("made 2x20", 50, 3),
    ("made 2x57", 50, 3),
    ("made 2x57", 50, 4),
    ("made 3x20", 51, 3),
    ("digits", 50, 3),
    ("made 2x20", 100, 4),
)
"""Data, trees in all, and their depth."""


def run(models: Sequence[tuple[str, int, int]] = MODELS, rows: int = 5) -> Report:
    """Judge AXps of *rows* rows of each of *models*."""
    report = Report("boosted", METHOD, COLUMNS)
    for data, trees, depth in models:
        report.rows.append(_row(data, trees, depth, rows))
    return report


def _row(data: str, trees: int, depth: int, rows: int) -> list[Cell]:
    own, points = boosted(data, trees, depth, rows)
    forest = SumForest(own)
    finding, axps = _found(forest, points)
    alone, wrong = _timed(points, axps, lambda point, axp: _by_boxes(forest, point, axp))
    by_wholes: list[Cell] = [None, None]
    if is_available():
        wholes = IntegerSums(own)
        seconds, left = _claims(own, points, axps, lambda point: [forest.at(point), wholes.at(point)])
        by_wholes, wrong = _ends(seconds), wrong + left
    with SmtSession(own) as z3:
        by_z3, left = _claims(own, points, axps, lambda point: [forest.at(point), z3.at(point)])
    about: list[Cell] = [data, len(own.features), len(own.trees), depth, len(own.classes)]
    size = statistics.median(map(len, axps))
    return [*about, *_ends(finding), size, *_ends(alone), *by_wholes, *_ends(by_z3), wrong + left]


def _ends(seconds: list[float]) -> list[Cell]:
    return [1000 * statistics.median(seconds), 1000 * max(seconds)]


def _found(forest: SumForest, points: list[Point]) -> tuple[list[float], list[frozenset[int]]]:
    """Return the seconds that an AXp of each of *points* takes, and the AXps."""
    seconds: list[float] = []
    found: list[frozenset[int]] = []
    for point in points:
        started = time.process_time()
        oracle = forest.at(point)
        kept = frozenset(range(len(point)))
        for i in range(len(point)):
            if oracle.changeable(kept - {i}).changeable is False:
                kept -= {i}
        seconds.append(time.process_time() - started)
        found.append(kept)
    return seconds, found


def _by_boxes(forest: SumForest, point: Point, axp: frozenset[int]) -> bool:
    oracle = forest.at(point)
    return oracle.changeable(axp).changeable is False and all(oracle.changeable(axp - {i}).changeable for i in axp)


def _claims(
    own: Ensemble, points: list[Point], axps: list[frozenset[int]], routes: Callable[[Point], list[Oracle]]
) -> tuple[list[float], int]:
    return _timed(
        points,
        axps,
        lambda point, axp: judge_axp(Consensus.of_graph(own, point, routes(point)), axp).verdict is Verdict.AXP,
    )


def _timed(
    points: list[Point], axps: list[frozenset[int]], judge: Callable[[Point, frozenset[int]], bool]
) -> tuple[list[float], int]:
    """Return the seconds that *judge* takes of each point and its AXp, and how many it did not call right."""
    seconds: list[float] = []
    wrong = 0
    for point, axp in zip(points, axps, strict=True):
        started = time.process_time()
        wrong += not judge(point, axp)
        seconds.append(time.process_time() - started)
    return seconds, wrong
