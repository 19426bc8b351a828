"""An XP with a given feature: by a path, by another path, by SAT.  Against all CXps by the definition."""

import pytest
from any_explanation_graphs import CORPUS, weak_cxps
from hypothesis import given
from hypothesis import strategies as st
from pysat.solvers import Solver

from xpgcheck.errors import InputError
from xpgcheck.properties.strategies import cases
from xpgcheck.xpg import membership_search as module
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, features_of, mask_of
from xpgcheck.xpg.families import all_cxps
from xpgcheck.xpg.membership import MembershipSolver, in_some_xp
from xpgcheck.xpg.membership_pruning import pruned
from xpgcheck.xpg.membership_search import Queries, axp_with, cxp_with, query_about


def members(weak):
    """The union of all CXps, by the definition."""
    minimal = [free for free in weak if all(free & ~(1 << i) not in weak for i in features_of(free))]
    return frozenset().union(*map(features_of, minimal))


@pytest.mark.parametrize("tries", [0, 1, 4])
def test_membership_is_that_of_all_cxps(monkeypatch, tries):
    monkeypatch.setattr(module, "TRIES", tries)
    queries = Queries()
    for xpg in CORPUS:
        weak = set(weak_cxps(xpg))
        inside = members(weak)
        everything = frozenset(range(len(xpg.variables)))
        for i in everything:
            before = queries.count
            axp, cxp = axp_with(xpg, i, queries), cxp_with(xpg, i, queries)
            assert queries.count in (before, before + 2)
            assert (axp is not None) == (cxp is not None) == (i in inside) == in_some_xp(xpg, i)
            if axp is not None and cxp is not None:
                assert i in axp
                assert mask_of(everything - axp) not in weak
                assert all(mask_of(everything - axp | {j}) in weak for j in axp)
                assert i in cxp
                assert mask_of(cxp) in weak
                assert all(mask_of(cxp - {j}) not in weak for j in cxp)
    assert queries.count > 50
    assert queries.clauses > queries.count


def test_what_sat_finds_is_decisive():
    for xpg in CORPUS:
        weak = set(weak_cxps(xpg))
        inside = members(weak)
        for i in range(len(xpg.variables)):
            for graph in (xpg, pruned(xpg)):
                free = module._by_sat(graph, i, Queries())
                assert (free is not None) == (i in inside)
                assert free is None or (free in weak and free & ~(1 << i) not in weak)


def test_the_models_of_the_query_are_the_decisive_sets():
    """For every assignment of what is fixed: the formula has a model with it exactly if the set is decisive."""
    decisive = 0
    for xpg in CORPUS[:150]:
        m = len(xpg.variables)
        weak = set(weak_cxps(xpg))
        for i in range(m):
            with Solver(name="glucose4", bootstrap_with=query_about(xpg, i)) as solver:
                for free in range(1 << m):
                    fixed = [-(v + 1) if free >> v & 1 else v + 1 for v in range(m)]
                    wanted = not free >> i & 1 and free not in weak and free | 1 << i in weak
                    assert solver.solve(assumptions=fixed) == wanted
                    decisive += wanted
    assert decisive > 400


@given(st.data())
def test_membership_in_models_is_that_of_the_plain_query(data):
    xpg = explanation_graph(*data.draw(cases()))
    with MembershipSolver(xpg) as solver, MembershipSolver(pruned(xpg)) as small:
        for i in range(len(xpg.variables)):
            plain = solver.axp_with(i)
            assert (plain is None) == (cxp_with(xpg, i) is None) == (small.axp_with(i) is None)


def test_a_bdd_that_dd_compiles():
    autoref = pytest.importorskip("dd.autoref")
    from xpgcheck.readers.dd_bdd import from_dd

    bdd = autoref.BDD()
    bdd.declare(*[f"x{i}" for i in range(8)])
    u = bdd.add_expr("(x0 & x1) | (!x0 & x2 & x3) | (x4 ^ x5) & x6")
    graph = from_dd(bdd, u)
    answers = set()
    for bits in range(0, 256, 5):
        xpg = explanation_graph(graph, tuple(bool(bits >> i & 1) for i in range(8)))
        cxps = all_cxps(xpg, 10**6)
        assert cxps is not None
        inside = frozenset().union(*map(features_of, cxps))
        for i in range(8):
            assert in_some_xp(xpg, i) == (i in inside)
            answers.add((i in inside, i))
    assert {inside for inside, _ in answers} == {True, False}


def overlapping():
    """a, then b over c: the path that frees a also frees b and c, and these two suffice."""
    return ExplanationGraph(
        tuple("abc"), (0, 1, 2, -1, -1), (1, 4, 4, -1, -1), ((1,), (2,), (3,), (), ()), b"\0\0\0\1\0"
    )


def test_only_what_no_path_settles_is_asked():
    queries = Queries()
    assert cxp_with(overlapping(), 1, queries) == {1, 2}
    assert axp_with(overlapping(), 2, queries) == {2}
    assert queries == Queries(0, 0)
    assert cxp_with(overlapping(), 0, queries) is None
    assert axp_with(overlapping(), 0, queries) is None
    assert queries.count == 2
    assert cxp_with(overlapping(), 0) is None


def test_another_path_is_tried_first(monkeypatch):
    """The root frees a or goes on: the first path through a frees b too, which suffices alone."""
    # Node 0 tests a: 1-edge to 1, 0-edges to 2 and 3.  Both 2 and 3 take one more variable; b alone suffices by node 1.
    xpg = ExplanationGraph(
        tuple("abc"), (0, 1, 1, 2, -1, -1), (1, 5, 5, 5, -1, -1), ((2, 3), (4,), (4,), (4,), (), ()), b"\0\0\0\0\1\0"
    )
    queries = Queries()
    assert cxp_with(xpg, 0, queries) == {0, 2}
    assert axp_with(xpg, 0, queries) == {0, 1}
    assert queries.count == 0
    monkeypatch.setattr(module, "TRIES", 0)
    assert cxp_with(xpg, 0, queries) == {0, 2}
    assert queries.count == 1


@pytest.mark.parametrize("wrong", [-1, 3])
def test_features_that_do_not_exist(wrong):
    for ask in (axp_with, cxp_with, in_some_xp):
        with pytest.raises(InputError) as caught:
            ask(overlapping(), wrong)
        assert str(caught.value) == f"feature index {wrong} is not in 0 … 2; name a feature of the model"
