"""All XPs of a classifier found by asking its judges: for membership, where no explainer has candidates.

A minimal hitting set of the AXps found so far is either a CXp, or its complement is a weak AXp that holds a new one.
When all of them are CXps, both families are complete (Reiter's duality).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xpgcheck.judging.candidates import candidate_duals
from xpgcheck.judging.claim import Members
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.xp_judge import shrink_axp

MAX_QUESTIONS = 4_000
"""Questions that finding all XPs of an instance may take; beyond, there may be others."""

MAX_XPS = 500
"""XPs of one kind that are looked for, for the same reason."""


@dataclass(slots=True)
class FoundXps:
    """XPs of an instance, each by the oracles' word; where ``problem`` says why, there may be others."""

    axps: list[Members] = field(default_factory=list)
    cxps: list[Members] = field(default_factory=list)
    problem: str = ""


def found_xps(consensus: Consensus, budget: int) -> FoundXps:
    """Return all AXps and CXps of the instance of *consensus*, or those found until a limit was reached.

    *budget* bounds the comparisons of two sets of each dualization.  One question a CXp, and one a feature for each AXp.
    """
    everything = frozenset(range(consensus.features))
    found = FoundXps()
    known: set[Members] = set()
    while not found.problem:
        duals = candidate_duals(found.axps, budget)
        if duals is None or len(duals) > MAX_XPS or len(found.axps) > MAX_XPS:
            found.problem = "the instance has too many XPs"
        elif consensus.queries.total() > MAX_QUESTIONS:
            found.problem = f"finding all XPs takes more than {MAX_QUESTIONS:,} questions"
        else:
            new = _first_that_is_none(consensus, duals, known, found)
            if new is None:
                break
            axp = shrink_axp(consensus, everything - new)
            if axp is None:
                found.problem = "an XP could not be shrunk, as a question stayed open"
            else:
                found.axps.append(axp)
    found.cxps = sorted(known, key=sorted)
    return found


def _first_that_is_none(
    consensus: Consensus, duals: list[Members], known: set[Members], found: FoundXps
) -> Members | None:
    """Return the first of *duals* that is no weak CXp; those before it are CXps, and *known* from then on.

    A set that hits all AXps found so far and no proper part of which does is a CXp if it is a weak one.
    """
    everything = frozenset(range(consensus.features))
    for members in duals:
        if members in known:
            continue
        belief = consensus.ask(everything - members)
        if belief.changeable is None:
            found.problem = belief.reason
            return None
        if not belief.changeable:
            return members
        known.add(members)
    return None
