"""The theorems at small sizes, by several routes; what refutes them without an assumption; the encoding mutated."""

import json
from dataclasses import replace

import pytest
from graph_kinds import is_of_kind

from xpgcheck.model.assumptions import InconsistentPathError, UncoveredError
from xpgcheck.model.graph_errors import OverlapError
from xpgcheck.paper.symbolic import plain, solving
from xpgcheck.paper.symbolic.cases import Cube
from xpgcheck.paper.symbolic.controls import satisfiable_without, smallest_counterexample
from xpgcheck.paper.symbolic.decoding import decoded, replayed
from xpgcheck.paper.symbolic.graphs import GraphKind, Size
from xpgcheck.paper.symbolic.plain import Table
from xpgcheck.paper.symbolic.sigma import IDEAS
from xpgcheck.paper.symbolic.smtlib import smtlib
from xpgcheck.paper.symbolic.solving import decide, satisfied
from xpgcheck.paper.symbolic.theorems import THEOREMS, theorem
from xpgcheck.readers.json_model import parse_json

SMALL = [Size(3, 2, 2), Size(2, 2, 3)]
PROVED = [(found, kind) for found in THEOREMS for kind in found.kinds]
REFUTED = [(found, kind, part) for found in THEOREMS for kind, part in found.refuted.items()]
MUTATED = [(t, kind, group) for t in THEOREMS for kind, groups in t.turned_red_by.items() for group in groups]


def named(parameters):
    return [pytest.param(*p, id="-".join(getattr(x, "key", getattr(x, "value", x)) for x in p)) for p in parameters]


@pytest.mark.parametrize("size", SMALL, ids=str)
@pytest.mark.parametrize(("found", "kind"), named(PROVED))
def test_a_theorem_is_proved_cube_by_cube_and_at_once(found, kind, size):
    for part in found.parts(size):
        denial = found.denial(size, kind, part)
        answer = decide(denial, denial.cubes, check_proofs=True)
        assert (answer.model, answer.fault, answer.cubes) == (None, None, len(denial.cubes))
        assert answer.lines >= len(denial.cubes)
        assert satisfied(denial.formula.bare(), solving.SECOND) is None
        assert decide(denial, [Cube(())], check_proofs=False) == solving.CubesAnswer(None, None, 1, 0)


@pytest.mark.parametrize(("found", "kind", "part"), named(REFUTED))
def test_without_an_assumption_plain_evaluation_confirms_the_counterexample(found, kind, part):
    refuted = smallest_counterexample(found, kind, part)
    assert refuted is not None
    assert refuted.replay
    assert is_of_kind(refuted.found.table, kind)
    document = plain.document(refuted.found.table, "counterexample")
    error = {
        GraphKind.INCONSISTENT: InconsistentPathError,
        GraphKind.UNCOVERED: UncoveredError,
        GraphKind.OVERLAPPING: OverlapError,
    }[kind]
    with pytest.raises(error):
        parse_json(json.dumps(document).encode())


def test_the_smallest_ghost_has_two_nodes():
    refuted = smallest_counterexample(theorem("necessary"), GraphKind.INCONSISTENT, "all")
    assert refuted is not None
    assert (refuted.size.nodes, refuted.size.features) == (2, 1)


def test_a_theorem_that_holds_has_no_counterexample():
    assert smallest_counterexample(theorem("necessary"), GraphKind.READ_ONCE, "all") is None


@pytest.mark.parametrize(("found", "kind", "group"), named(MUTATED))
def test_without_a_group_of_clauses_a_theorem_is_no_longer_proved(found, kind, group):
    size = Size(3, 2, 2)
    part = satisfiable_without(found, size, kind, group)
    assert part is not None
    denial = found.denial(size, kind, part, [group])
    answer = decide(denial, denial.cubes, check_proofs=True)
    assert answer.model is not None
    assert answer.fault is None


def test_every_theorem_can_be_turned_red_and_is_refuted_of_other_graphs_alone():
    assert all(found.turned_red_by and not found.refuted.keys() & set(found.kinds) for found in THEOREMS)


def test_a_model_of_a_mutated_formula_is_not_confirmed_where_the_graph_is_a_decision_graph():
    # Without Eq. 3 the formula lies about σ; plain evaluation does not.
    found, size = theorem("necessary"), Size(2, 2, 2)
    denial = found.denial(size, GraphKind.READ_ONCE, "all", ["Eq. 3"])
    answer = decide(denial, denial.cubes, check_proofs=True)
    assert answer.model is not None
    assert replayed("necessary", "all", decoded(size, answer.model, denial.sets)) is None


