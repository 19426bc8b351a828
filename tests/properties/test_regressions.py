"""The kept cases hold for all of this project's explainers; each has a property and says where it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from xpgcheck.errors import XpgcheckError
from xpgcheck.properties.catalogue import able, all_properties
from xpgcheck.properties.corpus import KeptCase, parse_case, read_corpus
from xpgcheck.properties.ours import PaperExplainer, Project
from xpgcheck.properties.running.replaying import replay_corpus
from xpgcheck.properties.running.trying import try_one
from xpgcheck.properties.seeded import seeded_bug
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.properties.subjects import abilities

FOLDER = Path(__file__).resolve().parents[1] / "regressions"
FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("subject", [Project(), PaperExplainer(), Textbook()], ids=lambda s: str(s.name))
def test_every_kept_case_holds(subject: Any) -> None:
    properties = able(all_properties(), abilities(subject))
    result, bad = replay_corpus(FOLDER, properties, subject)
    assert not bad
    assert not result.findings
    assert not result.open
    assert result.cases > 20


def test_kept_cases_are_many_and_say_where_they_come_from() -> None:
    kept = [case for _, case in read_corpus(FOLDER)]
    assert len(kept) >= 30
    for case in kept:
        assert isinstance(case, KeptCase), case
        assert case.origin


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_kept_case_still_tells_its_bug(path: Path) -> None:
    kept = parse_case(path.read_bytes())
    if not kept.origin.startswith("seeded bug "):
        pytest.skip("it comes from elsewhere")
    bug = seeded_bug(kept.origin.removeprefix("seeded bug ").partition(":")[0])
    (property_,) = [p for p in all_properties() if p.name == kept.property]
    _, violation = try_one(property_, kept.case, bug.make(), bug.seconds)
    assert violation is not None, f"{bug.name}: {bug.wrong}"


def test_a_file_that_is_no_case_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    ((path, found),) = read_corpus(tmp_path)
    assert isinstance(found, XpgcheckError)
    assert path.name in str(found)
