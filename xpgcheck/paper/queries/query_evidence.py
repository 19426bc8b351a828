"""Membership at scale as evidence: units of ten queries, each answer timed and then confirmed by another route.

The time of a query is that of the explanation graph at its instance, the answer, and the CXp of a *yes*; the OBDD is
loaded before.  Every answer is compared with the plain SAT query too, and every CXp of a unit judged by Z3 where Z3 is
installed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from xpgcheck.errors import MissingPackageError, XpgcheckError
from xpgcheck.judging.panel import Panel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.paper.queries.confirming import CONSENSUS, confirm_no, confirm_yes, judge_by_consensus
from xpgcheck.paper.queries.inputs import ObddQueries, data_folder, obdds_in, query_count, read_queries
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph
from xpgcheck.xpg.membership import MembershipSolver
from xpgcheck.xpg.membership_search import Queries, cxp_with

BATCH = 10
QUICK = 5

NO_SECONDS = 30.0
"""For refuting the formula of one *no*, and for checking the refutation."""

GOAL_MS = 50

PUBLISHED = (
    "published (arXiv 2202.07553): mean 0.4 to 1.2 s per query in the SAT solver, up to 206,328 clauses; "
    "on its authors' machine, so only the order compares"
)


class MemberAnswer(NamedTuple):
    """A subject's answer: ``cxp`` holds the feature, or None for "in no XP"; ``clauses`` of its SAT query."""

    cxp: frozenset[int] | None
    clauses: int = 0


Subject = Callable[[ExplanationGraph, int], MemberAnswer]


def ours(xpg: ExplanationGraph, feature: int) -> MemberAnswer:
    """Ask :func:`xpgcheck.xpg.membership_search.cxp_with`, as ``in_some_xp`` does."""
    queries = Queries()
    return MemberAnswer(cxp_with(xpg, feature, queries), queries.clauses)


OURS = "xpgcheck"

SUBJECTS: dict[str, Subject] = {OURS: ours}
"""The answering subjects, by name: tests add subjects that are wrong."""


