"""All XPs of some instances of a model: timed, cross-checked, and timed again with the peer."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.issuing import Issuer
from xpgcheck.check_certificate import check_lines
from xpgcheck.errors import InputError, MissingPackageError, UndecidedError
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_family
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties import asking
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault
from xpgcheck.subjects.adapters.xpgraph import XpGraph
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph
from xpgcheck.xpg.xps import XP, Kind

PEER_SECONDS = 5.0
"""The time that the peer has for one instance: it takes exponential time on graphs with sharing."""

PEER_LATE = 3
"""Instances on which the peer may fail to end before it is not asked about the rest."""

LATE = "does not end in time"
LEFT_OUT = "is not asked: it did not end before"
NO_TIMER = "is not asked: nothing here can end it"

Explain = Callable[[ExplanationGraph], Iterable[XP]]


def measure(
    graph: DecisionGraph, points: Sequence[Point], *, peer: bool, solver: int, explain: Explain = enumerate_xps
) -> dict[str, Any]:
    """Enumerate, time and judge the XPs at *points*; Z3 judges the first *solver* of them too.

    Every family is issued as a certificate with evidence that it is complete, which the checker has to accept: closed sets
    and points, judged without any code of the enumeration.
    """
    instances: list[list[Any]] = []
    faults: list[str] = []
    still_open: list[str] = []
    issuer = Issuer(graph)
    lines = [issuer.header()]
    other = _peer() if peer else None
    judged = late = 0
    with Panel(graph, cells=False) as panel:
        for number, point in enumerate(points):
            started = time.perf_counter()
            xpg = explanation_graph(graph, point)
            built = time.perf_counter()
            xps = list(explain(xpg))
            seconds, enumerating = time.perf_counter() - started, time.perf_counter() - built
            axps = [xp.features for xp in xps if xp.kind is Kind.AXP]
            cxps = [xp.features for xp in xps if xp.kind is Kind.CXP]
            fault, undecided, line = _issued(issuer, point, xps)
            lines += [] if line is None else [line]
            # Where there is no certificate, Z3 is the judge.
            if not fault and (undecided or number < solver):
                verdict = judge_family(panel.at(point), axps, cxps).verdict
                judged += verdict is not Verdict.INCONCLUSIVE
                if verdict is Verdict.COMPLETE:
                    undecided = ""
                elif verdict is not Verdict.INCONCLUSIVE:
                    fault = f"Z3: {verdict.value}"
            theirs = None
            if other is not None:
                theirs = LEFT_OUT if late >= PEER_LATE else _peer_seconds(other, graph, point, xps)
                late += theirs == LATE
            still_open += [f"instance {number}: {undecided}"] if undecided and not fault else []
            faults += [f"instance {number}: {fault}"] if fault else []
            sizes = [sum(map(len, axps)), sum(map(len, cxps))]
            instances.append([len(axps), len(cxps), *sizes, seconds, enumerating, theirs])
    if not faults and len(lines) > 1:
        outcome = check_lines([line.encode() for line in [*lines, end_text(len(lines) - 1)]])
        faults += [f"certificate: {outcome.message}"] if outcome.status else []
    return {
        "instances": instances,
        "faults": faults,
        "open": still_open,
        "judged_by_z3": judged,
        "peer": other is not None,
    }


def _issued(issuer: Issuer, point: Point, xps: Sequence[XP]) -> tuple[str, str, str | None]:
    """Return what is wrong with *xps* as all XPs at *point*, what keeps it open ("" if nothing), and the line."""
    if len(set(xps)) != len(xps):
        return "an XP comes twice", "", None
    try:
        issued = issuer.line(point, xps)
    except InputError as error:
        return str(error), "", None
    except UndecidedError as error:
        return "", str(error), None
    return ("", "", issued.line) if issued.complete else ("the families are not complete", "", None)


def _peer() -> XpGraph | None:
    try:
        return XpGraph.horn()
    except MissingPackageError:
        return None


def _peer_seconds(other: XpGraph, graph: DecisionGraph, point: Point, xps: Sequence[XP]) -> float | str:
    """Return the time that the peer's enumeration takes, or why it gives no time: it fails, differs, or does not end."""
    if not _can_limit():
        return NO_TIMER
    try:
        with asking.alarm(PEER_SECONDS):
            seconds, answer, ours = asking.ask(
                _Timed(other), "times", (graph, point), lambda times: times, PEER_SECONDS
            )
    except SubjectFault as fault:
        if fault.verdict == "timeout":
            return LATE
        return f"fails: {type(fault.__cause__ or MemoryError()).__name__}"
    except NotApplicable:
        return "fails: NotImplementedError"
    found = {
        XP(kind, frozenset(ours[i] for i in xp))
        for kind, family in zip((Kind.AXP, Kind.CXP), answer, strict=True)
        for xp in family
    }
    return seconds if found == set(xps) else "differs"


class _Timed:
    """Times the peer, as a subject that is asked."""

    def __init__(self, peer: XpGraph) -> None:
        self._peer = peer

    def times(self, graph: DecisionGraph, point: Point) -> tuple[float, Any, list[int]]:
        """Return the seconds that the enumeration takes, its answer, and of each feature of the peer's the index of ours."""
        marco, ours = self._peer.opened(graph, point)
        started = time.perf_counter()
        answer = marco.enum()
        return time.perf_counter() - started, answer, ours


def _can_limit() -> bool:
    """Tell whether there is a timer, which signals the main thread alone."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
