"""The status of a campaign, as text and as JSON, while a driver runs too, and of journals of others."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import replace
from pathlib import Path

import pytest
from campaign_samples import FULL, HOSTILE, PROPERTY, changed, claim_finding, hostile, result, written
from campaign_units import plan_of

from xpgcheck.campaign import summary as summary_module
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.report import html_report
from xpgcheck.campaign.status import status_json, status_text
from xpgcheck.campaign.summary import read_summary
from xpgcheck.errors import FormatError
from xpgcheck.version import __version__


def text_of(path: Path) -> str:
    with Journal.open(path, read_only=True) as journal:
        return status_text(journal)


def timed(path: Path, *ends: float) -> None:
    """Set when the units ended, and begin the session at 1,000."""
    for unit, ended in enumerate(ends):
        changed(path, "UPDATE units SET ended = ? WHERE id = ?", ended, unit)
    changed(path, "UPDATE sessions SET started = 1000.0")


def test_it_says_all_that_was_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "full.campaign.sqlite", FULL)
    timed(path, 1010.0, 1020.0, 1030.0, 1040.0)
    lines = text_of(path).splitlines()
    assert lines[0] == "campaign full: properties, stopped"
    assert lines[1:5] == [
        f"by       xpgcheck {__version__}",
        "units    4 of 20 (20.0 %)",
        "cases    40 of 200 (20.0 %)",
        "time     4s so far, about 2m 40s left",
    ]
    assert lines[5] == "rate     10.0 cases per second, 1.0 lately"
    assert lines[6] == "workers  2 seen: w0 (2 units), w1 (2 units)"
    assert lines[7].startswith("last     a unit ended 1970-01-01 ")
    text = "\n".join(lines)
    assert f"{PROPERTY:<46}  4 failed, 1 open, 35 held, 9 silent" in lines
    assert "open, for example: an_axp_suffices: out of time" in lines
    # One cause has two findings, by other names; two are of their own.
    assert "4 findings of 3 causes:" in lines
    assert "  an_axp_suffices: insufficient (violated, 2 times; 1 non-terminal, 2 features; unit 1)" in lines
    run = "xpgcheck properties run --subject ours --examples 0 --property an_axp_suffices"
    run += " --corpus cases/an-axp-suffices-insufficient-"
    assert text.count(run) == 2
    assert lines[-1] == f"write the cases: xpgcheck campaign export {tmp_path / 'full'} -o cases"


def test_a_campaign_without_findings_has_no_part_about_them(tmp_path: Path) -> None:
    text = text_of(written(tmp_path / "good.campaign.sqlite", [result(0)]))
    assert "finding" not in text
    assert "cause" not in text


def test_while_a_driver_runs(tmp_path: Path) -> None:
    path = tmp_path / "busy.campaign.sqlite"
    with Journal.create(path, plan_of(20)) as journal:
        journal.begin_session(2)
        for number in range(3):
            journal.add(result(number), "w")
            first, *rest = text_of(path).splitlines()
            assert first == f"campaign busy: properties, running (process {os.getpid()} on {platform.node()})"
            assert f"units    {number + 1} of 20 ({5 * (number + 1):.1f} %)" in rest
    assert "running" in text_of(path)


def test_a_driver_that_is_gone_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "gone.campaign.sqlite", [result(0)])
    changed(path, "UPDATE sessions SET ended = NULL, pid = 4194303")
    monkeypatch.setattr(summary_module, "_is_alive", lambda pid: pid != 4194303)
    assert text_of(path).splitlines()[0].endswith(f"killed (process 4194303 on {platform.node()})")
    changed(path, "UPDATE sessions SET host = 'elsewhere'")
    assert text_of(path).splitlines()[0].endswith("running (process 4194303 on elsewhere)")


def test_an_endless_campaign_ends_by_its_time(tmp_path: Path) -> None:
    path = written(tmp_path / "endless.campaign.sqlite", FULL, plan_of(None), limit="10.0")
    lines = text_of(path).splitlines()
    assert "units    4" in lines
    assert "time     4s so far, of 10s, about 6s left" in lines
    changed(path, "UPDATE campaign SET value = '10.5' WHERE key = 'spent'")
    assert text_of(path).splitlines()[0].endswith("finished")


def test_a_clock_that_goes_backwards_or_has_no_sense_is_only_shown(tmp_path: Path) -> None:
    path = written(tmp_path / "clock.campaign.sqlite", FULL)
    timed(path, 1010.0, -5e300, 1e300, 9e999)
    text = text_of(path)
    assert "about" in text
    assert "units    4 of 20" in text
    with Journal.open(path, read_only=True) as journal:
        json.loads(status_json(journal))


@pytest.mark.parametrize("spent", ["1e-320", "1e308"])
def test_a_time_without_sense_is_only_shown(tmp_path: Path, spent: str) -> None:
    path = written(tmp_path / "time.campaign.sqlite", FULL)
    changed(path, f"UPDATE campaign SET value = '{spent}' WHERE key = 'spent'")
    assert "units    4 of 20" in text_of(path)
    with Journal.open(path, read_only=True) as journal:
        json.loads(status_json(journal))


def test_the_json_has_each_finding_with_its_case_and_command(tmp_path: Path) -> None:
    path = written(tmp_path / "full.campaign.sqlite", FULL)
    with Journal.open(path, read_only=True) as journal:
        document = json.loads(status_json(journal))
    assert (document["format"], document["outcome"], document["state"]) == (
        "xpgcheck-campaign-status",
        "violated",
        "stopped",
    )
    assert document["units"] == {"done": 4, "of": 20}
    assert document["counts"] == {PROPERTY: {"held": 35, "failed": 4, "open": 1, "silent": 9}}
    assert document["sizes"]["AXps"] == {"1": 36, "70": 4}
    assert document["query_seconds"]["axp"] == {"3": 36, "14": 4}
    assert sorted(finding["times"] for finding in document["findings"]) == [1, 1, 2]
    assert all(finding["replay"].startswith("xpgcheck") == bool(finding["case"]) for finding in document["findings"])


def test_methods_that_are_passed_over_are_shown(tmp_path: Path) -> None:
    unit = replace(result(0), passed_over={"dual": "it takes (sets)"})
    path = written(tmp_path / "passed.campaign.sqlite", [unit])
    assert "passed over: dual: it takes (sets)" in text_of(path).splitlines()
    with Journal.open(path, read_only=True) as journal:
        assert json.loads(status_json(journal))["passed_over"] == {"dual": "it takes (sets)"}
        assert "dual: it takes (sets)" in html_report(journal)


def test_only_open_questions_are_no_violation(tmp_path: Path) -> None:
    path = written(tmp_path / "open.campaign.sqlite", [result(0, (claim_finding(outcome="inconclusive"),), open=1)])
    with Journal.open(path, read_only=True) as journal:
        assert read_summary(journal).conclusion().outcome.value == "inconclusive"


def test_a_hostile_journal_moves_no_cursor_and_fills_no_screen(tmp_path: Path) -> None:
    text = text_of(hostile(tmp_path / "hostile.campaign.sqlite"))
    assert all(line.isprintable() for line in text.splitlines())
    assert len(text) < 200_000
    assert HOSTILE not in text


def test_a_result_of_another_form_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "form.campaign.sqlite", FULL)
    for wrong in ("[]", '{"unit": 1}', '{"unit": 7, "cases": 1}', '{"unit": 1, "cases": "many"}', "{", "\x00"):
        changed(path, "UPDATE units SET result = ? WHERE id = 1", wrong)
        with pytest.raises(FormatError, match=r"form\.campaign\.sqlite: .*unit 1 "):
            text_of(path)


def test_a_summary_of_many_units_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary_module, "MAX_NAMES", 3)
    rows = [replace(result(i), counts={f"p{i}": {f"w{i}": 1}}, layers={f"l{i}": 1.0}) for i in range(9)]
    path = written(tmp_path / "many.campaign.sqlite", rows)
    with Journal.open(path, read_only=True) as journal:
        found = read_summary(journal)
    assert list(found.counts) == ["p0", "p1", "p2", "others"]
    assert sum(n for row in found.counts.values() for n in row.values()) == 9
    assert found.layers["others"] == 6
