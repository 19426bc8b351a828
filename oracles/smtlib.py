"""Questions of the SMT oracles, as SMT-LIB 2 scripts that anyone can replay with a solver of their own.

The formulas are those of :mod:`xpgcheck.oracles.smt_encoding` and :mod:`xpgcheck.oracles.smt_quantified`, printed by
pySMT.  In the formulation "ite" every non-terminal has a name of its own, so that the script has one short line per node.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence

from xpgcheck.errors import InputError, InstanceError, shown
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, has_missing
from xpgcheck.model.value_sets import IntervalSet, number_text, value_text
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.oracles.float_ranks import ranks_of
from xpgcheck.oracles.pysmt_backend import Term
from xpgcheck.oracles.smt_encoding import Activation, NestedChoice, Variables
from xpgcheck.oracles.smt_quantified import equation_1
from xpgcheck.oracles.smt_sessions import logic_of

SCRIPT_FORMULATIONS = ("ite", "activation", "quantified")

_LOGICS = {"QF_BOOL": "QF_UF", "QF_UFLIRA": "QF_LIRA"}
"""pySMT's names of logics that SMT-LIB calls otherwise (no formula here has functions)."""

_QUOTIENT, _REALS = re.compile(r"\(/ (\d+) (\d+)\)"), r"(/ \1.0 \2.0)"

_MEANING = {
    "ite": [
        "Each n<class>_<node> is 'from this node on, the class is not <class>': an if-then-else on the literals of its",
        "edges. Nodes are numbered from the root, which is 0, downwards; the last edge of a node is the 'else'.",
    ],
    "activation": [
        "Each a<node> says that the node is reached: only if a parent is and the literal of the edge between them holds.",
        "Nodes are numbered from the root, which is 0, downwards.",
    ],
    "quantified": ["Asserted is the negation of Eq. 1, with its quantifier."],
}


def smtlib_query(graph: DecisionGraph, point: Point, fixed: Iterable[int], formulation: str = "ite") -> str:
    """Return the script that asks whether a point that agrees with *point* on *fixed* has another class.

    Satisfiable: *fixed* is no weak AXp (the negation of Eq. 1) and the other features are a weak CXp (Eq. 2); a model is a
    witness.  *formulation* is "ite" or "activation" (without quantifiers, linear in the graph), or "quantified" (Eq. 1 as
    the paper writes it; no model).  The variables are over the original domains: comments say which feature each is, and
    what the ranks of float32 and float64 numbers stand for.  The same question always gives the same text.

    Raises ``InstanceError`` where *point* is not in feature space, ``InputError`` on an index that is no feature and on
    another formulation.
    """
    if formulation not in SCRIPT_FORMULATIONS:
        mend = f"use one of {', '.join(SCRIPT_FORMULATIONS)}"
        raise InputError(f"no formulation is called {shown(formulation)}", mend=mend)
    if not in_feature_space(graph, point):
        raise InstanceError(
            "the point is not in the model's feature space", mend="give one domain value for each feature"
        )
    chosen = frozenset(fixed)
    for i in chosen:
        if not 0 <= i < len(graph.features):
            mend = f"name features by their index, from 0 to {len(graph.features) - 1}"
            raise InputError(f"there is no feature {i}", mend=mend)
    from pysmt.environment import Environment, pop_env, push_env

    environment = Environment()
    push_env(environment)
    try:
        return (
            "\n".join(_lines(graph, point, chosen, formulation, Variables(environment.formula_manager, graph))) + "\n"
        )
    finally:
        pop_env()


def _lines(
    graph: DecisionGraph, point: Point, fixed: frozenset[int], formulation: str, variables: Variables
) -> Iterator[str]:
    logic = logic_of(graph)
    logic = _LOGICS.get(logic, logic)
    class_index = graph.kappa(point)
    yield from (f"; {text}" for text in _header(graph, class_index, formulation))
    yield from (f"; {text}" for text in _features(graph, point, fixed, variables))
    if formulation == "quantified":
        yield f"(set-logic {logic.removeprefix('QF_')})"
        yield from _assertions([variables.formulas.Not(equation_1(variables, point, fixed, class_index))], daggify=True)
        yield "(check-sat)"
        return
    encoding = NestedChoice(variables, nesting_limit=1) if formulation == "ite" else Activation(variables)
    common = list(encoding.common())
    selector, other_class = encoding.other_class(class_index)
    agrees = [variable.equals(point[i]) for i, variable in variables.of.items() if i in fixed]
    yield "(set-option :produce-models true)"
    yield f"(set-logic {logic})"
    yield from _declarations([*common, *other_class, selector], variables)
    yield "; the graph and the domains"
    yield from _assertions([*common, *other_class])
    yield "; another class"
    yield from _assertions([selector])
    yield "; the instance on the fixed features"
    yield from _assertions(agrees)
    yield "(check-sat)"
    yield "; a witness; after unsat there is none, and solvers answer with an error"
    yield "(get-model)"


