"""Kept cases for a gate: those that properties failed on, and judged cases that were saved."""

from __future__ import annotations

from pathlib import Path

import msgspec

from xpgcheck.claims import documents
from xpgcheck.claims.documents import JudgedCase, parse_judged_case
from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.properties import corpus
from xpgcheck.properties.cases import Case, EnsembleCase, case_of
from xpgcheck.properties.corpus import KeptCase
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, read_bytes


class _Head(msgspec.Struct):
    format: str = ""


def asked_case(kept: KeptCase | JudgedCase) -> Case | EnsembleCase:
    """Return what a subject is asked at."""
    if isinstance(kept, JudgedCase):
        return case_of(kept.graph, kept.instance, constraint=kept.constraint)
    return kept.case


def read_case(path: Path) -> KeptCase | JudgedCase:
    """Return the case in the file *path*, of whichever format.  Raises errors that name the file."""
    data = read_bytes(path, DEFAULT_MAX_BYTES)
    try:
        try:
            head = msgspec.json.decode(data, type=_Head)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            mend = "name a case that 'xpgcheck gate --cases' or 'xpgcheck properties run --record' has saved"
            raise FormatError(f"no case: {shown(error)[1:-1]}", mend=mend) from None
        if head.format == documents.FORMAT:
            return parse_judged_case(data)
        if head.format == corpus.FORMAT:
            return corpus.parse_case(data)
        raise FormatError(f"format {shown(head.format)}", mend=f"expected {documents.FORMAT} or {corpus.FORMAT}")
    except XpgcheckError as error:
        raise error if error.place.startswith(str(path)) else error.at(str(path)) from None
