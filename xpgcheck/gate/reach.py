"""The gate's reach: which broken explainers it catches, by the deck alone, by a default run, by many random cases."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import msgspec

from xpgcheck.deck.documents import Deck
from xpgcheck.deck.storage import read_deck
from xpgcheck.gate.deck_run import DeckRun
from xpgcheck.gate.inputs import Selection
from xpgcheck.gate.plan import Cases, GatePlan, InProcess, selected_models
from xpgcheck.gate.profiles import gate_profile
from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.results import Finding
from xpgcheck.gate.run import DRAWN_SHARE, MAX_DRAWN, UNIT, gate
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.graph_bugs import properties_for
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug, reach_bugs, seeded_bugs
from xpgcheck.properties.selftest import made
from xpgcheck.properties.subjects import GRAPH_KIND, abilities, models_of
from xpgcheck.runs.pool import pooled

PATIENCE = 5.0
"""The time of this process, whatever else runs, that an ability may take on large cases: textbooks try all sets."""

DECK, DEFAULT, MANY = "the deck", "the default run", "many random cases"

Open = Callable[[SeededBug], AbstractContextManager[Any]]


@dataclass(frozen=True, slots=True)
class Reached:
    """The run that catches the bug *name* first ("" where none does), the ability found wrong there, and the verdict.

    ``many`` says whether a run of many random cases catches it.
    """

    name: str
    by: str = ""
    about: str = ""
    verdict: str = ""
    many: bool = False


def catalogue() -> tuple[SeededBug, ...]:
    """Return the explainers and oracles that the gate's reach is measured on, each to be caught by a gate."""
    return (*seeded_bugs(), *reach_bugs())


def by_the_deck(bug: SeededBug, subject: Any) -> list[Finding[Any]]:
    """Return what the deck alone finds wrong of *subject*, which has *bug*."""
    can = [name for name in ASKED if name in abilities(subject)]
    if not can or GRAPH_KIND not in models_of(subject):
        return []
    run = DeckRun(subject, can, Notion.FEATURES, bug.seconds, ("z3",), first_only=True, large_seconds=PATIENCE)
    run.started, run.clock = lambda: made(bug), time.process_time
    return _wrong(run.run(_deck_for(bug)).findings)


def _deck_for(bug: SeededBug) -> Deck:
    """Return the deck with the cases first that are aimed at the kind of *bug*: it ends where that is caught.

    As it is where the order can matter, for what is kept of earlier questions.
    """
    deck = read_deck()
    kind = next((kind for kind, said in deck.kinds.items() if said == bug.source and kind != "state"), None)
    if kind is None:
        return deck
    return msgspec.structs.replace(deck, cases=sorted(deck.cases, key=lambda case: kind not in case.kinds))


def _wrong(findings: list[Finding[Any]]) -> list[Finding[Any]]:
    return [finding for finding in findings if finding.outcome is Outcome.VIOLATED]


def by_properties(bug: SeededBug, subject: Any, examples: int, seed: int) -> list[Failure[Any]]:
    """Return the first property that fails of *subject* on the cases that a run generates, unit by unit, as it is met."""
    own = gate_profile("default")
    for number, start in enumerate(range(0, examples, UNIT)):
        found = explore(
            properties_for(bug, smt=own.smt),
            subject,
            examples=min(UNIT, examples - start),
            seed=seed + (number << 40),
            size=own.size,
            seconds=bug.seconds,
            shrink=False,
            first_only=True,
        )
        if found.findings:
            return list(found.findings)
    return []


def by_random_cases(bug: SeededBug, subject: Any, examples: int, seed: int) -> list[Finding[Any]]:
    """Return what the claims of a run without the deck show to be wrong: models and *examples* generated cases."""
    can = [name for name in ASKED if name in abilities(subject)]
    if not can:
        return []
    if GRAPH_KIND in models_of(subject):
        nothing = msgspec.structs.replace(read_deck(), cases=[], sequences=[])
        run = DeckRun(subject, can, Notion.FEATURES, bug.seconds, ("z3",), first_only=True)
        run.drawn, run.seed = min(examples // DRAWN_SHARE, MAX_DRAWN), seed
        found = _wrong(run.run(nothing).findings)
        if found:
            return found
    own = gate_profile("default")
    cases = Cases(examples, seed, own.size, (), ())
    return _wrong(gate(GatePlan(InProcess(subject), cases, _models(), seconds=bug.seconds, stop_first=True)).findings)


@functools.cache
def _models() -> Any:
    return selected_models((), Selection(sample=gate_profile("default").sample, seed=0))


def caught(bug: SeededBug, examples: int, seed: int = 0, opened: Open = made) -> Reached:
    """Return what catches *bug* first: the deck, the rest of a default run, or a run with *examples* random cases.

    A bug that the deck catches is caught by all three.  A larger run asks other random cases than a default one, as
    Hypothesis spreads them by their number: it is made for all others.
    """
    few = gate_profile("default").examples
    with opened(bug) as subject:
        found = by_the_deck(bug, subject)
    if found:
        return Reached(bug.name, DECK, found[0].about, found[0].verdict, many=True)
    default = _random(bug, few, seed, opened)
    many = _random(bug, examples, seed, opened) if examples > few else default
    first = default or many
    if first is None:
        return Reached(bug.name)
    return Reached(bug.name, DEFAULT if default else MANY, *first, many=many is not None)


def _random(bug: SeededBug, examples: int, seed: int, opened: Open) -> tuple[str, str] | None:
    """Return an ability that random cases show to be wrong, and the verdict.

    Properties, which a run tries after claims, come first here: they end sooner.
    """
    with opened(bug) as subject:
        failures = by_properties(bug, subject, examples, seed)
    if failures:
        return failures[0].property_name, failures[0].verdict
    with opened(bug) as subject:
        found = by_random_cases(bug, subject, examples, seed)
    return (found[0].about, found[0].verdict) if found else None


def reach(bugs: Sequence[SeededBug], examples: int, jobs: int) -> Iterator[Reached]:
    """Yield what catches each of *bugs*, as they end; see :func:`caught`."""
    work = functools.partial(caught, examples=examples)
    for _, found in pooled(work, bugs, jobs, lambda bug: f"seeded bug {bug.name}"):
        yield found
