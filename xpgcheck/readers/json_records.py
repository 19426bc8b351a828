"""The JSON form of a decision graph, version 1, as typed records, and its strict decoding.

The same form as ``schemas/decision-graph.schema.json``.  What only the graph's meaning decides (domains, references,
literals) is left to :mod:`xpgcheck.readers.json_model`.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.errors import FormatError, is_plain, shown
from xpgcheck.readers.files import decode_utf8, line_at

FORMAT = "decision-graph"
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
    """The integers between two bounds, both included; a bound left out is infinite."""

    low: Any = UNSET
    high: Any = UNSET


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


class _Header(msgspec.Struct):
    format: Any = UNSET
    version: Any = UNSET


_DECODER = msgspec.json.Decoder(Document, float_hook=NumberText)
_HEADER = msgspec.json.Decoder(_Header, float_hook=NumberText)


def decode(data: bytes) -> Document:
    """Return the records of *data*.

    Raises ``FormatError`` that names the place (a line, or a path such as ``$.nodes[3].edges``) on anything that is not
    JSON, not UTF-8, another format or version, wrongly typed, unknown, missing or written twice.  Linear.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise FormatError("the file is empty", mend=f"write a model of format {FORMAT}")
    try:
        document = _DECODER.decode(data)
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", mend=f"follow the schema of {FORMAT}") from None
    except msgspec.ValidationError as error:
        _refuse_header(data)
        raise _explained(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # Of what is not UTF-8, versions of msgspec say one or the other.
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


def _refuse_header(data: bytes) -> None:
    """Say of a wrong header that it is wrong, whatever else is."""
    for part in (data, data.lstrip().partition(b"\n")[0]):
        # Of JSON Lines, the first line.
        with contextlib.suppress(msgspec.DecodeError, ValueError, RecursionError):
            header = _HEADER.decode(part)
            break
    else:
        return
    if header.format != FORMAT:
        said = "there is no format" if header.format is UNSET else f"the format is {shown(header.format)}"
        raise FormatError(said, place="$.format", mend=f"the format that is read is '{FORMAT}'")
    if header.version not in VERSIONS or type(header.version) is not int:
        said = "there is no version" if header.version is UNSET else f"the version is {shown(header.version)}"
        read = ", ".join(map(str, VERSIONS))
        raise FormatError(said, place="$.version", mend=f"the versions that are read are: {read}")


def _explained(message: str) -> FormatError:
    problem, _, place = message.partition(" - at `")
    place = place.rstrip("`") or "$"
    quoted = re.findall("`([^`]*)`", problem)
    mend = "follow the schema of decision-graph"
    if problem.startswith("Object missing required field"):
        problem, mend = f"the field {shown(quoted[0])} is missing", "add it"
    elif problem.startswith("Object contains unknown field"):
        problem, mend = f"the field {shown(''.join(quoted))} is unknown", "remove it or correct its name"
    elif problem.startswith("Expected") and len(quoted) == 2:
        problem, mend = f"this is of type {quoted[1]}", f"write a value of type {' or '.join(quoted[0].split(' | '))}"
    elif place.endswith(".domain.type"):
        mend = "write boolean, categorical, integer, real, float32 or float64"
    return FormatError(problem if is_plain(problem) else shown(problem), place=place, mend=mend)


def _keys_written(data: bytes) -> int:
    """Count the keys in *data*, which is JSON: the colons outside strings."""
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(data.split(b'"')[::2]).count(b":")


def _keys_decoded(document: Document) -> int:
    """Count the keys that *document* was decoded from, had each been written once."""
    count = len(document.__struct_fields__) - (document.root is UNSET)
    for feature in document.features:
        domain = feature.domain
        count += 3 + sum(getattr(domain, field) is not UNSET for field in domain.__struct_fields__)
    for node in document.nodes:
        count += 1 + (node.feature is not UNSET) + (node.class_ is not UNSET)
        if node.edges is not UNSET:
            count += 1 + 2 * len(node.edges)
    return count


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
