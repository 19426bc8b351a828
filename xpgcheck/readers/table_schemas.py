"""The domains of a table's columns as a user states them: a file, a mapping, the dtypes of a pandas frame."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from msgspec import UnsetType

from xpgcheck.errors import DomainError, FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import (
    Boolean,
    Categorical,
    Domain,
    Feature,
    Float32,
    Float64,
    Integer,
    Real,
    has_missing,
)
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers.categories import category_domain
from xpgcheck.readers.files import PathLike, place_of, read_bytes
from xpgcheck.readers.json_model import domain_of
from xpgcheck.readers.json_records import DomainRecord, decode_table_schema
from xpgcheck.readers.names import NameLookup, check_name
from xpgcheck.readers.restating import restated

MAX_BYTES = 16 * 1024 * 1024

_FORM = "give a path, a frame's dtypes, or a dict such as {'age': {'type': 'integer', 'low': 0}}"


_KINDS: dict[str, Domain] = {
    "boolean": Boolean(),
    "integer": Integer(),
    "real": Real(),
    "float32": Float32(),
    "float64": Float64(),
}


@dataclass(frozen=True, slots=True)
class TableSchema:
    """Which values columns have.  A column whose domain is None is as the model reads it.

    ``seen`` says in words what a table had in a column, where the domain is a proposal; ``place`` is the file, if any.
    ``nullable`` are columns whose dtype has the missing value, so that the domain has it where the model does.
    """

    columns: Mapping[str, Domain | None]
    seen: Mapping[str, str] = field(default_factory=dict)
    place: str = ""
    nullable: frozenset[str] = frozenset()

    def of_features(self, features: Sequence[Feature]) -> dict[int, Domain]:
        """Return the stated domains by the indices of *features*.

        Raises ``InputError`` where a column is no feature, could be several, or is meant by two names.
        """
        lookup = NameLookup([feature.name for feature in features])
        found: dict[int, Domain] = {}
        for column, domain in self.columns.items():
            try:
                feature = lookup.position(column)
            except InputError as error:
                raise error.at(self.place or "domains") from None
            if feature is None:
                problem = f"the column {shown(column)} is not a feature of the model"
                raise InputError(problem, place=self.place or "domains", mend="remove it, or correct its name")
            if feature in found:
                raise InputError(f"the column {shown(column)} is there twice", place=self.place, mend="remove one")
            if isinstance(domain, Integer) and column in self.nullable and not has_missing(features[feature].domain):
                domain = replace(domain, missing=False)
            if domain is not None:
                found[feature] = domain
        return found


def table_schema(given: object) -> TableSchema:
    """Return the schema that *given* is: a path, a mapping from columns to domains, a pandas frame or its ``dtypes``.

    In a mapping, a domain is an object of :mod:`xpgcheck.model.domains`, the name of a kind (``"integer"``), a dict as in
    the file, or a dtype of NumPy or pandas.  Raises ``InputError`` that names the column.
    """
    if isinstance(given, TableSchema):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_table_schema(given)
    if hasattr(given, "dtypes") and hasattr(given, "columns"):
        given = given.dtypes
    if not isinstance(given, Mapping) and hasattr(given, "to_dict"):
        given = given.to_dict()
    if not isinstance(given, Mapping):
        raise InputError(f"{shown(repr(given), 60)} states no domains", place="domains", mend=_FORM)
    nullable = frozenset(str(column) for column, said in given.items() if hasattr(said, "na_value"))
    return TableSchema({str(column): _said(said, str(column)) for column, said in given.items()}, nullable=nullable)


def read_table_schema(path: PathLike) -> TableSchema:
    """Return the schema in the JSON file at *path* (``xpgcheck schema table-schema``).

    Raises ``FormatError`` or ``DomainError`` that names file and place.
    """
    try:
        document = decode_table_schema(read_bytes(path, MAX_BYTES))
        columns: dict[str, Domain | None] = {}
        seen: dict[str, str] = {}
        for position, record in enumerate(document.columns):
            place = f"$.columns[{position}]"
            check_name("column", record.name, f"{place}.name")
            if record.name in columns:
                problem = f"the column {shown(record.name)} is there twice"
                raise FormatError(problem, place=f"{place}.name", mend="describe each column once")
            columns[record.name] = _of_record(record.domain, f"{place}.domain")
            if not isinstance(record.seen, UnsetType):
                seen[record.name] = record.seen
    except XpgcheckError as error:
        own = place_of(path)
        raise error if error.place.startswith(own) else error.at(own) from None
    return TableSchema(columns, seen, place_of(path))


def _of_record(record: DomainRecord | UnsetType, place: str) -> Domain | None:
    if isinstance(record, UnsetType):
        return None
    try:
        return domain_of(record)
    except InputError as error:
        raise error.at(place) from None


def _said(said: Any, column: str) -> Domain | None:
    try:
        return _domain(said, column)
    except XpgcheckError as error:
        raise error.at(f"domains, column {shown(column)}") from None


def _domain(said: Any, column: str) -> Domain | None:
    """Return the domain that *said* is or names; None for a dtype whose column is as the model reads it."""
    if said is None:
        return None
    if isinstance(said, (Boolean, Categorical, Integer, Real, Float32, Float64)):
        return said
    if isinstance(said, str) and said in _KINDS:
        return _KINDS[said]
    if isinstance(said, Mapping):
        try:
            record: DomainRecord = msgspec.convert(dict(said), DomainRecord)
        except msgspec.ValidationError as error:
            mend = "write it as 'xpgcheck schema table-schema' says"
            raise DomainError(f"this is no domain ({error})", mend=mend) from None
        return domain_of(record)
    if hasattr(said, "kind") or said is bool or said is int or hasattr(said, "na_value"):
        return _of_dtype(said, column)
    raise DomainError(f"{shown(repr(said), 60)} is no domain", mend=f"write one of {', '.join(_KINDS)}, or a dict")


def _of_dtype(dtype: Any, column: str) -> Domain | None:
    """Return what a dtype of NumPy or pandas says for certain: floats and texts are as the model reads them."""
    categories = getattr(dtype, "categories", None)
    if categories is not None:
        return category_domain(categories.tolist(), column, missing=False, unseen=False)
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", "") or str(dtype)
    if re.fullmatch(r"bool(ean)?", name):
        return Boolean()
    whole = re.fullmatch(r"(u?)int\d*", name.lower())
    return None if whole is None else Integer(0 if whole[1] else None, missing=hasattr(dtype, "na_value"))


def with_domains(
    model: DecisionGraph | LabelledGraph | Ensemble, domains: object, place: str = ""
) -> DecisionGraph | Ensemble:
    """Return *model* over the *domains* that :func:`table_schema` takes.  Raises ``InputError`` that names the column."""
    if isinstance(model, LabelledGraph):
        raise InputError("an .xpg model has no domains to state", place=place, mend="leave the schema out")
    schema = table_schema(domains)
    try:
        return restated(model, schema.of_features(model.features))
    except DomainError as error:
        raise error.at(schema.place) if schema.place else error from None
