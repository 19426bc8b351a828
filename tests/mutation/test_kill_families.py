"""Both families by one pass, and the choice of the method: families, orders and budgets."""

import random

import pytest
from mutation_corpus import built, mask, minimal_sets, subsets, unmask

from xpgcheck.xpg import choose
from xpgcheck.xpg.choose import enumerate_xps, xp_masks
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.families import all_cxps, joined, minimal, minimal_hitting_sets
from xpgcheck.xpg.xps import XP, Kind

AMPLE = 10**9


def random_family(rng, least, most):
    return [rng.randrange(1, 64) for _ in range(rng.randint(least, most))]


def test_minimal_masks_smallest_first():
    rng = random.Random(29)
    for _ in range(500):
        family = random_family(rng, 0, 6)
        given = tuple(family)
        found = minimal(given)
        assert type(found) is list
        assert len(found) == len(set(found))
        assert {unmask(k) for k in found} == minimal_sets({unmask(k) for k in family})
        sizes = [len(unmask(k)) for k in found]
        assert sizes == sorted(sizes)
    assert minimal([]) == []
    assert minimal([0, 1, 1, 0]) == [0]
    assert minimal([5]) == [5]
    assert minimal([3, 3]) == [3]
    one = [5]
    assert minimal(one) is not one


def test_joined_families():
    rng = random.Random(30)
    for _ in range(500):
        kept = [k << 1 for k in minimal(random_family(rng, 0, 5))]
        freed = [k << 1 | 1 for k in minimal(random_family(rng, 0, 5))]
        before = list(kept), list(freed)
        found = joined(kept, freed)
        assert (kept, freed) == before
        assert found is not kept
        assert found[: len(kept)] == kept
        assert {unmask(k) for k in found} == minimal_sets({unmask(k) for k in kept + freed})
        assert len(found) == len(set(found))


def test_all_cxps_smallest_first():
    for _, xpg, truth in built():
        found = all_cxps(xpg, AMPLE)
        assert type(found) is list
        assert len(found) == len(set(found))
        assert {unmask(k) for k in found} == truth.cxps
        sizes = [len(unmask(k)) for k in found]
        assert sizes == sorted(sizes)


def compared(parts):
    """Comparisons of a pass over families: (sets held + sets freed)² where both have to be brought together."""
    read_once = parts.is_read_once()
    families, total = {}, 0
    for node in reversed(range(len(parts.variable_of))):
        variable, one, zeros = parts.variable_of[node], parts.one_child[node], parts.zero_children[node]
        if variable < 0:
            families[node] = [frozenset()] if parts.is_zero[node] else []
            continue
        held = families[one] if one >= 0 else []
        freed = [member | {variable} for child in zeros for member in families[child]]
        if frozenset() in held:
            freed = []
        one_edge = len(zeros) == 1 and read_once
        if freed and not (one_edge and not held):
            total += (len(held) + len(freed)) ** 2
        families[node] = list(minimal_sets([*held, *freed]))
    return total


def test_the_budget_of_all_cxps_is_exact():
    counts = set()
    for parts, xpg, truth in built():
        total = compared(parts)
        counts.add(total)
        assert {unmask(k) for k in all_cxps(xpg, total)} == truth.cxps
        if total:
            assert all_cxps(xpg, total - 1) is None
    assert len(counts) > 8


def berge(family):
    """The comparisons of Berge's multiplication: sets that hit times sets that miss, plus all sets, where some miss.

    Members of one element that come first are in every hitting set; they and what they hit take none.
    """
    alone = set()
    for member in family:
        if len(member) > 1:
            break
        alone |= member
    hitting, total = {frozenset(alone)}, 0
    for member in family:
        if member & alone:
            continue
        hit = {h for h in hitting if h & member}
        missed = hitting - hit
        if missed:
            total += len(hit) * len(missed) + len(hitting)
            hitting = minimal_sets(hit | {h | {i} for h in missed for i in member})
    return hitting, total


def test_minimal_hitting_sets_and_their_budget():
    rng = random.Random(31)
    for turn in range(400):
        # Families with and without members that hold others.
        family = random_family(rng, 0, 6) if turn % 2 else minimal(random_family(rng, 0, 6))
        rng.shuffle(family)
        sets = [unmask(k) for k in family]
        dual, total = berge(sets)
        assert set(dual) == minimal_sets(h for h in subsets(range(6)) if all(h & member for member in sets))
        found = minimal_hitting_sets(family, total)
        assert type(found) is list
        assert len(found) == len(set(found))
        assert {unmask(k) for k in found} == set(dual)
        if total:
            assert minimal_hitting_sets(family, total - 1) is None
    assert minimal_hitting_sets([], 0) == [0]
    assert minimal_hitting_sets([0], AMPLE) == []


def test_the_method_follows_size_and_budget(monkeypatch):
    for parts, xpg, truth in built():
        axps, cxps = xp_masks(xpg)
        assert {unmask(k) for k in axps} == truth.axps
        assert {unmask(k) for k in cxps} == truth.cxps
        with monkeypatch.context() as patch:
            patch.setattr(choose, "SMALL_GRAPH", len(parts.variable_of))
            assert xp_masks(xpg) == (axps, cxps)
            patch.setattr(choose, "SMALL_GRAPH", len(parts.variable_of) - 1)
            assert xp_masks(xpg) == ((axps, cxps) if parts.is_tree() else None)
        down, up = compared(parts), berge([unmask(k) for k in cxps])[1]
        for budget in {down, up, max(0, down - 1), max(0, up - 1)}:
            monkeypatch.setattr(choose, "BUDGET", budget)
            assert xp_masks(xpg) == ((axps, cxps) if budget >= max(down, up) else None)
        monkeypatch.undo()


@pytest.mark.parametrize("budget", [None, -1])
def test_enumeration_by_the_chosen_method(budget, monkeypatch):
    if budget is not None:
        monkeypatch.setattr(choose, "BUDGET", budget)
    for _, xpg, truth in built()[:: 1 if budget is None else 8]:
        expected = {(Kind.AXP, x) for x in truth.axps} | {(Kind.CXP, y) for y in truth.cxps}
        found = list(enumerate_xps(xpg))
        assert all(type(xp) is XP and type(xp.features) is frozenset for xp in found)
        assert len(found) == len(expected)
        assert set(found) == expected
        for limit in range(len(expected) + 2):
            some = list(enumerate_xps(xpg, limit))
            assert some == found[:limit]
        if budget is None:
            kinds = [xp.kind for xp in found]
            assert kinds == [Kind.CXP] * len(truth.cxps) + [Kind.AXP] * len(truth.axps)
            sizes = [len(xp.features) for xp in found if xp.kind is Kind.CXP]
            assert sizes == sorted(sizes)
        else:
            assert found == list(Enumeration(xpg))


def test_a_constant_classifier():
    xpg = ExplanationGraph(("a",), (-1,), (-1,), ((),), b"\0")
    assert xp_masks(xpg) == ([mask([])], [])
    assert list(enumerate_xps(xpg)) == [XP(Kind.AXP, frozenset())]
