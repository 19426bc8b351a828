"""Certificates of the public corpus of forests: boxes, bytes, and the time of issuing and of checking each."""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from benchmarks.boosted_models import boosted
from benchmarks.forests import PUBLISHED
from benchmarks.measure import Report, SkippedError, Target
from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.ensemble_evidence import EnsembleEvidence
from xpgcheck.certificates.issuing import EnsembleIssuer
from xpgcheck.check_certificate import check_lines, read_json
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.readers import read_classifier
from xpgcheck.readers.instances import read_point
from xpgcheck.xpg.xps import XP, Kind

METHOD = """\
Each log of AXps in forests/ of the folder that XPGCHECK_DATA names, one process, CPU time. Certified is each logged AXp \
that is right (what is not is refused by the issuer), and, as some logs have none, an AXp of each of the first instances \
that our explainer finds; and such AXps of boosted forests that scikit-learn trains. A certificate is the model and one \
line: a tree of boxes that shows that the AXp suffices, and a point for each member. Issuing has the model read beforehand, \
and for AXps of our own the search for them is part of it; checking is of the whole file, the model read in its time. \
Medians, and the most."""

COLUMNS = (
    "forest",
    "logged AXps, right",
    "certified",
    "own AXps, certified",
    "members",
    "boxes",
    "most boxes",
    "bytes of the model",
    "bytes of a line",
    "most bytes",
    "issue, ms",
    "most ms",
    "own: issue, ms",
    "own: most ms",
    "check, ms",
    "most, ms",
)


class Certified(NamedTuple):
    """One certificate: its size and what it took."""

    members: int
    boxes: int
    size: int
    issue: float
    check: float


class Forest(NamedTuple):
    """Results of one log."""

    name: str
    header: int
    logged: list[Certified]
    own: list[Certified]
    open: int
    """AXps without a certificate within the limits."""


BOOSTED = (
    ("breast_cancer", 50, 3),
    ("wine", 50, 3),
    ("digits", 50, 3),
    ("made 2x20", 50, 4),
    ("made 2x40", 100, 4),
    ("breast_cancer", 200, 3),
)
"""Boosted forests: data, trees, depth."""


def run(
    forests: tuple[str, ...] | None = None,
    own: int = 10,
    data: str | None = None,
    boosted_forests: Sequence[tuple[str, int, int]] = BOOSTED,
) -> Report:
    """Certify the right AXps in the logs of *forests* (all), and those of the first *own* instances that are found here.

    Of the *boosted_forests*, the latter alone.
    """
    folder = data or os.environ.get("XPGCHECK_DATA")
    if not folder or not Path(folder, "forests").is_dir():
        raise SkippedError("XPGCHECK_DATA does not name the folder of research data")
    there = [name for name in PUBLISHED if Path(folder, "forests", f"{name}.axp.jsonl").exists()]
    found = [_forest(Path(folder, "forests"), name, own) for name in (there if forests is None else forests)]
    report = Report("ensemble_certificates", METHOD, COLUMNS)
    logs = len(found)
    if importlib.util.find_spec("sklearn") is None:
        report.notes.append("boosted forests are left out: scikit-learn is not installed")
    else:
        found += [_boosted(*each, own) for each in boosted_forests]
    report.rows = [_row(forest) for forest in found]
    every = [each for forest in found for each in (*forest.logged, *forest.own)]
    report.targets = [
        Target("AXps without a certificate", sum(forest.open for forest in found), "<", 1),
        Target("logs with the published count of right AXps", sum(map(_as_published, found[:logs])), "≥", logs),
        Target("issuing, ms, mean", 1e3 * statistics.mean(each.issue for each in every), "<", 1000),
        Target("checking, ms, mean", 1e3 * statistics.mean(each.check for each in every), "<", 1000),
    ]
    return report


def _as_published(forest: Forest) -> bool:
    return len(forest.logged) == PUBLISHED[forest.name][0][0]


def _forest(folder: Path, name: str, own: int) -> Forest:
    model = read_classifier(folder / f"{name}.json")
    assert isinstance(model, Ensemble)
    issuer = EnsembleIssuer(model, "none")
    logged = dict.fromkeys((folder / f"{name}.axp.jsonl").read_text(encoding="utf-8").splitlines())
    records = [json.loads(line) for line in logged]
    lines = [(read_point(model.features, record["instance"]), frozenset(record["axp"])) for record in records]
    result = Forest(name, len(issuer.header().encode()), [], [], 0)
    for point, members in lines:
        certified = _if_right(issuer, point, members)
        if certified is None:
            result = result._replace(open=result.open + 1)
        elif certified:
            result.logged.append(certified)
    return _with_own(result, issuer, list(dict.fromkeys(point for point, _ in lines))[:own])


def _boosted(data: str, trees: int, depth: int, own: int) -> Forest:
    made = boosted(data, trees, depth, own)
    issuer = EnsembleIssuer(made.ensemble, "none")
    name = f"{data}, {trees} boosted trees of depth {depth}"
    return _with_own(Forest(name, len(issuer.header().encode()), [], [], 0), issuer, made.rows)


def _with_own(result: Forest, issuer: EnsembleIssuer, points: Sequence[Point]) -> Forest:
    """Return *result* with the certificates of an AXp that is found at each of *points*."""
    for point in points:
        started = time.process_time()
        asked = issuer.tables.at(point)
        with issuer.explainer.at(asked) as explained:
            axp = explained.find(Kind.AXP)
        searched = time.process_time() - started
        certified = _if_right(issuer, point, axp.features, asked)
        if certified:
            result.own.append(certified._replace(issue=searched + certified.issue))
        else:
            result = result._replace(open=result.open + 1)
    return result


def _if_right(
    issuer: EnsembleIssuer, point: Point, members: frozenset[int], asked: EnsembleEvidence | None = None
) -> Certified | Literal[False] | None:
    """Return the certificate of an AXp; False where it is none, None where no certificate is found within the limits."""
    try:
        return _certified(issuer, point, members, asked)
    except InputError:
        return False
    except UndecidedError:
        return None


def _certified(
    issuer: EnsembleIssuer, point: Point, members: frozenset[int], asked: EnsembleEvidence | None
) -> Certified:
    started = time.process_time()
    line = issuer.line(point, [XP(Kind.AXP, members)], asked).line.encode()
    issued = time.process_time()
    outcome = check_lines([issuer.header().encode(), line, end_text(1).encode()])
    checked = time.process_time()
    if outcome.status:
        raise AssertionError(outcome.message)
    (closed,) = read_json(line)["closed"]
    # Each cut is of two numbers, and there is a box more than there are cuts.
    return Certified(len(members), (len(closed["boxes"]) + 2) // 3, len(line), issued - started, checked - issued)


def _row(forest: Forest) -> Sequence[str | int | float | None]:
    every = [*forest.logged, *forest.own]
    published = PUBLISHED[forest.name][0][0] if forest.name in PUBLISHED else None
    counts = published, len(forest.logged), len(forest.own)
    boxes, sizes = [each.boxes for each in every], [each.size for each in every]
    middle = statistics.median
    return (
        forest.name,
        *counts,
        middle(each.members for each in every),
        middle(boxes),
        max(boxes),
        forest.header,
        middle(sizes),
        max(sizes),
        *_ms([each.issue for each in forest.logged]),
        *_ms([each.issue for each in forest.own]),
        *_ms([each.check for each in every]),
    )


def _ms(seconds: Sequence[float]) -> tuple[float | None, float | None]:
    return (1e3 * statistics.median(seconds), 1e3 * max(seconds)) if seconds else (None, None)
