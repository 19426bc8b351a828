"""The gate's reach: which broken explainers it catches, by the deck alone, by a default run, by many random cases."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from xpgcheck.deck.storage import read_deck
from xpgcheck.gate.deck_run import DeckRun
from xpgcheck.gate.inputs import Selection
from xpgcheck.gate.plan import Cases, GatePlan, InProcess, selected_models
from xpgcheck.gate.profiles import gate_profile
from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.results import Finding
from xpgcheck.gate.run import DRAWN_SHARE, gate
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.catalogue import chosen
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.graph_bugs import properties_for
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug, reach_bugs, seeded_bugs
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings
from xpgcheck.properties.subjects import GRAPH_KIND, abilities, models_of

PATIENCE = 3.0
"""The time that an ability may take on large cases: the textbook lists large families by brute force."""

DECK, DEFAULT, MANY = "the deck", "the default run", "many random cases"


class AskedAbility(NamedTuple):
    """An ability that the gate asks for."""

    name: str


def catalogue() -> tuple[SeededBug, ...]:
    """Return the explainers and oracles that the gate's reach is measured on, each to be caught by a gate."""
    own = (replace(bug, ground=__name__) for bug in seeded_bugs())
    return (*own, *reach_bugs())


def by_the_deck(bug: SeededBug, subject: Any) -> list[Finding[Any]]:
    """Return what the deck alone finds wrong of *subject*, which has *bug*."""
    can = [name for name in ASKED if name in abilities(subject)]
    if not can or GRAPH_KIND not in models_of(subject):
        return []
    report = DeckRun(subject, can, Notion.FEATURES, bug.seconds, ("z3",), first_only=True, large_seconds=PATIENCE).run(
        read_deck()
    )
    return _wrong(report.findings)


def _wrong(findings: list[Finding[Any]]) -> list[Finding[Any]]:
    return [finding for finding in findings if finding.outcome is Outcome.VIOLATED]


def by_properties(bug: SeededBug, subject: Any, examples: int, seed: int) -> list[Failure[Any]]:
    """Return the first property that fails of *subject* on the cases that a run generates, as it is met."""
    own = gate_profile("default")
    found = explore(
        properties_for(bug, smt=own.smt),
        subject,
        examples=examples,
        seed=seed,
        size=own.size,
        seconds=bug.seconds,
        shrink=False,
        first_only=True,
    )
    return list(found.findings)


def by_random_cases(bug: SeededBug, subject: Any, examples: int, seed: int) -> list[Finding[Any]]:
    """Return what a run without the deck finds wrong: models and *examples* generated cases, as by default."""
    own = gate_profile("default")
    plan = GatePlan(
        InProcess(subject),
        Cases(examples, seed, own.size, (), ()),
        _models(),
        (),
        tuple(p.name for p in chosen((), smt=own.smt)),
        bug.seconds,
    )
    can = [name for name in ASKED if name in abilities(subject)]
    if can and GRAPH_KIND in models_of(subject):
        nothing = msgspec.structs.replace(read_deck(), cases=[], sequences=[])
        like_the_deck = DeckRun(
            subject,
            can,
            Notion.FEATURES,
            bug.seconds,
            ("z3",),
            first_only=True,
            drawn=examples // DRAWN_SHARE,
            seed=seed,
        )
        found = _wrong(like_the_deck.run(nothing).findings)
        if found:
            return found
    return _wrong(gate(plan).findings)


@functools.cache
def _models() -> Any:
    return selected_models((), Selection(sample=gate_profile("default").sample, seed=0))


def _failing(bug: SeededBug, settings: SelftestSettings) -> Collection[str]:
    # The first failure is measured: asking for all abilities again would take as long once more.
    return ()


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[Any] | None:
    with settings.open(bug) as subject:
        found = by_the_deck(bug, subject)
    if found:
        return _failure(bug, found[0], DECK)
    runs = [(gate_profile("default").examples, DEFAULT)]
    if settings.examples > runs[0][0]:
        runs.append((settings.examples, MANY))
    for examples, where in runs:
        # The examples that a run tries after claims come first here: they are quick where a run ends at the first failure.
        with settings.open(bug) as subject:
            failures = by_properties(bug, subject, examples, settings.first_seed + seed)
        if failures:
            return replace(failures[0], origin=where)
        with settings.open(bug) as subject:
            found = by_random_cases(bug, subject, examples, settings.first_seed + seed)
        if found:
            return _failure(bug, found[0], where)
    return None


def _failure(bug: SeededBug, found: Finding[Any], where: str) -> Failure[Any]:
    return Failure(found.about, bug.name, found.verdict, found.text, found.case, 0, where)


GROUND = BugGround(
    {"explainer": "explainer", "oracle": "oracle", "explainer beyond small graphs": "explainer"},
    ("non-terminals", "features"),
    BugsPage(
        "The gate's reach",
        "Explainers and oracles",
        "../reference/gate-reach.md",
        0,
        "non-terminals and features of the case on which it was caught",
    ),
    lambda: [AskedAbility(name) for name in ASKED],
    _failing,
    _first,
)
