"""Cases on file: each a JSON document with the graph, the instance, the property that is tried on it, and its origin.

A folder of them is a *regression corpus*: replayed before anything is generated, so that what failed once is looked at
first, by every subject.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.model.domains import read_value
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Value
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import all_properties
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, read_bytes
from xpgcheck.readers.json_model import parse_json
from xpgcheck.reports.documents import case_text
from xpgcheck.reports.schemas import JsonText, Record
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.json_model import model_json

FORMAT = "property-case"
VERSION = 1


class PropertyCaseRecord(Record, kw_only=True):
    """A kept case as it is on file: a property is tried on it before anything is generated."""

    format: Annotated[str, Meta(extra_json_schema={"const": FORMAT})]
    version: Annotated[int, Meta(extra_json_schema={"const": VERSION})]
    property: Annotated[str, Meta(description="The name of the property; 'xpgcheck properties list' lists them.")]
    origin: Annotated[str, Meta(description="Where the case comes from, and what failed on it.")]
    dice: Annotated[
        int, Meta(description="The number behind the property's own choices.", extra_json_schema={"minimum": 0})
    ] = 0
    instance: Annotated[dict[str, str], Meta(description="The value of each feature, as models write them.")]
    graph: Annotated[JsonText, Meta(description="A decision-graph document.")]


@dataclass(frozen=True, slots=True)
class KeptCase:
    """A case on file: the name of the property that is tried on it, and where it comes from."""

    property: str
    case: Case
    origin: str


def case_json(property_name: str, case: Case, origin: str) -> str:
    """Return a case as a document; :func:`parse_case` reads it back."""
    names = [feature.name for feature in case.graph.features]
    document = PropertyCaseRecord(
        format=FORMAT,
        version=VERSION,
        property=property_name,
        origin=origin,
        dice=case.dice,
        instance=dict(zip(names, map(value_text, case.instance), strict=True)),
        graph=msgspec.Raw(model_json(case.graph)),
    )
    return case_text(document)


def parse_case(data: bytes) -> KeptCase:
    """Return the case that *data* holds.  Raises ``FormatError``, or the errors of the graph and of its values."""
    try:
        record = msgspec.json.decode(data, type=PropertyCaseRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(
            f"no case: {shown(error)[1:-1]}", mend="write it by 'xpgcheck properties run --record'"
        ) from None
    if record.format != FORMAT or record.version != VERSION:
        raise FormatError(
            f"format {shown(record.format)} version {record.version}", mend=f"expected {FORMAT} version {VERSION}"
        )
    if record.property not in {p.name for p in all_properties()}:
        raise FormatError(
            f"no property is called {shown(record.property)}", mend="'xpgcheck properties list' lists them"
        )
    graph = parse_json(bytes(record.graph))
    values: list[Value] = []
    for feature in graph.features:
        if feature.name not in record.instance:
            raise FormatError(f"the instance lacks feature {shown(feature.name)}", mend="give every feature a value")
        values.append(read_value(feature.domain, record.instance[feature.name]))
    if len(record.instance) > len(values):
        raise FormatError("the instance has features that the graph does not declare", mend="remove them")
    return KeptCase(record.property, Case(graph, tuple(values), record.dice), record.origin)


def corpus_files(folder: Path) -> list[Path]:
    """Return the case files of *folder* in the order of their names; *folder* may be one file.

    Raises ``FormatError`` where there is nothing of that name.
    """
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise FormatError("no such file or folder", mend="name a folder of cases").at(str(folder))
    return sorted(folder.glob("*.json"))


def read_corpus(folder: Path) -> Iterator[tuple[Path, KeptCase | XpgcheckError]]:
    """Yield each file with its case, or with what is wrong with it: one bad file loses none of the others."""
    for path in corpus_files(folder):
        yield path, _read(path)


def _read(path: Path) -> KeptCase | XpgcheckError:
    try:
        return parse_case(read_bytes(path, DEFAULT_MAX_BYTES))
    except XpgcheckError as error:
        return error if error.place.startswith(str(path)) else error.at(str(path))


def record(folder: Path, finding: Failure) -> Path:
    """Write *finding* as a case into *folder*, which is made if need be; return the file.  The same case, the same file."""
    text = case_json(finding.property_name, finding.case, f"{finding.subject}: {finding.verdict} ({finding.origin})")
    key: Any = (finding.property_name, model_json(finding.case.graph), finding.case.instance, finding.case.dice)
    digest = hashlib.sha256(repr(key).encode()).hexdigest()[:10]
    path = folder / f"{finding.property_name}-{digest}.json"
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise FormatError(f"the folder cannot be made ({error.strerror})", mend="name another").at(
            str(folder)
        ) from None
    write_atomically(path, text)
    return path
