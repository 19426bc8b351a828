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

from xpgcheck.certificates.checked import CertifierPool
from xpgcheck.deck.storage import read_deck
from xpgcheck.errors import InputError, NothingCheckedError
from xpgcheck.gate.cases_on_file import failed_cases, kept_cases
from xpgcheck.gate.certificate_folder import CertificateFolder, CertificateNote
from xpgcheck.gate.deck_run import DeckRun
from xpgcheck.gate.inputs import blocks
from xpgcheck.gate.one_case import certified, judge_case, notion_of
from xpgcheck.gate.plan import Cases, FailedCase, GatePlan
from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.results import Finding, Report
from xpgcheck.gate.taking import drawn, taken
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.second_opinions import judge_names
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.cases import LabelledCase
from xpgcheck.properties.catalogue import Property, able, chosen
from xpgcheck.properties.needed import require_hypothesis
from xpgcheck.properties.subjects import (
    GRAPH_KIND,
    MODEL_KINDS,
    abilities,
    methods_of,
    models_of,
    require_abilities,
    subject_name,
)
from xpgcheck.runs.far_end import tell
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
    failed: tuple[FailedCase, ...] = ()
    kept: tuple[Path, ...] = ()
    deck: int = 0
    cases: Cases | None = None
    before: int = 0

    def name(self) -> str:
        """Return what tells this unit from others."""
        if self.deck:
            return "the deck"
        if self.failed:
            return "what failed last time"
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
        return len(self.kept) or len(self.failed) or sum(len(block) for _, block in self.instances)


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
    report.judges = judge_names()
    plan, report.not_asked = taken(plan, report)
    failed = _what_failed(plan, report)
    units = [] if failed else _units(plan)
    found: dict[GateUnit, Report] = {}
    noted: dict[GateUnit, list[CertificateNote]] = {}
    order = iter(units)
    turn = next(order, None)

    under_way: dict[GateUnit, tuple[int, Report]] = {}

    def hear(unit: GateUnit, told: tuple[int, Report]) -> None:
        before = under_way[unit][0] if unit in under_way else 0
        under_way[unit] = told
        advance(told[0] - before)

    def so_far() -> str:
        finished = Report("")
        for part in (*found.values(), *(part for unit, (_, part) in under_way.items() if unit not in found)):
            finished.add(part)
        done = sum(unit.size for unit in found) + sum(n for unit, (n, _) in under_way.items() if unit not in found)
        return progress_text(done, sum(unit.size for unit in units), "cases are judged", finished.outcome().name)

    with telling(so_far):
        for unit, (part, notes) in pooled(functools.partial(run_unit, plan), units, jobs, GateUnit.name, hearer=hear):
            found[unit], noted[unit] = part, notes
            advance(unit.size - (under_way[unit][0] if unit in under_way else 0))
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


def _what_failed(plan: GatePlan, report: Report) -> bool:
    """Ask what failed in the last run, note in *report* what came of it, and tell whether some of it fails again."""
    last, part = plan.last, Report("what failed")
    if last is None:
        return False
    if last.cases:
        part, _ = run_unit(plan, GateUnit(failed=last.cases))
    report.add(part)
    again = part.number(Outcome.VIOLATED) + part.number(Outcome.INCONCLUSIVE)
    asked = sum(part.cases.values())
    if not last.there:
        report.last_run = f"there is no {last.name} yet: everything was asked"
    elif not last.cases and not last.left_out:
        report.last_run = f"nothing failed in {last.name}: everything was asked"
    else:
        whose = f" (of {last.subject})" if last.subject not in ("", report.subject) else ""
        end = "still wrong or open: nothing else was asked" if again else "all right now: everything was asked"
        report.last_run = f"{asked:,} of {counted(len(last.cases), 'failure')} in {last.name}{whose} asked again, {end}"
    return bool(again)


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
    # Where a subject has a process of its own, the process knows which methods it has.
    return dict((subject if isinstance(subject, RemoteSubject) else methods_of(subject)).passed_over)


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
            elif unit.failed:
                report = failed_cases(plan, unit.failed, subject)
            elif unit.kept:
                report = kept_cases(plan, unit.kept, subject)
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
    judged = 0

    def told(count: int) -> None:
        nonlocal judged
        judged += count
        tell((judged, Report("", counts=asked.report.counts)))

    return asked.run(read_deck(plan.deck_file), told)


def _models(plan: GatePlan, unit: GateUnit, subject: Any, notes: list[CertificateNote]) -> Report:
    report = Report("models")
    certify = functools.partial(certified, notes, CertifierPool()) if plan.certify else None
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
                judge_case(own, plan, subject, case, judges, job.place(number), certify)
                own.cases[f"{OF_MODEL}{graph.name}"] += 1
        for (_, verdict), count in own.counts.items():
            own.by_model[graph.name, verdict] += count
        report.add(own)
    return report


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
