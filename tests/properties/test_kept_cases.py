"""Cases on file: written, read back, replayed first; a bad file names itself and loses no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from xpgcheck.errors import XpgcheckError
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import all_properties
from xpgcheck.properties.corpus import case_json, corpus_files, parse_case, read_corpus, record
from xpgcheck.properties.running.outcomes import Failure
from xpgcheck.properties.strategies import property_cases

NAME = "an_axp_suffices"


@given(property_cases())
def test_a_written_case_is_read_back_as_it_was(case: Case) -> None:
    kept = parse_case(case_json(NAME, case, "a test").encode())
    assert kept.case == case
    assert (kept.property, kept.origin) == (NAME, "a test")


@pytest.fixture
def document() -> dict[str, Any]:
    from xpgcheck import embedded

    model = embedded.load("hardware")
    loaded: dict[str, Any] = json.loads(case_json(NAME, Case(model.graph, model.paper_instance, 3), "Fig. 1"))
    return loaded


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"format": "other"}, "format 'other' version 1; expected property-case version 1"),
        ({"version": 2}, "version 2"),
        ({"property": "nothing"}, "no property is called 'nothing'"),
        ({"instance": {}}, "the instance lacks feature 'Age'"),
        ({"more": 1}, "no case"),
        ({"graph": {}}, "format"),
        ({"graph": 3}, "no object"),
        ({"dice": "x"}, "no case"),
    ],
)
def test_a_wrong_case_says_what_is_wrong(document: dict[str, Any], change: dict[str, Any], text: str) -> None:
    with pytest.raises(XpgcheckError) as caught:
        parse_case(json.dumps(document | change).encode())
    assert text in str(caught.value) or "graph" in change
    assert "\n" not in str(caught.value)


def test_a_value_outside_the_domain_is_refused(document: dict[str, Any]) -> None:
    document["instance"]["Age"] = "X"
    with pytest.raises(XpgcheckError, match="'X' is not a category"):
        parse_case(json.dumps(document).encode())
    document["instance"]["Age"] = "O"
    document["instance"]["Shoe"] = "42"
    with pytest.raises(XpgcheckError, match="features that the graph does not declare"):
        parse_case(json.dumps(document).encode())


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"null", b'{"format": "property-case"}']
)
def test_bytes_that_are_no_case_are_refused(data: bytes) -> None:
    with pytest.raises(XpgcheckError):
        parse_case(data)


def test_a_bad_file_names_itself_and_the_others_are_read(tmp_path: Path, document: dict[str, Any]) -> None:
    (tmp_path / "a.json").write_text("{")
    (tmp_path / "b.json").write_text(json.dumps(document))
    found = dict(read_corpus(tmp_path))
    assert [path.name for path in found] == ["a.json", "b.json"]
    bad = found[tmp_path / "a.json"]
    assert isinstance(bad, XpgcheckError)
    assert str(bad).startswith(str(tmp_path / "a.json"))
    assert not isinstance(found[tmp_path / "b.json"], XpgcheckError)


def test_a_corpus_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(XpgcheckError, match="no such file or folder"):
        corpus_files(tmp_path / "none")


def test_the_same_finding_is_one_file(tmp_path: Path, document: dict[str, Any]) -> None:
    case = parse_case(json.dumps(document).encode()).case
    finding = Failure(NAME, "mine", "insufficient", "because", case, 7, "generated, seed 0, size 12")
    first, second = (record(tmp_path / "new", finding) for _ in range(2))
    assert first == second
    kept = parse_case(first.read_bytes())
    assert kept.case == case
    assert kept.origin == "mine: insufficient (generated, seed 0, size 12)"


def test_the_names_of_properties_are_sentences() -> None:
    for item in all_properties():
        assert item.statement.endswith("."), item.name
        assert item.source
        assert item.needs
