"""The cross-check of a model's instances: explain by graph traversal, then let the oracles judge every XP.

For each instance: the XpG gives all AXps and CXps; the oracles, which read only the decision graph, decide Eq. 1 and
Eq. 2 for each of them and for each of them without one feature; duality of the two families says that none is missing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from xpgcheck.check.results import Check, CheckFinding, FamilySizes, InstanceResult
from xpgcheck.errors import shown
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.judging.xp_judge import FamilyJudgement, Judgement, judge_axp, judge_cxp, judge_family
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, from_labels
from xpgcheck.xpg.xps import XP, Kind


@dataclass(frozen=True, slots=True)
class Settings:
    """How to judge: the SMT solvers in the order asked, the time for one question, and how many XPs to enumerate."""

    solvers: tuple[str, ...] = ("z3",)
    timeout_ms: int = 30_000
    limit: int = 10_000


Enumerate = Callable[[ExplanationGraph, int], Iterable[XP]]
"""An explainer under judgement: the XPs of an XpG, at most so many."""


def cross_check(
    graph: DecisionGraph | LabelledGraph,
    points: Mapping[int, Point],
    settings: Settings,
    explain: Enumerate = enumerate_xps,
) -> list[InstanceResult]:
    """Explain *graph* at each of *points* (by instance number) and judge all XPs; one result an instance.

    A labelled graph (from an `.xpg` file) is explained once, as instance 0.  *explain* is replaced in tests, to see that
    wrong explainers are caught.
    """
    results = []
    with open_panel(graph, settings.solvers, settings.timeout_ms) as panel:
        for number, point in points.items() if isinstance(graph, DecisionGraph) else [(0, ())]:
            started = time.perf_counter()
            xpg = explanation_graph(graph, point) if isinstance(graph, DecisionGraph) else from_labels(graph)
            xps = list(explain(xpg, settings.limit + 1))
            explained = time.perf_counter()
            case = _Case(graph, number, point, panel.at(point))
            case.judge(xps[: settings.limit], complete=len(xps) <= settings.limit)
            results.append(case.result(explained - started, time.perf_counter() - explained))
    return results


class _Case:
    """One instance while it is judged."""

    def __init__(self, graph: DecisionGraph | LabelledGraph, number: int, point: Point, consensus: Consensus) -> None:
        names = graph.variables if isinstance(graph, LabelledGraph) else [f.name for f in graph.features]
        self._names: Sequence[str] = names
        self._number = number
        self._point = point
        self._consensus = consensus
        self._checks: Counter[Check] = Counter()
        self._findings: list[CheckFinding] = []
        self._families: dict[Kind, FamilySizes] = {}

    def judge(self, xps: Sequence[XP], *, complete: bool) -> None:
        """Judge each XP, then the two families; an enumeration cut short leaves completeness open."""
        axps = [xp.features for xp in xps if xp.kind is Kind.AXP]
        cxps = [xp.features for xp in xps if xp.kind is Kind.CXP]
        self._families = {Kind.AXP: _family(axps), Kind.CXP: _family(cxps)}
        everything = frozenset(range(self._consensus.features))
        for axp in axps:
            decided = self._consensus.ask(axp).changeable is not None
            self._note_xp("AXp", judge_axp(self._consensus, axp), Check.AXP_SUFFICIENT, Check.AXP_MINIMAL, decided)
        for cxp in cxps:
            decided = self._consensus.ask(everything - cxp).changeable is not None
            self._note_xp("CXp", judge_cxp(self._consensus, cxp), Check.CXP_CHANGES, Check.CXP_MINIMAL, decided)
        if complete:
            self._checks[Check.COMPLETE] += 1
            self._note_family(judge_family(self._consensus, axps, cxps), len(axps), len(cxps))
        else:
            claim = f"the list of {len(xps)} XPs"
            self._add(
                Outcome.INCONCLUSIVE, Check.COMPLETE, claim, "cut short", "the limit of XPs (--limit) was reached"
            )
        self._checks[Check.ORACLES] += 1
        for fault in self._consensus.faults:
            claim = f"an answer of {fault.oracle}"
            self._add(Outcome.INCONCLUSIVE, Check.ORACLES, claim, "an oracle fault", fault.problem)

    def result(self, explain_seconds: float, judge_seconds: float) -> InstanceResult:
        """Return what was found."""
        return InstanceResult(
            self._number,
            self._families[Kind.AXP],
            self._families[Kind.CXP],
            explain_seconds,
            judge_seconds,
            self._checks,
            self._consensus.queries,
            tuple(self._findings),
        )

    def _note_xp(self, word: str, judgement: Judgement, weak: Check, minimal: Check, decided: bool) -> None:
        """Note the verdict on one XP; *decided* says whether it is settled that it is a weak XP or none."""
        self._checks[weak] += 1
        claim = f"{word} {self._set_text(judgement.claim)}"
        verdict = judgement.verdict
        if verdict in (Verdict.INSUFFICIENT, Verdict.INEFFECTIVE):
            witness = judgement.witness
            evidence = f"witness ({self._point_text(witness)})" if witness is not None else "no point changes the class"
            self._add(Outcome.VIOLATED, weak, claim, verdict.value, evidence)
            return
        if decided:
            self._checks[minimal] += len(judgement.claim)
        if verdict is Verdict.REDUNDANT:
            inside = "" if judgement.inside is None else f"; {self._set_text(judgement.inside)} lies inside"
            evidence = f"needless: {self._set_text(judgement.needless)}{inside}"
            self._add(Outcome.VIOLATED, minimal, claim, verdict.value, evidence)
        elif verdict is Verdict.INCONCLUSIVE:
            self._add(Outcome.INCONCLUSIVE, minimal if decided else weak, claim, verdict.value, judgement.reason)

    def _note_family(self, judgement: FamilyJudgement, axps: int, cxps: int) -> None:
        if judgement.verdict is Verdict.COMPLETE:
            return
        open_question = judgement.verdict is Verdict.INCONCLUSIVE
        missing = judgement.missing
        evidence = judgement.reason or "the families are not each other's minimal hitting sets"
        if judgement.member is not None:
            evidence = f"it lists {self._set_text(judgement.member.claim)}, which is not even a weak XP of its kind"
        elif missing is not None:
            evidence = f"missing {judgement.missing_kind} {self._set_text(missing)}"
        self._add(
            Outcome.INCONCLUSIVE if open_question else Outcome.VIOLATED,
            Check.COMPLETE,
            f"the family of {axps} AXps and {cxps} CXps",
            judgement.verdict.value,
            evidence,
        )

    def _add(self, outcome: Outcome, check: Check, claim: str, verdict: str, evidence: str) -> None:
        point = self._point_text(self._point) if self._point else "as labelled"
        self._findings.append(CheckFinding(outcome, check, self._number, point, claim, verdict, evidence))

    def _set_text(self, features: Iterable[int]) -> str:
        return "{" + ", ".join(shown(self._names[i], 40) for i in sorted(features)) + "}"

    def _point_text(self, point: Point) -> str:
        pairs = zip(self._names, point, strict=True)
        return ", ".join(f"{shown(name, 40)}={shown(value_text(value), 40)}" for name, value in pairs)


def _family(family: Sequence[frozenset[int]]) -> FamilySizes:
    return FamilySizes(tuple(map(len, family)))
