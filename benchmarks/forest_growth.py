"""Growth of judging with the number of trees: reading, opening the routes, and one AXp by deletion with two routes."""

from __future__ import annotations

import json
import random
import statistics
import time
from fractions import Fraction
from typing import Any

from benchmarks.measure import Report
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.xp_judge import judge_axp
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.vote_forest import parse_vote_forest

METHOD = """\
Forests of random trees (thresholds among 1,000 values of 20 features, a leaf in 20 above the last level, two classes), \
wall time: reading the JSON, opening clauses and boxes, and judging that all features are an AXp of a random instance: \
21 questions, and where it is redundant 20 more for one inside it, each "no" by two routes. Median and most of a few \
instances. Random trees agree less than trained ones do. Open: verdicts with something left open."""

COLUMNS = ("trees", "depth", "nodes", "read s", "open s", "AXp s", "most s", "open")

FEATURES = 20


def run(
    sizes: tuple[tuple[int, int], ...] = ((10, 4), (50, 4), (100, 4), (50, 6), (500, 4), (500, 6)), instances: int = 3
) -> Report:
    """Judge on random forests of each of *sizes*, which are (trees, depth)."""
    report = Report("forest_growth", METHOD, COLUMNS)
    for trees, depth in sizes:
        rng = random.Random(f"{trees} {depth}")
        data = json.dumps(_document(rng, trees, depth)).encode()
        started = time.perf_counter()
        ensemble = parse_vote_forest(data, "random")
        read = time.perf_counter() - started
        opening, seconds, left_open = _judged(ensemble, rng, instances)
        middle, most = statistics.median(seconds), max(seconds)
        report.rows.append((trees, depth, ensemble.node_count, read, opening, middle, most, left_open))
    return report


def _judged(ensemble: Ensemble, rng: random.Random, instances: int) -> tuple[float, list[float], int]:
    """Return the seconds that opening takes, those of each instance, and how many verdicts have something open."""
    seconds: list[float] = []
    left_open = 0
    with EnsemblePanel(ensemble) as panel:
        started = time.perf_counter()
        panel.at(tuple(Fraction(0) for _ in range(FEATURES)))
        opening = time.perf_counter() - started
        for _ in range(instances):
            point = tuple(Fraction(rng.randrange(1000), 1000) for _ in range(FEATURES))
            started = time.perf_counter()
            judgement = judge_axp(panel.at(point), range(FEATURES))
            seconds.append(time.perf_counter() - started)
            left_open += bool(judgement.reason) or (bool(judgement.needless) and judgement.inside is None)
    return opening, seconds, left_open


def _document(rng: random.Random, trees: int, depth: int) -> dict[str, Any]:
    return {
        "features": [f"f{i}" for i in range(FEATURES)],
        "classes": [0, 1],
        "combine": "majority vote, ties to class 0",
        "trees": [_tree(rng, depth) for _ in range(trees)],
    }


def _tree(rng: random.Random, depth: int) -> dict[str, Any]:
    if not depth or rng.random() < 1 / 20:
        return {"class": rng.randrange(2)}
    test = {"feature": rng.randrange(FEATURES), "at_most": f"{rng.randrange(1000) / 1000}"}
    return {**test, "yes": _tree(rng, depth - 1), "no": _tree(rng, depth - 1)}
