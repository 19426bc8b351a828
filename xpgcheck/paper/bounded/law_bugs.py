"""Seeded bugs of the code under test, to be caught by the laws that name them, on every graph of a size."""

from __future__ import annotations

from collections.abc import Callable

from xpgcheck.paper.bounded import forms
from xpgcheck.paper.bounded.campaign import Campaign, run
from xpgcheck.paper.bounded.generation import Bound
from xpgcheck.paper.bounded.laws import LAWS
from xpgcheck.properties.cases import Case
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings

BOUNDS = (Bound(2, 2, 2, 2), Bound(2, 2, 3, 2), Bound(3, 3, 3, 2))
"""Sizes in which a bug is looked for, one after the other."""

CASES = 5_000
"""Cases of a size, of graphs with few non-terminals first, within which every bug has to be caught."""


def _failing(bug: SeededBug, settings: SelftestSettings) -> tuple[str, ...]:
    _, found = _tried(bug, settings, lambda campaign: len(campaign.first) == len(campaign.asked))
    return tuple(found.first)


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure | None:
    # Nothing is left to a seed, and nothing to shrink: the graphs come in the order of their size.
    bound, found = _tried(bug, settings, lambda campaign: bool(campaign.first))
    for violation in found.first.values():
        case = Case(violation.graph(bound), forms.instance(bound))
        return Failure(violation.law, bug.name, "violated", violation.what, case, found.cases, f"graphs of {bound}")
    return None


def _tried(bug: SeededBug, settings: SelftestSettings, enough: Callable[[Campaign], bool]) -> tuple[Bound, Campaign]:
    """Ask the laws that name *bug* of the graphs of one size after the other, until some fail; return the last of these."""
    laws = [law for law in LAWS if bug.name in law.turned_red_by]
    for bound in BOUNDS:
        found = run(
            bound,
            code=bug.make(),
            laws=laws,
            enough=lambda campaign: campaign.cases >= settings.examples or enough(campaign),
        )
        if found.first:
            break
    return bound, found


GROUND = BugGround(
    {"code": "function"},
    ("non-terminals", "features"),
    BugsPage(
        "Seeded bugs of the code under test",
        "Functions",
        "../explanation/paper.md",
        CASES,
        "non-terminals and features of the first graph, of which none is smaller",
    ),
    lambda: LAWS,
    _failing,
    _first,
)
