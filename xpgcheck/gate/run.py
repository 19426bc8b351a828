"""A gate from beginning to end: units of work over processes, each with a subject of its own."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from xpgcheck.certificates.checked import CertifierPool, RefusedLineError, undecided
from xpgcheck.deck.storage import read_deck
from xpgcheck.errors import InputError, NothingCheckedError, XpgcheckError
from xpgcheck.gate.certificate_folder import CertificateFolder, CertificateNote
from xpgcheck.gate.deck_run import DeckRun
from xpgcheck.gate.inputs import blocks
from xpgcheck.gate.kept import asked_case, read_case
from xpgcheck.gate.plan import Cases, GatePlan
from xpgcheck.gate.questions import ASKED, Answers, judge_answers
from xpgcheck.gate.reports.failures import listed
from xpgcheck.gate.results import Finding, Report
from xpgcheck.gate.taking import drawn, taken
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import LabelledPanel, Panel, open_panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.cases import Case, EnsembleCase, LabelledCase
from xpgcheck.properties.catalogue import Property, able, chosen
from xpgcheck.properties.corpus import KeptCase
from xpgcheck.properties.needed import require_hypothesis
from xpgcheck.properties.running.trying import try_one
from xpgcheck.properties.subjects import (
    GRAPH_KIND,
    MODEL_KINDS,
    abilities,
    methods_of,
    model_kind,
    models_of,
    require_abilities,
    subject_name,
)
from xpgcheck.runs.pool import pooled
from xpgcheck.runs.progress import progress_text, telling
from xpgcheck.subjects.remote import Counters, RemoteSubject
from xpgcheck.wording import counted

DRAWN_SHARE = 6
"""For so many generated cases, which are small, one is drawn that is like those of the deck; at most ``MAX_DRAWN``."""

MAX_DRAWN = 400

UNIT = 250
"""Generated cases in a unit of work."""

OF_MODEL = "of model "

MODELS_LISTED = 4
"""Up to this many models have their cases counted one by one."""

INSTANCES = 50
"""Kept cases, or instances of models, in a unit of work: each unit starts the subject again, so small models share one."""


@dataclasses.dataclass(frozen=True, slots=True)
class GateUnit:
    """Some of the plan's work: instances of models, kept cases, or generated ones (with how many cases go before).

    ``instances`` are blocks: the number of a model of the plan, and some of its instances.
    """

    instances: tuple[tuple[int, range], ...] = ()
    kept: tuple[Path, ...] = ()
    deck: int = 0
    cases: Cases | None = None
    before: int = 0

    def name(self) -> str:
        """Return what tells this unit from others."""
        if self.deck:
            return "the deck"
        if self.cases is not None:
            return f"generated cases {self.before + 1} to {self.before + self.size}"
        if self.kept:
            return f"kept cases from {self.kept[0]}"
        parts = (f"model {model + 1}, instances {block.start + 1} to {block.stop}" for model, block in self.instances)
        return "; ".join(parts)

    @property
    def size(self) -> int:
        """The number of cases."""
        if self.deck:
            return self.deck
        if self.cases is not None:
            return self.cases.examples
        return len(self.kept) or sum(len(block) for _, block in self.instances)


def gate(
    plan: GatePlan,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda _: None,
    certificates: CertificateFolder | None = None,
) -> Report:
    """Carry out *plan* with *jobs* processes; *advance* is told how many cases a unit that is done had.

    *certificates* is given the lines about claims at instances of models, where the plan says so, in the plan's order.

    The same plan finds the same, whatever *jobs*, as long as the subject is deterministic.  Raises ``InputError`` where the
    subject cannot be opened, ``NothingCheckedError`` where it was asked nothing, and ``UndecidedError`` if a process of ours
    dies.
    """
    if plan.cases.examples:
        require_hypothesis()
    started = time.monotonic()
    with plan.open() as subject:
        report = _titled(subject)
    plan, report.not_asked = taken(plan, report)
    units = _units(plan)
    found: dict[GateUnit, Report] = {}
    noted: dict[GateUnit, list[CertificateNote]] = {}
    order = iter(units)
    turn = next(order, None)

    def so_far() -> str:
        finished = Report("")
        for part in found.values():
            finished.add(part)
        done, total = sum(unit.size for unit in found), sum(unit.size for unit in units)
        return progress_text(done, total, "cases are judged", finished.outcome().name)

    with telling(so_far):
        for unit, (part, notes) in pooled(functools.partial(run_unit, plan), units, jobs, GateUnit.name):
            found[unit], noted[unit] = part, notes
            advance(unit.size)
            while turn in noted:
                notes = noted.pop(turn)
                if certificates is not None:
                    certificates.add_all(notes)
                turn = next(order, None)
            if plan.stop_first and part.outcome() is Outcome.VIOLATED:
                break
    # In the order of the work, not of its ends: the first of two cases of one size is shown.
    for unit in units:
        report.add(found.get(unit, Report("not reached")))
    report.cases = _few_models(report.cases)
    if certificates is not None:
        report.certified, report.without = certificates.lines, certificates.without
    report.seconds = time.monotonic() - started
    judged = report.claims + sum(t.held + t.failed + t.open for t in report.properties.values())
    if not judged and not report.bad_count and not report.unsupported:
        mend = "raise --examples, or select another --graph-kind or --model"
        why = f": it takes no {' or '.join(MODEL_KINDS[kind] for kind in report.not_asked)}" if report.not_asked else ""
        raise NothingCheckedError(f"the subject was asked nothing{why}", mend=mend)
    return report


def _few_models(cases: Counter[str]) -> Counter[str]:
    """Return *cases* with those of many models counted together."""
    models = [name for name in cases if name.startswith(OF_MODEL)]
    if len(models) <= MODELS_LISTED:
        return cases
    together = Counter({f"of {counted(len(models), 'model')}": sum(cases[name] for name in models)})
    return together + Counter({name: count for name, count in cases.items() if name not in models})


def case_count(plan: GatePlan) -> int:
    """Return the number of cases of *plan*."""
    return deck_size(plan) + plan.cases.examples + len(plan.kept) + sum(job.count for job in plan.models)


def deck_size(plan: GatePlan) -> int:
    """Return the number of instances in the deck of *plan*."""
    return read_deck(plan.deck_file).number_of_tests if plan.deck else 0


def _titled(subject: Any) -> Report:
    methods = require_abilities(subject, subject_name(subject))
    return Report(
        "xpgcheck gate",
        subject_name(subject),
        str(getattr(subject, "version", "") or ""),
        notion_of(subject).value,
        tuple(sorted(methods.judged)),
        passed_over_of(subject),
        models_of(subject),
    )


def passed_over_of(subject: Any) -> dict[str, str]:
    """Return the methods of *subject* that have the name of an ability and are not judged, each with why."""
    # Of a subject in a process of its own, the process knows which methods it has.
    return dict((subject if isinstance(subject, RemoteSubject) else methods_of(subject)).passed_over)


def notion_of(subject: Any) -> Notion:
    """Return what the sets that *subject* answers are made of: its ``notion``, by default features."""
    named = getattr(subject, "notion", None) or Notion.FEATURES
    try:
        return Notion(named)
    except ValueError:
        mend = f"use one of {', '.join(notion.value for notion in Notion)}"
        raise InputError(f"the subject's notion is {named!r}", mend=mend) from None


def _units(plan: GatePlan) -> list[GateUnit]:
    units: list[GateUnit] = [GateUnit(deck=deck_size(plan))] if plan.deck else []
    for block in blocks(plan.models, INSTANCES):
        if units and units[-1].instances and units[-1].size + len(block[1]) <= INSTANCES:
            units[-1] = GateUnit((*units[-1].instances, block))
        else:
            units.append(GateUnit((block,)))
    units += [GateUnit(kept=plan.kept[start : start + INSTANCES]) for start in range(0, len(plan.kept), INSTANCES)]
    number = before = 0
    for cases in drawn(plan.cases):
        for start in range(0, cases.examples, UNIT):
            examples = min(UNIT, cases.examples - start)
            part = dataclasses.replace(cases, examples=examples, seed=cases.seed + (number << 40))
            units.append(GateUnit(cases=part, before=before))
            number, before = number + 1, before + examples
    return units


def run_unit(plan: GatePlan, unit: GateUnit) -> tuple[Report, list[CertificateNote]]:
    """Carry out one unit of *plan* with a subject of its own; return what was found and the lines of certificates."""
    notes: list[CertificateNote] = []
    try:
        return _run_with(plan, unit, notes), notes
    except SubjectLostError as error:
        # It could be opened before: what it answered then is not lost.
        lost = Report("lost", bad=[f"{counted(unit.size, 'case')} left out: {error}"], bad_count=1)
        return lost, []


class SubjectLostError(InputError):
    """The subject could be opened once, and cannot be any more."""


def _opened_again(plan: GatePlan) -> AbstractContextManager[Any]:
    try:
        return plan.open()
    except InputError as error:
        raise SubjectLostError(str(error)) from error


def _run_with(plan: GatePlan, unit: GateUnit, notes: list[CertificateNote]) -> Report:
    with _opened_again(plan) as subject:
        try:
            if unit.deck:
                report = _deck(plan, subject)
            elif unit.cases is not None:
                report = _generated(plan, unit, subject)
            elif unit.kept:
                report = _kept(plan, unit, subject)
            else:
                report = _models(plan, unit, subject, notes)
        finally:
            counters = getattr(subject, "counters", None)
    if isinstance(counters, Counters):
        report.questions, report.restarts = counters.questions, counters.restarts
    return report


def _deck(plan: GatePlan, subject: Any) -> Report:
    """Ask the deck, all of it without a new start, so that what a subject keeps of its questions can do harm."""
    opened = plan.open if isinstance(subject, RemoteSubject) else None
    can, drawn = sorted(abilities(subject)), min(plan.cases.examples // DRAWN_SHARE, MAX_DRAWN)
    asked = DeckRun(subject, can, notion_of(subject), plan.seconds, plan.solvers, opened, opened)
    asked.drawn, asked.seed, asked.all_failures = drawn, plan.cases.seed, plan.all_failures
    asked.first_only = plan.stop_first
    return asked.run(read_deck(plan.deck_file))


def _models(plan: GatePlan, unit: GateUnit, subject: Any, notes: list[CertificateNote]) -> Report:
    report = Report("models")
    certify = functools.partial(_certified, notes, CertifierPool()) if plan.certify else None
    for model, block in unit.instances:
        job = plan.models[model]
        graph, own = job.graph, Report("one model")
        opened = open_panel(
            graph, plan.solvers, plan.timeout_ms, solvers_named=plan.solvers_named, constraint=job.constraint
        )
        with opened as judges:
            for number in block:
                case = job.case(number)
                assert not isinstance(case, LabelledCase)
                _judge(own, plan, subject, case, judges, job.place(number), certify)
                own.cases[f"{OF_MODEL}{graph.name}"] += 1
        for (_, verdict), count in own.counts.items():
            own.by_model[graph.name, verdict] += count
        report.add(own)
    return report


def _kept(plan: GatePlan, unit: GateUnit, subject: Any) -> Report:
    report = Report("kept cases")
    by_features, takes = notion_of(subject) is Notion.FEATURES, models_of(subject)
    properties = able(chosen(()), abilities(subject)) if by_features else ()
    wanted = {p.name: p for p in properties if p.name in plan.properties}
    for path in unit.kept:
        try:
            kept = read_case(path)
        except XpgcheckError as error:
            report.bad.append(str(error))
            report.bad_count += 1
            continue
        case = asked_case(kept)
        if model_kind(case.graph) not in takes:
            report.not_asked[model_kind(case.graph)] += 1
            continue
        report.cases["kept"] += 1
        solvers = plan.solvers, plan.timeout_ms
        named, constraint = plan.solvers_named, case.constraint
        with open_panel(case.graph, *solvers, solver_last=True, solvers_named=named, constraint=constraint) as judges:
            wrong = _judge(report, plan, subject, case, judges, f"kept in {path.name}")
        if isinstance(kept, KeptCase) and kept.property in wanted and not wanted[kept.property].needs & wrong:
            _try_property(report, plan, subject, wanted[kept.property], kept, path)
    return report


def _try_property(report: Report, plan: GatePlan, subject: Any, item: Property, kept: KeptCase, path: Path) -> None:
    tally, violation = try_one(item, kept.case, subject, plan.seconds)
    result = Report("", properties={item.name: tally})
    if violation is not None:
        result.findings.append(
            Finding(
                item.name,
                violation.verdict,
                Outcome.VIOLATED,
                violation.evidence,
                kept.case,
                is_property=True,
                origin=f"kept in {path.name}",
                stderr=str(getattr(subject, "last_stderr", "")),
            )
        )
    report.add(result)


Certify = Callable[[str, Case | EnsembleCase, str, Judged], Judged]
"""Notes the certificate of a claim: what was asked, the case and its origin; returns the claim as it then stands."""


def _certified(
    notes: list[CertificateNote],
    pool: CertifierPool,
    about: str,
    case: Case | EnsembleCase,
    origin: str,
    judged: Judged,
) -> Judged:
    try:
        found = pool.certified(case.graph, case.instance, judged, case.constraint)
    except RefusedLineError as error:
        judged = undecided(judged, error)
        found = pool.certified(case.graph, case.instance, judged, case.constraint)
    notes.append(CertificateNote({"case": origin, "asked": about, "verdict": judged.verdict.value}, found))
    return judged


def _judge(
    report: Report,
    plan: GatePlan,
    subject: Any,
    case: Case | EnsembleCase,
    judges: Panel | EnsemblePanel | LabelledPanel,
    origin: str,
    certify: Certify | None = None,
) -> set[str]:
    """Ask all at *case*, and note each claim; of those that do not hold the full evidence.

    Returns the abilities whose claims are wrong.
    """
    can, notion = abilities(subject), notion_of(subject)
    judge = judges.claims_at(case.instance)
    try:
        answers = judge_answers(subject, can, case, judge, notion, plan.seconds)
    except InputError:
        answers = Answers(declined=Counter(name for name in ASKED if name in can))
    part = Report("", unsupported=answers.declined)
    for about, judged in answers.judged:
        doubted = False
        if certify is not None:
            sure = certify(about, case, origin, judged)
            judged, doubted = sure, sure is not judged
        row = about, judged.verdict.value
        part.counts[row] += 1
        if judged.projected is not None:
            part.projected[about, judged.projected.verdict.value] += 1
        if judged.outcome is not Outcome.HOLDS:
            if plan.all_failures:
                part.failures.append(listed(case, origin, about, judged))
            known = (*row, judged.way) in {(f.about, f.verdict, f.way) for f in part.findings}
            full = judged if known or doubted else judge.judge(judged.claim)
            stderr = answers.stderr.get(about, "")
            found: Finding[Any] = Finding.of(about, full, case, origin=origin, stderr=stderr)
            part.findings.append(found)
    report.add(part)
    return {finding.about for finding in part.findings if finding.outcome is Outcome.VIOLATED}


def _generated(plan: GatePlan, unit: GateUnit, subject: Any) -> Report:
    """Judge the claims on generated cases; then try the properties that ask for nothing that was found wrong."""
    assert unit.cases is not None
    can, notion = abilities(subject), notion_of(subject)
    report = Report("generated cases")
    if any(name in can for name in ASKED):
        from xpgcheck.gate.search import search

        report = search(subject, sorted(can), notion, unit.cases, plan.seconds, solvers=plan.solvers)
    if notion is Notion.FEATURES and plan.properties and GRAPH_KIND in unit.cases.models:
        wrong = {finding.about for finding in report.findings if finding.outcome is Outcome.VIOLATED}
        properties = [p for p in able(chosen(()), can) if p.name in plan.properties and not p.needs & wrong]
        _properties(plan, unit.cases, subject, properties, report)
    report.findings = [
        dataclasses.replace(finding, example=finding.example + unit.before, origin=_origin(plan, finding))
        for finding in report.findings
    ]
    return report


def _origin(plan: GatePlan, finding: Finding) -> str:
    """Say where a generated case comes from as the run is repeated: by the seed of the whole, not of the unit."""
    shrunk = ", shrunk" if finding.origin.endswith("shrunk") or finding.is_property else ""
    return f"generated, seed {plan.cases.seed}, size {plan.cases.size}{shrunk}"


def _properties(plan: GatePlan, cases: Cases, subject: Any, properties: Sequence[Property], report: Report) -> None:
    from xpgcheck.properties.running.engine import graph_ground, try_all
    from xpgcheck.properties.strategies import property_cases

    if not properties:
        return
    ground = graph_ground(
        subject,
        seed=cases.seed,
        size=cases.size,
        seconds=plan.seconds,
        cases=property_cases(size=cases.size, kinds=cases.kinds) if cases.kinds else None,
    )
    result = try_all(ground, properties, cases.examples, cases.seed)
    report.properties = result.tallies
    report.cases["generated"] = max(report.cases["generated"], result.cases)
    stderr = str(getattr(subject, "last_stderr", ""))
    report.findings += [Finding.of_property(found, stderr=stderr) for found in result.findings]
