"""docs/explanation/reduction.md shows what the command prints."""

import re
from pathlib import Path

import pytest

from xpgcheck.cli.main import main

DOCS = Path(__file__).resolve().parents[3] / "docs"


def lines(text: str) -> list[str]:
    """Without the time."""
    return [re.sub(r"; [0-9.]+ s$", "", line.rstrip()) for line in text.splitlines()]


@pytest.mark.skipif(not DOCS.is_dir(), reason="the documents are not next to the tests")
def test_the_output_in_the_document(capfd, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    document = (DOCS / "explanation" / "reduction.md").read_text(encoding="utf-8")
    shown = re.search(
        r"<!-- output: xpgcheck reduction docs/examples/overlap.cnf -->\n```text\n(.*?)```", document, re.S
    )
    assert shown is not None
    assert main(["reduction", str(DOCS / "examples" / "overlap.cnf")]) == 0
    assert lines(capfd.readouterr().out) == lines(shown[1])
