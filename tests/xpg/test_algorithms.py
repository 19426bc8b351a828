"""The paper's algorithms against their specification, subset by subset, on generated decision graphs and raw XpGs."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.properties.strategies import cases, trees
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, features_of
from xpgcheck.xpg.families import all_cxps, minimal_hitting_sets
from xpgcheck.xpg.find_one import SeedError, find_axp, find_axp_by_deletion, find_cxp, find_cxp_by_deletion
from xpgcheck.xpg.membership import MembershipSolver, in_some_xp
from xpgcheck.xpg.traversal import path_to_zero, path_to_zero_as_printed
from xpgcheck.xpg.trees import NotATreeError, Steps, axps_by_dualization, tree_cxps, tree_membership
from xpgcheck.xpg.xps import Kind


def subsets(m):
    return [frozenset(s) for k in range(m + 1) for s in itertools.combinations(range(m), k)]


def weak_axps(graph, v):
    """Eq. 1 by its text, over one point of every combination of cells."""
    representatives = [[cell.representative() for cell in cells] for cells in graph.cells]
    home = [next(k for k, cell in enumerate(cells) if v[i] in cell) for i, cells in enumerate(graph.cells)]
    points = list(itertools.product(*(range(len(r)) for r in representatives)))
    kappa = {p: graph.kappa(tuple(representatives[i][k] for i, k in enumerate(p))) for p in points}
    return {
        x for x in subsets(len(v)) if all(kappa[p] == graph.kappa(v) for p in points if all(p[i] == home[i] for i in x))
    }


def specification(weak, m):
    """Return (AXps, weak CXps, CXps) from the weak AXps, by the definitions."""
    axps = {x for x in weak if not any(x - {i} in weak for i in x)}
    everything = frozenset(range(m))
    weak_cxps = {y for y in subsets(m) if everything - y not in weak}
    cxps = {y for y in weak_cxps if not any(y - {i} in weak_cxps for i in y)}
    return axps, weak_cxps, cxps


def random_xpg(rng):
    """An XpG with any labels (no decision graph behind it), whose 1-path ends in a terminal labelled 1."""
    while True:
        m, n = rng.randint(1, 5), rng.randint(1, 9)
        variable, one, zeros = [], [], []
        for node in range(n):
            children = rng.sample(range(node + 1, n + 2), min(n + 1 - node, rng.randint(1, 3)))
            has_one = node == 0 or rng.random() < 0.85
            variable.append(rng.randrange(m))
            one.append(children[0] if has_one else -1)
            zeros.append(tuple(children[1:] if has_one else children))
        is_zero = bytes([0] * n + [1, 0])
        names = tuple(f"s{i}" for i in range(m))
        xpg = ExplanationGraph(names, (*variable, -1, -1), (*one, -1, -1), (*zeros, (), ()), is_zero)
        if xpg.sigma(range(m)):
            return xpg


def check_everything(xpg, weak):
    m = len(xpg.variables)
    everything = frozenset(range(m))
    axps, weak_cxps, cxps = specification(weak, m)
    for x in subsets(m):
        assert xpg.sigma(x) == (x in weak)
        assert path_to_zero(xpg, everything - x) == (x not in weak)
        assert path_to_zero_as_printed(xpg, everything - x)[0] == (x not in weak)

    enumeration = Enumeration(xpg)
    found = list(enumeration)
    assert enumeration.sat_calls == len(found) + 1
    assert enumeration.complete
    for xps in (found, list(enumerate_xps(xpg))):
        assert len(xps) == len(axps) + len(cxps)
        assert {xp.features for xp in xps if xp.kind is Kind.AXP} == axps
        assert {xp.features for xp in xps if xp.kind is Kind.CXP} == cxps

    for seed in weak:
        assert {find_axp(xpg, seed), find_axp_by_deletion(xpg, seed)} <= {x for x in axps if x <= seed}
        with pytest.raises(SeedError) as caught:
            find_cxp(xpg, everything - seed)
        assert caught.value.seed == everything - seed
    for seed in weak_cxps:
        assert {find_cxp(xpg, seed), find_cxp_by_deletion(xpg, seed)} <= {y for y in cxps if y <= seed}
        with pytest.raises(SeedError):
            find_axp(xpg, everything - seed)

    relevant = frozenset().union(*axps)
    with MembershipSolver(xpg) as solver:
        for i in range(m):
            assert in_some_xp(xpg, i) == (i in relevant)
            axp = solver.axp_with(i)
            assert (axp is None) == (i not in relevant)
            assert axp is None or (i in axp and axp in axps)
        assert solver.queries == m
    if xpg.is_tree():
        steps = Steps()
        assert set(tree_cxps(xpg, steps)) == cxps
        assert len(cxps) <= sum(xpg.is_zero)
        assert steps.visited <= xpg.node_count
        assert set(axps_by_dualization(cxps)) == axps


@given(cases())
def test_algorithms_on_decision_graphs_agree_with_eq_1_and_eq_2(case):
    graph, v = case
    check_everything(explanation_graph(graph, v), weak_axps(graph, v))


@given(cases(trees()))
def test_algorithms_on_trees_agree_with_eq_1_and_eq_2(case):
    graph, v = case
    check_everything(explanation_graph(graph, v), weak_axps(graph, v))


def test_algorithms_on_any_labels_agree_with_sigma():
    """Monotonicity of σ is all that Algorithms 2 to 4 need, so they hold for XpGs without a decision graph too."""
    rng = random.Random(11)
    for _ in range(400):
        xpg = random_xpg(rng)
        check_everything(xpg, {x for x in subsets(len(xpg.variables)) if xpg.sigma(x)})


@given(st.integers(0, 2**32))
def test_an_order_drops_features_exactly_as_deletion_does(seed):
    rng = random.Random(seed)
    xpg = random_xpg(rng)
    m = len(xpg.variables)
    order = rng.sample(range(m), m)
    x = frozenset(range(m))
    y = frozenset(range(m))
    for i in order:
        if xpg.sigma(x - {i}):
            x -= {i}
    assert find_axp(xpg, order=order) == x
    if not xpg.sigma(()):
        for i in order:
            if not xpg.sigma(frozenset(range(m)) - (y - {i})):
                y -= {i}
        assert find_cxp(xpg, order=order) == y


@given(cases())
def test_sigma_is_monotone_and_right_at_its_ends(case):
    """Proposition 4, σ(1, …, 1) = 1, and σ(0, …, 0) = 0 iff a terminal is labelled 0."""
    graph, v = case
    xpg = explanation_graph(graph, v)
    m = len(v)
    for x in subsets(m):
        for i in set(range(m)) - x:
            assert xpg.sigma(x) <= xpg.sigma(x | {i})
    assert xpg.sigma(range(m))
    assert xpg.sigma(()) == (not any(xpg.is_zero))


def constant(m=3):
    return ExplanationGraph(tuple("abc"[:m]), (-1,), (-1,), ((),), b"\0")


def test_a_constant_classifier_has_the_empty_axp_and_no_cxp():
    xpg = constant()
    enumeration = Enumeration(xpg)
    for xps in (list(enumeration), list(enumerate_xps(xpg))):
        assert [(xp.kind, xp.features) for xp in xps] == [(Kind.AXP, frozenset())]
    assert enumeration.sat_calls == 2
    assert find_axp(xpg) == frozenset()
    with pytest.raises(SeedError, match="constant classifier"):
        find_cxp(xpg)
    assert tree_cxps(xpg) == []
    assert list(axps_by_dualization([])) == [frozenset()]
    assert not in_some_xp(xpg, 0)
    with MembershipSolver(xpg) as solver:
        assert solver.axp_with(1) is None


@pytest.mark.parametrize("solver", ["minisat22", "cadical153", "glucose4"])
def test_a_constant_classifier_with_any_sat_solver(solver):
    assert [xp.features for xp in Enumeration(constant(), solver=solver)] == [frozenset()]


def test_a_pysat_that_does_not_show_its_calls_gives_the_same(monkeypatch):
    from xpgcheck.xpg import enumeration

    xpgs = [random_xpg(random.Random(seed)) for seed in range(40)]
    direct = [list(Enumeration(xpg)) for xpg in xpgs]
    monkeypatch.setattr(enumeration, "_direct_calls", lambda: None)
    assert [list(Enumeration(xpg)) for xpg in xpgs] == direct
    assert sum(map(len, direct)) > 40


def diamonds(n):
    """A root, then n diamonds in a row: each node leads to both of the next two."""
    variable, one, zeros = [0], [1], [(2,)]
    for k in range(n - 1):
        variable += [k + 1, k + 1]
        one += [2 * k + 3] * 2
        zeros += [(2 * k + 4,)] * 2
    last = len(variable)
    variable += [n, n]
    one += [last + 2] * 2
    zeros += [()] * 2
    names = tuple(f"s{i}" for i in range(n + 1))
    return ExplanationGraph(names, (*variable, -1), (*one, -1), (*zeros, ()), bytes(len(variable) + 1))


def test_algorithm_1_as_printed_doubles_with_each_diamond_and_ours_does_not():
    steps = [path_to_zero_as_printed(diamonds(n), range(n + 1))[1] for n in range(2, 12)]
    assert all(1.8 < later / earlier < 2.5 for earlier, later in itertools.pairwise(steps))
    assert not path_to_zero(diamonds(5000), range(5001))
    with pytest.raises(UndecidedError):
        path_to_zero_as_printed(diamonds(40), range(41), max_steps=10_000)


def test_a_limit_stops_the_enumeration_and_says_so():
    xpg = random_xpg(random.Random(1))
    total = len(list(Enumeration(xpg)))
    limited = Enumeration(xpg, limit=total - 1)
    assert len(list(limited)) == total - 1
    assert not limited.complete
    assert limited.sat_calls == total - 1
    assert len(list(enumerate_xps(xpg, limit=1))) == 1
    with pytest.raises(ValueError, match="negative"):
        Enumeration(xpg, limit=-1)


def test_large_families_fall_back_to_algorithm_4(monkeypatch):
    xpg = random_xpg(random.Random(3))
    expected = set(enumerate_xps(xpg))
    assert all_cxps(xpg, budget=0) is None or len(expected) < 3
    monkeypatch.setattr("xpgcheck.xpg.choose.BUDGET", 0)
    assert set(enumerate_xps(xpg)) == expected


def test_hitting_sets_stop_at_the_budget():
    pairs = [0b11 << 2 * k for k in range(8)]
    # All sets miss the next pair, so the work is the number of sets held: 1 + 2 + … + 128.
    assert minimal_hitting_sets(pairs, budget=254) is None
    hits = minimal_hitting_sets(pairs, budget=255)
    assert len(set(hits)) == 256
    assert {len(features_of(h)) for h in hits} == {8}


def test_seeds_and_features_outside_the_graph_are_refused():
    xpg = constant()
    for wrong in ([3], [-1]):
        with pytest.raises(InputError, match="feature index"):
            find_axp(xpg, wrong)
        with MembershipSolver(xpg) as solver, pytest.raises(InputError, match="feature index"):
            solver.axp_with(wrong[0])


def test_tree_algorithms_refuse_other_graphs():
    with pytest.raises(NotATreeError):
        tree_cxps(diamonds(2))
    with pytest.raises(NotATreeError):
        tree_membership(diamonds(2), 0)


def test_graphs_of_many_variables_are_explained_the_same(monkeypatch):
    """Above a number of variables their masks are made when needed, and models become masks in another way."""
    rng = random.Random(5)
    for _ in range(100):
        xpg = random_xpg(rng)
        expected = set(Enumeration(xpg))
        with monkeypatch.context() as patch:
            patch.setattr("xpgcheck.xpg.explanation_graph.MANY_VARIABLES", 0)
            patch.setattr("xpgcheck.xpg.enumeration.MANY_VARIABLES", 0)
            again = ExplanationGraph(xpg.variables, xpg.variable_of, xpg.one_child, xpg.zero_children, xpg.is_zero)
            assert set(Enumeration(again)) == set(enumerate_xps(again)) == expected
            assert find_axp(again) in {xp.features for xp in expected}
