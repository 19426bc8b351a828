"""Checks of the laws: each is a function of a case that returns what differs, in words, or None.

The truth is the bare table's; sets of features are masks.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

from xpgcheck.paper.bounded import forms
from xpgcheck.paper.bounded.cases import BoundedCase, family_text, mask, members, sorted_families, text
from xpgcheck.paper.bounded.truth import NOWHERE, minimal, minimal_hitting_sets
from xpgcheck.xpg.find_one import SeedError


def definition(case: BoundedCase) -> str | None:
    """Ask the project's check of assumptions (i) and (ii); it raises where they do not hold."""
    case.code.check_assumptions(case.graph)
    return None


def one_terminal(case: BoundedCase) -> str | None:
    """Compare the class of the terminal that each point reaches with the table."""
    reached = 0
    for end, points in case.ends.items():
        if reached & points or end == NOWHERE:
            return "some points reach no terminal, or two"
        reached |= points
    classes = case.graph.class_of
    for number, terminal in enumerate(case.terminals):
        if not case.ends.get(classes[terminal], 0) >> number & 1:
            point = forms.points(case.bound)[number]
            return f"κ{point} = {classes[terminal]} in the project, and not in the table"
    return None


def each_terminal_reached(case: BoundedCase) -> str | None:
    """Look for a terminal that no point reaches."""
    reached = set(case.terminals)
    lost = [node for node, class_index in enumerate(case.graph.class_of) if class_index >= 0 and node not in reached]
    return f"no point reaches terminal {case.graph.node_ids[lost[0]]!r}" if lost else None


def sigma_is_eq_1(case: BoundedCase) -> str | None:
    """Compare σ with Eq. 1 at every set."""
    for s, (value, true) in enumerate(zip(case.sigma, case.truth.sufficient, strict=True)):
        if value != true:
            return f"σ is {int(value)} at {text(s)}, and Eq. 1 {'holds' if true else 'does not hold'}"
    return None


def sound(case: BoundedCase) -> str | None:
    """Look for a set with σ = 1 where Eq. 1 does not hold."""
    for s, (value, true) in enumerate(zip(case.sigma, case.truth.sufficient, strict=True)):
        if value and not true:
            return f"σ is 1 at {text(s)}, and Eq. 1 does not hold"
    return None


def monotone(case: BoundedCase) -> str | None:
    """Look for a set and a feature more where σ falls."""
    for s, value in enumerate(case.sigma):
        for feature in range(case.bound.features):
            if value and not case.sigma[s | 1 << feature]:
                return f"σ is 1 at {text(s)} and 0 at {text(s | 1 << feature)}"
    return None


def same_xps(case: BoundedCase) -> str | None:
    """Compare the minimal sets of σ with the XPs by the definitions."""
    everything = len(case.sigma) - 1
    axps = minimal(s for s, value in enumerate(case.sigma) if value)
    cxps = minimal(s for s in range(everything + 1) if not case.sigma[everything & ~s])
    return _families_differ(case, (axps, cxps))


def path_to_zero(case: BoundedCase) -> str | None:
    """Compare the linear Algorithm 1 with Eq. 2 at every set."""
    return _paths_differ(case, case.code.path_to_zero, "path_to_zero")


def path_to_zero_as_printed(case: BoundedCase) -> str | None:
    """Compare the printed Algorithm 1 with Eq. 2 at every set."""
    return _paths_differ(case, case.code.path_to_zero_as_printed, "Algorithm 1 as printed")


def _paths_differ(case: BoundedCase, found: Callable[..., bool], name: str) -> str | None:
    for free in range(1 << case.bound.features):
        if found(case.xpg, members(free)) != case.truth.weak_cxp(free):
            return f"{name} errs with {text(free)} free"
    return None


