"""Wrong explainers of ensembles, which the gate has to catch on generated ensembles."""

from __future__ import annotations

from typing import Any, NamedTuple

from xpgcheck.gate.plan import Cases
from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.results import Finding
from xpgcheck.gate.search import search
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings
from xpgcheck.properties.subjects import abilities, models_of

LOOKED_AT = 60
"""Ensembles on which every ability is asked for, to see all whose answers are wrong."""


FIRST_LOOK = 15
"""Ensembles that are tried first to catch a bug: most need no more."""


class AskedAbility(NamedTuple):
    """An ability that the gate asks for."""

    name: str


def _checks() -> list[AskedAbility]:
    # Nobody asks whether an ensemble is a tree.
    return [AskedAbility(name) for name in ASKED if name != "tree_cxps"]


def wrong_claims(
    bug: SeededBug, examples: int, seed: int, settings: SelftestSettings, asked: str = ""
) -> list[Finding[Any]]:
    """Return what is found wrong on *examples* generated ensembles, by the case on which it came up.

    Of one ability, *asked*, the findings are shrunk; of all, they are as they came.
    """
    with settings.open(bug) as subject:
        cases = Cases(examples, seed, settings.size, models=models_of(subject))
        can = [asked] if asked else sorted(abilities(subject))
        report = search(subject, can, Notion.FEATURES, cases, bug.seconds, shrink=bool(asked))
    wrong = [finding for finding in report.findings if finding.outcome is Outcome.VIOLATED]
    return sorted(wrong, key=lambda finding: finding.example or examples)


def _failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
    return frozenset(found.about for found in wrong_claims(bug, LOOKED_AT, settings.first_seed, settings))


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[Any] | None:
    own, examples = settings.first_seed + seed, FIRST_LOOK
    found = wrong_claims(bug, min(examples, settings.examples), own, settings)
    while not found and examples < settings.examples:
        examples *= 4
        found = wrong_claims(bug, min(examples, settings.examples), own, settings)
    if found and seed < settings.shrunk:
        found = wrong_claims(bug, found[0].example or examples, own, settings, found[0].about) or found
    return next((Failure(f.about, bug.name, f.verdict, f.text, f.case, f.example, f.origin) for f in found), None)


GROUND = BugGround(
    {"ensemble explainer": "explainer"},
    ("non-terminals", "features"),
    BugsPage(
        "Seeded bugs of explainers of ensembles",
        "Explainers",
        "../how-to/gate.md",
        LOOKED_AT,
        "non-terminals and features of the largest counterexample after shrinking",
    ),
    _checks,
    _failing,
    _first,
)
