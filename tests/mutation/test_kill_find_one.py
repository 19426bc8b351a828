"""Algorithms 2 and 3: which XP they give, and what they refuse."""

import random

import pytest
from mutation_corpus import built, mask, subsets, unmask

from xpgcheck.errors import InputError
from xpgcheck.xpg.find_one import (
    SeedError,
    cxp_inside,
    find_axp,
    find_axp_by_deletion,
    find_cxp,
    find_cxp_by_deletion,
    shrink_axp,
    shrink_cxp,
)


def deleted(weak, seed, order):
    """The seed without what can go, one by one in this order: the outcome of Algorithms 2 and 3 as printed."""
    for feature in order:
        if feature in seed and seed - {feature} in weak:
            seed -= {feature}
    return seed


def orders(rng, m):
    """Yield (order given, order of all features that it stands for)."""
    for count in (m, rng.randint(0, m)):
        order = rng.sample(range(m), count)
        yield order, [*order, *(i for i in range(m) if i not in order)]
    twice = rng.choices(range(m), k=m)
    yield twice, [*twice, *(i for i in range(m) if i not in twice)]


def test_an_axp_inside_a_seed():
    rng = random.Random(24)
    for parts, xpg, truth in built():
        everything = frozenset(range(parts.m))
        increasing = deleted(truth.weak_axps, everything, range(parts.m))
        assert find_axp(xpg) == find_axp(xpg, None) == find_axp_by_deletion(xpg, everything) == increasing
        assert type(find_axp(xpg)) is frozenset
        for seed in subsets(everything):
            if seed not in truth.weak_axps:
                with pytest.raises(SeedError) as caught:
                    find_axp(xpg, seed)
                error = caught.value
                assert error.seed == seed
                assert str(error) == (
                    "seed: fixing these features does not suffice for the prediction; give a larger seed"
                )
                assert (error.place, error.mend) == ("seed", "give a larger seed")
                continue
            expected = deleted(truth.weak_axps, seed, range(parts.m))
            assert find_axp(xpg, iter(seed)) == find_axp_by_deletion(xpg, iter(seed)) == expected
            assert shrink_axp(xpg, mask(seed)) == mask(expected)
            for order, whole in orders(rng, parts.m):
                assert find_axp(xpg, seed, order) == deleted(truth.weak_axps, seed, whole)
                assert unmask(shrink_axp(xpg, mask(seed), order)) == deleted(truth.weak_axps, seed, order)


def test_a_cxp_inside_a_seed():
    rng = random.Random(25)
    for parts, xpg, truth in built():
        everything = frozenset(range(parts.m))
        for seed in subsets(everything):
            if seed not in truth.weak_cxps:
                for refused in (find_cxp, lambda xpg, seed: shrink_cxp(xpg, mask(seed), [])):
                    with pytest.raises(SeedError) as caught:
                        refused(xpg, seed)
                    error = caught.value
                    assert error.seed == seed
                    assert str(error) == (
                        "seed: freeing these features cannot change the prediction; "
                        "give a larger seed (a constant classifier has no CXp)"
                    )
                    assert (error.place, error.mend) == (
                        "seed",
                        "give a larger seed (a constant classifier has no CXp)",
                    )
                assert cxp_inside(xpg, mask(seed)) is None
                continue
            inside = {y for y in truth.cxps if y <= seed}
            found = [
                find_cxp(xpg, iter(seed)),
                *map(unmask, (shrink_cxp(xpg, mask(seed)), cxp_inside(xpg, mask(seed)))),
            ]
            assert set(found) <= inside
            assert type(found[0]) is frozenset
            assert find_cxp_by_deletion(xpg, iter(seed)) == deleted(truth.weak_cxps, seed, range(parts.m))
            for order, whole in orders(rng, parts.m):
                assert find_cxp(xpg, seed, order) == deleted(truth.weak_cxps, seed, whole)
                assert unmask(shrink_cxp(xpg, mask(seed), order)) == deleted(truth.weak_cxps, seed, order)
        if everything in truth.weak_cxps:
            assert find_cxp(xpg) in truth.cxps
            assert find_cxp(xpg, order=[]) == deleted(truth.weak_cxps, everything, range(parts.m))


@pytest.mark.parametrize("wrong", [-1, 3])
def test_features_that_do_not_exist_are_refused(wrong):
    xpg = built()[1][1]
    assert len(xpg.variables) == 3
    calls = (
        lambda: find_axp(xpg, [0, wrong, 7]),
        lambda: find_cxp(xpg, [2, wrong, 7]),
        lambda: find_axp(xpg, order=[wrong]),
        lambda: find_cxp(xpg, order=[1, wrong]),
        lambda: find_axp_by_deletion(xpg, [wrong]),
        lambda: find_cxp_by_deletion(xpg, [wrong, 9]),
    )
    for call in calls:
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value) == f"feature index {wrong} is not in 0 … 2; correct the seed"
        assert (caught.value.place, caught.value.mend) == ("", "correct the seed")
        assert not isinstance(caught.value, SeedError)
    assert find_axp(xpg, [0, 2], order=[2, 0]) == frozenset()
