"""The harness in docs/how-to/vectors.md runs without this project, tells right answers from wrong ones, and stays short."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from vector_files import ROOT, all_documents

from xpgcheck.vectors.catalogue import FAMILIES
from xpgcheck.vectors.notes import NOTES, BugType
from xpgcheck.vectors.storage import SCHEMA, schemas_of, stored

DOCUMENT = (ROOT / "docs" / "how-to" / "vectors.md").read_text(encoding="utf-8")
HARNESS = next(iter(re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)))

RIGHT = """
from pathlib import Path as _Path
import json as _json
_known = {}
for _path in _Path("vectors").glob("*.json"):
    for _group in _json.loads(_path.read_text(encoding="utf-8")).get("test_groups", []):
        for _test in _group["tests"]:
            _known[str(_group["graph"]), str(_test["instance"])] = _test["class"], _test["axps"], _test["cxps"]

def explain(graph, instance):
    name, axps, cxps = _known[str(graph), str(instance)]
    return name, axps[::-1], [c[::-1] for c in cxps]
"""


def run(folder: Path, explain: str) -> subprocess.CompletedProcess[str]:
    """Run the harness with *explain* in the place of its stub; without site-packages, so that nothing of ours is there."""
    stub = re.search(r"^def explain.*?(?=^\S)", HARNESS, re.MULTILINE | re.DOTALL)
    assert stub is not None
    program = HARNESS.replace(stub.group(), explain)
    command = [sys.executable, "-I", "-S", "-W", "error", "-c", program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=900)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("harness")
    (place / "vectors").mkdir()
    for name in FAMILIES:
        (place / "vectors" / f"{name}.json").write_bytes(stored(name))
    (place / "vectors" / SCHEMA).write_bytes(schemas_of(["trees"])[SCHEMA])
    return place


def test_the_harness_is_of_fifteen_lines_and_the_document_of_at_most_120() -> None:
    assert len([line for line in HARNESS.splitlines() if line.strip()]) <= 15
    assert len(DOCUMENT.splitlines()) <= 120


def test_the_harness_is_content_with_right_answers(folder: Path) -> None:
    done = run(folder, RIGHT)
    tests = sum(document["number_of_tests"] for document in all_documents())
    assert (done.stdout.splitlines()[-1], done.stderr) == (f"{tests} tests, 0 wrong", "")


def test_the_harness_names_what_is_wrong(folder: Path) -> None:
    """An explainer that knows of no change of class: right on constant classifiers alone."""
    wrong = (
        RIGHT
        + "    \n_right = explain\ndef explain(graph, instance):\n    return _right(graph, instance)[0], [[]], []\n"
    )
    done = run(folder, wrong)
    constant = sum(not test["cxps"] for d in all_documents() for g in d["test_groups"] for test in g["tests"])
    tests = sum(document["number_of_tests"] for document in all_documents())
    assert done.stdout.splitlines()[-1] == f"{tests} tests, {tests - constant} wrong"
    assert "shared_nodes" in done.stdout


def test_the_document_has_every_bug_type_and_file() -> None:
    for bug_type in BugType:
        assert f"| `{bug_type.value}` |" in DOCUMENT
    for document in all_documents():
        groups = len(document["test_groups"])
        assert f"| `{document['name']}.json` | {document['number_of_tests']} | {groups} |" in DOCUMENT


def test_flags_that_the_document_names_exist() -> None:
    named = set(re.findall(r"flag `(\w+)`", DOCUMENT))
    assert named <= set(NOTES)
    assert Counter(note.bug_type for note in NOTES.values())[BugType.KNOWN_BUG] >= 3
