"""The deck, asked: designed cases with known families first, then its sequences, all of one subject without a new start."""

from __future__ import annotations

import dataclasses
import functools
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from xpgcheck.deck.building import certified_case
from xpgcheck.deck.certifying import compared_families
from xpgcheck.deck.documents import Deck
from xpgcheck.deck.random_cases import drawn_case
from xpgcheck.deck.storage import ReadCase, read_case, sequences, step_of
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.gate.questions import ASKED, Answers, judge_answers
from xpgcheck.gate.recording import Asked, Recorder, earlier_questions
from xpgcheck.gate.reports.failures import listed
from xpgcheck.gate.results import Finding, Report, smallest
from xpgcheck.judging.claim import FaultKind, Notion
from xpgcheck.judging.claim_judge import ClaimJudge
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.known_families import KnownJudge, in_full
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties import asking
from xpgcheck.properties.cases import Case
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault

LARGE = 1_000
"""The hardness that generated cases have at most: beyond it, too long a time is counted, and not judged."""

XPS_WEIGH = 20
"""The number of combinations of cells that an XP counts as, where all are asked for."""

LARGE_SECONDS = 20.0
"""The time that one ability may take on large cases, all together."""

EARLY = 25
"""Questions among which a wrong answer is not looked up in a process that was just started: this one was, too."""

FIRST = ("answer", "family", "depth", "names")
"""The kinds of the cases that processes are asked about first that are started for this alone."""

SMALL_AFTER = 12
"""Small cases that each of these is asked about then, about."""

NEW = "asked of a new process"

ORIGIN = "of the deck"
DRAWN = "like the deck"

MAX_CONDITIONS = 12
"""Conditions up to which a case is asked of a subject that explains by conditions: there are no families to compare with."""


class _LatePanel:
    """The oracles of one graph, opened when they are asked for.  A context manager."""

    def __init__(self, graph: DecisionGraph, solvers: tuple[str, ...]) -> None:
        self._graph, self._solvers = graph, solvers
        self._opened = ExitStack()

    def at(self, point: Point) -> ClaimJudge:
        """Return the judge of claims at *point*."""
        return self._opened.enter_context(Panel(self._graph, self._solvers, solver_last=True)).claims_at(point)

    def __enter__(self) -> _LatePanel:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()


@dataclass(slots=True)
class _Patience:
    """The time that an ability may still take on large cases, and the hardness from which on it is not asked any more."""

    seconds: float
    hardest: float = math.inf