def _header(graph: DecisionGraph, class_index: int, formulation: str) -> Iterator[str]:
    yield f"The decision graph {shown(graph.name)}, {len(graph.features)} features, {graph.node_count} nodes,"
    yield f"at an instance of class {class_index} ({shown(graph.classes[class_index])})."
    yield "Asked: does some point that agrees with the instance on the fixed features have another class?"
    yield "sat: the fixed features are no weak AXp (Eq. 1 fails), the others are a weak CXp (Eq. 2 holds)."
    yield "unsat: the fixed features are a weak AXp (Eq. 1 holds), the others are no weak CXp (Eq. 2 fails)."
    yield from _MEANING[formulation]


def _features(graph: DecisionGraph, point: Point, fixed: frozenset[int], variables: Variables) -> Iterator[str]:
    domains = [variable.domain for variable in variables.of.values()]
    for name in sorted({domain.binary.name for domain in domains if isinstance(domain, (Float32, Float64))}):
        yield f"Ranks count the {name} numbers from zero: 1 is the smallest positive one, -1 the largest negative one."
    yield "The features:"
    for i, (feature, value) in enumerate(zip(graph.features, point, strict=True)):
        state = "fixed" if i in fixed else "free"
        variable = f"x{i}" if i in variables.of else "no variable (the graph does not test it)"
        text = f"{variable}: {shown(feature.name)}, {_domain(feature.domain)}; {state}"
        yield f"  {text}, at the instance {shown(value_text(value))}{_rank(feature.domain, value)}"
        if i in variables.of:
            yield from (f"    {text}" for text in _codes(graph, i))


def _domain(domain: Domain) -> str:
    if isinstance(domain, Boolean):
        return "Boolean"
    if isinstance(domain, (Float32, Float64)):
        text = f"{domain.binary.name} by rank"
        return f"{text}, m instead of x says that it is missing" if domain.missing else text
    if isinstance(domain, Categorical):
        return f"categorical {domain} by position"
    return f"{domain}, m instead of x" if has_missing(domain) else str(domain)


def _rank(domain: Domain, value: Value) -> str:
    if not isinstance(domain, (Float32, Float64)) or value is MISSING or isinstance(value, str):
        return ""
    return f" (rank {ranks_of(domain).rank_of(value)})"


def _codes(graph: DecisionGraph, feature: int) -> Iterator[str]:
    """Say what the integers in the literals of *feature* stand for."""
    domain = graph.features[feature].domain
    if isinstance(domain, Categorical):
        yield from (f"{position} is {shown(value)}" for position, value in enumerate(domain.values))
    elif isinstance(domain, (Float32, Float64)):
        sets = [literal.values for literal in graph.literals if literal.feature == feature]
        spans = [span for values in sets if isinstance(values, IntervalSet) for span in values.intervals()]
        ends = {end for span in spans for end in (span.low, span.high) if end is not None}
        yield from (f"rank {ranks_of(domain).rank_of(end)} is {number_text(end)}" for end in sorted(ends))


def _declarations(formulas: Sequence[Term], variables: Variables) -> Iterator[str]:
    """Declare the variables of the features first, then the auxiliary ones in the order of their names."""
    own = [symbol for variable in variables.of.values() for symbol in variable.symbols]
    found = {symbol for formula in formulas for symbol in formula.get_free_variables()} - set(own)
    for symbol in [*own, *sorted(found, key=_by_number)]:
        yield f"(declare-fun {symbol.symbol_name()} () {symbol.symbol_type()})"


def _by_number(symbol: Term) -> tuple[bool, int]:
    name: str = symbol.symbol_name()
    return name.startswith("not_class"), int(name.rpartition("_")[2].lstrip("a"))


def _assertions(formulas: Sequence[Term], daggify: bool = False) -> Iterator[str]:
    from pysmt.smtlib.printers import SmtDagPrinter, SmtPrinter

    # One printer for all: making one takes longer than printing a node.
    buffer = io.StringIO()
    printer = (SmtDagPrinter if daggify else SmtPrinter)(buffer)
    for formula in formulas:
        if not formula.is_true():
            printer.printer(formula)
            text = buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
            # The standard wants reals to be divided where there are integers too, and keeps names with a dot to solvers.
            yield f"(assert {_QUOTIENT.sub(_REALS, text).replace('.def_', 't')})"
