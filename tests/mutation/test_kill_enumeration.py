"""Algorithm 4: all XPs once, its counters, its limits and its private steps."""

import random

import pytest
from mutation_corpus import built, mask, unmask

from xpgcheck.xpg import enumeration as module
from xpgcheck.xpg.enumeration import DEFAULT_SOLVER, Enumeration
from xpgcheck.xpg.xps import XP, Kind


def expected(truth):
    return {(Kind.AXP, x) for x in truth.axps} | {(Kind.CXP, y) for y in truth.cxps}


@pytest.mark.parametrize("solver", [None, "cadical153", "minisat22"])
@pytest.mark.parametrize("many", [False, True])
def test_all_xps_come_once_with_one_call_each(solver, many, monkeypatch):
    if many:
        monkeypatch.setattr(module, "MANY_VARIABLES", 0)
    for parts, xpg, truth in built()[:: 1 if solver is None else 6]:
        enumeration = Enumeration(xpg) if solver is None else Enumeration(xpg, solver=solver)
        assert (enumeration.sat_calls, enumeration.complete) == (0, False)
        found = []
        for xp in enumeration:
            found.append(xp)
            assert enumeration.sat_calls == len(found)
            assert enumeration.complete is False
        assert all(type(xp) is XP and type(xp.features) is frozenset for xp in found)
        assert len(found) == len(set(found))
        assert set(found) == expected(truth)
        assert enumeration.sat_calls == len(found) + 1
        assert enumeration.complete is True
        again = list(Enumeration(xpg).masks())
        assert {(kind, unmask(number)) for kind, number in again} == expected(truth)
        assert parts


def test_limits():
    for _, xpg, truth in built()[::10]:
        total = len(expected(truth))
        for limit in range(total + 2):
            enumeration = Enumeration(xpg, limit)
            found = list(enumeration)
            assert len(set(found)) == len(found) == min(limit, total)
            assert set(found) <= expected(truth)
            assert enumeration.complete is (limit > total)
            assert enumeration.sat_calls == min(limit, total + 1)
        assert list(Enumeration(xpg, limit=0)) == []
    with pytest.raises(ValueError, match=r"\Athe limit is negative\Z"):
        Enumeration(xpg, -1)
    with pytest.raises(Exception, match="nosuch"):
        list(Enumeration(xpg, None, "nosuch"))


class Solver:
    """Stands for the SAT solver and notes what it is asked."""

    def __init__(self, real, model, add):
        self.real, self.model, self.add = real, model, add
        self.clauses = []
        self.preferred = []
        self.calls = 0
        self.models = []
        self.deleted = 0

    def get_model(self):
        self.models.append(self.model() or [])
        return self.models[-1]

    def add_clause(self, clause):
        self.clauses.append(list(clause))
        self.add(clause)

    def append_formula(self, formula):
        self.clauses += formula
        self.real.append_formula(formula)

    def delete(self):
        self.deleted += 1
        self.real.delete()


@pytest.fixture
def watched(monkeypatch):
    """The solvers that enumerations start while the test runs."""
    started = []
    start = module._start

    def begin(solver):
        sat, solve, model, add, prefer = start(solver)
        watcher = Solver(sat, model, add)
        started.append(watcher)

        def noted(literals):
            watcher.preferred.append(list(literals))
            prefer(literals)

        return watcher, solve, watcher.get_model, watcher.add_clause, noted

    monkeypatch.setattr(module, "_start", begin)
    return started


def test_what_the_sat_solver_is_told(watched):
    for _, xpg, _ in built():
        list(Enumeration(xpg))
        found = list(Enumeration(xpg).masks())
        solver = watched[-1]
        clauses, mentioned, preferred = [], set(), []
        for kind, number in found:
            features = unmask(number)
            if kind is Kind.CXP:
                clauses.append(sorted(i + 1 for i in features))
                # Only a CXp with features that no CXp before it had changes what is preferred: to leave its features free.
                if features - mentioned:
                    preferred.append([-(i + 1) for i in sorted(features)])
                mentioned |= features
            elif features:
                clauses.append([-(i + 1) for i in sorted(features)])
            else:
                clauses += [[1], [-1]]
        assert solver.clauses == clauses
        assert solver.preferred == preferred
        assert solver.deleted == 1
        # The features that the models fix have the AXp inside; a CXp is inside the rest.
        for (kind, number), model in zip(found, solver.models, strict=True):
            fixed = {literal - 1 for literal in model if literal > 0} & set(range(len(xpg.variables)))
            features = unmask(number)
            assert features <= fixed if kind is Kind.AXP else not features & fixed


def test_the_solver_is_let_go_when_iteration_stops(watched):
    _, xpg, _ = built()[9]
    masks = Enumeration(xpg).masks()
    next(masks)
    assert watched[-1].deleted == 0
    masks.close()
    assert watched[-1].deleted == 1


def test_solvers_by_name():
    sat, solve, model, add, prefer = module._start(DEFAULT_SOLVER)
    with sat:
        assert type(sat).__name__ == "MinisatGH"
        add([1, 2])
        prefer([-1, 2])
        assert solve() is True
        assert model() == [-1, 2]
        add([-2])
        prefer([1])
        assert solve() is True
        assert model() == [1, -2]
        sat.append_formula([[-1]])
        assert solve() is False
    sat, solve, model, add, prefer = module._start("glucose4")
    with sat:
        assert type(sat).__name__ == "Solver"
        add([1])
        assert prefer([1]) is None
        assert solve() is True
        assert model() == [1]
    assert DEFAULT_SOLVER == "minisat-gh"
    assert module._ignore([]) is None


def test_literals_and_bits():
    rng = random.Random(26)
    for _ in range(200):
        m = rng.randint(1, 9)
        fixed = frozenset(i for i in range(m) if rng.random() < 0.5)
        assert module._fixed_literals(mask(fixed)) == sorted(i + 1 for i in fixed)
        model = [i + 1 if i in fixed else -(i + 1) for i in range(rng.randint(max(fixed, default=-1) + 1, m))]
        rng.shuffle(model)
        assert module._fixed_by(model) == mask(fixed)
        assert module._bit_of_literal(m) == [0, *(2**i for i in range(m))]
    assert module._fixed_by([]) == 0
    assert module._fixed_by([-1]) == 0
    assert module._fixed_by([2, -9]) == 2


def test_sets_hit_minimally():
    """Each element is the only one of the set in some of the family: then no part of the set hits all that it hits."""
    rng = random.Random(27)
    for _ in range(2000):
        family = [rng.randrange(1, 32) for _ in range(rng.randint(0, 5))]
        fixed = rng.randrange(32)
        alone = [next(iter(unmask(c & fixed))) for c in family if len(unmask(c & fixed)) == 1]
        assert module._is_hit_minimally(family, fixed) is (set(alone) == unmask(fixed))
