"""The SMT check of XPs: our session against pySMT's shortcut a query, and against the same selectors in raw z3py."""

from __future__ import annotations

import itertools
import random
import statistics
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks.dags import random_dag, random_points
from benchmarks.measure import Report, Target, interleaved
from xpgcheck import embedded
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point, Value
from xpgcheck.oracles.smt_encoding import NestedChoice, Variables
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import Kind

METHOD = """\
CPU ms an XP with Z3 (medians). An XP of k features takes k + 1 queries; within one run no query is asked twice. One XP: \
cold is a new session (its environment, solver and encoding in its time), warm is a session that has answered for \
other instances and for the other XPs of this one. Many XPs: all those of some instances, in one new session, all in \
its time. The script calls pySMT's \
is_sat(And(formula, x_i = v_i, …)) a query on the same formulas, built once a class, in an environment that is there; it \
reads no witness back. Raw z3py has the same formulas and selectors, its own solver and calls. Ours and z3py read back the \
witness of every satisfiable query as exact values of all tested features."""

COLUMNS = (
    "model",
    "nodes",
    "XPs",
    "queries",
    "1 XP: script",
    "cold",
    "×",
    "warm",
    "× ",
    "many: script",
    "ours",
    "×  ",
    "z3py",
    "ours / z3py",
)

MODELS = ("mux6", "monk2", "tic_tac_toe", "iris", "wine", "breast_cancer", "digits")

Query = tuple[Point, frozenset[int]]


