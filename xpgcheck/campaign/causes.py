"""Causes, which make two findings one: the same property (or what was asked), the same verdict, the same case but for names.

Cases are the same where a renaming of nodes, features, classes and values takes one to the other, the instance with it.
Values that no literal tells apart count as one.  Values of Boolean and categorical features may be swapped; numbers keep
their order, and whether an end of an interval belongs to it and the instance lies on it, as that is where ``<`` and ``≤``
are confused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from xpgcheck.campaign.canonical import Arc, Form, canonical_form
from xpgcheck.errors import FormatError, XpgcheckError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, Integer, Real
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_model import parse_json

MAX_CASE = 2_000_000
"""Characters of a case that is looked at: findings are shrunk, so theirs are far smaller."""


def cause_of(finding: Mapping[str, Any]) -> str:
    """Return the key of what *finding* (see :class:`xpgcheck.campaign.documents.CampaignFindingRecord`) is an instance of.

    The key begins with what it stands on: ``graph`` the case up to renaming; ``outline`` what a bounded look sees of a case
    with too many symmetries or nodes, so that two causes may share it; ``text`` the words of the evidence, numbers left
    out, where there is no case that can be read.  The same on every machine.
    """
    said = [str(finding.get(key, "")) for key in ("about", "verdict", "way")]
    found = _case_of(finding)
    if found is None:
        words = re.sub(r"\d+", "…", str(finding.get("evidence", "")))
        return _key("text", [*said, words])
    form = case_form(*found)
    return _key("graph" if form.exact else "outline", [*said, form.text])


def _key(ground: str, parts: list[str]) -> str:
    digest = hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{ground}:{digest[:32]}"


class _Case(msgspec.Struct):
    """Fields that both kinds of documents have."""

    graph: msgspec.Raw
    instance: dict[str, Any]


def _case_of(finding: Mapping[str, Any]) -> tuple[DecisionGraph, Point] | None:
    """Return the graph and the instance of *finding*, None where they cannot be read."""
    if finding.get("case") is None:
        return None
    try:
        return read_case_document(json.dumps(finding["case"]).encode("utf-8", "surrogatepass"))
    except (XpgcheckError, UnicodeError, RecursionError, ValueError, TypeError):
        return None


def read_case_document(data: bytes) -> tuple[DecisionGraph, Point]:
    """Return the graph and the instance of a case document of either kind.

    Raises ``FormatError``, or the errors of the graph and of its values.
    """
    if len(data) > MAX_CASE:
        raise FormatError(f"a case of {len(data):,} bytes", mend=f"cases have at most {MAX_CASE:,}")
    try:
        record = msgspec.json.decode(data, type=_Case)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError("no case", mend="write it by 'xpgcheck campaign export'") from error
    graph = parse_json(bytes(record.graph))
    return graph, read_point(graph.features, record.instance)


def case_form(graph: DecisionGraph, instance: Point) -> Form:
    """Return the canonical form of *graph* with *instance*: see the head of this module for what it keeps."""
    colours, arcs = _structure(graph, instance)
    form = canonical_form(colours, arcs)
    used = set(graph.feature_of)
    idle = Counter(_kind(feature.domain) for i, feature in enumerate(graph.features) if i not in used)
    rest = len(graph.classes) - len(set(graph.class_of) - {-1})
    return Form(json.dumps([form.text, sorted(idle.items()), rest]), form.exact)


def _structure(graph: DecisionGraph, instance: Point) -> tuple[list[str], list[Arc]]:
    """Return *graph* as coloured vertices (nodes, edges, features, cells, classes) and labelled arcs."""
    colours = ["root", *["node"] * (graph.node_count - 1)]
    arcs: list[Arc] = []

    def vertex(colour: str) -> int:
        colours.append(colour)
        return len(colours) - 1

    feature_vertex, cell_vertex = {}, {}
    for i in sorted(set(graph.feature_of) - {-1}):
        domain = graph.features[i].domain
        feature_vertex[i] = vertex(f"feature {_kind(domain)}")
        ordered = not isinstance(domain, (Boolean, Categorical))
        for k, cell in enumerate(graph.cells[i]):
            cell_vertex[i, k] = vertex(f"cell {_cell(cell, instance[i])}")
            arcs.append((cell_vertex[i, k], feature_vertex[i], "of"))
            if ordered and k:
                arcs.append((cell_vertex[i, k - 1], cell_vertex[i, k], "before"))
    class_vertex = {c: vertex("class") for c in sorted(set(graph.class_of) - {-1})}
    for node, (feature, class_index) in enumerate(zip(graph.feature_of, graph.class_of, strict=True)):
        if class_index >= 0:
            arcs.append((node, class_vertex[class_index], "has"))
            continue
        arcs.append((node, feature_vertex[feature], "tests"))
        for child, literal in zip(graph.children[node], graph.literal_ids[node], strict=True):
            edge = vertex("edge")
            arcs += [(node, edge, "by"), (edge, child, "to")]
            arcs += [(edge, cell_vertex[feature, k], "on") for k in _indices(graph.literal_cells[literal])]
    return colours, arcs


def _indices(ranges: tuple[tuple[int, int], ...]) -> Iterator[int]:
    for low, high in ranges:
        yield from range(low, high)


def _kind(domain: Domain) -> str:
    """Return the kind of *domain*: its type, whether it has ends, and whether it may be missing."""
    if isinstance(domain, (Float32, Float64)):
        return f"{domain.binary.name}{' or missing' if domain.missing else ''}"
    if isinstance(domain, (Integer, Real)):
        name = ("integer or missing" if domain.missing else "integer") if isinstance(domain, Integer) else "real"
        return f"{name} {'from' if domain.low is not None else ''} {'to' if domain.high is not None else ''}"
    return "boolean" if isinstance(domain, Boolean) else "categorical"


def _cell(cell: ValueSet, own: Value) -> str:
    """Return what of *cell* is kept: one value or more, which ends it has, and where in it the value *own* lies."""
    here = "here" if own in cell else ""
    if isinstance(cell, FiniteSet):
        return f"{'one' if len(cell.values) == 1 else 'some'} {here}"
    return f"{_interval(cell, own)} {here}"


def _interval(cell: IntervalSet, own: Value) -> str:
    if not cell.cuts:
        return "missing"
    span = cell.intervals()[0]
    if span.low is not None and span.low == span.high:
        return "one"
    low, high = "(" if span.low_open else "[", ")" if span.high_open else "]"
    number = Fraction(own) if isinstance(own, (int, Fraction)) else None
    on = (
        "low"
        if number is not None and number == span.low
        else "high"
        if number is not None and number == span.high
        else ""
    )
    return f"{low}{on}{high}"
