"""Wrong routes of the Σ₂ᵖ reduction, to be caught by its properties, on generated formulas."""

from __future__ import annotations

from xpgcheck.properties.reduction.cases import FormulaCase, formula_text
from xpgcheck.properties.reduction.catalogue import all_properties
from xpgcheck.properties.reduction.exploring import explore_reduction, failing_formulas
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.seeded import SeededBug
from xpgcheck.properties.selftest import BugGround, BugsPage, SelftestSettings

LOOKED_AT = 60
"""Formulas on which every property is tried, to see all that catch a bug."""


def _failing(bug: SeededBug, settings: SelftestSettings) -> frozenset[str]:
    return failing_formulas(LOOKED_AT, settings.first_seed, make=bug.make)


def _first(bug: SeededBug, seed: int, settings: SelftestSettings) -> Failure[FormulaCase] | None:
    shrink, own_seed = seed < settings.shrunk, settings.first_seed + seed
    result = explore_reduction(settings.examples, own_seed, make=bug.make, first_only=True, shrink=shrink)
    return next(iter(result.findings), None)


GROUND = BugGround(
    {"reduction": "route"},
    ("clauses", "literals"),
    BugsPage(
        "Seeded bugs of the reduction",
        "Reductions, solvers and checkers",
        "../explanation/reduction.md",
        LOOKED_AT,
        "the smallest counterexample",
    ),
    all_properties,
    _failing,
    _first,
    shown=lambda finding: formula_text(finding.case.formula),
)
