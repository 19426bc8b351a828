"""Certificates: issuing against enumerating, and checking against asking an SMT solver about the same explanations."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from benchmarks.measure import Report, Target, interleaved
from benchmarks.obdd_data import data_folder, read_bits, read_obdd
from xpgcheck import embedded
from xpgcheck.certificates import closed_sets_and_points, family_lines
from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.issuing import Issuer
from xpgcheck.check_certificate import check_lines
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.duality import dual
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import XP, Kind

METHOD = """\
CPU of one process, medians of rounds in which the sides take turns. Issuing an instance's line, with its explanations \
enumerated in its time and the evidence of completeness (rup), to enumerating alone: by the method that fits the graph \
(chosen), which issuing uses, and by Algorithm 4. Checking a whole certificate, the model read in its time, to asking Z3 \
about all that it says: one new session, encoded once, selectors kept. An XP of k features takes k + 1 questions; complete \
families one question per XP, and duality (families). For the OBDD, XPs are enumerated up to a limit; Z3 is asked about \
a sample of them, and its time is multiplied up to all of them."""

COLUMNS = (
    "model",
    "nodes",
    "instances",
    "XPs",
    "bytes per XP",
    "chosen, µs",
    "Algorithm 4",
    "issue",
    "× chosen",
    "× Alg. 4",
    "check, ms",
    "Z3, ms",
    "×",
    "Z3, families",
    "× ",
)


class _Case(NamedTuple):
    graph: DecisionGraph
    points: Sequence[Point]
    limit: int | None
    sampled: int
    """XPs that Z3 is asked about at most."""


def run(
    models: Sequence[str] | None = None, instances: int = 40, repetitions: int = 3, xps: int = 300, obdds: int = 2
) -> Report:
    """Measure *models* (all embedded ones) on *instances* each, and an OBDD on *obdds* instances with *xps* XPs each."""
    report = Report("certificates", METHOD, COLUMNS)
    cases = [
        _Case(model.graph, _sample(model.instances, instances), None, 10**9)
        for model in map(embedded.load, embedded.names() if models is None else models)
    ]
    large = _obdd(obdds, xps)
    if large is None:
        report.notes.append("the OBDD is left out: XPGCHECK_DATA names no folder with it")
    else:
        cases.append(large)
    rows = [_row(case, repetitions) for case in cases]
    report.rows += rows
    small = rows if large is None else rows[:-1]
    issue, algorithm4, check, by_family = (
        statistics.median(float(row[k] or 0) for row in small) for k in (8, 9, 12, 14)
    )
    report.rows.append(("median", *[None] * 7, issue, algorithm4, None, None, check, None, by_family))
    report.targets += [
        Target("embedded models: issuing, times enumerating by the method chosen, median", issue, "<", 1.5),
        Target("embedded models: issuing, times enumerating by Algorithm 4, median", algorithm4, "<", 2),
        Target("embedded models: checking, times faster than Z3 asked about every XP, median", check, "≥", 20),
        Target("embedded models: checking, times faster than Z3 asked about families, median", by_family, "≥", 20),
    ]
    if large is not None:
        nodes = f"OBDD of {large.graph.node_count:,} nodes"
        report.targets += [
            Target(f"{nodes}: issuing, times enumerating", float(rows[-1][8] or 0), "<", 2),
            Target(f"{nodes}: checking, times faster than Z3", float(rows[-1][12] or 0), "≥", 20),
        ]
    return report


def _sample(points: Sequence[Point], count: int) -> list[Point]:
    return list(points) if len(points) <= count else random.Random(0).sample(points, count)


def _obdd(instances: int, limit: int) -> _Case | None:
    folder = data_folder()
    path = folder / "obdd" / "flat30-3.json" if folder is not None else None
    if path is None or not path.exists():
        return None
    return _Case(read_obdd(path), read_bits(path.with_suffix(".instances.csv"))[:instances], limit, 20)


