"""The cross-check of a model's instances: our explainer is asked for all XPs, and what it claims is judged and counted.

For each instance: the XpG gives all AXps and CXps; the oracles, which read only the decision graph, decide Eq. 1 and
Eq. 2 for each of them and for each of them without one feature; duality of the two families says that none is missing.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from xpgcheck.errors import LimitError, ModelError, UndecidedError
from xpgcheck.gate.check.results import Check, CheckFinding, InstanceResult, values_text
from xpgcheck.gate.inputs import Job
from xpgcheck.gate.questions import Answers, judge_answers
from xpgcheck.gate.results import Finding
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.boxes import Box
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, EnsembleCase, LabelledCase
from xpgcheck.wording import set_text
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.constraints.product import ConstrainedGraph
from xpgcheck.xpg.ensembles.choose import explained_ensemble
from xpgcheck.xpg.ensembles.marco import EnsembleEnumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, from_labels
from xpgcheck.xpg.inflation import inflate_axp, inflate_cxp
from xpgcheck.xpg.xps import XP, Kind

VALUES_EVERY = 8
"""Instances per one that has the sets of values of two of its XPs judged."""

MAX_VALUES_WORK = 20_000
"""Nodes times cells of an XP's features up to which its sets of values are judged: tenths of a second."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Settings of judging: the SMT solvers in the order asked, the time for one question, and how many XPs to enumerate.

    ``solvers_named``: the solvers are asked first about ensembles, too.
    """

    solvers: tuple[str, ...] = ("z3",)
    timeout_ms: int = 30_000
    limit: int = 10_000
    solvers_named: bool = False


Enumerate = Callable[[ExplanationGraph, int], Iterable[XP]]
"""An explainer under judgement: the XPs of an XpG, at most so many."""


class OurExplainer:
    """An explainer as a subject in this process: it lists one XP beyond *limit*, where there are more.

    ``seconds`` is the time of its answers: building XpGs and enumerating.  ``cut_short`` says of an ensemble why the last
    list may lack some.
    """

    name = "ours"

    def __init__(
        self, explain: Enumerate, limit: int, under: ConstrainedGraph | ConstrainedEnsemble | None = None
    ) -> None:
        """Explain by *explain*, under a constraint what *under* holds."""
        self._explain = explain
        self._under = under
        self._limit = limit
        self.seconds = 0.0
        self.cut_short = ""

    def enumerate(
        self, graph: DecisionGraph | LabelledGraph | Ensemble | ConstrainedModel, instance: Point
    ) -> list[XP]:
        """Return all XPs, CXps first: the witnesses of CXps answer what is asked about the features of AXps."""
        started = time.perf_counter()
        try:
            if isinstance(self._under, ConstrainedGraph):
                graph = self._under.at(instance)
            if isinstance(graph, Ensemble | ConstrainedModel):
                xps = self._of_ensemble(graph, instance)
            else:
                xpg = from_labels(graph) if isinstance(graph, LabelledGraph) else explanation_graph(graph, instance)
                xps = list(self._explain(xpg, self._limit + 1))
            return [*sorted(xps[: self._limit], key=lambda xp: xp[0] is not Kind.CXP), *xps[self._limit :]]
        finally:
            self.seconds += time.perf_counter() - started

    def values_of(
        self, graph: DecisionGraph | LabelledGraph | Ensemble, instance: Point, answers: Answers
    ) -> list[Claim]:
        """Return the sets of values of the smallest AXp and the smallest CXp that are right, if that is little work."""
        right = [
            judged.claim for _, judged in answers.judged if judged.claim.members and judged.outcome is Outcome.HOLDS
        ]
        claims = []
        started = time.perf_counter()
        for kind, inflated in _INFLATED.items():
            sets = [sorted(claim.members or ()) for claim in right if claim.kind is kind]
            if not sets or isinstance(graph, LabelledGraph):
                continue
            members = min(sets, key=lambda members: (len(members), members))
            if graph.node_count * sum(len(graph.cells[i]) for i in members) > MAX_VALUES_WORK:
                continue
            with contextlib.suppress(LimitError, UndecidedError):
                box = self._inflated(kind, graph, instance, members)
                notion = Notion.FEATURES if self._under is None else Notion.CONSTRAINTS
                claims.append(Claim(inflated, notion, box=tuple(sorted(box.items(), key=lambda pair: pair[0]))))
        self.seconds += time.perf_counter() - started
        return claims

    def _inflated(
        self, kind: ClaimKind, graph: DecisionGraph | Ensemble, instance: Point, members: Sequence[int]
    ) -> Box:
        """Return the sets of values of an XP."""
        under, decider = self._under, None
        if isinstance(under, ConstrainedGraph):
            graph = under.at(instance)
        elif under is not None:
            graph, decider = under.ensemble, under.decider
        inflate = inflate_axp if kind is ClaimKind.AXP else inflate_cxp
        return inflate(graph, instance, members, decider=decider)

    def _of_ensemble(self, ensemble: Ensemble | ConstrainedModel, instance: Point) -> list[XP]:
        """Return the XPs that are found, each without doubt."""
        self.cut_short = ""
        try:
            if isinstance(ensemble, Ensemble):
                explained = explained_ensemble(ensemble, instance)
            else:
                assert isinstance(self._under, ConstrainedEnsemble)
                explained = self._under.at(instance)
            enumeration = EnsembleEnumeration(explained)
            found = [XP(kind, xp.features) for kind, xp in islice(enumeration, self._limit + 1) if not xp.open]
        except (LimitError, ModelError, UndecidedError) as error:
            self.cut_short = str(error)
            return []
        if not enumeration.complete and len(found) <= self._limit:
            self.cut_short = enumeration.reason
        return found


def cross_check(
    job: Job, instances: Iterable[int], settings: CheckSettings, explain: Enumerate = enumerate_xps
) -> list[InstanceResult]:
    """Explain *job* at *instances* (by their numbers) and judge all XPs; one result an instance.

    *explain* is replaced in tests, to see that wrong explainers are caught.
    """
    results = []
    notion = Notion.FEATURES if job.constraint is None else Notion.CONSTRAINTS
    under = _constrained(job)
    named, constraint = settings.solvers_named, job.constraint
    opened = open_panel(job.graph, settings.solvers, settings.timeout_ms, solvers_named=named, constraint=constraint)
    with opened as panel:
        for number in instances:
            started = time.perf_counter()
            case, subject = job.case(number), OurExplainer(explain, settings.limit, under)
            judge = panel.claims_at(case.instance, settings.limit)
            answers = judge_answers(subject, ("enumerate",), case, judge, notion, math.inf, most=settings.limit)
            frame = judge.frame(notion)
            noted = _Noted(case, job.place(number), frame.labels, settings.limit)
            for _, judged in answers.judged:
                noted.note(judged, subject.cut_short)
            for claim in subject.values_of(job.graph, case.instance, answers) if number % VALUES_EVERY == 0 else ():
                noted.note_values(judge.judge(claim))
            noted.checks[Check.ORACLES] += 1
            for fault in frame.consensus.faults:
                noted.leave_open(Check.ORACLES, f"an answer of {fault.oracle}", "an oracle fault", fault.problem)
            spent = time.perf_counter() - started - subject.seconds
            results.append(noted.result(number, subject.seconds, spent, frame.consensus.queries))
    return results


def _constrained(job: Job) -> ConstrainedGraph | ConstrainedEnsemble | None:
    """Return what explains *job* under its constraint, None where it has none.

    A graph whose product is too large is an ensemble of one; whether it is shows at the first instance.
    """
    graph, constraint = job.graph, job.constraint
    if constraint is None or isinstance(graph, LabelledGraph):
        return None
    if isinstance(graph, DecisionGraph):
        made = ConstrainedGraph(graph, constraint)
        with contextlib.suppress(LimitError):
            made.at(job.points[0])
            return made
    return ConstrainedEnsemble(graph, constraint)


_INFLATED = {ClaimKind.AXP: ClaimKind.INFLATED_AXP, ClaimKind.CXP: ClaimKind.INFLATED_CXP}

_CHECKS = {
    ClaimKind.AXP: (Check.AXP_SUFFICIENT, Check.AXP_MINIMAL),
    ClaimKind.CXP: (Check.CXP_CHANGES, Check.CXP_MINIMAL),
}
"""For each kind of XP: that it is a weak one, and that each of its features is needed."""


class _Noted:
    """Notes on one instance while its claims are judged."""

    def __init__(self, case: Case | LabelledCase | EnsembleCase, place: str, names: Sequence[str], limit: int) -> None:
        self.checks: Counter[Check] = Counter()
        self._case = case
        self._place = place
        self._names = names
        self._limit = limit
        self._sizes: dict[ClaimKind, list[int]] = {kind: [] for kind in _CHECKS}
        self._findings: list[CheckFinding] = []

    def note(self, judged: Judged, cut_short: str = "") -> None:
        """Count what *judged* decided, an XP or the claim that all are listed, and keep what does not hold.

        *cut_short* says why not all that was found is listed, where it is not.

        Raises ``MemoryError`` where that is why there is no answer.
        """
        claim = judged.claim
        if judged.verdict is Verdict.MEMORY:
            # The subject's memory is that of its judges: to run out of it says nothing of explanations.
            raise MemoryError
        if claim.members is not None:
            check, minimal = _CHECKS[claim.kind]
            self.checks[check] += 1
            self._sizes[claim.kind].append(len(claim.members))
            if _is_weak(judged):
                check = minimal
                self.checks[check] += len(claim.members)
        elif len(claim.axps or ()) + len(claim.cxps or ()) > self._limit:
            what, why = f"the list of {self._limit} XPs", "the limit of XPs (--limit) was reached"
            self.leave_open(Check.COMPLETE, what, "cut short", why)
            return
        elif cut_short:
            self.leave_open(Check.COMPLETE, "the list of XPs", "cut short", cut_short)
            return
        else:
            check = Check.COMPLETE
            self.checks[check] += 1
        if judged.outcome is not Outcome.HOLDS:
            claimed = self._claim_text(claim)
            evidence = judged.evidence
            said = [evidence.text.removeprefix(claimed).removeprefix(": "), evidence.reason]
            if evidence.witness is not None:
                said.append(f"witness ({values_text(self._names, evidence.witness)})")
            finding = Finding.of(check.value, judged, self._case, origin=self._place)
            self._findings.append(replace(finding, text="; ".join(filter(None, said)), claim=claimed))

    def note_values(self, judged: Judged) -> None:
        """Count a judged claim of sets of values, and keep it where it does not hold."""
        self.checks[Check.VALUES] += 1
        if judged.outcome is not Outcome.HOLDS:
            finding = Finding.of(Check.VALUES.value, judged, self._case, origin=self._place)
            self._findings.append(replace(finding, claim=judged.claim.kind.value))

    def leave_open(self, check: Check, claim: str, verdict: str, text: str) -> None:
        """Keep what is inconclusive by no judgement."""
        outcome = Outcome.INCONCLUSIVE
        self._findings.append(Finding(check.value, verdict, outcome, text, self._case, origin=self._place, claim=claim))

    def result(self, number: int, explain: float, judge: float, queries: Counter[str]) -> InstanceResult:
        """Return all that was noted, with the seconds of the explainer and of its judges."""
        axps, cxps = (tuple(self._sizes[kind]) for kind in _CHECKS)
        return InstanceResult(number, axps, cxps, explain, judge, self.checks, queries, tuple(self._findings))

    def _claim_text(self, claim: Claim) -> str:
        if claim.members is not None:
            return f"{claim.kind.value} {set_text(self._names, claim.members)}"
        if claim.fault is not None:
            return "the explainer's answer"
        return f"the family of {len(claim.axps or ())} AXps and {len(claim.cxps or ())} CXps"


def _is_weak(judged: Judged) -> bool:
    """Tell whether it is settled that an XP is a weak one, whatever came of its features."""
    if judged.verdict is Verdict.INCONCLUSIVE:
        return bool(judged.evidence.confirmed_by)
    return judged.verdict not in (Verdict.INSUFFICIENT, Verdict.INEFFECTIVE)
