"""The benchmark of MUS membership runs at tiny sizes and checks its own answers; nothing here is timed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import mus_membership
from benchmarks.mus_membership import FAMILIES, alternatives, among_others, by_listing, random_3cnf
from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, MusWith


def test_all_families_are_measured():
    report = mus_membership.run(clauses=40, formulas=1, cap=0.3, families=[FAMILIES[0], *FAMILIES[3:]])
    assert [row[0] for row in report.rows] == [FAMILIES[0].name, FAMILIES[3].name, FAMILIES[4].name]
    assert all(len(row) == len(report.columns) for row in report.rows)


def test_the_formulas_are_unsatisfiable_and_of_their_size():
    for formula in (alternatives(4, 30, 1), random_3cnf(6, 30, 1), among_others(random_3cnf(6, 30, 1), 40, 1)):
        assert len(formula.clauses) in (30, 40)
        with MusMembership(formula) as asked:
            assert asked.model() is None


def test_alternatives_multiply():
    early = by_listing(alternatives(5, 0, 0), cap=60)
    assert not early.complete
    assert all(early.says(clause) for clause in range(14))
    listed = by_listing(cnf([*alternatives(5, 0, 0).clauses, (100,)]), cap=60)
    assert listed.complete
    assert len(listed.muses) == 2**5


def test_wrong_answers_are_not_timed(monkeypatch):
    monkeypatch.setattr(MusMembership, "mus_with", lambda self, clause, deadline=None: MusWith(None, ()))
    with pytest.raises(ValueError, match="do not show"):
        mus_membership.run(clauses=20, formulas=1, cap=0.1, families=[FAMILIES[3]])
