"""Decision graphs from the package's own JSON format, ``decision-graph`` version 1 (see its published schema)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import (
    Boolean,
    Categorical,
    Cell,
    Domain,
    Feature,
    Float32,
    Float64,
    Integer,
    Real,
    exact_number,
)
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.model.values import MISSING
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.json_records import (
    BooleanRecord,
    CategoricalRecord,
    DomainRecord,
    FeatureRecord,
    Float32Record,
    Float64Record,
    NodeRecord,
    NumberText,
    RealRecord,
    decode,
)
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection


def read_json(path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES) -> DecisionGraph:
    """Return the decision graph in the JSON file at *path*.

    Raises the errors of :func:`xpgcheck.readers.files.read_bytes` and of :func:`parse_json`, each of which names the
    file.
    """
    data = read_bytes(path, max_bytes)
    try:
        return parse_json(data)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_json(data: bytes) -> DecisionGraph:
    """Return the decision graph that *data* holds, its two assumptions checked.

    Raises ``FormatError`` where *data* is not in the format, ``DomainError`` or ``ValueSetError`` where a domain or a
    literal cannot be, a ``ModelError`` where the graph breaks the definition, ``UndecidedError`` where the assumptions
    could not be decided.  Each names the place and the fix.  Linear in *data* but for the assumptions, and without
    recursion: equal literals are read once.
    """
    with no_cycle_collection():
        document = decode(data)
        check_name("model", document.name, "$.name")
        features = features_of(document.features)
        check_classes(document.classes)
        nodes = GraphNodes(features, document.classes, SharedLiterals(features)).read(document.nodes, "$")
        root = None if isinstance(document.root, UnsetType) else document.root
        graph = decision_graph(document.name, features, document.classes, nodes, root)
        check_assumptions(graph)
    return graph


def features_of(records: Sequence[FeatureRecord]) -> list[Feature]:
    """Return the features of a document.  Raises ``FormatError``, or the errors of a domain, with the place."""
    features = []
    seen: set[str] = set()
    for position, record in enumerate(records):
        place = f"$.features[{position}]"
        check_name("feature", record.name, f"{place}.name")
        if record.name in seen:
            raise _declared_twice("feature", record.name, f"{place}.name")
        seen.add(record.name)
        try:
            features.append(Feature(record.name, domain_of(record.domain)))
        except InputError as error:
            raise error.at(f"{place}.domain") from None
    return features


def check_classes(classes: Sequence[str]) -> None:
    """Refuse names of classes that cannot be, or are there twice.  Raises ``FormatError``."""
    seen: set[str] = set()
    for position, name in enumerate(classes):
        check_name("class", name, f"$.classes[{position}]")
        if name in seen:
            raise _declared_twice("class", name, f"$.classes[{position}]")
        seen.add(name)


def _declared_twice(what: str, name: str, place: str) -> FormatError:
    return FormatError(f"{what} {shown(name)} is declared twice", place=place, mend=f"give each {what} its own name")


def domain_of(record: DomainRecord) -> Domain:
    """Return the domain of *record*.  Raises ``FormatError`` or ``DomainError`` with the place inside of it."""
    if isinstance(record, BooleanRecord):
        return Boolean()
    if isinstance(record, CategoricalRecord):
        for position, value in enumerate(record.values):
            check_name("category", value, f"values[{position}]")
        unseen = None if isinstance(record.unseen, UnsetType) else record.unseen
        return Categorical(tuple(record.values), _cells(record.cells), unseen)
    if isinstance(record, Float32Record):
        return Float32(record.missing is True)
    if isinstance(record, Float64Record):
        return Float64(record.missing is True)
    low, high = _bound("low", record.low), _bound("high", record.high)
    if isinstance(record, RealRecord):
        return Real(low, high, record.low_open is True, record.high_open is True)
    return Integer(_whole("low", low), _whole("high", high), record.missing is True)


def _cells(raw: list[Any] | UnsetType) -> tuple[Cell, ...]:
    """Return what a table has for each category: null is the missing value, a number with a point a float64."""
    if isinstance(raw, UnsetType):
        return ()
    return tuple(_cell(item, f"cells[{position}]") for position, item in enumerate(raw))


def _cell(item: Any, place: str) -> Cell:
    if item is None:
        return MISSING
    if isinstance(item, NumberText):
        number = float(item)
        if number - number == 0:
            return Fraction(number)
    elif isinstance(item, (bool, str)):
        return item
    elif isinstance(item, int):
        return Fraction(item)
    mend = "write a text, a number, true, false, or null for the missing value"
    raise FormatError(f"{shown(repr(item))} is not a cell of a table", place=place, mend=mend)


def _bound(field: str, raw: Any) -> Fraction | None:
    if raw is UNSET:
        return None
    if isinstance(raw, bool) or not isinstance(raw, (str, int)):
        problem = f"{_said(raw)} is not a number"
        raise FormatError(problem, place=field, mend="write a number, a text such as '1/3', or no bound")
    try:
        return exact_number(str(raw))
    except InputError as error:
        raise FormatError(error.problem, place=field, mend=f"{error.mend}, or no bound") from None


def _whole(field: str, bound: Fraction | None) -> int | None:
    if bound is not None and bound.denominator != 1:
        raise FormatError(f"{bound} is not an integer", place=field, mend="write an integer or use a real domain")
    return None if bound is None else bound.numerator


def _said(raw: object) -> str:
    return shown(raw) if isinstance(raw, str) else shown(repr(raw))


Place = tuple[str, int, int]
"""The place of a literal: the path of its graph, the positions of its node and its edge."""


class SharedLiterals:
    """Reads literals, each distinct one of a feature once."""

    def __init__(self, features: list[Feature]) -> None:
        self._domains = [feature.domain for feature in features]
        self._known: dict[tuple[object, ...], ValueSet] = {}
        # Each feature's literals of one text, which are the most of large models.
        self.single: list[dict[str, ValueSet]] = [{} for _ in features]

    def read(self, feature: int, items: list[Any], place: Place) -> ValueSet:
        """Return what the *items* of a literal on *feature* are.  Raises ``FormatError`` at *place*."""
        try:
            # The types keep 1, true and 1.0 apart: equal keys, but not equally legal.
            key = (feature, items[0], type(items[0])) if len(items) == 1 else (feature, *items, *map(type, items))
            known = self._known.get(key)
        except TypeError:
            raise self._refused(items, place) from None
        if known is None:
            known = self._known[key] = self._read(feature, items, place)
            if len(items) == 1 and type(items[0]) is str:
                self.single[feature][items[0]] = known
        return known

    def _read(self, feature: int, items: list[Any], place: Place) -> ValueSet:
        for item in items:
            if not isinstance(item, (str, int)):
                raise self._refused(items, place)
        try:
            domain = self._domains[feature]
            if isinstance(domain, Categorical):
                return read_literal(domain, [_category(item) for item in items])
            return read_literal(domain, [exact_number(i) if isinstance(i, NumberText) else i for i in items])
        except InputError as error:
            raise error.at(_literal_place(place)) from None

    def _refused(self, items: list[Any], place: Place) -> FormatError:
        item = next(item for item in items if not isinstance(item, (str, int)))
        problem = f"{shown(repr(item))} is no value"
        mend = "list values, and intervals such as '(-inf, 5/2]'"
        return FormatError(problem, place=_literal_place(place), mend=mend)


def _category(item: Any) -> object:
    """Return *item*, where a number with a point is not the category that is written alike."""
    return exact_number(item) if isinstance(item, NumberText) else item


def _literal_place(place: Place) -> str:
    return f"{place[0]}.nodes[{place[1]}].edges[{place[2]}].in"


class GraphNodes:
    """Reads the nodes of graphs over the same features and classes; *literals* are read once, for other graphs too."""

    def __init__(self, features: list[Feature], classes: Sequence[str], literals: SharedLiterals) -> None:
        self._features = {feature.name: position for position, feature in enumerate(features)}
        self._classes = {name: position for position, name in enumerate(classes)}
        self._literals = literals
        self._terminals = [Terminal(position) for position in range(len(classes))]

    def read(self, records: Sequence[NodeRecord], base: str) -> dict[NodeId, Node]:
        """Return the nodes of the graph at *base*, a path in the document.  Raises ``FormatError`` with the place."""
        ids = _ids(records, base)
        return {record.id: self._node(record, ids, base, position) for position, record in enumerate(records)}

    def _node(self, record: NodeRecord, ids: Mapping[NodeId, int], base: str, position: int) -> Node:
        class_name = record.class_
        if isinstance(class_name, str):
            if record.feature is not UNSET or record.edges is not UNSET:
                raise _misfit(base, position, record)
            index = self._classes.get(class_name)
            if index is None:
                raise _undeclared("class", class_name, f"{base}.nodes[{position}].class")
            return self._terminals[index]
        if not isinstance(record.feature, str) or not isinstance(record.edges, list):
            raise _misfit(base, position, record)
        index = self._features.get(record.feature)
        if index is None:
            raise _undeclared("feature", record.feature, f"{base}.nodes[{position}].feature")
        edges: list[tuple[NodeId, ValueSet]] = []
        known = self._literals.single[index]
        for edge in record.edges:
            target, items = edge.to, edge.literal
            if target not in ids:
                raise _no_target(ids, target, f"{base}.nodes[{position}].edges[{len(edges)}].to")
            values = known.get(items[0]) if len(items) == 1 and type(items[0]) is str else None
            if values is None:
                values = self._literals.read(index, items, (base, position, len(edges)))
            edges.append((target, values))
        return NonTerminal(index, tuple(edges))


def _ids(records: Sequence[NodeRecord], base: str) -> Mapping[NodeId, int]:
    """Return the position of each node, after refusing ids that are written twice or differ in their type alone."""
    ids: dict[NodeId, int] = {}
    texts: dict[str, int] = {}
    for position, record in enumerate(records):
        text = record.id if isinstance(record.id, str) else str(record.id)
        first = texts.setdefault(text, position)
        if first != position:
            problem = f"the id {shown(text)} is already that of {base}.nodes[{first}]"
            raise FormatError(problem, place=f"{base}.nodes[{position}].id", mend="give each node its own id")
        if isinstance(record.id, str):
            check_name("node", text, f"{base}.nodes[{position}].id")
        ids[record.id] = position
    return ids


def _misfit(base: str, position: int, record: NodeRecord) -> FormatError:
    problem = f"node {shown(record.id)} is neither a terminal nor a non-terminal"
    mend = "write either 'class', or both 'feature' and 'edges'"
    return FormatError(problem, place=f"{base}.nodes[{position}]", mend=mend)


def _undeclared(what: str, name: str, place: str) -> FormatError:
    problem = f"the {what} {shown(name)} is not declared"
    plural = {"class": "classes", "feature": "features"}[what]
    mend = f"declare it in '{plural}' or correct its name"
    return FormatError(problem, place=place, mend=mend)


def _no_target(ids: Mapping[NodeId, int], target: NodeId, place: str) -> FormatError:
    twin: NodeId | None = str(target)
    if isinstance(target, str):
        twin = int(target) if target.isascii() and target.isdigit() and len(target) < 100 else None
    if twin is not None and twin in ids:
        mend = f"write the id as the node does, as a {'number' if isinstance(twin, int) else 'text'}"
    else:
        mend = "declare that node or correct the edge"
    return FormatError(f"there is no node {shown(target)}", place=place, mend=mend)
