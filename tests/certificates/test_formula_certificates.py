"""Certificates of minimal unsatisfiable subsets: issued of every one, of nothing else, and accepted."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.certificates.canonical_texts import end_text, formula_header_text
from xpgcheck.certificates.formulas import mus_line
from xpgcheck.check_certificate import check_lines
from xpgcheck.errors import InputError

VARIABLES = 3

literals = st.integers(1, VARIABLES).flatmap(lambda v: st.sampled_from((v, -v)))
formulas = st.lists(st.lists(literals, max_size=3, unique=True), min_size=1, max_size=7)


def satisfiable(clauses: Sequence[Sequence[int]]) -> bool:
    assignments = itertools.product((False, True), repeat=VARIABLES)
    return any(all(any(a[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) for a in assignments)


@given(clauses=formulas)
def test_of_each_subset_a_certificate_exactly_if_it_is_a_mus(clauses: list[list[int]]) -> None:
    indices = range(len(clauses))
    lines = []
    for size in range(len(clauses) + 1):
        for subset in itertools.combinations(indices, size):
            others = [[clauses[k] for k in subset if k != left_out] for left_out in subset]
            if satisfiable([clauses[k] for k in subset]):
                with pytest.raises(InputError, match="the clauses are satisfiable"):
                    mus_line(VARIABLES, clauses, subset)
            elif all(map(satisfiable, others)):
                lines.append(mus_line(VARIABLES, clauses, subset))
            else:
                with pytest.raises(InputError, match="can be left out, so the set is not minimal"):
                    mus_line(VARIABLES, clauses, subset)
    if lines:
        text = formula_header_text(VARIABLES, clauses) + "".join(lines) + end_text(len(lines))
        outcome = check_lines(text.encode().splitlines(keepends=True))
        assert outcome.status == 0, outcome.message


def test_a_clause_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="names a clause that the formula does not have; count clauses from 0 to 1"):
        mus_line(1, [[1], [-1]], [0, 2])


def test_the_line_as_it_is_written() -> None:
    assert mus_line(1, [[1], [-1]], [1, 0]) == '{"mus":[0,1],"refutation":[[]],"models":["0","1"]}\n'
