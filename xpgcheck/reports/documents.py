"""JSON documents: the same head on each, the same layout, and never a number that JSON does not have."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from xpgcheck.reports.schemas import Record
from xpgcheck.version import __version__


def document_text(name: str, version: int, body: Mapping[str, Any]) -> str:
    """Return a document without a schema, of the format *name* in *version*: it says so, and who wrote it, before *body*."""
    return json_text({"format": name, "version": version, "xpgcheck": __version__, **body})


def json_text(document: Any, *, ascii_only: bool = True) -> str:
    """Return *document* as JSON text that ends with a line break."""
    return json.dumps(document, indent=1, ensure_ascii=ascii_only, allow_nan=False) + "\n"


def record_text(document: Record, *, ascii_only: bool = True) -> str:
    """Return *document* as JSON text, its fields in the order of its type."""
    return json_text(msgspec.to_builtins(document), ascii_only=ascii_only)


def case_text(document: Record) -> str:
    """Return *document* as JSON text with a line per field; a field of type ``JsonText`` stays as it is."""
    lines = []
    for field in msgspec.structs.fields(document):
        value = getattr(document, field.name)
        if value is msgspec.UNSET:
            continue
        if isinstance(value, msgspec.Raw):
            text = bytes(value).decode().rstrip().replace("\n", "\n ")
        else:
            text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
        lines.append(f" {json.dumps(field.encode_name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


SHORT = 110
"""Characters up to which a list or an object of a document that is read by people stands on one line."""


def laid_out_text(document: Any, whole: Collection[str] = ()) -> str:
    """Return *document* as JSON text with small things on one line each; so are objects with a field of *whole*."""
    return _layout(document, "", whole) + "\n"


def _layout(value: Any, indent: str, whole: Collection[str]) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    deep = isinstance(value, dict) and any(isinstance(v, (dict, list)) for v in value.values())
    long = isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value)
    if len(flat) <= SHORT or not (deep or long) or any(key in value for key in whole):
        return flat
    inner = indent + " "
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + _layout(item, inner, whole) for item in value) + f"\n{indent}]"
    fields = [f"{inner}{json.dumps(key, ensure_ascii=False)}: {_layout(v, inner, whole)}" for key, v in value.items()]
    return "{\n" + ",\n".join(fields) + f"\n{indent}}}"
