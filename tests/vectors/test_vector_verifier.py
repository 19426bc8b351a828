"""The verifier that uses nothing of ours agrees with every vector, and finds what is wrong in broken ones."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from vector_files import SCRIPT, Document, each_test, fresh_document, stored_document, verifier

from xpgcheck.vectors import storage
from xpgcheck.vectors.catalogue import FAMILIES


def run(*paths: Path) -> subprocess.CompletedProcess[str]:
    # Isolated, so that neither the checkout nor what is installed can be imported by chance.
    command = [sys.executable, "-I", "-S", "-W", "error", str(SCRIPT), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=900)


def test_the_verifier_uses_the_standard_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert set(names) <= set(sys.stdlib_module_names)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_verifier_agrees_with_a_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "vectors.json").write_bytes(storage.stored(name))
    done = run(tmp_path / "vectors.json")
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (
        0,
        [f"{stored_document(name)['number_of_tests']} tests, 0 problems"],
        "",
    )


def test_the_verifier_is_not_content_with_nothing() -> None:
    assert run().returncode == 1


def _first(document: Document, holds: Callable[[Document, Document], bool]) -> tuple[Document, Document]:
    return next((group, test) for group, test in each_test(document) if holds(group, test))


def _named(name: str) -> Callable[[Document, Document], bool]:
    return lambda group, test: group["graph"]["name"] == name


def _axp_gone(document: Document) -> int:
    _, test = _first(document, lambda _, test: len(test["axps"]) > 1)
    del test["axps"][0]
    return int(test["tc_id"])


def _cxp_wider(document: Document) -> int:
    _, test = _first(document, lambda _, test: test["cxps"] == [[0]] and len(test["instance"]) > 1)
    test["cxps"] = [[0, 1]]
    return int(test["tc_id"])


def _another_class(document: Document) -> int:
    _, test = _first(document, lambda _, test: test["class"] == "yes")
    test["class"] = "no"
    return int(test["tc_id"])


def _threshold_moved(document: Document) -> int:
    """x <= 5/2, of which the instance is on the threshold, becomes x < 5/2."""
    group, test = _first(document, _named("x <= 5/2"))
    group["graph"]["nodes"][0]["edges"][0]["in"] = ["(-inf, 5/2)"]
    group["graph"]["nodes"][0]["edges"][1]["in"] = ["[5/2, inf)"]
    return int(test["tc_id"])


def _float_neighbour(document: Document) -> int:
    """The number below 1/10 becomes the one above it: one unit in the last place."""
    group, test = _first(document, _named("x <= 0.1 over binary32"))
    test["instance"]["x"] = group["tests"][1]["instance"]["x"]
    return int(test["tc_id"])


def _missing_elsewhere(document: Document) -> int:
    group, test = _first(document, _named("missing, tested twice"))
    first, second = group["graph"]["nodes"][1]["edges"]
    first["in"].remove("missing")
    second["in"].append("missing")
    return int(test["tc_id"])


def _edge_lost(document: Document) -> int:
    """One of twelve parallel edges leads elsewhere."""
    group, test = _first(document, _named("twelve parallel edges"))
    group["graph"]["nodes"][0]["edges"][3]["to"] = "n2"
    return int(test["tc_id"])


@pytest.mark.parametrize(
    "spoil",
    [_axp_gone, _cxp_wider, _another_class, _threshold_moved, _float_neighbour, _missing_elsewhere, _edge_lost],
)
def test_the_verifier_finds_a_spoilt_test(spoil: Callable[[Document], int], tmp_path: Path) -> None:
    document = fresh_document("edge_cases")
    number = spoil(document)
    # With one that is right.
    spoilt = next(group for group, test in each_test(document) if test["tc_id"] == number)
    document["test_groups"] = [spoilt, next(group for group in document["test_groups"] if group is not spoilt)]
    document["number_of_tests"] = sum(len(group["tests"]) for group in document["test_groups"])
    (tmp_path / "vectors.json").write_text(json.dumps(document), encoding="utf-8")
    done = run(tmp_path / "vectors.json")
    assert done.returncode == 1
    assert f"test {number}: " in done.stdout


def test_the_verifier_finds_every_changed_verdict() -> None:
    """Each verdict of some tests is replaced by each other one of its kind."""
    from test_vector_files import VERDICTS

    module = verifier()
    tried = 0
    for group in fresh_document("edge_cases")["test_groups"][::9]:
        space = module.Space(group["graph"])
        test = group["tests"][0]
        for claim in test["claims"]:
            right = claim["verdict"]
            for wrong in VERDICTS[claim["kind"]] - {right}:
                claim["verdict"] = wrong
                assert len(list(module.problems(space, test))) == 1
                tried += 1
            claim["verdict"] = right
    assert tried > 100


@pytest.mark.parametrize("name", FAMILIES)
def test_the_evidence_of_every_claim_is_right(name: str) -> None:
    """Witnesses are tried in the verifier's own reading of the graph, sets against the families of the test."""
    module = verifier()
    for group in stored_document(name)["test_groups"][:: 1 if name == "edge_cases" else 3]:
        space = module.Space(group["graph"])
        for test in group["tests"]:
            for claim in test["claims"]:
                assert evidence_faults(space, test, claim) == [], test["tc_id"]


