"""The published schemas are those of the types that write the documents, and every other one says why it is not."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import jsonschema
import pytest
from checkout import ROOT
from msgspec import Meta
from published_schemas import validator

from xpgcheck.gate.check.documents import CheckFindingRecord
from xpgcheck.gate.check.results import Check
from xpgcheck.paper.reduction.answers import Reading
from xpgcheck.paper.reduction.documents import OutcomeName, ReadingName
from xpgcheck.paper.reduction.verdicts import WORDS
from xpgcheck.paper.reports.documents import CheckRecord
from xpgcheck.paper.rows import Expect
from xpgcheck.reports.schemas import Count, Record, schema_of

TOOL = runpy.run_path(str(ROOT / "tools" / "write_schemas.py"), run_name="tool")
DOCUMENTS: dict[str, Any] = TOOL["DOCUMENTS"]
SCHEMAS = ROOT / "xpgcheck" / "schemas"


def published(name: str, folder: Path = SCHEMAS) -> str:
    return (folder / f"{name}.schema.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_published_schema_is_that_of_its_type(name: str) -> None:
    assert json.loads(published(name)) == TOOL["schema"](name), "run: python tools/write_schemas.py"


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_type_that_gains_a_field_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = DOCUMENTS[name].types
    fields = {"__annotations__": {"added": int}, "__doc__": first.__doc__}
    wider = type(first)(first.__name__, (first,), fields, kw_only=True)
    monkeypatch.setitem(DOCUMENTS, name, DOCUMENTS[name]._replace(types=(wider, *others)))
    assert json.loads(published(name)) != TOOL["schema"](name)


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_published_schema_is_a_schema_and_describes_every_part(name: str) -> None:
    document = json.loads(published(name))
    jsonschema.Draft202012Validator.check_schema(document)
    assert all("description" in part for part in [document, *document.get("$defs", {}).values()])


def test_every_schema_is_made_of_a_type_or_says_why_not() -> None:
    by_hand = (ROOT / "docs" / "reference" / "format.md").read_text(encoding="utf-8").partition("## Schemas")[2]
    named = set(re.findall(r"^\| `([a-z-]+)` \|", by_hand, re.MULTILINE))
    assert {path.name.partition(".")[0] for path in SCHEMAS.glob("*.json")} == named | set(DOCUMENTS)
    assert not named & set(DOCUMENTS)


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.name.partition(".")[0])
def test_every_schema_is_a_schema(path: Path) -> None:
    assert validator(path.name.partition(".")[0])


def test_words_that_a_type_lists_are_those_of_the_enumeration() -> None:
    assert set(get_args(get_type_hints(CheckFindingRecord)["check"])) == {check.name.lower() for check in Check}
    assert set(get_args(get_type_hints(CheckRecord)["expect"])) == {expect.value for expect in Expect}
    assert set(get_args(ReadingName)) == {reading.value for reading in Reading}
    assert set(get_args(OutcomeName)) == set(WORDS.values())


class Inner(Record):
    """A part."""

    words: dict[str, Count]


class Outer(Record):
    """A whole
    of parts.
    """

    version: Annotated[int, Meta(ge=1, description="From 1.")]
    parts: list[Inner]
    rest: str | None


def test_a_schema_has_all_that_its_type_says() -> None:
    assert schema_of((Outer,), "Outer, version 1", "https://xpgcheck.invalid/o") == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://xpgcheck.invalid/o",
        "title": "Outer, version 1",
        "description": "A whole of parts.",
        "type": "object",
        "properties": {
            "version": {"type": "integer", "minimum": 1, "description": "From 1."},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Inner"}},
            "rest": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["version", "parts", "rest"],
        "additionalProperties": False,
        "$defs": {
            "Inner": {
                "description": "A part.",
                "type": "object",
                "properties": {"words": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}}},
                "required": ["words"],
                "additionalProperties": False,
            }
        },
    }


def test_a_document_of_several_types_is_one_of_them() -> None:
    made = schema_of((Inner, Outer), "Parts", description="Either.")
    assert made["oneOf"] == [{"$ref": "#/$defs/Inner"}, {"$ref": "#/$defs/Outer"}]
    assert (made["description"], set(made["$defs"])) == ("Either.", {"Inner", "Outer"})