def algorithm_2(case: BoundedCase) -> str | None:
    """Compare Algorithm 2 from every seed, in increasing and decreasing order, with deletion by Eq. 1."""
    truth, features = case.truth, range(case.bound.features)
    backwards = features[::-1]
    for seed in range(1 << case.bound.features):
        if not truth.sufficient[seed]:
            if not _refused(case.code.find_axp, case, seed):
                return f"find_axp does not refuse the seed {text(seed)}"
            continue
        for order in (None, backwards):
            found = mask(case.code.find_axp(case.xpg, members(seed), order))
            if found != truth.axp_inside(seed, order or features):
                return f"find_axp gives {text(found)} from {text(seed)}" + (" backwards" if order else "")
    return None


def algorithm_2_as_printed(case: BoundedCase) -> str | None:
    """Compare the printed Algorithm 2 from every weak AXp with deletion by Eq. 1."""
    truth, features = case.truth, range(case.bound.features)
    for seed in range(1 << case.bound.features):
        if truth.sufficient[seed]:
            found = mask(case.code.find_axp_by_deletion(case.xpg, members(seed)))
            if found != truth.axp_inside(seed, features) or found not in truth.axps:
                return f"Algorithm 2 gives {text(found)} from {text(seed)}"
    return None


def algorithm_3(case: BoundedCase) -> str | None:
    """Compare Algorithm 3 from every seed, without order and in two, with the CXps and deletion by Eq. 2."""
    truth, features = case.truth, range(case.bound.features)
    for seed in range(1 << case.bound.features):
        if not truth.weak_cxp(seed):
            if not _refused(case.code.find_cxp, case, seed):
                return f"find_cxp does not refuse the seed {text(seed)}"
            continue
        found = mask(case.code.find_cxp(case.xpg, members(seed), None))
        if found not in truth.cxps or found & ~seed:
            return f"find_cxp gives {text(found)} from {text(seed)}"
        for order in (features, features[::-1]):
            found = mask(case.code.find_cxp(case.xpg, members(seed), order))
            if found != truth.cxp_inside(seed, order):
                return f"find_cxp gives {text(found)} from {text(seed)} in the order {list(order)}"
    return None


def algorithm_3_as_printed(case: BoundedCase) -> str | None:
    """Compare the printed Algorithm 3 from every weak CXp with deletion by Eq. 2."""
    truth, features = case.truth, range(case.bound.features)
    for seed in range(1 << case.bound.features):
        if truth.weak_cxp(seed):
            found = mask(case.code.find_cxp_by_deletion(case.xpg, members(seed)))
            if found != truth.cxp_inside(seed, features) or found not in truth.cxps:
                return f"Algorithm 3 gives {text(found)} from {text(seed)}"
    return None


def algorithm_4(case: BoundedCase) -> str | None:
    """Compare Algorithm 4 with the XPs by the definitions, and its SAT calls with their number."""
    xps, sat_calls, complete = case.code.algorithm_4(case.xpg)
    if sat_calls != len(xps) + 1 or not complete:
        return f"{sat_calls} SAT calls for {len(xps)} XPs" + ("" if complete else ", and not complete")
    return _families_differ(case, sorted_families(xps))


def families(case: BoundedCase) -> str | None:
    """Compare the enumeration without SAT with the XPs by the definitions."""
    return _families_differ(case, case.families)


def duality(case: BoundedCase) -> str | None:
    """Compare each enumerated family with the minimal hitting sets of the other, by looking at all sets."""
    axps, cxps = case.families
    for name, family, dual in (("AXps", axps, cxps), ("CXps", cxps, axps)):
        hitting = minimal_hitting_sets(dual, case.bound.features)
        if family != hitting:
            return (
                f"the {name} are {family_text(family)}, the minimal hitting sets of the others {family_text(hitting)}"
            )
    return None


def same_features(case: BoundedCase) -> str | None:
    """Compare the features in enumerated AXps with those in CXps."""
    axps, cxps = (_union(family) for family in case.families)
    return None if axps == cxps else f"{text(axps)} are in AXps, {text(cxps)} in CXps"