def test_a_proof_that_does_not_hold_is_a_fault(monkeypatch):
    denial = theorem("necessary").denial(Size(3, 2, 2), GraphKind.READ_ONCE, "all")
    monkeypatch.setattr(solving, "refutation", lambda clauses: ((),))
    answer = decide(denial, [Cube(())], check_proofs=True)
    assert answer.model is None
    assert answer.fault is not None
    assert "not RUP" in answer.fault


def test_solvers_that_disagree_are_a_fault(monkeypatch):
    denial = theorem("monotone").denial(Size(2, 1, 2), GraphKind.READ_ONCE, "all")
    answers = iter([None, [True]])
    monkeypatch.setattr(solving, "satisfied", lambda clauses, name: next(answers))
    assert decide(denial, denial.cubes, check_proofs=False).fault == "two solvers disagree"


def test_a_solver_that_gives_no_proof_and_no_model_is_a_fault(monkeypatch):
    denial = theorem("monotone").denial(Size(2, 1, 2), GraphKind.READ_ONCE, "all")

    def none(clauses):
        raise ValueError

    monkeypatch.setattr(solving, "refutation", none)
    assert decide(denial, denial.cubes, check_proofs=True).fault == "two solvers disagree"


def test_a_wrong_hint_costs_time_and_no_answer():
    denial = theorem("necessary").denial(Size(3, 2, 2), GraphKind.READ_ONCE, "all")
    shifted = [replace(cube, point=(0, 0)) for cube in denial.cubes]
    answer = decide(denial, shifted, check_proofs=True)
    assert (answer.model, answer.fault, answer.cubes) == (None, None, len(denial.cubes))


@pytest.mark.parametrize(("found", "kind"), named(PROVED))
def test_the_exported_theorem_is_unsatisfiable_to_z3(found, kind):
    import z3

    size = Size(3, 2, 2)
    for part in found.parts(size):
        text = smtlib(found, size, kind, part)
        assert text == smtlib(found, size, kind, part)
        solver = z3.Solver()
        solver.from_string(text)
        assert len(solver.assertions()) == len(found.denial(size, kind, part, IDEAS).formula.clauses)
        assert solver.check() == z3.unsat


@pytest.mark.parametrize(("found", "kind", "part"), named(REFUTED))
def test_the_exported_counterexample_is_the_same_question_to_z3(found, kind, part):
    import z3

    refuted = smallest_counterexample(found, kind, part)
    assert refuted is not None
    solver = z3.Solver()
    solver.from_string(smtlib(found, refuted.size, kind, part))
    assert solver.check() == z3.sat
    model = solver.model()
    true = {str(symbol) for symbol in model.decls() if z3.is_true(model[symbol])}
    denial = found.denial(refuted.size, kind, part)
    assert replayed(found.key, part, decoded(refuted.size, true, denial.sets))


def test_an_exported_theorem_says_what_it_is():
    text = smtlib(theorem("necessary"), Size(2, 1, 2), GraphKind.READ_ONCE, "all")
    assert "; Prop. 5" in text
    assert "at most 2 non-terminals" in text
    assert "(set-info :status unsat)" in text
    assert "(declare-const tests_n1_f0 Bool)" in text
    assert text.endswith("(check-sat)\n")


@pytest.mark.parametrize(
    ("key", "part", "sets"),
    [
        ("sufficient", "all", {"s": {0}}),
        ("necessary", "all", {"s": {0}}),
        ("monotone", "all", {"lower": set(), "upper": {0}}),
        ("one terminal", "all", {}),
        ("Algorithm 2", "weak", {"seed": {0}, "result": {0}}),
        ("Algorithm 2", "minimal-0", {"seed": {0}, "result": {0}}),
        ("Algorithm 3", "weak", {"seed": {0}, "result": {0}}),
        ("Algorithm 3", "minimal-0", {"seed": {0}, "result": {0}}),
    ],
)
def test_plain_evaluation_confirms_nothing_on_a_decision_graph(key, part, sets):
    from xpgcheck.paper.symbolic.decoding import SymbolicCounterexample

    table = Table(Size(1, 1, 2), (0,), (((1,), (2,)),))
    assert replayed(key, part, SymbolicCounterexample(table, {name: frozenset(s) for name, s in sets.items()})) is None
