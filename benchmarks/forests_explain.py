"""One AXp and one CXp of ensembles: forests that vote, boosted trees, and how both grow."""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.boosted_tables import DataTable, boosted, point_of, table
from benchmarks.measure import Report, SkippedError, Target
from xpgcheck.errors import UndecidedError
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.readers import read_classifier
from xpgcheck.readers.instances import read_point
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.ensembles.deciding import seconds_from_now
from xpgcheck.xpg.xps import Kind

METHOD = """\
One AXp, then one CXp, of each of a few rows, from all features in the order that suits the explainer, CPU time of one \
process: what is worked out for an instance counts, reading and laying out an ensemble for all its instances does not. \
Votes: the forests of 50 trees of forests/ in the folder that XPGCHECK_DATA names. Sums: gradient boosting by scikit-learn \
on tables of pmlb/ there (a tree per round and class), with exact sums. Growth: the same on spambase, \
and on made-up tables of 8 to 784 columns. Open: XPs of which something stayed open after the seconds that one may take."""

COLUMNS = ("ensemble", "trees", "features", "classes", "open", "AXp ms", "most", "size", "CXp ms", "most", "size")

FORESTS = (
    "21_Lymphography",
    "29_Pima",
    "33_skin",
    "heart-c",
    "ionosphere",
    "mofn-3-7-10",
    "sonar",
    "spectf",
    "twonorm",
    "xd6",
)

SUMS = (
    ("spambase", 50, 3),
    ("spambase", 50, 4),
    ("tic_tac_toe", 50, 4),
    ("kr_vs_kp", 100, 4),
    ("dermatology", 50, 3),
    ("pendigits", 50, 3),
    ("dna", 50, 3),
    ("spambase", 100, 4),
    ("dna", 100, 4),
)
"""Tables, with rounds of boosting and the depth of the trees."""

ROUNDS = (10, 100, 500)
WIDTHS = (8, 64, 784)
"""Growth: rounds on spambase of depth 3, and columns of made-up tables, 50 rounds of depth 4."""

SECONDS = 60.0
"""Seconds that one XP may take."""


class Timed(NamedTuple):
    """Milliseconds of AXps and of CXps, their sizes, and how many were left open."""

    axps: list[float]
    cxps: list[float]
    sizes: tuple[float, float]
    open: int


def run(
    data: str | None = None,
    forests: Iterable[str] = FORESTS,
    sums: Iterable[tuple[str, int, int]] = SUMS,
    rounds: Iterable[int] = ROUNDS,
    widths: Iterable[int] = WIDTHS,
    rows: int = 20,
) -> Report:
    """Measure on *rows* rows of each ensemble; tables and forests are in the folder *data*, else in ``XPGCHECK_DATA``."""
    folder = Path(data or os.environ.get("XPGCHECK_DATA", ""))
    if not (folder / "forests").is_dir():
        raise SkippedError("XPGCHECK_DATA does not name the folder of research data")
    report = Report("forests_explain", METHOD, COLUMNS)
    voting = [_row(report, name, *case) for name, case in _voting(folder / "forests", forests, rows)]
    summed = {(name, number, depth): (folder / "pmlb" / f"{name}.csv", number, depth) for name, number, depth in sums}
    timed = {}
    for (name, number, depth), (path, *size) in summed.items():
        case = _boosted(table(path), *size, rows)
        timed[name, number, depth] = _row(report, f"{name}, depth {depth}", *case), len(case[0].classes)
    for number in rounds:
        _row(report, "spambase, depth 3", *_boosted(table(folder / "pmlb" / "spambase.csv"), number, 3, rows))
    for width in widths:
        _row(report, f"made up, {width} columns, depth 4", *_boosted(made_up(width), 50, 4, rows))
    report.targets = list(_targets(voting, timed))
    return report


def _targets(voting: list[Timed], timed: dict[tuple[str, int, int], tuple[Timed, int]]) -> Iterator[Target]:
    mean = statistics.mean
    if voting:
        yield Target("votes: ms an AXp, the forest with the longest mean", max(mean(t.axps) for t in voting), "<", 10)
        yield Target("votes: ms a CXp, the forest with the longest mean", max(mean(t.cxps) for t in voting), "<", 20)
    for (name, number, depth), (found, classes) in timed.items():
        most = {50: 100 if classes == 2 else 500}.get(number, 1000 if classes == 2 else 3000)
        yield Target(f"sums: ms an AXp, mean: {name}, {number} of depth {depth}", mean(found.axps), "<", most)


def _voting(folder: Path, forests: Iterable[str], rows: int) -> Iterator[tuple[str, tuple[Ensemble, list[Point]]]]:
    for name in forests:
        ensemble = read_classifier(folder / f"{name}.50.json")
        assert isinstance(ensemble, Ensemble)
        with (folder / f"{name}.50.axp.jsonl").open() as file:
            instances = [json.loads(line)["instance"] for line in file]
        chosen = random.Random(0).sample(instances, min(rows, len(instances)))
        yield f"{name}, votes", (ensemble, [read_point(ensemble.features, instance) for instance in chosen])


def _boosted(data: DataTable, rounds: int, depth: int, rows: int) -> tuple[Ensemble, list[Point]]:
    chosen = random.Random(0).sample(data.rows, min(rows, len(data.rows)))
    return boosted(data, rounds, depth), [point_of(row) for row in chosen]


def made_up(width: int, rows: int = 1_000) -> DataTable:
    """Return a table of *width* columns, a third of which say something of the class."""
    from sklearn.datasets import make_classification

    told = max(4, width // 3)
    values, classes = make_classification(
        rows, width, n_informative=told, n_redundant=0, n_clusters_per_class=4, random_state=0
    )
    names = [f"c{i}" for i in range(width)]
    return DataTable(names, [[float(cell) for cell in row] for row in values], [str(label) for label in classes])


def _row(report: Report, name: str, ensemble: Ensemble, points: list[Point]) -> Timed:
    found = timed_xps(ensemble, points)
    means = [(statistics.mean(times), max(times)) for times in (found.axps, found.cxps)]
    (axp, axp_most), (cxp, cxp_most) = means
    size = len(ensemble.trees), len(ensemble.features), len(ensemble.classes), found.open
    report.rows.append((name, *size, axp, axp_most, found.sizes[0], cxp, cxp_most, found.sizes[1]))
    return found


def timed_xps(
    ensemble: Ensemble, points: list[Point], seconds: float = SECONDS, clock: Callable[[], float] = time.process_time
) -> Timed:
    """Find one AXp and one CXp at each of *points*, in *seconds* each."""
    for point in points:
        # The tables that serve every instance are laid out before: with sums, one for each two classes.
        explained_ensemble(ensemble, point)
    times: dict[Kind, list[float]] = {kind: [] for kind in Kind}
    sizes: dict[Kind, list[int]] = {kind: [] for kind in Kind}
    left_open = 0
    for point in points:
        for kind in Kind:
            started = clock()
            try:
                found = explained_ensemble(ensemble, point).find(kind, allowance=seconds_from_now(seconds))
            except UndecidedError:
                left_open += 1
            else:
                left_open += bool(found.open)
                sizes[kind].append(found.mask.bit_count())
            times[kind].append(1e3 * (clock() - started))
    return Timed(
        times[Kind.AXP],
        times[Kind.CXP],
        (statistics.mean(sizes[Kind.AXP] or [0]), statistics.mean(sizes[Kind.CXP] or [0])),
        left_open,
    )