def membership(case: BoundedCase) -> str | None:
    """Compare the answer for each feature with the AXps by the definitions."""
    return _members_differ(case, case.code.in_some_xp, "")


def tree_membership(case: BoundedCase) -> str | None:
    """Compare the answer of the tree algorithm for each feature with the AXps by the definitions."""
    return _members_differ(case, case.code.tree_membership, " in XPs of the tree")


def _members_differ(case: BoundedCase, found: Callable[..., bool], where: str) -> str | None:
    union = _union(case.truth.axps)
    for feature in range(case.bound.features):
        if found(case.xpg, feature) != bool(union >> feature & 1):
            return f"membership of x{feature + 1}{where} is answered wrongly"
    return None


def membership_by_sat(case: BoundedCase) -> str | None:
    """Compare the AXp that the SAT query finds for each feature with those by the definitions."""
    union = _union(case.truth.axps)
    for feature, found in enumerate(case.code.axps_with(case.xpg)):
        if (found is not None) != bool(union >> feature & 1):
            return f"the SAT query errs about x{feature + 1}"
        if found is not None and (feature not in found or mask(found) not in case.truth.axps):
            return f"the SAT query gives {text(mask(found))} as an AXp with x{feature + 1}"
    return None


def tree_cxps(case: BoundedCase) -> str | None:
    """Compare the CXps of a tree with those by the definitions, their number with the paths, the steps with both."""
    cxps, visited, compared = case.code.tree_cxps(case.xpg)
    family = tuple(sorted(map(mask, cxps), key=lambda one: (one.bit_count(), one)))
    if family != case.truth.cxps:
        return f"the CXps are {family_text(case.truth.cxps)}, of the tree come {family_text(family)}"
    own = case.graph.kappa(case.instance)
    others = sum(1 for class_index in case.graph.class_of if class_index >= 0 and class_index != own)
    if len(family) > others:
        return f"{len(family)} CXps, and {others} paths to other classes"
    if visited > case.graph.node_count or compared > others**2:
        return f"{visited} nodes visited and {compared} pairs compared"
    return None


def closed_set(case: BoundedCase) -> str | None:
    """Compare what closed sets show with Eq. 1 at every set."""
    oracle = case.code.closed_set(case.graph, case.instance)
    for s, true in enumerate(case.truth.sufficient):
        if (oracle.changeable(members(s)).changeable is False) != true:
            return f"the closed set errs at {text(s)}, where Eq. 1 {'holds' if true else 'does not hold'}"
    return None


def exhaustive(case: BoundedCase) -> str | None:
    """Compare the exhaustive oracle with Eq. 1 at every set, and its witness with what is fixed."""
    oracle = case.code.exhaustive(case.graph, case.instance)
    for s, true in enumerate(case.truth.sufficient):
        answer = oracle.changeable(members(s))
        if answer.changeable is not (not true):
            return f"the exhaustive oracle errs at {text(s)}, where Eq. 1 {'holds' if true else 'does not hold'}"
        if answer.witness is not None and any(answer.witness[feature] != "0" for feature in members(s)):
            return f"the witness {answer.witness} changes {text(s)}"
    return None


def _union(family: tuple[int, ...]) -> int:
    return functools.reduce(operator.or_, family, 0)


def _families_differ(case: BoundedCase, found: tuple[tuple[int, ...], tuple[int, ...]]) -> str | None:
    for name, family, true in zip(("AXps", "CXps"), found, (case.truth.axps, case.truth.cxps), strict=True):
        if family != true:
            return f"the {name} are {family_text(true)}, found are {family_text(family)}"
    return None


def _refused(find: Callable[..., frozenset[int]], case: BoundedCase, seed: int) -> bool:
    try:
        find(case.xpg, members(seed), None)
    except SeedError:
        return True
    return False
