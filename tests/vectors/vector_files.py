"""The stored vector files as documents, what can be wrong in one, and the verifier of the documents as a module."""

from __future__ import annotations

import functools
import importlib.util
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from xpgcheck.vectors import storage
from xpgcheck.vectors.catalogue import FAMILIES

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "docs" / "examples" / "verify_vectors.py"

Document = dict[str, Any]


@functools.cache
def stored_document(name: str) -> Document:
    document: Document = json.loads(storage.stored(name))
    return document


def fresh_document(name: str) -> Document:
    """Return a copy that may be changed."""
    document: Document = json.loads(storage.stored(name))
    return document


def all_documents() -> list[Document]:
    return [stored_document(name) for name in FAMILIES]


def each_test(document: Document) -> Iterator[tuple[Document, Document]]:
    """Yield each test with its group."""
    for group in document["test_groups"]:
        for test in group["tests"]:
            yield group, test


def faults(documents: Iterable[Document]) -> list[str]:
    """Return what is wrong with numbers, counts, flags and notes of vector files."""
    found: list[str] = []
    numbers: Counter[int] = Counter()
    for document in documents:
        name = document["name"]
        ids = [test["tc_id"] for _, test in each_test(document)]
        numbers.update(ids)
        if ids != sorted(ids):
            found.append(f"{name}: numbers do not increase")
        if len(ids) != document["number_of_tests"]:
            found.append(f"{name}: the count is wrong")
        used = {flag for _, test in each_test(document) for flag in test["flags"]}
        found += [f"{name}: flag {flag} has no note" for flag in sorted(used - set(document["notes"]))]
        found += [f"{name}: note {flag} is not used" for flag in sorted(set(document["notes"]) - used)]
        for group, test in each_test(document):
            found += [f"test {test['tc_id']}: {text}" for text in _faults_of_test(group, test)]
    return found + [f"number {number} twice" for number, count in numbers.items() if count > 1]


def _faults_of_test(group: Document, test: Document) -> Iterator[str]:
    names = [feature["name"] for feature in group["graph"]["features"]]
    if list(test["instance"]) != names:
        yield "the instance has other features than the graph"
    families = [test["axps"], test["cxps"]]
    claims = test["claims"]
    families += [claim[key] for claim in claims for key in ("axps", "cxps") if key in claim]
    sets = [s for family in families for s in family] + [claim["features"] for claim in claims if "features" in claim]
    if any(s != sorted(set(s)) for s in sets):
        yield "a set of features is not increasing"
    if any(not 0 <= i < len(names) for s in sets for i in s):
        yield "a set names a feature that does not exist"
    for key in ("axps", "cxps"):
        if test[key] != sorted(test[key], key=lambda s: (len(s), s)):
            yield f"the {key} are not in order"
    written = [json.dumps(claim) for claim in claims]
    if len(set(written)) < len(written):
        yield "a claim is there twice"


@functools.cache
def verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_vectors", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
