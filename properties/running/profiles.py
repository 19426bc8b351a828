"""Profiles: how much a run does, as settings named for a desk, a change, a night."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.errors import InputError, shown


@dataclass(frozen=True, slots=True)
class Profile:
    """``examples`` cases of at most ``size``, with the SMT properties if ``smt``."""

    examples: int
    size: int
    smt: bool


PROFILES = {
    "dev": Profile(200, 12, smt=False),
    "ci": Profile(1_000, 12, smt=True),
    "nightly": Profile(50_000, 40, smt=True),
}
"""The profiles by name."""


def profile(name: str) -> Profile:
    """Return the profile called *name*.  Raises ``InputError`` where there is none."""
    if name not in PROFILES:
        raise InputError(f"no profile is called {shown(name)}", mend=f"use one of {', '.join(PROFILES)}")
    return PROFILES[name]
