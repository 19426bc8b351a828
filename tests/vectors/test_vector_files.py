"""The stored vector files: in order, varied, small, and what the rest of the project says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from published_schemas import fits_schema
from vector_files import Document, all_documents, each_test, faults, fresh_document, stored_document

from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.schemas import schema
from xpgcheck.vectors import storage
from xpgcheck.vectors.catalogue import FAMILIES
from xpgcheck.vectors.grouping import text_of
from xpgcheck.vectors.notes import NOTES, BugType
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.xps import Kind

VERDICTS = {
    "AXp": {"AXp", "redundant", "insufficient"},
    "CXp": {"CXp", "redundant", "ineffective"},
    "family": {"complete", "incomplete", "duplicate", "not dual", "insufficient", "ineffective"},
    "prediction": {"right prediction", "prediction mismatch"},
    "membership": {"right membership", "wrong membership"},
}


def test_numbers_counts_flags_and_notes_are_in_order() -> None:
    assert faults(all_documents()) == []


def _number_twice(document: Document) -> None:
    tests = [test for _, test in each_test(document)]
    tests[1]["tc_id"] = tests[0]["tc_id"]


def _numbers_swapped(document: Document) -> None:
    tests = [test for _, test in each_test(document)]
    tests[0]["tc_id"], tests[1]["tc_id"] = tests[1]["tc_id"], tests[0]["tc_id"]


def _count_off(document: Document) -> None:
    document["number_of_tests"] += 1


def _note_missing(document: Document) -> None:
    del document["notes"]["constant"]


def _note_unused(document: Document) -> None:
    document["notes"]["new"] = document["notes"]["constant"]


def _set_unsorted(document: Document) -> None:
    next(test for _, test in each_test(document) if len(test["instance"]) > 1)["claims"][0]["features"] = [1, 0]


def _set_outside(document: Document) -> None:
    next(each_test(document))[1]["claims"][0]["features"] = [99]


def _feature_renamed(document: Document) -> None:
    instance = next(each_test(document))[1]["instance"]
    instance["another"] = instance.pop(next(iter(instance)))


def _claim_twice(document: Document) -> None:
    claims = next(each_test(document))[1]["claims"]
    claims.append(claims[0])


def _families_out_of_order(document: Document) -> None:
    next(test for _, test in each_test(document) if len(test["axps"]) > 1)["axps"].reverse()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_number_twice, "number 1 twice"),
        (_numbers_swapped, "do not increase"),
        (_count_off, "the count is wrong"),
        (_note_missing, "flag constant has no note"),
        (_note_unused, "note new is not used"),
        (_set_unsorted, "is not increasing"),
        (_set_outside, "does not exist"),
        (_feature_renamed, "other features"),
        (_claim_twice, "a claim is there twice"),
        (_families_out_of_order, "the axps are not in order"),
    ],
)
def test_the_lint_says_what_is_wrong(spoil: Callable[[Document], None], said: str) -> None:
    document = fresh_document("edge_cases")
    spoil(document)
    assert any(said in fault for fault in faults([document]))


def test_every_flag_is_in_use_and_every_note_is_the_current_one() -> None:
    written = {flag: note for document in all_documents() for flag, note in document["notes"].items()}
    assert set(written) == set(NOTES)
    for flag, note in written.items():
        assert note["bug_type"] == NOTES[flag].bug_type.value
        assert note["description"] == NOTES[flag].description
        assert note["effect"] == NOTES[flag].effect
        assert note["seen"] == list(NOTES[flag].seen)


def test_every_bug_type_is_in_use_and_in_the_schema() -> None:
    parts = schema("test-vectors")["$defs"]
    assert set(parts["BugType"]["enum"]) == {bug_type.value for bug_type in BugType}
    said = parts["NoteRecord"]["properties"]["bug_type"]["description"]
    assert re.findall(r"(?:^|; )([a-z ]+):", said) == [bug_type.value for bug_type in BugType]
    assert {note.bug_type for note in NOTES.values()} == set(BugType)


def test_notes_name_seeded_bugs_that_exist() -> None:
    from xpgcheck.properties.seeded import seeded_bugs

    names = {bug.name for bug in seeded_bugs()}
    said = [where for note in NOTES.values() for where in note.seen if where.startswith("seeded bug ")]
    assert [where for where in said if where.removeprefix("seeded bug ") not in names] == []
    assert len(said) > 30


def test_the_schema_is_one_and_the_smallest_file_follows_it() -> None:
    document = fresh_document("obdds")
    document["test_groups"] = document["test_groups"][:5]
    fits_schema(document, "test-vectors")
    for group in document["test_groups"]:
        fits_schema(group["graph"], "decision-graph")


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
def test_a_file_follows_the_schema(name: str) -> None:
    fits_schema(stored_document(name), "test-vectors")
    for group in stored_document(name)["test_groups"]:
        fits_schema(group["graph"], "decision-graph")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["notes", "constant", "bug_type"], "another"),
        (["test_groups", 0, "tests", 0, "tc_id"], 0),
        (["test_groups", 0, "tests", 0, "axps"], [["x"]]),
        (["test_groups", 0, "tests", 0, "claims", 0, "verdict"], "ineffective"),
        (["test_groups", 0, "tests", 0, "claims", 0, "kind"], "claim"),
        (["test_groups", 0, "tests", 0, "flags"], []),
        (["version"], 2),
    ],
)
def test_the_schema_refuses(path: list[str | int], value: object) -> None:
    document = fresh_document("edge_cases")
    document["test_groups"] = document["test_groups"][:1]
    fits_schema(document, "test-vectors")
    place: Any = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        fits_schema(document, "test-vectors")


def test_there_are_enough_tests_and_not_too_many_bytes() -> None:
    assert sum(document["number_of_tests"] for document in all_documents()) >= 800
    assert sum(len(storage.stored(name)) for name in FAMILIES) < 5_000_000


def test_there_are_tests_of_every_kind_of_graph() -> None:
    kinds = Counter(group["kind"] for document in all_documents() for group, _ in each_test(document))
    assert set(kinds) == {"edge case", "tree", "obdd", "omdd", "ordered", "graph", "ladder"}
    assert min(kinds.values()) >= 100


def test_there_are_tests_of_every_kind_of_domain() -> None:
    domains: Counter[str] = Counter()
    for document in all_documents():
        for group, test in each_test(document):
            tested = {node["feature"] for node in group["graph"]["nodes"] if "feature" in node}
            found = {f["domain"]["type"] for f in group["graph"]["features"] if f["name"] in tested}
            missing = {"missing"} & set(test["instance"].values())
            domains.update(found | missing)
    assert set(domains) == {"boolean", "categorical", "integer", "real", "float32", "float64", "missing"}
    assert min(domains.values()) >= 60


def test_there_are_enough_tests_of_every_flag_and_verdict() -> None:
    flags = Counter(flag for document in all_documents() for _, test in each_test(document) for flag in test["flags"])
    assert [flag for flag in NOTES if not flags[flag]] == []
    common = ("shared_nodes", "feature_tested_twice", "on_threshold", "next_to_threshold", "unequal_xps", "wide_node")
    assert min(flags[flag] for flag in common) >= 100
    claims = [claim for document in all_documents() for _, test in each_test(document) for claim in test["claims"]]
    verdicts = Counter((claim["kind"], claim["verdict"]) for claim in claims)
    assert set(verdicts) == {(kind, verdict) for kind, all_of in VERDICTS.items() for verdict in all_of}
    assert min(verdicts.values()) >= 300


@pytest.mark.parametrize("name", FAMILIES)
def test_our_explainer_agrees(name: str) -> None:
    """The vectors were made by it; this keeps later versions to them."""
    for group in stored_document(name)["test_groups"]:
        graph = parse_json(text_of(group["graph"]).encode())
        for test in group["tests"]:
            point = read_point(graph.features, test["instance"])
            found = list(enumerate_xps(explanation_graph(graph, point)))
            assert graph.classes[graph.kappa(point)] == test["class"], test["tc_id"]
            for kind, listed in ((Kind.AXP, test["axps"]), (Kind.CXP, test["cxps"])):
                own = sorted((sorted(xp.features) for xp in found if xp.kind is kind), key=lambda s: (len(s), s))
                assert own == listed, test["tc_id"]
