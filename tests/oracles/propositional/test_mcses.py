"""MCSes by PySAT's LBX and MCSls, against those from every subset and against the MUSes' hitting sets."""

from __future__ import annotations

import random
from typing import Literal

import pytest
from odd_formulas import ODD, odd_formula

from xpgcheck.oracles.duality import dual
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.limits import Deadline
from xpgcheck.oracles.propositional.mcs_route import mcses_by_pysat
from xpgcheck.oracles.propositional.subsets import mcses_exhaustive, muses_exhaustive

Algorithm = Literal["LBX", "MCSls"]
BOTH = pytest.mark.parametrize("algorithm", ["LBX", "MCSls"])


@BOTH
@pytest.mark.parametrize("name", ODD)
def test_of_the_odd_ones(name: str, algorithm: Algorithm) -> None:
    found = mcses_by_pysat(ODD[name], algorithm=algorithm)
    assert found.complete
    assert found.mcses == mcses_exhaustive(ODD[name])


@BOTH
def test_of_random_formulas(algorithm: Algorithm) -> None:
    rng = random.Random(1)
    for _ in range(200):
        formula = odd_formula(rng)
        assert mcses_by_pysat(formula, algorithm=algorithm).mcses == mcses_exhaustive(formula), formula


def test_muses_and_mcses_are_dual() -> None:
    rng = random.Random(2)
    for _ in range(200):
        formula = odd_formula(rng)
        muses, mcses = muses_exhaustive(formula), mcses_exhaustive(formula)
        assert dual(muses, mcses, len(formula.clauses)) is None, formula
        if muses:
            assert dual(muses[1:], mcses, len(formula.clauses)) is not None, formula


@BOTH
def test_limits(algorithm: Algorithm) -> None:
    formula = cnf([(1,), (-1,), (2,), (-2,)])
    for limit, complete in ((3, False), (4, True), (5, True)):
        found = mcses_by_pysat(formula, limit=limit, algorithm=algorithm)
        assert (len(found.mcses), found.complete) == (min(limit, 4), complete)
    found = mcses_by_pysat(formula, deadline=Deadline(0), algorithm=algorithm)
    assert (found.mcses, found.complete) == ((), False)


def test_pysat_by_itself_fails_where_ours_answers() -> None:
    """Where this no longer fails, the detour of ``mcs_route`` may go."""
    from pysat.examples.lbx import LBX
    from pysat.examples.mcsls import MCSls
    from pysat.formula import WCNF

    def weighted(clauses: list[list[int]]) -> WCNF:
        formula = WCNF()
        for clause in clauses:
            formula.append(clause, weight=1)
        return formula

    for maker in (LBX, MCSls):
        with pytest.raises(IndexError):
            maker(weighted([[]]))
    with MCSls(weighted([[1], [1], [-1]])) as enumerator:
        found = []
        while (mcs := enumerator.compute()) is not None:
            enumerator.block(mcs)
            found.append(mcs)
    assert [1, 2] not in map(sorted, found)