@dataclass(slots=True)
class DeckRun:
    """A subject, asked the deck; *report* is what came of it.  With ``first_only`` it ends at what is wrong first.
    After the deck come ``drawn`` cases like it, at random by ``seed``.  ``large_seconds`` is the time that an ability may
    take on large cases, all together, by the ``clock``.

    ``opened`` gives a subject in a process of its own, None where there is no such thing: then nothing is looked up again.
    ``started`` gives one that was asked nothing yet: of a few of these, too, cases are asked.
    """

    subject: Any
    can: Collection[str]
    notion: Notion
    seconds: float
    solvers: tuple[str, ...]
    opened: Callable[[], Any] | None = None
    started: Callable[[], Any] | None = None
    first_only: bool = False
    all_failures: bool = False
    drawn: int = 0
    seed: int = 0
    large_seconds: float = LARGE_SECONDS
    clock: Callable[[], float] = time.monotonic
    report: Report = field(default_factory=lambda: Report("deck"))
    _patience: dict[str, _Patience] = field(default_factory=dict)
    _read: dict[str, ReadCase] = field(default_factory=dict)
    _asked: list[tuple[Finding[Any], Asked]] = field(default_factory=list)
    _judged: set[str] = field(default_factory=set)
    _wrong: set[tuple[str, str]] = field(default_factory=set)
    _old: Any = None

    def run(self, deck: Deck, advance: Callable[[int], None] = lambda _: None) -> Report:
        """Ask every case of *deck*, then its sequences; return the report, with evidence from the oracles."""
        with Recorder(self.subject) as recorder:
            self.subject = self._old = recorder
            for _ in self._all(deck, advance):
                if self.first_only and any(found.outcome is Outcome.VIOLATED for found, _ in self._asked):
                    break
            self.subject = recorder
            self._settle()
        self.report.deck = len(self._judged), len(self._read) if self.first_only else len(deck.cases)
        return self.report

    def _all(self, deck: Deck, advance: Callable[[int], None]) -> Iterator[None]:
        """Ask one case after the other."""
        for record in deck.cases:
            self._case(self._known(deck, record.name), "")
            yield
            advance(len(record.tests))
        for case, how, where in _steps(deck, self._read):
            self._step(case, how, where)
            yield
        for number in range(self.drawn):
            self._drawn(number)
            yield
        # Small cases once more, in another order: much has been asked since.
        small = [case for case in self._read.values() if _cells(case) <= LARGE]
        random.Random(7).shuffle(small)
        for case in small[: len(small) // 3]:
            self._case(case, "asked again later", most=1, backwards=True)
            yield
        for number, first in enumerate(_first_cases(self._read.values()) if self.started is not None else ()):
            yield from self._of_a_new_process([first, *small[number :: len(small) // SMALL_AFTER + 1]])

    def _of_a_new_process(self, cases: Sequence[ReadCase]) -> Iterator[None]:
        """Ask *cases* of a process that was asked nothing yet."""
        assert self.started is not None
        old = self.subject
        try:
            with self.started() as subject, Recorder(subject) as recorder:
                self.subject = recorder
                for case in cases:
                    self._case(case, NEW, most=1, backwards=True)
                    yield
        except InputError as error:
            self.report.bad.append(f"a new process could not be asked: {error}")
            self.report.bad_count += 1
        finally:
            self.subject = old

    def _known(self, deck: Deck, name: str) -> ReadCase:
        if name not in self._read:
            self._read[name] = read_case(next(case for case in deck.cases if case.name == name))
        return self._read[name]

    def _drawn(self, number: int) -> None:
        case = drawn_case(self.seed, number)
        try:
            record = certified_case(case, compared_families, inflated=False)
        except UndecidedError as error:
            self.report.bad.append(str(error))
            self.report.bad_count += 1
            return
        self._case(read_case(record), "", of=DRAWN)

    def _step(self, case: ReadCase, how: str, where: str) -> None:
        if how == "nonsense":
            self._nonsense(case)
        else:
            self._case(read_case(case.record) if how == "another" else case, where)

    def _nonsense(self, case: ReadCase) -> None:
        """Ask a question that has no answer; whatever comes is let be."""
        instance = case.points[0].point
        calls = {"axp_inside": (frozenset(),), "cxp_inside": (frozenset(),), "member": (len(instance) + 1_000,)}
        with asking.alarm(self.seconds):
            for ability in (name for name in ASKED if name in self.can and name != "tree_cxps"):
                point = instance if ability in calls else (*instance[:-1], "no such value")
                try:
                    asking.ask(
                        self.subject,
                        ability,
                        (case.graph, point, *calls.get(ability, ())),
                        lambda said: said,
                        self.seconds,
                    )
                except (SubjectFault, NotApplicable, InputError):
                    continue

    def _case(self, case: ReadCase, where: str, most: int = 100, of: str = ORIGIN, *, backwards: bool = False) -> None:
        for number, known in enumerate(case.points[:most], start=1):
            comment = f" ({known.comment})" if known.comment else ""
            origin = f"deck: {case.record.name}, instance {number}{comment}" + (f", {where}" if where else "")
            one = case.record.asked == "one" and (known.families.axps is None or known.families.cxps is None)
            with _LatePanel(case.graph, self.solvers) as panel:
                judge = KnownJudge(case.graph, known.point, known.families, functools.partial(panel.at, known.point))
                asked_case = Case(case.graph, known.point, number)
                can = [name for name in self._able(case) if not (one and name in _ALL)]
                # An answer may use what was kept of a question before it about the same: another comes first then.
                answers = self._answers(case, asked_case, judge, can[::-1] if backwards else can, by_one=backwards)
            self._note(case, asked_case, origin, answers, of, again=bool(where))

    def _patience_of(self, ability: str) -> _Patience:
        return self._patience.setdefault(ability, _Patience(self.large_seconds))

    def _able(self, case: ReadCase) -> list[str]:
        able = []
        for name in (name for name in ASKED if name in self.can):
            patience, hardness = self._patience_of(name), _hardness(case, name)
            if hardness > LARGE and (patience.seconds <= 0 or hardness >= patience.hardest):
                self.report.unsupported[name] += 1
            else:
                able.append(name)
        return able

    def _answers(self, case: ReadCase, asked: Case, judge: KnownJudge, can: list[str], *, by_one: bool) -> Answers:
        easy = [name for name in can if _hardness(case, name) <= LARGE]
        whole = Answers()
        for group in [[name] for name in easy] if by_one else [easy]:
            _add(whole, self._ask(asked, judge, group))
        for name in (name for name in can if _hardness(case, name) > LARGE):
            patience = self._patience_of(name)
            if patience.seconds <= 0:
                continue
            started = self.clock()
            part = self._ask(asked, judge, [name])
            patience.seconds -= self.clock() - started
            if any(judged.claim.fault is FaultKind.TIMEOUT for _, judged in part.judged):
                # Exponential time is no wrong answer: it is counted.
                patience.hardest = min(patience.hardest, _hardness(case, name))
                self.report.late[name] += 1
                part = Answers(declined=Counter([name]))
            _add(whole, part)
        return whole

    def _ask(self, case: Case, judge: KnownJudge, can: list[str]) -> Answers:
        try:
            if self.notion is not Notion.FEATURES and len(judge.frame(self.notion).labels) > MAX_CONDITIONS:
                return Answers(declined=Counter(can))
            return judge_answers(self.subject, can, case, judge, self.notion, self.seconds)
        except InputError:
            # A graph that has no claims of this notion.
            return Answers(declined=Counter(can))

    def _note(self, read: ReadCase, case: Case, origin: str, answers: Answers, of: str, *, again: bool) -> None:
        report = self.report
        report.cases[of] += 1
        report.unsupported += answers.declined
        if answers.judged:
            if of == ORIGIN:
                self._judged.add(read.record.name)
            for kind in {*read.record.kinds, *(("state",) if again else ())}:
                report.coverage[kind, of] += 1
        new = self.subject is not self._old
        found_at = f"{read.record.name}, instance {case.dice}"
        at = Asked(len(self.subject.asked), self.subject)
        for about, judged in answers.judged:
            report.counts[about, judged.verdict.value] += 1
            if judged.projected is not None:
                report.projected[about, judged.projected.verdict.value] += 1
            if judged.outcome is not Outcome.HOLDS:
                if self.all_failures:
                    report.failures.append(listed(case, origin, about, judged))
                found = Finding.of(about, judged, case, origin=origin, stderr=answers.stderr.get(about, ""))
                if not new:
                    self._wrong.add((about, found_at))
                own = dataclasses.replace(at, new=new and (about, found_at) not in self._wrong)
                self._asked.append((found, own))

    def _settle(self) -> None:
        """Have the smallest finding of each kind judged by the oracles, and tell those that hang on earlier questions."""
        at = {(id(found.case), found.about): where for found, where in self._asked}
        first: dict[tuple[str, str, str], int] = {}
        for found, where in self._asked:
            first.setdefault((found.about, found.verdict, found.way), where.place)
        for found in smallest([found for found, _ in self._asked]):
            (judged,), own = found.judged, at[id(found.case), found.about]
            with Panel(found.case.graph, self.solvers, solver_last=True) as judges:
                full = judged
                if judged.outcome is Outcome.VIOLATED and self.notion is Notion.FEATURES:
                    full = in_full(judged, judges.claims_at(found.case.instance))
            settled = Finding.of(found.about, full, found.case, origin=found.origin, stderr=found.stderr)
            settled = dataclasses.replace(settled, times=found.times)
            if full.outcome is Outcome.INCONCLUSIVE and judged.outcome is Outcome.VIOLATED:
                self._recount(found, full)
            elif self.opened is not None and (own.new or first[found.about, found.verdict, found.way] > EARLY):
                text = earlier_questions(self.opened, own, settled, self._is_wrong, self.seconds)
                settled = dataclasses.replace(settled, text=text or settled.text)
            self.report.findings.append(settled)

    def _is_wrong(self, subject: Any, found: Finding[Any]) -> bool:
        """Tell whether *subject*, asked at the case of *found* alone, answers wrongly too."""
        with Panel(found.case.graph, self.solvers, solver_last=True) as judges:
            judge = judges.claims_at(found.case.instance)
            answers = judge_answers(subject, [found.about], found.case, judge, self.notion, self.seconds)
        return any(judged.outcome is not Outcome.HOLDS for _, judged in answers.judged)

    def _recount(self, found: Finding[Any], full: Judged) -> None:
        self.report.counts[found.about, found.verdict] -= found.times
        self.report.counts[found.about, full.verdict.value] += found.times


def _add(whole: Answers, part: Answers) -> None:
    whole.judged += part.judged
    whole.declined += part.declined
    whole.stderr.update(part.stderr)


def _first_cases(cases: Iterable[ReadCase]) -> Iterator[ReadCase]:
    """Yield cases that new processes are asked about first: of each of some kinds one of middle size."""
    listed = list(cases)
    for kind in FIRST:
        own = [case for case in listed if kind in case.record.kinds]
        own.sort(key=lambda case: (case.graph.node_count, case.record.name))
        if own:
            yield own[len(own) // 2]


_ALL = ("enumerate", "tree_cxps")


def _cells(case: ReadCase) -> int:
    return math.prod(map(len, case.graph.cells))


def _hardness(case: ReadCase, ability: str) -> int:
    """Return the work of trying all combinations, or all XPs and all sets of features."""
    xps = max(len(f) for point in case.points for f in (point.families.axps, point.families.cxps) if f is not None)
    return max(_cells(case), max(xps * XPS_WEIGH, 1 << len(case.graph.features)) if ability in _ALL else 0)


def _steps(deck: Deck, read: dict[str, ReadCase]) -> Iterator[tuple[ReadCase, str, str]]:
    for sequence in sequences(deck):
        for number, step in enumerate(sequence.steps, start=1):
            how, name = step_of(step, set(read))
            yield read[name], how, f"step {number} of the sequence {sequence.name!r}"
