"""JSON documents: the same head on each, the same layout, and never a number that JSON does not have."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from xpgcheck.reports.schemas import Record
from xpgcheck.version import __version__


def document_text(name: str, version: int, body: Mapping[str, Any], *, ascii_only: bool = True) -> str:
    """Return the document of the format *name* in *version*: it says so, and who wrote it, before *body*."""
    head = {"format": name, "version": version, "xpgcheck": __version__}
    return json_text({**head, **body}, ascii_only=ascii_only)


def json_text(document: Any, *, ascii_only: bool = True) -> str:
    """Return *document* as JSON text that ends with a line break."""
    return json.dumps(document, indent=1, ensure_ascii=ascii_only, allow_nan=False) + "\n"


def record_text(document: Record, *, ascii_only: bool = True) -> str:
    """Return *document* as JSON text, its fields in the order of its type."""
    return json_text(msgspec.to_builtins(document), ascii_only=ascii_only)
