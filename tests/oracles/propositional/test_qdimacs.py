"""The QBF of a membership question: its text, and its truth by an evaluator of its own."""

from __future__ import annotations

import random

import pytest
from odd_formulas import ODD, by_definition, odd_formula

from xpgcheck.oracles.propositional.formulas import Cnf, cnf
from xpgcheck.oracles.propositional.qdimacs import membership_qdimacs

Prefix = list[tuple[str, list[int]]]
Matrix = list[list[int]]


def parsed(text: str) -> tuple[Prefix, Matrix]:
    """Read QDIMACS strictly: the grammar of the standard, and what it says of the prefix."""
    assert text.endswith("\n")
    lines = text[:-1].split("\n")
    while lines[0].startswith("c "):
        lines.pop(0)
    kind, form, highest, count = lines.pop(0).split(" ")
    assert (kind, form) == ("p", "cnf")
    prefix: Prefix = []
    while lines and lines[0][0] in "ea":
        quantifier, *numbers, end = lines.pop(0).split(" ")
        assert end == "0"
        assert numbers
        assert not prefix or prefix[-1][0] != quantifier
        prefix.append((quantifier, [int(number) for number in numbers]))
    bound = [variable for _, block in prefix for variable in block]
    assert sorted(bound) == list(range(1, int(highest) + 1))
    matrix: Matrix = []
    for line in lines:
        *literals, end = (int(word) for word in line.split(" "))
        assert end == 0
        assert 0 not in literals
        assert len({abs(literal) for literal in literals}) == len(literals)
        assert all(abs(literal) <= int(highest) for literal in literals)
        matrix.append(literals)
    assert len(matrix) == int(count)
    return prefix, matrix


def true(prefix: Prefix, matrix: Matrix) -> bool:
    """Evaluate a closed QBF from the outermost quantifier inwards, both values of each variable."""
    order = [(quantifier, variable) for quantifier, block in prefix for variable in block]

    def value(depth: int, clauses: list[frozenset[int]]) -> bool:
        if not all(clauses):
            return False
        if not clauses:
            return True
        quantifier, variable = order[depth]
        sides = (
            value(depth + 1, [clause - {-literal} for clause in clauses if literal not in clause])
            for literal in (variable, -variable)
        )
        return any(sides) if quantifier == "e" else all(sides)

    return value(0, [frozenset(clause) for clause in matrix])


def tiny_formulas(count: int) -> list[Cnf]:
    return [odd_formula(random.Random(f"qdimacs {seed}"), variables=3, clauses=5) for seed in range(count)]


def members(formula: Cnf) -> list[bool]:
    muses, _ = by_definition(formula)
    return [any(clause in mus for mus in muses) for clause in range(len(formula.clauses))]


def test_the_qbf_is_true_exactly_of_members() -> None:
    seen = set()
    for formula in [*(f for f in ODD.values() if len(f.clauses) <= 5), *tiny_formulas(60)]:
        for clause, member in enumerate(members(formula)):
            assert true(*parsed(membership_qdimacs(formula, clause))) == member, (formula, clause)
            seen.add(member)
    assert seen == {True, False}


def test_the_evaluator_tells_a_spoilt_qbf() -> None:
    formula = cnf([(1,), (-1,), (2,)])
    prefix, matrix = parsed(membership_qdimacs(formula, 2))
    assert not true(prefix, matrix)
    swapped = [(("a" if quantifier == "e" else "e"), block) for quantifier, block in prefix]
    assert not true(swapped, matrix)
    # Without "y satisfies the other selected clauses" every clause of an unsatisfiable formula would be in a MUS.
    assert true(prefix, [clause for clause in matrix if clause not in ([-3, 1], [-4, -1])])
    # ∃ in the place of ∀ asks for a point that falsifies a selected clause, not for all points to.
    assert true([("e", [variable for _, block in prefix for variable in block])], matrix)


def test_the_text_is_this() -> None:
    assert membership_qdimacs(cnf([(1, 1), (-1,), (1, -1)]), 0) == (
        "c Is clause 1 of a CNF with 1 variables and 3 clauses in some MUS?  True: yes.  False: no.\n"
        "c y_v is v, for v = 1 ... 1: a point that satisfies the selected clauses, but for clause 1\n"
        "c s_i is 1 + i, for i = 1 ... 3: clause i is selected\n"
        "c x_v is 4 + v, for v = 1 ... 1: a point, at which some selected clause has to be false\n"
        "c t_i is 5 + i, for i = 1 ... 3: clause i is selected, and false at x\n"
        "p cnf 8 10\n"
        "e 1 2 3 4 0\n"
        "a 5 0\n"
        "e 6 7 8 0\n"
        "2 0\n"
        "-3 -1 0\n"
        "-6 2 0\n"
        "-6 -5 0\n"
        "-7 3 0\n"
        "-7 5 0\n"
        "-8 4 0\n"
        "-8 -5 0\n"
        "-8 5 0\n"
        "6 7 8 0\n"
    )


def test_without_variables_there_is_one_block() -> None:
    prefix, matrix = parsed(membership_qdimacs(cnf([(), ()]), 1))
    assert prefix == [("e", [1, 2, 3, 4])]
    assert true(prefix, matrix)


def test_the_text_is_linear() -> None:
    def size(pairs: int) -> int:
        return len(membership_qdimacs(cnf([(v, -v - 1) for v in range(1, pairs)]), 0).split())

    assert size(801) - size(401) == 4 * (size(201) - size(101))


@pytest.mark.parametrize("clause", [-1, 3])
def test_a_clause_that_the_formula_lacks_is_refused(clause: int) -> None:
    formula = cnf([(1,), (-1,), (2,)])
    with pytest.raises(ValueError, match=f"3 clauses, and none at position {clause} "):
        membership_qdimacs(formula, clause)
