"""The JSON forms of decision graphs and of ensembles, version 1, as typed records, and their strict decoding.

The same forms as ``schemas/decision-graph.schema.json`` and ``schemas/ensemble.schema.json``.  What only the graph's
meaning decides (domains, references, literals) is left to :mod:`xpgcheck.readers.json_model` and
:mod:`xpgcheck.readers.json_ensemble`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, is_plain, shown
from xpgcheck.readers.files import decode_utf8, line_at

FORMAT = "decision-graph"
ENSEMBLE_FORMAT = "ensemble"
TABLE_SCHEMA_FORMAT = "table-schema"
VERSIONS = (1,)


class NumberText(str):
    """A JSON number with a fraction or an exponent, kept as it is written so that no digit is lost."""

    __slots__ = ()


class BooleanRecord(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="boolean"):
    """The domain {0, 1}."""


class CategoricalRecord(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="categorical"):
    """A list of named values, and what a table has for them."""

    values: list[str]
    cells: list[Any] | UnsetType = UNSET
    unseen: str | UnsetType = UNSET


class IntegerRecord(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="integer"):
    """The integers between two bounds, both included, and perhaps the missing value; a bound left out is infinite."""

    low: Any = UNSET
    high: Any = UNSET
    missing: bool | UnsetType = UNSET


class RealRecord(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="real"):
    """The reals between two bounds, which may be open; a bound left out is infinite."""

    low: Any = UNSET
    high: Any = UNSET
    low_open: bool | UnsetType = UNSET
    high_open: bool | UnsetType = UNSET


class Float32Record(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="float32"):
    """The finite binary32 numbers, and the missing value where ``missing``."""

    missing: bool | UnsetType = UNSET


class Float64Record(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="float64"):
    """The finite binary64 numbers, and the missing value where ``missing``."""

    missing: bool | UnsetType = UNSET


DomainRecord = BooleanRecord | CategoricalRecord | IntegerRecord | RealRecord | Float32Record | Float64Record


class FeatureRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A feature."""

    name: str
    domain: DomainRecord


class EdgeRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An edge; ``literal`` is its field ``in``."""

    to: int | str
    literal: list[Any] = msgspec.field(name="in")


class NodeRecord(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A node: with ``feature`` and ``edges`` a non-terminal, with ``class`` a terminal."""

    id: int | str
    feature: str | UnsetType = UNSET
    edges: list[EdgeRecord] | UnsetType = UNSET
    class_: str | UnsetType = msgspec.field(name="class", default=UNSET)


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file."""

    format: Literal["decision-graph"]
    version: Literal[1]
    name: str
    features: list[FeatureRecord]
    classes: list[str]
    nodes: list[NodeRecord]
    root: int | str | UnsetType = UNSET


class MajorityRecord(msgspec.Struct, forbid_unknown_fields=True, tag_field="type", tag="majority"):
    """Most votes win; among equals the class that is listed first."""

    ties: Literal["first class"]


class ThresholdRecord(msgspec.Struct, forbid_unknown_fields=True):
    """The number that the only score has to exceed, or to reach where ``inclusive``, for the last of two classes."""

    at: Any
    inclusive: bool | UnsetType = UNSET


class _SumRecord(msgspec.Struct, forbid_unknown_fields=True):
    base: list[Any] | UnsetType = UNSET
    threshold: ThresholdRecord | UnsetType = UNSET
    arithmetic: Literal["exact", "binary32", "binary64"] | UnsetType = UNSET
    doubt: Any = UNSET


class SumRecord(_SumRecord, forbid_unknown_fields=True, tag_field="type", tag="sum"):
    """Terminals add to scores, and the largest score wins."""


class AverageRecord(_SumRecord, forbid_unknown_fields=True, tag_field="type", tag="average"):
    """Terminals add to scores, which are divided by the number of trees; the largest wins."""


RuleRecord = MajorityRecord | SumRecord | AverageRecord


class TreeRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A tree of an ensemble: its nodes, as those of a decision graph, and what each answer adds where answers are summed."""

    name: str
    nodes: list[NodeRecord]
    root: int | str | UnsetType = UNSET
    answers: dict[str, list[Any]] | UnsetType = UNSET


class EnsembleDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file of an ensemble."""

    format: Literal["ensemble"]
    version: Literal[1]
    name: str
    features: list[FeatureRecord]
    classes: list[str]
    rule: RuleRecord
    trees: list[TreeRecord]


class ColumnRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A column of a table: its domain, or none where it is as the model reads it; ``seen`` is for people."""

    name: str
    domain: DomainRecord | UnsetType = UNSET
    seen: str | UnsetType = UNSET


class TableSchemaDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file that states the domains of columns."""

    format: Literal["table-schema"]
    version: Literal[1]
    columns: list[ColumnRecord]


Read = TypeVar("Read", Document, EnsembleDocument, TableSchemaDocument)


class _Header(msgspec.Struct):
    format: Any = UNSET
    version: Any = UNSET


_DECODER = msgspec.json.Decoder(Document, float_hook=NumberText)
_ENSEMBLE_DECODER = msgspec.json.Decoder(EnsembleDocument, float_hook=NumberText)
_TABLE_SCHEMA_DECODER = msgspec.json.Decoder(TableSchemaDocument, float_hook=NumberText)
_HEADER = msgspec.json.Decoder(_Header, float_hook=NumberText)


def decode(data: bytes) -> Document:
    """Return the records of *data*, a decision graph.  Raises as :func:`decode_ensemble` does."""
    return _decoded(data, _DECODER, FORMAT)


def decode_ensemble(data: bytes) -> EnsembleDocument:
    """Return the records of *data*, an ensemble.

    Raises ``FormatError`` that names the place (a line, or a path such as ``$.nodes[3].edges``) on anything that is not
    JSON, not UTF-8, another format or version, wrongly typed, unknown, missing or written twice.  Linear.
    """
    return _decoded(data, _ENSEMBLE_DECODER, ENSEMBLE_FORMAT)


def decode_table_schema(data: bytes) -> TableSchemaDocument:
    """Return the records of *data*, the domains of columns.  Raises as :func:`decode_ensemble` does."""
    return _decoded(data, _TABLE_SCHEMA_DECODER, TABLE_SCHEMA_FORMAT)


def is_ensemble(data: bytes) -> bool:
    """Tell whether *data* is a document that calls itself an ensemble."""
    with contextlib.suppress(msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError):
        return bool(_HEADER.decode(data).format == ENSEMBLE_FORMAT)
    return False


def _decoded(data: bytes, decoder: msgspec.json.Decoder[Read], name: str) -> Read:
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        kind = "file" if name == TABLE_SCHEMA_FORMAT else "model"
        raise FormatError("the file is empty", mend=f"write a {kind} of format {name}")
    try:
        document = decoder.decode(data)
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", mend=f"follow the schema of {name}") from None
    except msgspec.ValidationError as error:
        _refuse_header(data, name)
        raise _explained(str(error), name) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # About bytes that are not UTF-8, versions of msgspec say one or the other.
        decode_utf8(data)
        raise _not_json(data, str(error)) from None
    except ValueError:
        raise FormatError("an integer has too many digits", mend="write at most 400 digits") from None
    decoded = _keys_decoded(document)
    # Each key has its colon: only where there are more, in names or after a key written twice, is a closer look needed.
    if data.count(b":") != decoded and _keys_written(data) != decoded:
        _refuse_duplicate_key(data)
    return document


def _not_json(data: bytes, message: str) -> FormatError:
    if b"\0" in data[:4] or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return FormatError("the file is not UTF-8 text", place="line 1", mend="save it as UTF-8")
    position = re.search(r"\(byte (\d+)\)", message)
    if position is None:
        place = line_at(data, len(data))
        return FormatError("the JSON breaks off here", place=place, mend="complete the file, it seems truncated")
    offset = int(position[1])
    if re.match(rb"-?(NaN|Inf)", data[max(0, offset - 1) : offset + 4].lstrip(b" ,[:")):
        problem, mend = "NaN and infinities are not JSON numbers", "write finite numbers, and '(-inf, 3]' for intervals"
    else:
        problem, mend = f"this is not JSON ({message.split(': ')[-1].split(' (byte')[0]})", "correct the JSON here"
    return FormatError(problem, place=line_at(data, offset), mend=mend)


def _refuse_header(data: bytes, name: str) -> None:
    """Say of a header that is not that of the format *name* that it is wrong, whatever else is."""
    for part in (data, data.lstrip().partition(b"\n")[0]):
        # The second part is for JSON Lines: the first line.
        with contextlib.suppress(msgspec.DecodeError, ValueError, RecursionError):
            header = _HEADER.decode(part)
            break
    else:
        return
    if header.format != name:
        said = "there is no format" if header.format is UNSET else f"the format is {shown(header.format)}"
        raise FormatError(said, place="$.format", mend=f"the format that is read is '{name}'")
    if header.version not in VERSIONS or type(header.version) is not int:
        said = "there is no version" if header.version is UNSET else f"the version is {shown(header.version)}"
        read = ", ".join(map(str, VERSIONS))
        raise FormatError(said, place="$.version", mend=f"the versions that are read are: {read}")


def _explained(message: str, name: str) -> FormatError:
    problem, _, place = message.partition(" - at `")
    place = place.rstrip("`") or "$"
    quoted = re.findall("`([^`]*)`", problem)
    mend = f"follow the schema of {name}"
    if problem.startswith("Object missing required field"):
        problem, mend = f"the field {shown(quoted[0])} is missing", "add it"
    elif problem.startswith("Object contains unknown field"):
        problem, mend = f"the field {shown(''.join(quoted))} is unknown", "remove it or correct its name"
    elif problem.startswith("Expected") and len(quoted) == 2:
        problem, mend = f"this is of type {quoted[1]}", f"write a value of type {' or '.join(quoted[0].split(' | '))}"
    elif place.endswith(".domain.type"):
        mend = "write boolean, categorical, integer, real, float32 or float64"
    elif place == "$.rule.type":
        mend = "write majority, average or sum"
    return FormatError(problem if is_plain(problem) else shown(problem), place=place, mend=mend)


def _keys_written(data: bytes) -> int:
    """Count the keys in *data*, which is JSON: the colons outside strings."""
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(data.split(b'"')[::2]).count(b":")


def _keys_decoded(document: Document | EnsembleDocument | TableSchemaDocument) -> int:
    """Count the keys that *document* was decoded from, had each been written once."""
    count = len(document.__struct_fields__)
    if isinstance(document, TableSchemaDocument):
        count += sum(map(_fields_set, document.columns))
        # The type of a domain is a key, too.
        return count + sum(1 + _fields_set(c.domain) for c in document.columns if not isinstance(c.domain, UnsetType))
    graphs: list[Document] | list[TreeRecord]
    if isinstance(document, Document):
        graphs = [document]
    else:
        graphs = document.trees
        # Those of the rule, and of each tree.
        rule = document.rule
        count += 1 + _fields_set(rule) + 4 * len(graphs)
        if not isinstance(rule, MajorityRecord) and isinstance(rule.threshold, ThresholdRecord):
            count += _fields_set(rule.threshold)
        count += sum(-1 if isinstance(tree.answers, UnsetType) else len(tree.answers) for tree in document.trees)
    for feature in document.features:
        count += 3 + _fields_set(feature.domain)
    count -= sum(graph.root is UNSET for graph in graphs)
    for node in itertools.chain.from_iterable(graph.nodes for graph in graphs):
        count += 1 + (node.feature is not UNSET) + (node.class_ is not UNSET)
        if node.edges is not UNSET:
            count += 1 + 2 * len(node.edges)
    return count


def _fields_set(record: msgspec.Struct) -> int:
    return sum(getattr(record, field) is not UNSET for field in record.__struct_fields__)


def _refuse_duplicate_key(data: bytes) -> None:
    def checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        once: dict[str, Any] = {}
        for key, value in pairs:
            if key in once:
                named = once.get("id", once.get("name"))
                place = "" if not isinstance(named, (str, int)) else f"the object of {shown(named)}"
                raise FormatError(f"the key {shown(key)} is written twice", place=place, mend="write each key once")
            once[key] = value
        return once

    json.loads(data, object_pairs_hook=checked, parse_int=str, parse_float=str)
