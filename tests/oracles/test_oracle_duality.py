"""Duality of two families, against brute force and on the families that tend to be forgotten."""

from __future__ import annotations

import itertools
import random

import pytest

from xpgcheck.oracles.duality import NotDual, NotDualKind, dual

Family = list[frozenset[int]]


def minimal_hitting_sets(family: Family, universe: int) -> Family:
    """Return the MHSes by trying every subset."""
    found: Family = []
    for size in range(universe + 1):
        for subset in map(frozenset, itertools.combinations(range(universe), size)):
            if all(subset & members for members in family) and not any(known <= subset for known in found):
                found.append(subset)
    return found


def random_antichain(rng: random.Random, universe: int) -> Family:
    sets = {frozenset(i for i in range(universe) if rng.random() < 0.4) for _ in range(rng.randint(1, 7))}
    return [s for s in sets if s and not any(t < s for t in sets if t)]


def is_witness(fault: NotDual | None, axps: Family, cxps: Family, universe: int) -> bool:
    assert fault is not None
    assert fault.kind is NotDualKind.MISSING
    assert fault.first | fault.second == frozenset(range(universe))
    assert not fault.first & fault.second
    return not any(a <= fault.first for a in axps) and not any(c <= fault.second for c in cxps)


@pytest.mark.parametrize("seed", range(60))
def test_a_family_and_its_minimal_hitting_sets_are_dual_and_no_fewer_are(seed: int) -> None:
    rng = random.Random(seed)
    universe = rng.randint(1, 8)
    axps = random_antichain(rng, universe)
    cxps = minimal_hitting_sets(axps, universe)
    assert dual(axps, cxps, universe) is None
    assert dual(cxps, axps, universe) is None
    for k in range(len(cxps)):
        fewer = [*cxps[:k], *cxps[k + 1 :]]
        assert is_witness(dual(axps, fewer, universe), axps, fewer, universe)
    for k in range(len(axps)):
        fewer = [*axps[:k], *axps[k + 1 :]]
        assert is_witness(dual(fewer, cxps, universe), fewer, cxps, universe)
        # A hitting set that is not minimal, or too small a set: the pair no longer is dual either.
        extra = axps[k] | {rng.randrange(universe)}
        if extra != axps[k]:
            assert dual([*fewer, extra], cxps, universe) is not None


@pytest.mark.parametrize(
    ("axps", "cxps", "kind"),
    [
        ([set()], [], None),
        ([], [set()], None),
        ([], [], NotDualKind.MISSING),
        ([set()], [{0}], NotDualKind.DISJOINT),
        ([set()], [set()], NotDualKind.DISJOINT),
        ([{0}], [{0}], None),
        ([{0, 1}], [{0}, {1}], None),
        ([{0}, {1}], [{0}], NotDualKind.DISJOINT),
        ([{0}], [], NotDualKind.MISSING),
        ([{0, 1}], [{0}], NotDualKind.MISSING),
        ([{0}, {0}], [{0}], NotDualKind.DUPLICATE),
        ([{0}], [{0}, {0, 1}], NotDualKind.NOT_MINIMAL),
        ([set(), {0}], [], NotDualKind.NOT_MINIMAL),
    ],
)
def test_small_and_degenerate_families(axps: Family, cxps: Family, kind: NotDualKind | None) -> None:
    fault = dual(axps, cxps, 2)
    assert (fault.kind if fault else None) is kind


def test_two_sets_at_fault_are_named() -> None:
    assert dual([{0, 1}], [{2}], 3) == NotDual(NotDualKind.DISJOINT, frozenset({0, 1}), frozenset({2}))
    assert dual([{0, 1}, {1}], [{1}], 3) == NotDual(NotDualKind.NOT_MINIMAL, frozenset({1}), frozenset({0, 1}))


def test_no_features_at_all() -> None:
    assert dual([set()], [], 0) is None


def test_a_feature_outside_the_universe_is_refused() -> None:
    with pytest.raises(ValueError, match="feature 5 is outside the universe of 3"):
        dual([{5}], [], 3)


def test_thousands_of_sets_and_a_thousand_features_need_no_recursion() -> None:
    """2^11 choices of one from each of 11 pairs against the pairs; and 1,500 singletons against one set."""
    pairs = [frozenset({2 * k, 2 * k + 1}) for k in range(11)]
    choices = [frozenset(c) for c in itertools.product(*pairs)]
    assert dual(pairs, choices, 22) is None
    fewer = choices[:777] + choices[778:]
    fault = dual(pairs, fewer, 22)
    assert is_witness(fault, pairs, fewer, 22)
    singletons = [frozenset({k}) for k in range(1500)]
    assert dual(singletons, [frozenset(range(1500))], 1500) is None
