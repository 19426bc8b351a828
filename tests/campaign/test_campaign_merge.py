"""Joining journals: every unit once, all or nothing, and a refusal that names what does not fit."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from campaign_samples import FULL, changed, property_finding, result, written
from campaign_units import kept, plan_of

from xpgcheck.campaign import merge as merging
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.merge import merge
from xpgcheck.campaign.summary import read_summary
from xpgcheck.campaign.units import undecided
from xpgcheck.errors import InputError


def parts(folder: Path) -> tuple[Path, Path]:
    """Return two journals that share a unit: the first has units 1 and 3, the second 0, 1 and 2."""
    first = written(folder / "first.campaign.sqlite", [FULL[1], FULL[3]])
    slower = replace(FULL[1], seconds=99.0, layers={"subject": 9.0})
    return first, written(folder / "second.campaign.sqlite", [FULL[0], slower, FULL[2]], worker="other")


def test_two_parts_are_the_whole(tmp_path: Path) -> None:
    whole = kept(written(tmp_path / "whole.campaign.sqlite", FULL))
    first, second = parts(tmp_path)
    assert merge(first, [second]) == 2
    assert kept(first) == whole
    with Journal.open(first, read_only=True) as journal:
        assert {row.worker for row in journal.rows()} == {"w0", "w1", "other0"}
        assert len(journal.sessions()) == 2
        # Two of the three units of the other, which took three seconds, are new.
        assert journal.spent == pytest.approx(4.0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_journal_is_made_where_there_is_none(tmp_path: Path, order: tuple[int, int]) -> None:
    whole = kept(written(tmp_path / "whole.campaign.sqlite", FULL))
    both = parts(tmp_path)
    into = tmp_path / "new.campaign.sqlite"
    assert merge(into, [both[i] for i in order]) == 4
    assert kept(into) == whole


def test_merging_again_adds_nothing(tmp_path: Path) -> None:
    first, second = parts(tmp_path)
    merge(first, [second])
    before = kept(first)
    with Journal.open(first, read_only=True) as journal:
        spent = journal.spent
    assert merge(first, [second, second]) == 0
    assert kept(first) == before
    with Journal.open(first, read_only=True) as journal:
        assert journal.spent == spent
        assert len(journal.sessions()) == 2


def test_the_first_unit_of_a_cause_keeps_its_document(tmp_path: Path) -> None:
    """Units 2 and 5 have findings of one cause under other names: the document is that of unit 2, wherever that was."""
    late = result(5, (property_finding(9, 8, name="afterwards"),))
    early = result(2, (property_finding(9, 8, name="early"),))
    for number, (one, other) in enumerate(((late, early), (early, late))):
        into = written(tmp_path / f"{number}a.campaign.sqlite", [one])
        merge(into, [written(tmp_path / f"{number}b.campaign.sqlite", [other])])
        with Journal.open(into, read_only=True) as journal:
            (cause,) = journal.causes()
        assert (cause.times, cause.unit) == (2, 2)
        assert "early" in json.dumps(cause.document)
        assert "afterwards" not in json.dumps(cause.document)


@pytest.mark.parametrize(
    "other",
    [
        {"cases": 11},
        {"counts": {"an_axp_suffices": {"held": 8}}},
        {"sizes": {}},
        {"reasons": ["else"]},
        {"open": 1},
        {"findings": [property_finding()]},
        {"findings": []},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_unit_that_came_out_differently_is_named_and_nothing_is_merged(tmp_path: Path, other: dict[str, Any]) -> None:
    first, second = parts(tmp_path)
    third = written(tmp_path / "third.campaign.sqlite", [FULL[0], replace(FULL[1], **other)])
    before = kept(first)
    with pytest.raises(InputError, match=rf"{third.name}: unit 1 came out differently .*{next(iter(other))}"):
        merge(first, [second, third])
    assert kept(first) == before
    into = tmp_path / "new.campaign.sqlite"
    with pytest.raises(InputError, match="unit 1"):
        merge(into, [second, third])
    assert not list(tmp_path.glob("new*sqlite*"))


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        (plan_of(20, seed=1, subject="ours"), r"seed \(1, was 0\)"),
        (plan_of(30, subject="ours"), r"examples \(300, was 200\)"),
        (plan_of(20, subject="theirs"), r"subject \(theirs, was ours\)"),
    ],
)
def test_other_options_are_named(tmp_path: Path, plan: Any, named: str) -> None:
    first = written(tmp_path / "first.campaign.sqlite", FULL)
    other = written(tmp_path / "other.campaign.sqlite", [result(0)], plan)
    before = kept(first)
    with pytest.raises(InputError, match=f"other.campaign.sqlite: .*{named}"):
        merge(first, [other])
    assert kept(first) == before


def test_what_is_no_journal_is_one_line(tmp_path: Path) -> None:
    first = written(tmp_path / "first.campaign.sqlite", FULL)
    bad = {
        "missing": tmp_path / "missing.campaign.sqlite",
        "no database": tmp_path / "text.campaign.sqlite",
        "truncated": tmp_path / "cut.campaign.sqlite",
        "another schema": tmp_path / "schema.campaign.sqlite",
        "another version": tmp_path / "version.campaign.sqlite",
        "itself": first,
    }
    bad["no database"].write_text("hello\n" * 100)
    bad["truncated"].write_bytes(first.read_bytes()[:6_000])
    shutil.copy(first, bad["another schema"])
    changed(bad["another schema"], "PRAGMA user_version=9")
    shutil.copy(first, bad["another version"])
    changed(bad["another version"], "UPDATE campaign SET value = '0.0.0' WHERE key = 'version'")
    before = kept(first)
    for path in bad.values():
        with pytest.raises(InputError) as caught:
            merge(first, [path])
        assert path.name in str(caught.value)
        assert "\n" not in str(caught.value)
    assert kept(first) == before


def test_a_unit_outside_the_plan_and_a_false_cause_are_refused(tmp_path: Path) -> None:
    first = written(tmp_path / "first.campaign.sqlite", FULL)
    before = kept(first)
    beyond = written(tmp_path / "beyond.campaign.sqlite", [result(20)])
    with pytest.raises(InputError, match="no unit 20"):
        merge(first, [beyond])
    false = written(tmp_path / "false.campaign.sqlite", [result(4, (property_finding(),))])
    changed(false, "UPDATE findings SET cause = 'graph:0'")
    with pytest.raises(InputError, match="of another cause"):
        merge(first, [false])
    assert kept(first) == before


def test_a_driver_at_work_keeps_others_out(tmp_path: Path) -> None:
    first, second = parts(tmp_path)
    with Journal.open(first), pytest.raises(InputError, match="another driver"):
        merge(first, [second])
    with Journal.open(second):
        assert merge(first, [second]) == 2


def test_a_crash_in_the_middle_leaves_what_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from xpgcheck.campaign import merge as module

    first, second = parts(tmp_path)
    before = kept(first)

    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_add_documents", crash)
    with pytest.raises(KeyboardInterrupt):
        merge(first, [second])
    assert kept(first) == before


def test_a_unit_that_could_not_be_carried_out_gives_way(tmp_path: Path) -> None:
    whole = kept(written(tmp_path / "whole.campaign.sqlite", FULL))
    lost = [undecided(unit, "worker died 3 times") if unit.id == 1 else FULL[unit.id] for unit in plan_of(4).units()]
    for number, pair in enumerate(((lost, FULL), (FULL, lost))):
        into, other = (written(tmp_path / f"{number}{i}.campaign.sqlite", results) for i, results in enumerate(pair))
        assert merge(into, [other]) == 1 - number
        assert kept(into) == whole
        assert merge(into, [other]) == 0
    # Where nobody could carry it out, it stays so, whatever the reasons.
    into = written(tmp_path / "lost.campaign.sqlite", lost)
    again = [undecided(unit, "no time") if unit.id == 1 else FULL[unit.id] for unit in plan_of(4).units()]
    assert merge(into, [written(tmp_path / "again.campaign.sqlite", again)]) == 0
    assert kept(into)["units"][1]["open"] == 1


def test_it_is_said_where_journals_were_written_by_other_sources(tmp_path: Path) -> None:
    first, second = parts(tmp_path)
    for path, identity in ((first, "one"), (second, "another")):
        with Journal.open(path) as journal:
            journal.note("identity", identity)
    merge(first, [second])
    with Journal.open(first, read_only=True) as journal:
        assert journal.noted("identity") == "several, one of them another"


def test_a_copy_without_what_was_written_is_refused(tmp_path: Path) -> None:
    empty = written(tmp_path / "copy.campaign.sqlite", [])
    with pytest.raises(InputError, match=r"no unit is finished in it; copy copy.campaign.sqlite-wal with it"):
        merge(tmp_path / "new.campaign.sqlite", [empty])
    assert not list(tmp_path.glob("new*"))


def test_times_that_may_be_spent_add_up(tmp_path: Path) -> None:
    """Otherwise an endless campaign that was merged would be over at once."""
    for name, results in (("one", FULL[:2]), ("two", FULL[2:])):
        written(tmp_path / f"{name}.campaign.sqlite", results, plan_of(None), limit="10.0")
    into = tmp_path / "both.campaign.sqlite"
    merge(into, [tmp_path / "one.campaign.sqlite", tmp_path / "two.campaign.sqlite"])
    with Journal.open(into, read_only=True) as journal:
        assert journal.seconds_noted("limit") == pytest.approx(20.0)
        assert journal.spent == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE findings SET document = '[]' WHERE document = ''", "a cause has 2 cases instead of one"),
        ("UPDATE findings SET document = ''", "a cause has 0 cases instead of one"),
        ("UPDATE units SET cases = -5", "unit 0 holds another unit's result"),
        ("UPDATE units SET cases = cases + 1", "unit 0 holds another unit's result"),
    ],
)
def test_a_journal_that_does_not_fit_together_is_refused(tmp_path: Path, statement: str, said: str) -> None:
    other = written(tmp_path / "other.campaign.sqlite", FULL)
    changed(other, statement)
    with pytest.raises(InputError, match=said):
        merge(tmp_path / "new.campaign.sqlite", [other])
    with pytest.raises(InputError, match=said), Journal.open(other, read_only=True) as journal:
        read_summary(journal)


def test_a_journal_may_be_written_while_it_is_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal is read as of one moment: a unit comes with its findings, or not at all."""
    before = kept(written(tmp_path / "before.campaign.sqlite", [FULL[0], FULL[3]]))
    into = written(tmp_path / "into.campaign.sqlite", [FULL[3]])
    other = written(tmp_path / "other.campaign.sqlite", [FULL[0]])
    plain = merging._caused
    with Journal.open(other) as at_work:

        def caused(journal: Journal) -> dict[int, list[str]]:
            found = plain(journal)
            if journal.path == other:
                at_work.add(FULL[2], "w")
            return found

        monkeypatch.setattr(merging, "_caused", caused)
        assert merge(into, [other]) == 1
        assert kept(into) == before
        monkeypatch.undo()
        assert merge(into, [other]) == 1
    assert kept(into) == kept(written(tmp_path / "after.campaign.sqlite", [FULL[0], FULL[2], FULL[3]]))


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "INSERT INTO findings (unit, cause, document) SELECT 7, cause, '' FROM findings",
            "findings are of no finished unit",
        ),
        ("INSERT INTO units SELECT 999, result, cases, seconds, worker, ended FROM units LIMIT 1", "999"),
        ("INSERT OR REPLACE INTO campaign VALUES ('identity', x'00ff')", "not what it has to be"),
    ],
)
def test_a_hostile_journal_ruins_nothing(tmp_path: Path, statement: str, said: str) -> None:
    into = written(tmp_path / "into.campaign.sqlite", [FULL[3]])
    before = kept(into)
    other = written(tmp_path / "other.campaign.sqlite", FULL[:3], identity="xpgcheck")
    changed(other, statement)
    with pytest.raises(InputError, match=said):
        merge(into, [other])
    assert kept(into) == before
    with pytest.raises(InputError, match=said), Journal.open(other, read_only=True) as journal:
        read_summary(journal)
