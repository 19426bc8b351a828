"""SMT-LIB scripts: other parsers read them, and the answers are those of the exhaustive oracle."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck import embedded
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature, Float32, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.values import Point
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.oracles.smtlib import SCRIPT_FORMULATIONS, smtlib_query
from xpgcheck.properties.strategies import cases


def z3_says(script: str) -> bool:
    """Return what Z3 answers, through its own parser and a context that nothing else uses."""
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.add(z3.parse_smt2_string(script, ctx=context))
    answer = str(solver.check())
    assert answer in ("sat", "unsat"), answer
    return answer == "sat"


def cvc5_says(script: str) -> bool:
    """Return what cvc5 answers when it runs the script, comments and all, and takes nothing but the standard."""
    cvc5 = pytest.importorskip("cvc5", reason="cvc5 is not installed: pip install 'xpgcheck[cvc5]'")
    solver = cvc5.Solver()
    symbols = cvc5.SymbolManager(solver)
    parser = cvc5.InputParser(solver, symbols)
    solver.setOption("strict-parsing", "true")
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "query.smt2")
    said = []
    while not (command := parser.nextCommand()).isNull():
        output = command.invoke(solver, symbols).strip()
        # After unsat there is no model, and cvc5 says so.
        assert "error" not in output or said[-1] == "unsat", output
        said.append(output)
    answers = [line for line in said if line in ("sat", "unsat", "unknown")]
    assert answers in (["sat"], ["unsat"]), said
    return answers == ["sat"]


def subsets(graph: DecisionGraph, seed: int, count: int) -> Iterator[list[int]]:
    chance = random.Random(seed)
    everything = range(len(graph.features))
    yield from ([], list(everything))
    for _ in range(count):
        yield [i for i in everything if chance.random() < 0.5]


@given(cases(), st.randoms(use_true_random=False), st.sampled_from(SCRIPT_FORMULATIONS))
def test_z3_answers_as_every_cell_does(case: tuple[DecisionGraph, Point], chance: Any, formulation: str) -> None:
    graph, point = case
    fixed = [i for i in range(len(graph.features)) if chance.random() < 0.5]
    expected = ExhaustiveOracle(graph, point).changeable(fixed).changeable
    assert z3_says(smtlib_query(graph, point, fixed, formulation)) == expected


@given(cases(), st.randoms(use_true_random=False), st.sampled_from(SCRIPT_FORMULATIONS))
def test_cvc5_answers_as_every_cell_does(case: tuple[DecisionGraph, Point], chance: Any, formulation: str) -> None:
    graph, point = case
    fixed = [i for i in range(len(graph.features)) if chance.random() < 0.5]
    expected = ExhaustiveOracle(graph, point).changeable(fixed).changeable
    assert cvc5_says(smtlib_query(graph, point, fixed, formulation)) == expected


@pytest.mark.parametrize("name", ["hardware", "omdd", "iris", "corral", "wine"])
def test_embedded_models(name: str) -> None:
    model = embedded.load(name)
    for point in model.instances[:2]:
        oracle = ExhaustiveOracle(model.graph, point)
        for fixed in subsets(model.graph, 1, 2):
            for formulation in ("ite", "activation"):
                script = smtlib_query(model.graph, point, fixed, formulation)
                assert z3_says(script) == cvc5_says(script) == oracle.changeable(fixed).changeable


def mixed() -> DecisionGraph:
    """Reals, Booleans and float32 numbers with missing values in one graph."""
    real, single = Real(), Float32(True)
    nodes = {
        "r": NonTerminal(0, (("f", read_literal(real, ["(-inf, 5/2]"])), ("b", read_literal(real, ["(5/2, inf)"])))),
        "f": NonTerminal(
            1, (("b", read_literal(single, ["(-inf, 0.1]", "missing"])), ("1", read_literal(single, ["(0.1, inf)"])))
        ),
        "b": NonTerminal(2, (("0", read_literal(Boolean(), [0])), ("1", read_literal(Boolean(), [1])))),
        "0": Terminal(0),
        "1": Terminal(1),
    }
    features = [Feature("a\nline", real), Feature("s", single), Feature('"b" ; |', Boolean()), Feature("unused", real)]
    return decision_graph("mixed", features, ["no", "yes"], nodes)


@pytest.fixture
def mixed_case() -> tuple[DecisionGraph, Point]:
    return mixed(), (Fraction(1), Fraction(-1), False, Fraction(0))


def test_every_line_is_a_command_or_a_comment(mixed_case: tuple[DecisionGraph, Point]) -> None:
    graph, point = mixed_case
    for formulation in SCRIPT_FORMULATIONS:
        script = smtlib_query(graph, point, [0], formulation)
        assert all(line.startswith(("; ", "(")) for line in script.splitlines())
        assert script == smtlib_query(graph, point, [0], formulation), "deterministic"
        assert script.count("(check-sat)") == 1
        assert z3_says(script)
    assert "(set-logic QF_LIRA)" in smtlib_query(graph, point, [0])


def test_comments_name_features_values_and_ranks(mixed_case: tuple[DecisionGraph, Point]) -> None:
    graph, point = mixed_case
    script = smtlib_query(graph, point, [1, 3])
    assert r"; " + r"  x0: 'a\nline', reals (-inf, inf); free, at the instance '1'" in script
    assert "  x1: 's', float32 by rank, m instead of x says that it is missing; fixed, at the instance '-1'" in script
    assert "(rank -1065353216)" in script
    assert "rank 1036831948 is 0.099999994039535522" in script
    assert "no variable (the graph does not test it): 'unused'" in script
    assert "at an instance of class 0 ('no')" in script


def test_the_script_has_one_definition_a_node() -> None:
    model = embedded.load("iris")
    script = smtlib_query(model.graph, model.instances[0], [])
    inner = sum(not model.graph.is_terminal(node) for node in range(model.graph.node_count))
    assert len(re.findall(r"^\(assert \(=> n\d+_\d+ \(ite ", script, re.MULTILINE)) == inner


def test_a_long_chain_is_no_deep_term() -> None:
    size = 2 * sys.getrecursionlimit()
    low, high = read_literal(Boolean(), [0]), read_literal(Boolean(), [1])
    nodes = {i: NonTerminal(i, ((i + 1, low), (-1, high))) for i in range(size)}
    features = [Feature(f"x{i}", Boolean()) for i in range(size)]
    graph = decision_graph("chain", features, ["a", "b"], {**nodes, size: Terminal(0), -1: Terminal(1)})
    point = (False,) * size
    assert z3_says(smtlib_query(graph, point, range(size - 1)))
    assert not z3_says(smtlib_query(graph, point, range(size)))


def test_a_constant_graph() -> None:
    graph = decision_graph("one", [Feature("x", Boolean())], ["a"], {1: Terminal(0)})
    for formulation in SCRIPT_FORMULATIONS:
        script = smtlib_query(graph, (True,), [], formulation)
        assert not z3_says(script)
        assert not cvc5_says(script)


def test_wrong_questions_are_refused(mixed_case: tuple[DecisionGraph, Point]) -> None:
    graph, point = mixed_case
    with pytest.raises(InputError, match="no formulation is called 'bdd'; use one of ite, activation, quantified"):
        smtlib_query(graph, point, [], "bdd")
    with pytest.raises(InputError, match="there is no feature 4; name features by their index, from 0 to 3"):
        smtlib_query(graph, point, [4])
    with pytest.raises(InstanceError, match="not in the model's feature space"):
        smtlib_query(graph, point[:-1], [])
