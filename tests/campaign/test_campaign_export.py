"""Findings of a campaign as files that are read, and judged, again."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from campaign_samples import FULL, PROPERTY, claim_finding, hostile, property_finding, result, written
from campaign_units import plan_of

from xpgcheck.campaign.export import case_text, export, replay_command
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.plan import Plan
from xpgcheck.cli.main import main
from xpgcheck.errors import XpgcheckError
from xpgcheck.gate.kept import read_case
from xpgcheck.properties.corpus import KeptCase, read_corpus


def exported(journal: Path, folder: Path) -> list[Path]:
    with Journal.open(journal, read_only=True) as opened:
        return export(opened, folder)


def test_each_cause_with_a_case_is_a_file_of_the_corpus(tmp_path: Path) -> None:
    files = exported(written(tmp_path / "full.campaign.sqlite", FULL), tmp_path / "cases")
    assert len(files) == 2
    for _, kept in read_corpus(tmp_path / "cases"):
        assert isinstance(kept, KeptCase)
        assert kept.property == PROPERTY
    again = exported(tmp_path / "full.campaign.sqlite", tmp_path / "cases")
    assert again == files


def test_the_same_cause_has_the_same_file_on_every_machine(tmp_path: Path) -> None:
    one = written(tmp_path / "one.campaign.sqlite", [result(0, (property_finding(),))])
    other = written(tmp_path / "other.campaign.sqlite", [result(7, (property_finding(9, 8, name="q"),))])
    names = [[path.name for path in exported(journal, tmp_path / "cases")] for journal in (one, other)]
    assert names[0] == names[1]


def test_a_property_is_tried_again_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a right explainer the kept case holds, for one with a seeded bug it fails: the command says which."""
    monkeypatch.chdir(tmp_path)
    finding = property_finding()
    finding["case"]["property"] = "a_cxp_can_change_the_class"
    for subject, status in (("ours", 0), ("seeded:labels-swapped", 1)):
        journal = written(
            tmp_path / f"{status}.campaign.sqlite",
            [result(0, (finding,))],
            plan_of(20, subject=subject),
        )
        exported(journal, tmp_path / "cases")
        with Journal.open(journal, read_only=True) as opened:
            (cause,) = opened.causes()
            words = shlex.split(replay_command(cause, opened.plan))
        assert words[:2] == ["xpgcheck", "properties"]
        assert main(words[1:]) == status


def test_a_claim_is_judged_again_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    plan = Plan("gate", plan_of(20).options | {"subject": "nobody", "command": None})
    journal = written(tmp_path / "gate.campaign.sqlite", [result(0, (claim_finding(),))], plan)
    (path,) = exported(journal, tmp_path / "cases")
    with Journal.open(journal, read_only=True) as opened:
        (cause,) = opened.causes()
        words = shlex.split(replay_command(cause, opened.plan))
    assert words == ["xpgcheck", "replay", f"cases/{path.name}"]
    assert main(words[1:]) == 1
    assert "redundant" in capsys.readouterr().out


def test_who_has_to_be_asked_again_is_named(tmp_path: Path) -> None:
    finding = property_finding()
    journal = written(tmp_path / "j.campaign.sqlite", [result(0, (finding,))])
    with Journal.open(journal, read_only=True) as opened:
        (cause,) = opened.causes()
    name = f"cases/{exported(journal, tmp_path / 'cases')[0].name}"
    gate = plan_of(20).options | {"subject": None, "command": "python 'my explainer.py'"}
    words = shlex.split(replay_command(cause, Plan("gate", gate)))
    assert words == ["xpgcheck", "replay", name, "--command", "python 'my explainer.py'"]
    check = Plan("check", plan_of(20).options)
    assert shlex.split(replay_command(cause, check)) == ["xpgcheck", "replay", name, "--subject", "ours"]


@pytest.mark.parametrize(
    "case",
    [None, "text", [], {}, {"format": "property-case"}, {"format": "else"}, {"format": "judged-case", "graph": 1}],
    ids=str,
)
def test_what_is_no_case_is_no_file(case: object) -> None:
    assert case_text({"case": case}) is None


def test_names_of_hostile_findings_stay_in_the_folder(tmp_path: Path) -> None:
    finding = property_finding(about="../../../etc/passwd\x00", verdict="/" * 500)
    files = exported(written(tmp_path / "j.campaign.sqlite", [result(0, (finding,))]), tmp_path / "cases")
    assert [path.parent for path in files] == [tmp_path / "cases"]
    assert files[0].name.startswith("etc-passwd-")
    for path in exported(hostile(tmp_path / "hostile.campaign.sqlite"), tmp_path / "more"):
        read_case(path)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = written(tmp_path / "j.campaign.sqlite", FULL)
    with pytest.raises(XpgcheckError, match="cannot be made"):
        exported(journal, tmp_path / "file" / "cases")


def test_the_files_are_laid_out_as_those_of_the_corpus(tmp_path: Path) -> None:
    (path, *_) = exported(written(tmp_path / "j.campaign.sqlite", [result(0, (property_finding(),))]), tmp_path / "c")
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1] == ' "format": "property-case",'
    assert sum(1 for line in lines if '"id": ' in line) == 3
    assert json.loads("\n".join(lines))["property"] == PROPERTY
