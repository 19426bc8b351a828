"""Constraints from JSON, format ``constraints`` version 1 (see its published schema), or from a decision graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.constraint import OUTCOMES, Constraint, constraint_of_clauses, constraint_of_graph
from xpgcheck.model.decision_graph import decision_graph
from xpgcheck.model.domains import Feature
from xpgcheck.readers.fields import decode_json
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes
from xpgcheck.readers.json_model import GraphNodes, SharedLiterals, parse_json
from xpgcheck.readers.json_records import NodeRecord, NumberText
from xpgcheck.wording import mend_name

CONSTRAINTS_FORMAT = "constraints"


class ConstraintLiteralRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A literal: a feature, and the values of it as an edge of a decision graph writes them."""

    feature: str
    values: list[Any] = msgspec.field(name="in")


class ConstraintClauseRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A clause: one of its literals has to hold at every point that can occur."""

    any: list[ConstraintLiteralRecord]
    name: str | UnsetType = UNSET


class ConstraintsDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file: clauses, or the nodes of a graph whose terminals are of class 'allowed' or 'forbidden'."""

    format: Literal["constraints"]
    version: Literal[1]
    clauses: list[ConstraintClauseRecord] | UnsetType = UNSET
    nodes: list[NodeRecord] | UnsetType = UNSET
    root: int | str | UnsetType = UNSET


def read_constraint(path: PathLike, features: Sequence[Feature], *, max_bytes: int = DEFAULT_MAX_BYTES) -> Constraint:
    """Return the constraint over *features*, those of a model, in the JSON file at *path*.

    Raises the errors of :func:`xpgcheck.readers.files.read_bytes` and of :func:`parse_constraint`, each naming the file.
    """
    data = read_bytes(path, max_bytes)
    try:
        return parse_constraint(data, features)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_constraint(data: bytes, features: Sequence[Feature]) -> Constraint:
    """Return the constraint over *features* that *data* holds.

    *data* is of format ``constraints``, or a decision graph over the same features with the classes 'allowed' and
    'forbidden'.  Raises ``FormatError`` where it is neither, ``InputError`` where a literal cannot be, ``ModelError`` where
    a graph breaks the definition or has other features, ``ImpossibleError`` where nothing satisfies it.
    """
    raw = decode_json(data, "write the file again", NumberText)
    if isinstance(raw, dict) and raw.get("format") == "decision-graph":
        return constraint_of_graph(parse_json(data), features)
    document = _document(raw)
    own = list(features)
    if isinstance(document.nodes, list):
        if document.clauses is not UNSET:
            raise FormatError(
                "there are both clauses and nodes", place="$", mend="write one file for each, or one alone"
            )
        nodes = GraphNodes(own, OUTCOMES, SharedLiterals(own)).read(document.nodes, "$")
        root = None if isinstance(document.root, UnsetType) else document.root
        return constraint_of_graph(decision_graph("constraints", own, OUTCOMES, nodes, root))
    if not isinstance(document.clauses, list) or not document.clauses:
        raise FormatError(
            "there are no clauses and no nodes", place="$", mend="write a clause, or the nodes of a graph"
        )
    return _of_clauses(document.clauses, own)


def _document(raw: object) -> ConstraintsDocument:
    if not isinstance(raw, dict) or raw.get("format") != CONSTRAINTS_FORMAT:
        said = (
            f"the format is {shown(raw['format'])}"
            if isinstance(raw, dict) and "format" in raw
            else "there is no format"
        )
        mend = f'write "format": "{CONSTRAINTS_FORMAT}" (\'xpgcheck schema constraints\'), or give a decision graph'
        raise FormatError(said, place="$.format", mend=mend)
    try:
        return msgspec.convert(raw, ConstraintsDocument)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(" - at `")
        raise FormatError(
            shown(problem)[1:-1], place=place.rstrip("`") or "$", mend="follow the schema of constraints"
        ) from None


def _of_clauses(records: list[ConstraintClauseRecord], features: list[Feature]) -> Constraint:
    number = {feature.name: k for k, feature in enumerate(features)}
    literals = SharedLiterals(features)
    clauses, names = [], []
    for position, record in enumerate(records):
        clause = []
        for k, literal in enumerate(record.any):
            place = f"$.clauses[{position}].any[{k}]"
            feature = number.get(literal.feature)
            if feature is None:
                problem = f"the model has no feature {shown(literal.feature)}"
                raise FormatError(problem, place=f"{place}.feature", mend=mend_name(literal.feature, list(number)))
            try:
                clause.append((feature, literals.read(feature, literal.values, ("$", 0, 0))))
            except InputError as error:
                error.place = f"{place}.in"
                raise
        clauses.append(clause)
        names.append("" if isinstance(record.name, UnsetType) else record.name)
    return constraint_of_clauses(features, clauses, names)