def evidence_faults(space: Any, test: Document, claim: Document) -> list[str]:
    """Return what is wrong with the evidence of a claim, or missing of it."""
    names = list(space.domains)
    everything = set(range(len(names)))
    verdict = claim["verdict"]
    chosen = set(claim.get("at_fault", claim.get("features", ())))
    shown: list[tuple[Document, set[int]]] = []
    wanted: set[str] = set()
    if verdict == "insufficient":
        wanted = {"witness"} if claim["kind"] == "AXp" else {"witness", "at_fault"}
        shown.append((claim.get("witness", {}), chosen))
    elif verdict == "ineffective":
        wanted = {"at_fault"} if claim["kind"] == "family" else set()
    elif claim["kind"] == "CXp":
        wanted = {"witness"} if verdict == "CXp" else {"witness", "needless", "inside"}
        shown.append((claim.get("witness", {}), everything - chosen))
    elif verdict == "AXp":
        wanted = {"needed"} if chosen else set()
        shown += [(point, chosen - {i}) for i, point in zip(sorted(chosen), claim.get("needed", []), strict=True)]
    else:
        of_verdict = {"redundant": {"needless", "inside"}, "incomplete": {"missing"}, "duplicate": {"twice"}}
        wanted = of_verdict.get(verdict, {"clash"} if verdict == "not dual" else set())
    found = [] if wanted == claim.keys() & EVIDENCE else [f"there is {claim.keys() & EVIDENCE}, not {wanted}"]
    for point, same in shown:
        kinds = tuple(space.kind(name, point[name]) for name in names)
        if space.classes[kinds] == test["class"] or any(point[names[i]] != test["instance"][names[i]] for i in same):
            found.append(f"{point} is no witness")
    return found + [f"wrong {key}" for key in wanted - {"witness", "needed"} if not _right(test, claim, key)]


EVIDENCE = {"witness", "needed", "needless", "inside", "missing", "twice", "clash", "at_fault"}


def _right(test: Document, claim: Document, key: str) -> bool:
    right = {"AXp": test["axps"], "CXp": test["cxps"]}
    listed = [claim.get("axps", []), claim.get("cxps", [])]
    value = claim[key]
    if key == "inside":
        return value in right[claim["kind"]] and set(value) < set(claim["features"])
    if key == "needless":
        # What is left without a needless feature still holds an XP of the kind.
        left = [
            i for i in claim["features"] if any(set(x) <= set(claim["features"]) - {i} for x in right[claim["kind"]])
        ]
        return bool(value == left and value)
    if key == "missing":
        return value["features"] in right[value["kind"]] and value["features"] not in listed[value["kind"] == "CXp"]
    if key == "twice":
        return 2 in [family.count(value) for family in listed]
    if key == "clash":
        return any(value[0] in f and value[1] in f for f in listed) and set(value[0]) < set(value[1])
    axp = claim["verdict"] == "insufficient"
    weak = any(set(xp) <= set(value) for xp in right["AXp" if axp else "CXp"])
    return value in listed[not axp] and not weak


def test_wrong_evidence_is_found() -> None:
    module = verifier()
    group, test = _first(fresh_document("edge_cases"), _named("x <= 5/2"))
    space = module.Space(group["graph"])
    spoilt = 0
    for claim in test["claims"]:
        for key in claim.keys() & EVIDENCE:
            kept = claim.pop(key)
            if key != "needed":
                assert evidence_faults_or_error(space, test, claim), (claim, key)
            claim[key] = {"witness": test["instance"], "needed": [test["instance"]] * 2, "needless": [5]}.get(
                key, [[7], [7]]
            )
            if key == "missing":
                claim[key] = {"kind": "AXp", "features": [5]}
            assert evidence_faults_or_error(space, test, claim), (claim, key)
            claim[key] = kept
            spoilt += 1
    assert spoilt > 8


def evidence_faults_or_error(space: Any, test: Document, claim: Document) -> bool:
    try:
        return bool(evidence_faults(space, test, claim))
    except (KeyError, ValueError, TypeError):
        return True