def run(
    models: Sequence[str] = MODELS, dags: Sequence[int] = (100, 1000), repetitions: int = 5, max_xps: int = 60
) -> Report:
    """Measure the embedded *models* and random DAGs of *dags* nodes, on at most *max_xps* XPs each (fewer on large ones)."""
    report = Report("smt", METHOD, COLUMNS)
    cases = [(embedded.load(name).graph, _sample(embedded.load(name).instances)) for name in models]
    cases += [(graph, random_points(graph, 12)) for graph in map(random_dag, dags)]
    ratios = []
    for graph, points in cases:
        xps = list(_xps(graph, points, max_xps if graph.node_count < 300 else max(4, max_xps // 5)))
        queries = list(dict.fromkeys(itertools.chain.from_iterable(xps)))
        first = xps[len(xps) // 2]
        own = first[0][0]
        # Other instances first, the other XPs of the same instance last: the session is where a judge's would be.
        others = sorted((query for query in queries if query not in first), key=lambda query: query[0] is own)
        if (
            not _script(_new_environment(), graph, queries[:40])
            == _ours(graph, queries[:40])
            == _z3py(graph, queries[:40])
        ):
            raise AssertionError(f"{graph.name}: the answers differ, so there is nothing to time")
        one = interleaved(
            {
                "script": partial(_script, graph=graph, queries=first),
                "cold": partial(_ours, graph, first),
                "warm": partial(_ask, queries=first),
            },
            repetitions,
            {"script": _new_environment, "warm": partial(_warm, graph, others)},
        )
        many = interleaved(
            {
                "script": partial(_script, graph=graph, queries=queries),
                "ours": partial(_ours, graph, queries),
                "z3py": partial(_z3py, graph, queries),
            },
            max(3, repetitions // 2) if repetitions > 1 else 1,
            {"script": _new_environment},
        )
        ratio = (
            one["script"] / one["cold"],
            one["script"] / one["warm"],
            many["script"] / many["ours"],
            many["ours"] / many["z3py"],
        )
        ratios.append(ratio)
        script, cold, warm = (1e3 * seconds for seconds in one.values())
        each = {side: 1e3 * seconds / len(xps) for side, seconds in many.items()}
        sizes = graph.name, graph.node_count, len(xps), len(queries)
        singly = script, cold, ratio[0], warm, ratio[1]
        report.rows.append((*sizes, *singly, each["script"], each["ours"], ratio[2], each["z3py"], ratio[3]))
    cold, warm, several, raw = (statistics.median(column) for column in zip(*ratios, strict=True))
    report.rows.append(("median", *[None] * 5, cold, None, warm, None, None, several, None, raw))
    report.targets = [
        Target("one XP, warm session, median × of a pySMT shortcut a query", warm, "≥", 8),
        Target("many XPs of one graph, median × of a pySMT shortcut a query", several, "≥", 25),
        Target("ours / raw z3py, the same selectors, median", raw, "<", 0.5),
    ]
    return report


def _sample(points: Sequence[Point], count: int = 12) -> list[Point]:
    return list(points) if len(points) <= count else random.Random(0).sample(points, count)


def _xps(graph: DecisionGraph, points: Sequence[Point], limit: int) -> Iterator[list[Query]]:
    """Yield each XP of *points*, *limit* of them, as its k + 1 queries (point, fixed features)."""
    everything = frozenset(range(len(graph.features)))
    found = 0
    for point in points:
        for kind, features in Enumeration(explanation_graph(graph, point), limit - found):
            fixed = features if kind is Kind.AXP else everything - features
            yield [(point, fixed), *((point, fixed ^ {i}) for i in sorted(features))]
            found += 1


def _ours(graph: DecisionGraph, queries: Sequence[Query]) -> list[bool]:
    with SmtSession(graph, "z3") as session:
        return _ask(session, queries)


def _warm(graph: DecisionGraph, queries: Sequence[Query]) -> SmtSession:
    session = SmtSession(graph, "z3")
    _ask(session, queries)
    return session


def _ask(session: SmtSession, queries: Sequence[Query]) -> list[bool]:
    answers = []
    for point, asked in itertools.groupby(queries, key=lambda query: query[0]):
        oracle = session.at(point)
        for _, fixed in asked:
            answer = oracle.changeable(fixed)
            if answer.changeable is None or answer.changeable != (answer.witness is not None):
                raise AssertionError(f"no answer, or one without its witness: {answer}")
            answers.append(answer.changeable)
    return answers


def _new_environment() -> Any:
    """Give the script a fresh pySMT environment; finding the installed solvers is not in its time."""
    from pysmt.shortcuts import get_env, reset_env

    reset_env()
    return get_env().factory


def _script(_: Any, graph: DecisionGraph, queries: Sequence[Query]) -> list[bool]:
    """A script's way: build the formula once per class, then call ``is_sat`` for each query."""
    from pysmt.shortcuts import And, get_env, is_sat

    variables = Variables(get_env().formula_manager, graph)
    encoding = NestedChoice(variables)
    formulas: dict[int, Any] = {}
    answers = []
    for point, fixed in queries:
        target = graph.kappa(point)
        if target not in formulas:
            selector, definitions = encoding.other_class(target)
            formulas[target] = And(*encoding.common(), *definitions, selector)
        agree = [variables.of[i].equals(point[i]) for i in sorted(fixed) if i in variables.of]
        answers.append(bool(is_sat(And(formulas[target], *agree), solver_name="z3")))
    return answers


def _z3py(graph: DecisionGraph, queries: Sequence[Query]) -> list[bool]:
    """The same formulas, converted once, and the same selectors, asked through z3py as its documentation does it."""
    import z3
    from pysmt.environment import Environment, pop_env, push_env

    environment = Environment()
    push_env(environment)
    try:
        convert = environment.factory.Solver(name="z3").converter.convert
        variables = Variables(environment.formula_manager, graph)
        encoding = NestedChoice(variables)
        solver = z3.Solver()
        for formula in encoding.common():
            solver.add(convert(formula))
        symbols = {i: [convert(symbol) for symbol in variable.symbols] for i, variable in variables.of.items()}
        classes: dict[int, Any] = {}
        selectors: dict[tuple[int, Value], Any] = {}
        answers = []
        for point, asked in itertools.groupby(queries, key=lambda query: query[0]):
            target = graph.kappa(point)
            if target not in classes:
                selector, definitions = encoding.other_class(target)
                for formula in definitions:
                    solver.add(convert(formula))
                classes[target] = convert(selector)
            for i in variables.of:
                if (i, point[i]) not in selectors:
                    name = selectors[i, point[i]] = z3.Bool(f"select {i} {len(selectors)}")
                    solver.add(z3.Implies(name, convert(variables.of[i].equals(point[i]))))
            for _, fixed in asked:
                chosen = [selectors[i, point[i]] for i in fixed if i in variables.of]
                answers.append(solver.check(classes[target], *chosen) == z3.sat)
                if answers[-1]:
                    model = solver.model()
                    witness = list(point)
                    for i, terms in symbols.items():
                        readings = [_read(z3, model.eval(term, model_completion=True)) for term in terms]
                        witness[i] = variables.of[i].value(readings)
    finally:
        pop_env()
    return answers


def _read(z3: Any, value: Any) -> Any:
    if z3.is_bool(value):
        return z3.is_true(value)
    return value.as_long() if z3.is_int(value) else value.as_fraction()