def units(data: str | None = None, quick: bool = False) -> list[tuple[str, dict[str, Any]]]:
    """Return units of some queries, the first of each OBDD before the second of any; *quick*: five of the smallest.

    *data* is the data folder (default: ``XPGCHECK_DATA``).  What is absent or broken is a unit that says so.
    """
    try:
        folder = data_folder(data)
        names = obdds_in(folder)
    except (XpgcheckError, OSError):
        names = []
    if not names:
        return [("queries/none", _arguments(data, "", 0, 0))]
    if quick:
        return [(f"queries/{names[0]}/1-{QUICK}", _arguments(data, names[0], 0, QUICK))]
    found = []
    for place, name in enumerate(names):
        try:
            total = query_count(folder, name)
        except XpgcheckError:
            total = 0
        for first in range(0, max(total, 1), BATCH):
            last = min(first + BATCH, total)
            unit = f"queries/{name}/{first + 1}-{last}", _arguments(data, name, first, last - first)
            found.append((first, place, unit))
    return [unit for _, _, unit in sorted(found, key=lambda item: item[:2])]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Answer and confirm the queries of one unit.

    ``queries`` has one row per query; ``skipped`` says why there is none.
    """
    name = arguments["obdd"]
    try:
        folder = data_folder(arguments["data"])
        if not name:
            return {"obdd": name, "skipped": f"{folder}: there is no OBDD (*.json)", "queries": []}
        asked = read_queries(folder, name)
        graph = asked.graph
        if not asked.features:
            return {"obdd": name, "skipped": "there is no query", "queries": []}
        rows = range(arguments["first"], min(arguments["first"] + arguments["count"], len(asked.features)))
        answers = answer_queries(asked, rows, SUBJECTS[arguments["subject"]])
    except XpgcheckError as error:
        return {"obdd": name, "skipped": str(error), "queries": []}
    return {
        "obdd": name,
        "features": len(graph.features),
        "nodes": graph.node_count,
        "of": len(asked.features),
        "queries": answers,
    }


def answer_queries(asked: ObddQueries, rows: range, subject: Subject) -> list[dict[str, Any]]:
    """Answer and confirm the queries *rows* (from 0) of *asked*.  Raises ``InputError`` unless all features are Boolean."""
    graph = asked.graph
    answers = []
    for k in rows:
        point, feature = asked.points[k], asked.features[k]
        start = time.perf_counter()
        xpg = explanation_graph(graph, point)
        answer = subject(xpg, feature)
        seconds = time.perf_counter() - start
        if answer.cxp is None:
            confirmation = confirm_no(graph, point, feature, NO_SECONDS)
        else:
            confirmation = confirm_yes(graph, point, feature, answer.cxp)
        start = time.perf_counter()
        with MembershipSolver(xpg) as solver:
            member = solver.axp_with(feature) is not None
            clauses = solver.clauses
        row: dict[str, Any] = {
            "query": k + 1,
            "feature": graph.features[feature].name,
            "answer": "no" if answer.cxp is None else "yes",
            "cxp": None if answer.cxp is None else sorted(answer.cxp),
            "clauses": answer.clauses,
            "seconds": seconds,
            "fault": confirmation.fault or "",
            "confirmed_by": [confirmation.how] if confirmation.how else [],
            "plain": {"answer": "yes" if member else "no", "clauses": clauses, "seconds": time.perf_counter() - start},
        }
        if not row["fault"] and member != (answer.cxp is not None):
            row["fault"] = f"the plain SAT query says {'yes' if member else 'no'}"
        answers.append(row)
    _ask_z3(graph, [(asked.points[k], row) for k, row in zip(rows, answers, strict=True) if row["cxp"] is not None])
    return answers


def _ask_z3(graph: DecisionGraph, given: Sequence[tuple[Point, dict[str, Any]]]) -> None:
    """Have the CXps judged by Z3 as well, by one session; nothing where Z3 is not installed."""
    if not given:
        return
    with Panel(graph, cells=False) as panel:
        for point, row in given:
            try:
                judged = judge_by_consensus(panel, point, row["cxp"])
            except MissingPackageError:
                return
            row["fault"] = row["fault"] or judged.fault or ""
            if judged.how:
                row["confirmed_by"].append(judged.how)


def outcome(results: Mapping[str, dict[str, Any]]) -> EvidenceSummary:
    """Merge finished units: one row an OBDD, and what was skipped."""
    by_obdd: dict[str, list[dict[str, Any]]] = {}
    for result in results.values():
        by_obdd.setdefault(result["obdd"], []).append(result)
    details = [_row(name, found) for name, found in by_obdd.items()]
    answers = [(result["obdd"], row) for result in results.values() for row in result["queries"]]
    refused = [(name, row) for name, row in answers if row["fault"]]
    open_ = [row for _, row in answers if not row["fault"] and not row["confirmed_by"]]
    counts = {
        "obdds": sum(bool(row["queries"]) for row in details),
        "queries": len(answers),
        "of": sum(row["of"] for row in details),
        "yes": sum(row["answer"] == "yes" for _, row in answers),
        "no": sum(row["answer"] == "no" for _, row in answers),
        "confirmed": len(answers) - len(refused) - len(open_),
        "refused": len(refused),
        "open": len(open_),
        "by_z3": sum(CONSENSUS in row["confirmed_by"] for _, row in answers),
        "skipped": sum("skipped" in result for result in results.values()),
    }
    holds = False if refused else None if open_ or not answers else True
    counterexample = None
    if refused:
        name, row = min(refused, key=lambda pair: (pair[0], pair[1]["query"]))
        kept = ("query", "feature", "answer", "cxp")
        counterexample = {"obdd": name, **{key: row[key] for key in kept}, "differs": row["fault"]}
    return EvidenceSummary(holds, counts, _limits(counts, details), counterexample, details)


def _row(name: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    rows = [row for result in results for row in result["queries"]]
    skipped = sorted({result["skipped"] for result in results if "skipped" in result})
    finished = next((result for result in results if "of" in result), {})
    ways = sorted({way for row in rows for way in row["confirmed_by"]})
    return {
        "obdd": name,
        "nodes": finished.get("nodes", 0),
        "of": finished.get("of", 0),
        "queries": len(rows),
        "yes": sum(row["answer"] == "yes" for row in rows),
        "no": sum(row["answer"] == "no" for row in rows),
        "by_sat": sum(row["clauses"] > 0 for row in rows),
        "mean_ms": _mean([row["seconds"] for row in rows]),
        "max_ms": _ms(max((row["seconds"] for row in rows), default=0.0)),
        "plain_mean_ms": _mean([row["plain"]["seconds"] for row in rows]),
        "clauses": max((row["clauses"] for row in rows), default=0),
        "plain_clauses": max((row["plain"]["clauses"] for row in rows), default=0),
        "confirmed": {way: sum(way in row["confirmed_by"] for row in rows) for way in ways},
        "within_goal": sum(row["seconds"] for row in rows) * 1000 <= GOAL_MS * len(rows),
        "refused": sum(bool(row["fault"]) for row in rows),
        "published": PUBLISHED,
        "skipped": "; ".join(skipped),
    }


def _limits(counts: dict[str, int], details: list[dict[str, Any]]) -> str:
    if not counts["queries"]:
        reasons = "; ".join(row["skipped"] for row in details if row["skipped"])
        return f"Nothing was asked: {reasons or 'no unit is finished'}."
    slowest = max((row for row in details if row["queries"]), key=lambda row: float(row["mean_ms"]))
    return (
        f"{counts['queries']} of {counts['of']} queries on {counts['obdds']} OBDDs, each answer confirmed by another route "
        f"or counted as open ({counts['open']}). The slowest mean is {slowest['mean_ms']} ms per query after loading "
        f"(goal: {GOAL_MS} ms); {PUBLISHED}."
    )


def _mean(seconds: list[float]) -> str:
    return _ms(sum(seconds) / len(seconds)) if seconds else "0.0"


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"


def _arguments(data: str | None, obdd: str, first: int, count: int) -> dict[str, Any]:
    return {"data": data, "obdd": obdd, "first": first, "count": count, "subject": OURS}
