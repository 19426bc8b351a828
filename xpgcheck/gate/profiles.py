"""Profiles: how much a gate does in addition to the deck, as settings named for a desk, a change, a release, a night."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.errors import InputError, shown


@dataclass(frozen=True, slots=True)
class GateProfile:
    """``examples`` generated cases of at most ``size`` nodes, ``sample`` instances of a model, SMT properties if ``smt``.

    ``budget`` is what that takes of our own time, about, on one core: the subject's comes on top.
    """

    examples: int
    size: int
    sample: int
    smt: bool
    budget: str


GATE_PROFILES = {
    "quick": GateProfile(20, 12, 2, smt=False, budget="3 s"),
    "default": GateProfile(100, 12, 5, smt=False, budget="10 s"),
    "thorough": GateProfile(1_000, 12, 20, smt=True, budget="2 min"),
    "nightly": GateProfile(50_000, 40, 50, smt=True, budget="3 h"),
}
"""The profiles by name."""

OLD = {"dev": "default", "ci": "thorough"}
"""Profiles that had another name."""


def gate_profile(name: str) -> GateProfile:
    """Return the profile called *name*.  Raises ``InputError`` where there is none."""
    own = OLD.get(name, name)
    if own not in GATE_PROFILES:
        raise InputError(f"no profile is called {shown(name)}", mend=f"use one of {', '.join(GATE_PROFILES)}")
    return GATE_PROFILES[own]


def choices() -> str:
    """Return the profiles with what they choose, as the help says it."""
    return "; ".join(
        f"{name}: {p.examples} cases, {p.sample} instances, {p.budget}" for name, p in GATE_PROFILES.items()
    )
