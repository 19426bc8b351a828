"""JSON Schemas of documents, made from the types that write them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from xpgcheck.version import __version__

Count = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]


class Record(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of a document: all of its fields are written, and no others."""


class ReportRecord(Record, kw_only=True, tag_field="format"):
    """A whole report: its tag is the name of its format, which comes first."""

    version: Literal[1] = 1
    xpgcheck: Annotated[str, msgspec.Meta(description="The version that wrote the report.")] = __version__


JsonText = Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})]
"""A document inside of another one, as the text that it has."""

Tally = dict[str, Count]
PassedOver = Annotated[
    dict[str, str],
    msgspec.Meta(description="Methods that have the name of an ability and are not judged, each with why."),
]


def schema_of(
    documents: tuple[type[Record], ...], title: str, identifier: str = "", description: str = ""
) -> dict[str, Any]:
    """Return the JSON Schema of what is one of *documents*, headed by *title*; *description* is that of several."""
    roots, parts = msgspec.json.schema_components(documents, ref_template="#/$defs/{name}")
    for name, part in parts.items():
        if part.get("description") == Record.__doc__:
            del part["description"]
        if "description" in part:
            part["description"] = " ".join(part["description"].split())
        del part["title"]
        parts[name] = _tidy(part)
    for report in (document for document in documents if issubclass(document, ReportRecord)):
        # The fields that every report begins with have a default, and are always written.
        part = parts[report.__name__]
        part["required"] = list(part["properties"])
        for field in part["properties"].values():
            field.pop("default", None)
    if len(documents) == 1:
        own = parts.pop(roots[0]["$ref"].rpartition("/")[2])
    else:
        own = {"description": description, "oneOf": list(roots)}
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    if identifier:
        head["$id"] = identifier
    return {**head, "title": title, **own, **({"$defs": parts} if parts else {})}


def _tidy(part: Any) -> Any:
    """Return *part* with a single allowed value as a constant, and null as the last of several types."""
    if isinstance(part, list):
        return [_tidy(item) for item in part]
    if not isinstance(part, dict):
        return part
    # A discriminator says again, in the words of OpenAPI, what the constants of its types say.
    own = {key: _tidy(value) for key, value in part.items() if key != "discriminator"}
    if isinstance(own.get("enum"), list) and len(own["enum"]) == 1:
        (own["const"],) = own.pop("enum")
    if "anyOf" in own:
        # Versions of msgspec differ in the order.
        own["anyOf"].sort(key=lambda item: item.get("type") == "null")
    return own
