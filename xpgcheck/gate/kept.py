"""Kept cases for a gate: those that properties failed on, and judged cases that were saved."""

from __future__ import annotations

from pathlib import Path

import msgspec

from xpgcheck.claims import documents
from xpgcheck.claims.documents import JudgedCase, parse_judged_case
from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.properties import corpus
from xpgcheck.properties.cases import Case
from xpgcheck.properties.corpus import KeptCase
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, read_bytes


class _Head(msgspec.Struct):
    format: str = ""


def graph_case(kept: KeptCase | JudgedCase, path: Path) -> Case:
    """Return what a subject can be asked at.  Raises ``InputError`` where the case at *path* is about an ensemble."""
    if not isinstance(kept, JudgedCase):
        return kept.case
    if isinstance(kept.graph, Ensemble):
        problem = "a case about an ensemble, about which no subject can be asked yet"
        raise InputError(problem, place=str(path), mend="replay it without a subject")
    return Case(kept.graph, kept.instance)


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
