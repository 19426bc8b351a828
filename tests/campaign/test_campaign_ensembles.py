"""Campaigns on ensembles: our explainer is cross-checked on them, somebody's is asked, and what is wrong is exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from published_schemas import fits_schema
from small_forests import document, stump

from xpgcheck.cli.main import main

SUBJECTS = """
class AllOfThem:
    name = "all of them"
    models = ["majority"]

    def axp(self, forest, instance):
        return range(len(instance))
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "forest.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
    (tmp_path / "my_campaign_subjects.py").write_text(SUBJECTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(*words: str) -> int:
    return main(["campaign", "start", "own", "--models", "models", *words, "--jobs", "1", "--quiet"])


def test_our_explainer_is_cross_checked(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert start() == 0
    assert "HOLDS: check, 8 cases" in capfd.readouterr().out


def test_somebody_elses_is_asked_and_its_findings_are_exported(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert start("--gate", "my_campaign_subjects:AllOfThem", "--examples", "0") == 1
    capfd.readouterr()
    assert main(["campaign", "export", "own", "-o", "cases"]) == 0
    (case,) = Path("cases").glob("*.json")
    saved = json.loads(case.read_text())
    fits_schema(saved, "judged-case")
    assert saved["graph"]["format"] == "ensemble"
    assert main(["replay", str(case), "--quiet"]) == 1
