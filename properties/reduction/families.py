"""PySAT's hard families in sizes small enough to exhaust: PHP, GT, CB and PAR (``pysat.examples.genhard``).

The smallest are tried with every route and every property.  The others have too many clauses or variables for the routes
that go through all subsets or all points: those decline, the solvers' routes are compared, and what was asked is returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.properties.reduction.campaign import judge
from xpgcheck.properties.reduction.cases import FormulaCase
from xpgcheck.properties.reduction.catalogue import chosen
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.reduction.trials import Trial
from xpgcheck.properties.running.outcomes import Tally

SIZES: dict[str, tuple[int, ...]] = {"PHP": (1, 2, 3, 4), "GT": (1, 2, 3), "CB": (1, 2), "PAR": (1, 2, 3)}
"""The sizes that take seconds each at most."""

LARGE_SIZES: dict[str, tuple[int, ...]] = {"GT": (4,), "CB": (3,)}
"""Sizes with thousands of MUSes or MCSes."""


@dataclass(slots=True)
class FamilyOutcome:
    """What came of a formula of a family: the violations by property, the open and silent properties, and who answered."""

    name: str
    formula: Cnf
    violations: dict[str, str] = field(default_factory=dict)
    held: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    muses: int = 0
    mcses: int = 0


def hard_formula(family: str, size: int) -> Cnf:
    """Return the formula of *size* of a family (a class of ``genhard``)."""
    from pysat.examples import genhard

    made = getattr(genhard, family)(size)
    return cnf(made.clauses, made.nv)


def hard_formulas(*, large: bool = False) -> dict[str, Cnf]:
    """Return the formulas by name, ``PHP 2``; the large ones if *large*."""
    sizes = LARGE_SIZES if large else SIZES
    return {f"{family} {size}": hard_formula(family, size) for family, all_ in sizes.items() for size in all_}


def examine(
    name: str,
    formula: Cnf,
    properties: Sequence[str] = (),
    routes: HonestRoutes | None = None,
    *,
    thorough: bool = False,
) -> FamilyOutcome:
    """Try *properties* (all if empty) on one formula; with *thorough* slow routes are asked of every clause."""
    trial = Trial(FormulaCase(formula), routes or HonestRoutes(), thorough=thorough)
    outcome = FamilyOutcome(name, formula)
    for check in chosen(properties):
        tally = Tally()
        violation = judge(check, trial, tally)
        if violation is not None:
            outcome.violations[check.name] = str(violation)
        else:
            (outcome.held if tally.held else outcome.open if tally.open else outcome.silent).append(check.name)
    outcome.answers = trial.answers
    outcome.muses, outcome.mcses = len(trial.reference), len(trial.each("mcses", ("marco",))[0][1])
    return outcome
