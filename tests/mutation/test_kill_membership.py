"""Membership by one SAT query: answers, witnesses, counters and refusals."""

import pytest
from mutation_corpus import built

from xpgcheck.errors import InputError
from xpgcheck.xpg import membership as module
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.membership import MembershipSolver, in_some_xp
from xpgcheck.xpg.membership_search import cxp_with


@pytest.mark.parametrize("name", [None, "glucose4"])
def test_membership_is_that_of_all_axps(name):
    for parts, xpg, truth in built():
        relevant = frozenset().union(*truth.axps)
        assert relevant == frozenset().union(*truth.cxps)
        with MembershipSolver(xpg) if name is None else MembershipSolver(xpg, name) as solver:
            assert type(solver) is MembershipSolver
            assert solver.queries == 0
            assert solver.clauses == len(module._clauses(xpg))
            assert type(solver._sat.solver).__name__ == ("Cadical153" if name is None else "Glucose4")
            for i in [*range(parts.m), *range(parts.m)]:
                axp = solver.axp_with(i)
                assert (axp is not None) is (i in relevant)
                assert axp is None or (type(axp) is frozenset and i in axp and axp in truth.axps)
            assert solver.queries == 2 * parts.m
        assert [in_some_xp(xpg, i) for i in range(parts.m)] == [i in relevant for i in range(parts.m)]


def test_features_that_do_not_exist_are_refused_without_a_query():
    for xpg in (xpg for parts, xpg, _ in built() if parts.m == 3):
        with MembershipSolver(xpg) as solver:
            for wrong in (-1, 3):
                with pytest.raises(InputError) as caught:
                    solver.axp_with(wrong)
                assert str(caught.value) == f"feature index {wrong} is not in 0 … 2; name a feature of the model"
                assert caught.value.mend == "name a feature of the model"
                assert caught.value.place == ""
            assert solver.queries == 0


def test_the_method_fits_the_graph(monkeypatch):
    """Trees need no search; other graphs are not asked to be trees."""
    asked = []

    def watched(xpg, feature):
        asked.append(feature)
        return cxp_with(xpg, feature)

    monkeypatch.setattr(module, "cxp_with", watched)
    for parts, xpg, _ in built()[:60]:
        asked.clear()
        assert type(in_some_xp(xpg, 1 % parts.m)) is bool
        assert asked == ([] if parts.is_tree() else [1])


def test_the_solver_is_let_go(monkeypatch):
    _, xpg, _ = built()[1]
    solver = MembershipSolver(xpg)
    assert solver.__enter__() is solver
    assert type(solver._sat).__name__ == "Solver"
    with pytest.raises(KeyError), solver:
        raise KeyError
    assert solver._sat.solver is None
    assert module.DEFAULT_SOLVER == "cadical153"


def test_the_formula_of_a_graph_by_hand():
    """Root (variable 0): 1-edge to node 1, 0-edge to 3, labelled 0.  Node 1 (variable 1): 0-edge to 2, labelled 1."""
    xpg = ExplanationGraph(("a", "b"), (0, 1, -1, -1), (1, -1, -1, -1), ((3,), (2,), (), ()), b"\0\0\0\1")
    # 1, 2: fixed; 3, 4: fixed for Q; 5, 6: asked about; 7 … 10: nodes of R; 11 … 14: nodes of Q.
    assert sorted(map(sorted, module._clauses(xpg))) == sorted(
        map(
            sorted,
            [
                [-1, 3, 5],
                [-2, 4, 6],
                [7],
                [11],
                [-7, 8],
                [-7, 1, 10],
                [-11, 12, 14],
                [-11, 12, -3],
                [-8, 2, 9],
                [-12, 13],
                [-12, -4],
                [-13],
                [-10],
            ],
        )
    )
