"""Findings of a campaign as files: for each cause a case that ``replay`` or ``properties run --corpus`` tries again."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from xpgcheck.campaign.journal import Cause, Journal
from xpgcheck.campaign.plan import Plan
from xpgcheck.claims import documents
from xpgcheck.claims.documents import parse_judged_case
from xpgcheck.errors import InputError, XpgcheckError
from xpgcheck.gate.saving import make_folder
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.properties import corpus
from xpgcheck.properties.corpus import parse_case
from xpgcheck.writers.atomic import write_atomically
from xpgcheck.writers.json_model import classifier_json

FOLDER = "cases"
"""The folder that replay commands name where nothing was exported yet."""

FIELDS = ("format", "version", "xpgcheck", "property", "subject", "origin", "dice", "instance", "judged", "stderr")
"""The order of the fields in a file; the graph comes last."""


def export(journal: Journal, folder: Path) -> list[Path]:
    """Write a case for each cause of *journal* into *folder*, which is made if need be; return the files.

    The same cause has the same file on every machine.  A cause whose case is none that can be replayed has no file.
    Raises ``FormatError`` where the folder cannot be made, ``InputError`` where a file there is somebody else's, and the
    errors of writing.
    """
    make_folder(folder)
    written = []
    for cause in journal.causes():
        text = case_text(cause.document)
        if text is not None:
            path = folder / case_name(cause)
            _require_ours(path)
            write_atomically(path, text)
            written.append(path)
    return written


def _require_ours(path: Path) -> None:
    """Raise an ``InputError`` where *path* is a file that is no case: it is not overwritten."""
    if path.exists():
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("format") not in (corpus.FORMAT, documents.FORMAT):
            problem = "there is a file of this name that is no case"
            raise InputError(problem, place=str(path), mend="name another folder, or move the file away")


def case_text(finding: Mapping[str, Any]) -> str | None:
    """Return the case of *finding* as its file, None where it is no case that is read back."""
    case = finding.get("case")
    if not isinstance(case, dict):
        return None
    data = json.dumps(case).encode()
    try:
        if case.get("format") == corpus.FORMAT:
            graph: DecisionGraph | Ensemble = parse_case(data).case.graph
        elif case.get("format") == documents.FORMAT:
            graph = parse_judged_case(data).graph
        else:
            return None
        # As the writers of cases lay them out: a line for each field, and for each node of the graph.
        model = classifier_json(graph).rstrip().replace("\n", "\n ")
    except XpgcheckError:
        return None
    keys = [*filter(case.__contains__, FIELDS), *(key for key in sorted(case) if key not in (*FIELDS, "graph"))]
    head = [f" {_json(key)}: {_json(case[key])}" for key in keys]
    return "{\n" + ",\n".join([*head, f' "graph": {model}']) + "\n}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def case_name(cause: Cause) -> str:
    """Return the name of the file of *cause*."""
    said = f"{cause.document.get('about', '')}-{cause.document.get('verdict', '')}"
    words = re.sub(r"[^A-Za-z0-9]+", "-", said).strip("-")[:80]
    key = re.sub(r"[^A-Za-z0-9]+", "", cause.cause.partition(":")[2])[:10]
    return f"{words or 'case'}-{key}.json"


def replay_command(cause: Cause, plan: Plan, folder: str = FOLDER) -> str:
    """Return the command that judges the exported case of *cause* again; "" without a case.

    A claim is judged as it was made; a property, and a cross-check, are put to the subject of *plan* once more.
    """
    case = cause.document.get("case")
    if not isinstance(case, dict):
        return ""
    file = shlex.quote(f"{folder}/{case_name(cause)}")
    subject, command = plan.options.get("subject"), plan.options.get("command")
    if plan.kind == "properties":
        words = ["--subject", str(subject), "--examples", "0", "--property", str(case.get("property", ""))]
        return f"xpgcheck properties run {shlex.join(words)} --corpus {file}"
    if plan.kind == "gate" and case.get("format") == documents.FORMAT:
        return f"xpgcheck replay {file}"
    words = ["--command", str(command)] if command is not None else ["--subject", str(subject or "ours")]
    return f"xpgcheck replay {file} {shlex.join(words)}"
