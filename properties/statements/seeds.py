"""Seeds: Algorithms 2 and 3 return an XP that lies inside the seed they are given."""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.statements.minimality import require_minimal
from xpgcheck.properties.statements.soundness import require_effective, require_sufficient
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Algorithm 2", "axp_inside")
def an_axp_lies_inside_its_seed(trial: Trial) -> None:
    """From a weak AXp as the seed comes a subset of it."""
    for seed in weak_axps(trial):
        require_inside(trial, "AXp", trial.inside("axp_inside", seed), seed)


@holds("Algorithm 3", "cxp_inside")
def a_cxp_lies_inside_its_seed(trial: Trial) -> None:
    """From a weak CXp as the seed comes a subset of it."""
    for seed in weak_cxps(trial):
        require_inside(trial, "CXp", trial.inside("cxp_inside", seed), seed)


@holds("Algorithm 2, Eq. 1", "axp_inside")
def an_axp_from_a_seed_is_an_axp(trial: Trial) -> None:
    """From a weak AXp as the seed comes an AXp: it suffices, and no feature can be left out of it."""
    for seed in weak_axps(trial):
        claim = trial.inside("axp_inside", seed)
        require_sufficient(trial, claim)
        require_minimal(trial, "AXp", claim)


@holds("Algorithm 3, Eq. 2", "cxp_inside")
def a_cxp_from_a_seed_is_a_cxp(trial: Trial) -> None:
    """From a weak CXp as the seed comes a CXp: it can change the class, and no feature can be left out of it."""
    for seed in weak_cxps(trial):
        claim = trial.inside("cxp_inside", seed)
        require_effective(trial, claim)
        require_minimal(trial, "CXp", claim)


def weak_axps(trial: Trial) -> Iterator[frozenset[int]]:
    """Yield seeds for Algorithm 2: sets of features that the oracles call weak AXps."""
    return (seed for seed in trial.subsets if trial.is_weak_axp(seed))


def weak_cxps(trial: Trial) -> Iterator[frozenset[int]]:
    """Yield seeds for Algorithm 3: sets of features that the oracles call weak CXps."""
    return (seed for seed in trial.subsets if trial.is_weak_cxp(seed))


def require_inside(trial: Trial, kind: str, claim: frozenset[int], seed: frozenset[int]) -> None:
    """Raise a ``Violation`` unless *claim* is a subset of *seed*."""
    outside = claim - seed
    if outside:
        evidence = f"{kind} {trial.text(claim)} from the seed {trial.text(seed)} holds {trial.text(outside)} too"
        raise Violation("outside the seed", evidence)
