"""The readings that fail: their kept counterexamples, by truth tables and by the routes, and that none is smaller."""

import re
from pathlib import Path

import pytest

from xpgcheck.oracles.propositional.dimacs import parse_cnf
from xpgcheck.oracles.propositional.formulas import cnf, points
from xpgcheck.oracles.propositional.truth_tables import Tables
from xpgcheck.paper.reduction.counterexamples import (
    CLAIMS,
    ReadingCounterexample,
    formulas_of,
    selector_in_axp,
    smallest_counterexample,
)
from xpgcheck.properties.reduction.cases import FormulaCase
from xpgcheck.properties.reduction.routes import HonestRoutes


def read_kept(path):
    """The reading and the counterexample of a file: comments name the reading, the clause from 1, and perhaps x₀."""
    noted = dict(re.findall(r"^c (\w+): *(.*?)\s*$", path.read_text(encoding="utf-8"), re.MULTILINE))
    point = tuple(value == "1" for value in noted["point"].split()) if "point" in noted else None
    return noted["reading"], ReadingCounterexample(parse_cnf(path.read_bytes()), int(noted["clause"]) - 1, point)


FILES = sorted((Path(__file__).resolve().parents[2] / "regressions" / "reduction").glob("*.cnf"))


def test_every_claim_has_a_kept_counterexample():
    assert {read_kept(path)[0] for path in FILES} == set(CLAIMS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_kept_counterexample_refutes_its_claim(path):
    name, kept = read_kept(path)
    assert CLAIMS[name].refuted(kept.formula) == kept
    tables = Tables(kept.formula)
    assert tables.unsatisfiable(range(len(kept.formula.clauses)))
    assert not tables.in_some_mus(kept.clause)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_routes_say_so_too(path):
    name, kept = read_kept(path)
    routes = HonestRoutes()
    psi = routes.selector_dnf(kept.formula)
    count = len(kept.formula.clauses)
    assert not any(kept.clause in mus for mus in routes.muses(kept.formula))
    assert not any(kept.clause in prime for prime in routes.selector_primes(psi, count))
    if name == "B":
        assert any(kept.clause + 1 in prime for prime in routes.primes(psi))
        assert kept.clause + 1 in (routes.prime_with(psi, kept.clause + 1) or ())
        return
    instances = [kept.point] if kept.point is not None else points(kept.formula.variables)
    for x in instances:
        instance = (*(True,) * count, *x)
        assert any(kept.clause in axp for axp in routes.axps(psi, instance))
        assert kept.clause in (routes.axp_with(psi, instance, kept.clause) or ())


@pytest.mark.parametrize(
    ("name", "empty", "size"),
    [
        ("B", True, (2, 1, 1)),
        ("B", False, (3, 3, 2)),
        ("C-some", True, (2, 1, 1)),
        ("C-some", False, (3, 3, 2)),
        ("C-first", True, (2, 1, 1)),
        ("C-first", False, (3, 3, 2)),
        ("C-every", True, (5, 9, 3)),
    ],
)
def test_the_smallest_counterexample(name, empty, size):
    found = smallest_counterexample(CLAIMS[name], 5, 3, empty=empty)
    assert FormulaCase(found.formula).size == size


def test_fewer_clauses_do_not_refute_the_claim_of_every_instance():
    assert smallest_counterexample(CLAIMS["C-every"], 3, 4) is None


@pytest.mark.parametrize("clause", range(3))
def test_axps_by_units_are_those_of_the_routes(clause):
    formula = cnf([(1,), (-1, 2), (-2,), (1, 2)][: clause + 2])
    routes = HonestRoutes()
    psi = routes.selector_dnf(formula)
    for x in points(formula.variables):
        instance = (*(True,) * len(formula.clauses), *x)
        if any(not any(literal in {v if x[v - 1] else -v for v in (1, 2)} for literal in c) for c in formula.clauses):
            axps = routes.axps(psi, instance)
            for position in range(len(formula.clauses)):
                assert selector_in_axp(formula, position, x) == any(position in axp for axp in axps)


def test_formulas_of_are_all_up_to_names():
    assert [f.clauses for f in formulas_of(1, 1)] == [((1,),)]
    assert [f.clauses for f in formulas_of(2, 0)] == [((), ())]
    assert [f.clauses for f in formulas_of(2, 1)] == [((), (1,)), ((1,), (1,)), ((1,), (-1,))]
