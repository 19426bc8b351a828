"""Decision graphs and ensembles in the package's own JSON formats, a node per line; what is read back is equal."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from xpgcheck.errors import FormatError, InputError, shown
from xpgcheck.model.combination import CombinationRule, Majority, Row
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Cell, Domain, Float32, Float64, Integer, exact_number
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import read_literal, write_literal
from xpgcheck.model.value_sets import number_text
from xpgcheck.model.values import Missing
from xpgcheck.readers.files import PathLike
from xpgcheck.readers.json_records import ENSEMBLE_FORMAT, FORMAT, VERSIONS
from xpgcheck.readers.names import check_name
from xpgcheck.writers.atomic import write_atomically

MAX_JSON_INTEGER = 2**53
"""Larger integers are written as texts: many JSON readers would round them."""


def model_json(graph: DecisionGraph) -> str:
    """Return *graph* as a ``decision-graph`` document; the same graph always gives the same text.

    ``parse_json(model_json(g).encode()) == g``.  Raises ``FormatError`` where a name or a number of *graph* is not one
    that the format holds.  Linear.
    """
    _check_names(graph)
    features = [{"name": feature.name, "domain": domain_record(feature.domain)} for feature in graph.features]
    literals = [_literal(graph, index) for index in range(len(graph.literals))]
    return "\n".join(
        [
            "{",
            f' "format": {_text(FORMAT)},',
            f' "version": {VERSIONS[-1]},',
            f' "name": {_text(graph.name)},',
            f' "features": {_lines(map(_text, features))},',
            f' "classes": {_text(graph.classes)},',
            f' "root": {_text(graph.node_ids[0])},',
            f' "nodes": {_lines(_node(graph, node, literals) for node in range(graph.node_count))}',
            "}",
            "",
        ]
    )


def ensemble_json(ensemble: Ensemble) -> str:
    """Return *ensemble* as an ``ensemble`` document; the same ensemble always gives the same text.

    ``parse_ensemble(ensemble_json(e).encode()) == e``.  Raises as :func:`model_json` does.  Linear.
    """
    check_name("model", ensemble.name)
    features = [{"name": feature.name, "domain": domain_record(feature.domain)} for feature in ensemble.features]
    return "\n".join(
        [
            "{",
            f' "format": {_text(ENSEMBLE_FORMAT)},',
            f' "version": {VERSIONS[-1]},',
            f' "name": {_text(ensemble.name)},',
            f' "features": {_lines(map(_text, features))},',
            f' "classes": {_text(ensemble.classes)},',
            f' "rule": {_text(_rule(ensemble.rule))},',
            f' "trees": {_lines(map(_tree, ensemble.trees, ensemble.outputs or itertools.repeat(None)))}',
            "}",
            "",
        ]
    )


def _rule(rule: CombinationRule) -> dict[str, Any]:
    if isinstance(rule, Majority):
        return {"type": "majority", "ties": "first class"}
    record: dict[str, Any] = {"type": "average" if rule.divided else "sum", "base": list(map(_bound, rule.base))}
    if rule.threshold is not None:
        record["threshold"] = {"at": _bound(rule.threshold.at), "inclusive": rule.threshold.inclusive}
    record["arithmetic"] = rule.arithmetic.value
    if rule.doubt:
        record["doubt"] = _bound(rule.doubt)
    return record


def _tree(graph: DecisionGraph, rows: Sequence[Row] | None) -> str:
    _check_names(graph)
    literals = [_literal(graph, index) for index in range(len(graph.literals))]
    start = f'{{"name": {_text(graph.name)}, "root": {_text(graph.node_ids[0])}, '
    if rows is not None:
        answers = {name: list(map(_bound, row)) for name, row in zip(graph.classes, rows, strict=True)}
        start += f'"answers": {_text(answers)}, '
    return f'{start}"nodes": {_lines(_node(graph, node, literals) for node in range(graph.node_count))}}}'


def classifier_json(model: DecisionGraph | Ensemble) -> str:
    """Return *model* in the format that is its own: :func:`model_json` or :func:`ensemble_json`."""
    return ensemble_json(model) if isinstance(model, Ensemble) else model_json(model)


def write_json(model: DecisionGraph | Ensemble, path: PathLike) -> None:
    """Write *model* to *path* as :func:`classifier_json` gives it, whole or not at all.

    Raises as that and :func:`xpgcheck.writers.atomic.write_atomically` do.
    """
    write_atomically(path, classifier_json(model))


_text = json.JSONEncoder(ensure_ascii=False).encode
"""The JSON text of a value: one encoder for all of them, as ``json.dumps`` would make one per call."""


def _lines(items: Iterable[str]) -> str:
    return "[\n  " + ",\n  ".join(items) + "\n ]"


def _node(graph: DecisionGraph, node: int, literals: list[str]) -> str:
    start = f'{{"id": {_text(graph.node_ids[node])}, '
    if graph.is_terminal(node):
        return f'{start}"class": {_text(graph.classes[graph.class_of[node]])}}}'
    edges = ", ".join(
        f'{{"to": {_text(graph.node_ids[child])}, "in": {literals[index]}}}'
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True)
    )
    return f'{start}"feature": {_text(graph.features[graph.feature_of[node]].name)}, "edges": [{edges}]}}'


def _literal(graph: DecisionGraph, index: int) -> str:
    literal = graph.literals[index]
    feature = graph.features[literal.feature]
    items = write_literal(feature.domain, literal.values)
    try:
        same = read_literal(feature.domain, items) == literal.values
    except InputError:
        same = False
    if not same:
        problem = f"the literal {shown(literal.values)} of feature {shown(feature.name)} cannot be written"
        raise FormatError(problem, mend="use numbers of at most 400 characters")
    return _text(items)


def domain_record(domain: Domain) -> dict[str, Any]:
    """Return *domain* as the formats write it.  Raises ``FormatError`` where a number is too long or no float64."""
    if isinstance(domain, Boolean):
        return {"type": "boolean"}
    if isinstance(domain, Categorical):
        record: dict[str, Any] = {"type": "categorical", "values": list(domain.values)}
        if domain.cells:
            record["cells"] = [_cell(cell) for cell in domain.cells]
        return record if domain.unseen is None else {**record, "unseen": domain.unseen}
    if isinstance(domain, (Float32, Float64)):
        return {"type": domain.binary.name, "missing": domain.missing}
    record = {"type": "integer" if isinstance(domain, Integer) else "real"}
    bounds: tuple[tuple[str, int | Fraction | None], ...] = (("low", domain.low), ("high", domain.high))
    for field, bound in bounds:
        if bound is not None:
            record[field] = _bound(Fraction(bound))
    if isinstance(domain, Integer):
        record.update({"missing": True} if domain.missing else {})
    else:
        record.update({field: True for field in ("low_open", "high_open") if getattr(domain, field)})
    return record


def _cell(cell: Cell) -> object:
    """Return *cell* as JSON: null for the missing value, a float64 with a point."""
    if not isinstance(cell, Fraction):
        return None if isinstance(cell, Missing) else cell
    if cell.denominator == 1:
        return cell.numerator
    number = float(cell)
    if Fraction(number) != cell:
        raise FormatError(f"the cell {cell} is not a float64", mend="use integers and float64 numbers")
    return number


def _bound(bound: Fraction) -> int | str:
    if abs(bound) < MAX_JSON_INTEGER and bound.denominator == 1:
        return bound.numerator
    text = number_text(bound)
    exact_number(text)
    return text


def _check_names(graph: DecisionGraph) -> None:
    check_name("model", graph.name)
    for feature in graph.features:
        check_name("feature", feature.name)
        if isinstance(feature.domain, Categorical):
            for value in feature.domain.values:
                check_name("category", value)
    for name in graph.classes:
        check_name("class", name)
    for key in graph.node_ids:
        if isinstance(key, str):
            check_name("node", key)