def _row(case: _Case, repetitions: int) -> Sequence[str | int | float | None]:
    graph, points, limit, _ = case
    issuer = Issuer(graph, "rup", limit)
    lines = [issuer.line(point) for point in points]
    text = issuer.header() + "".join([line.line for line in lines]) + end_text(len(lines))
    data = text.encode().splitlines(keepends=True)
    listed = [list(enumerate_xps(explanation_graph(graph, point), limit)) for point in points]
    count = sum(map(len, listed))
    if sum(line.axps + line.cxps for line in lines) != count:
        raise AssertionError(f"{graph.name}: the sides have different explanations")
    seconds = interleaved(
        {
            "chosen": lambda: [list(enumerate_xps(explanation_graph(graph, point), limit)) for point in points],
            "algorithm 4": lambda: [list(Enumeration(explanation_graph(graph, point), limit)) for point in points],
            "issue": lambda issuer: [issuer.line(point) for point in points],
            "check": partial(_check, data),
        },
        repetitions,
        {"issue": lambda: _forgetful(graph, limit)},
    )
    singly, together = _solver_seconds(case, listed)
    each = {side: 1e6 * value / len(points) for side, value in seconds.items()}
    check = seconds["check"]
    return (
        graph.name,
        graph.node_count,
        len(points),
        count,
        sum(len(line.line.encode()) for line in lines) // count,
        each["chosen"],
        each["algorithm 4"],
        each["issue"],
        each["issue"] / each["chosen"],
        each["issue"] / each["algorithm 4"],
        1e3 * check,
        1e3 * singly,
        singly / check,
        None if together is None else 1e3 * together,
        None if together is None else together / check,
    )


def _forgetful(graph: DecisionGraph, limit: int | None) -> Issuer:
    """Return a new issuer that remembers nothing of earlier rounds: only what the instances of one round share counts."""
    for remembered in (family_lines._remembered, family_lines._members, closed_sets_and_points.members_of):
        remembered.cache_clear()
    return Issuer(graph, "rup", limit)


def _check(lines: Sequence[bytes]) -> None:
    outcome = check_lines(lines)
    if outcome.status:
        raise AssertionError(outcome.message)


def _solver_seconds(case: _Case, families: Sequence[Sequence[XP]]) -> tuple[float, float | None]:
    """Return the CPU seconds of asking Z3 about every XP, and about complete families (None where they are not)."""
    total = sum(map(len, families))
    if case.limit is None:
        return _cpu(partial(_ask_each, case.graph, case.points, families)), _cpu(
            partial(_ask_families, case.graph, case.points, families)
        )
    draw = random.Random(0)
    sample = [draw.sample(list(family), min(len(family), case.sampled)) for family in families]
    return _cpu(partial(_ask_each, case.graph, case.points, sample)) * total / sum(map(len, sample)), None


def _cpu(work: partial[None]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _ask_each(graph: DecisionGraph, points: Sequence[Point], families: Sequence[Sequence[XP]]) -> None:
    everything = frozenset(range(len(graph.features)))
    with SmtSession(graph, "z3") as session:
        for point, family in zip(points, families, strict=True):
            oracle = session.at(point)
            for kind, features in family:
                weak = kind is Kind.AXP
                fixed = features if weak else everything - features
                answers = [oracle.changeable(fixed).changeable is not weak]
                answers += [oracle.changeable(fixed ^ {i}).changeable is weak for i in features]
                if not all(answers):
                    raise AssertionError(f"Z3 does not agree about {sorted(features)}")


def _ask_families(graph: DecisionGraph, points: Sequence[Point], families: Sequence[Sequence[XP]]) -> None:
    everything = frozenset(range(len(graph.features)))
    with SmtSession(graph, "z3") as session:
        for point, family in zip(points, families, strict=True):
            oracle = session.at(point)
            axps = [features for kind, features in family if kind is Kind.AXP]
            cxps = [features for kind, features in family if kind is Kind.CXP]
            answers = [oracle.changeable(axp).changeable is False for axp in axps]
            answers += [oracle.changeable(everything - cxp).changeable is True for cxp in cxps]
            if not all(answers) or dual(axps, cxps, len(everything)) is not None:
                raise AssertionError("Z3 does not agree about a family")
