"""Texts are English, as far as patterns can tell: none of what they look for is in documents or in sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT, documents
from english import KINDS, document_hits, source_hits, sources


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_documents_have_none() -> None:
    found = [(path, hit) for path in documents() for hit in document_hits(path)]
    assert [f"{named(path)}:{line}: {kind}: {text}" for path, (kind, line, text) in found] == []


def test_sources_have_none() -> None:
    found = [(path, hit) for path in sources() for hit in source_hits(path)]
    assert [f"{named(path)}:{line}: {kind}: {text}" for path, (kind, line, text) in found] == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("a X a Y", "One line a sentence, at 36 ms a query."),
        ("is no X of", "This is no name of a campaign."),
        ("fronted Of", "It holds. Of a graph the root is asked."),
        ("whoever", "It is believed, whoever found it."),
        ("relative what", "What workers have in hand is finished."),
        ("dated word", "It is begun anew."),
        ("whatever without a verb", "It holds, whatever the other features."),
    ],
)
def test_what_is_not_english_is_found(kind: str, text: str, tmp_path: Path) -> None:
    page, source = tmp_path / "page.md", tmp_path / "source.py"
    page.write_text(f"# Page\n\nAll is well.\n{text}\n\n`{text}`\n", encoding="utf-8")
    source.write_text(f'"""A module."""\n\n# {text}\nTEXT = "{text}"\n', encoding="utf-8")
    assert [(found, line) for found, line, _ in document_hits(page)] == [(kind, 4)] * len(KINDS[kind].findall(text))
    assert {(found, line) for found, line, _ in source_hits(source)} == {(kind, 3), (kind, 4)}


def test_a_summary_begins_with_a_noun_or_a_verb(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text('"""What it costs."""\n\n\ndef f():\n    """Return what it costs."""\n', encoding="utf-8")
    assert [(kind, line) for kind, line, _ in source_hits(source)] == [("summary without a noun", 1)]


@pytest.mark.parametrize("text", ["Of course it holds.", "What is it?", "Give an edge a value.", "One of a pair."])
def test_what_is_english_is_not_found(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{text}\n", encoding="utf-8")
    assert list(document_hits(page)) == []
