"""The journal: every finished unit once; what is not ours, damaged or in use is refused in one line."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from campaign_units import finding_of, kept, plan_of, result_of

from xpgcheck.campaign.driver import is_finished
from xpgcheck.campaign.journal import Journal, journal_path, lock_path
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import UnitResult
from xpgcheck.errors import FormatError, InputError, XpgcheckError
from xpgcheck.runs import journal as runs_journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.campaign.sqlite"


def written(path: Path, count: int = 20, plan: Plan | None = None) -> Path:
    """Write the journal of *count* finished units."""
    plan = plan or plan_of(count)
    with Journal.create(path, plan) as journal:
        for unit in plan.units():
            assert journal.add(result_of(unit), "worker")
    return path


def test_a_journal_has_what_was_added(path: Path) -> None:
    written(path)
    with Journal.open(path, read_only=True) as journal:
        assert journal.name == "night"
        assert journal.plan == plan_of(20)
        assert journal.finished() == set(range(20))
        assert journal.totals() == (20, 200)
        rows = list(journal.rows())
        assert [row.result.unit for row in rows] == list(range(20))
        assert rows[3].result == result_of(list(plan_of(20).units())[3])
        assert rows[3].worker == "worker"


def test_a_unit_is_written_once(path: Path) -> None:
    unit = next(plan_of().units())
    with Journal.create(path, plan_of()) as journal:
        assert journal.add(result_of(unit), "first")
        other = UnitResult(unit.id, 99, findings=[finding_of(7)])
        assert not journal.add(other, "second")
        assert journal.totals() == (1, 10)
        assert [row.worker for row in journal.rows()] == ["first"]
        assert len(list(journal.findings())) == 1


def test_the_order_of_arrival_leaves_no_trace(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.campaign.sqlite"
    units = list(plan_of(60).units())
    for target, order in ((path, units), (other, random.Random(1).sample(units, len(units)))):
        with Journal.create(target, plan_of(60)) as journal:
            for unit in order:
                journal.add(result_of(unit), "worker")
    assert kept(path) == kept(other)
    causes = kept(path)["causes"]
    # Units 0, 5, 10, …, 55 have a finding, of three causes in turn.
    assert [(cause.times, cause.unit) for cause in causes] == [(4, 0), (4, 10), (4, 5)] or len(causes) == 3
    assert sum(cause.times for cause in causes) == 12
    assert {cause.unit for cause in causes} == {0, 5, 10}


def test_the_time_spent_is_kept(path: Path) -> None:
    with Journal.create(path, plan_of()) as journal:
        assert journal.spent == 0
        journal.add(result_of(next(plan_of().units())), "worker", spent=12.5)
    with Journal.open(path) as journal:
        assert journal.spent == 12.5
        journal.note("spent", "a while")
        with pytest.raises(FormatError, match="not a number of seconds"):
            _ = journal.spent


def test_sessions_are_kept(path: Path) -> None:
    with Journal.create(path, plan_of()) as journal:
        journal.begin_session(2)
        journal.end_session()
        journal.begin_session(3)
    with Journal.open(path, read_only=True) as journal:
        first, second = journal.sessions()
    assert (first.workers, second.workers, first.pid) == (2, 3, os.getpid())
    assert first.ended is not None
    assert second.ended is None


def test_what_is_there_is_not_overwritten(path: Path) -> None:
    path.write_text("the user's own")
    with pytest.raises(InputError, match="already"):
        Journal.create(path, plan_of())
    assert path.read_text() == "the user's own"


def test_a_link_to_nowhere_is_not_followed(path: Path) -> None:
    path.symlink_to(path.parent / "elsewhere")
    with pytest.raises(InputError, match="already"):
        Journal.create(path, plan_of())


def test_half_of_a_journal_is_none(path: Path) -> None:
    new = path.with_name(path.name + ".new")
    new.write_bytes(b"a driver was killed while it made this")
    written(path, 3)
    assert not new.exists()
    assert len(kept(path)["units"]) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda path: path.unlink(), "no such journal"),
        (lambda path: path.write_bytes(b""), "no journal of a campaign"),
        (lambda path: path.write_bytes(b"PK\x03\x04" + b"x" * 5000), "file is not a database"),
        (lambda path: sql(path, "PRAGMA application_id=7"), "no journal of a campaign"),
        (lambda path: sql(path, "PRAGMA user_version=2"), "schema 2"),
        (lambda path: sql(path, "CREATE VIEW more AS SELECT 1"), "tables are not those"),
        (lambda path: sql(path, "ALTER TABLE units ADD COLUMN more"), "tables are not those"),
        (lambda path: sql(path, "DELETE FROM campaign WHERE key = 'plan'"), "lacks its plan"),
        (lambda path: sql(path, "UPDATE campaign SET value = '[]' WHERE key = 'plan'"), "holds no plan"),
        (lambda path: sql(path, "UPDATE campaign SET value = 'x' WHERE key = 'digest'"), "was changed"),
        (lambda path: sql(path, "UPDATE campaign SET value = '0.0.1' WHERE key = 'version'"), "xpgcheck 0.0.1, this"),
        (lambda path: sql(path, "UPDATE campaign SET value = '1.0' WHERE key = 'hypothesis'"), "Hypothesis 1.0, this"),
    ],
)
def test_what_is_no_journal_of_ours_is_refused(path: Path, change: Callable[[Path], Any], said: str) -> None:
    change(written(path))
    with pytest.raises(InputError, match=said) as caught:
        Journal.open(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    assert caught.value.exit_status == 2


def sql(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(statement)
    connection.close()


def test_another_version_may_be_read(path: Path) -> None:
    sql(written(path), "UPDATE campaign SET value = '0.0.1' WHERE key = 'version'")
    assert len(kept(path)["units"]) == 20


def test_a_truncated_journal_is_refused(path: Path) -> None:
    data = written(path, 200).read_bytes()
    assert len(data) > 5 * 4096
    for size in (*range(0, len(data), 4096), 1, 100, len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(FormatError):
            Journal.open(path)


def test_a_journal_with_an_empty_page_is_refused_before_anything_is_done(path: Path) -> None:
    data = written(path, 100).read_bytes()
    for start in range(4096, len(data), 4096):
        path.write_bytes(data[:start] + bytes(4096) + data[start + 4096 :])
        with pytest.raises(FormatError):
            Journal.open(path)


def test_a_damaged_journal_gives_one_line_or_what_it_holds(path: Path) -> None:
    data = written(path, 30).read_bytes()
    dice = random.Random(0)
    refused = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(dice.choice((1, 1, 20))):
            damaged[dice.randrange(len(data))] = dice.randrange(256)
        path.write_bytes(damaged)
        refused += is_refused(path)
    assert 20 < refused < 150


def is_refused(path: Path) -> bool:
    """Read all of the journal; tell whether it is refused, as it has to be."""
    try:
        with Journal.open(path, read_only=True) as journal:
            list(journal.rows()), list(journal.causes()), list(journal.findings()), journal.sessions()
            return journal.spent < 0
    except XpgcheckError as error:
        return "\n" not in str(error)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE units SET result = '{' WHERE id = 3",
        "UPDATE units SET result = '[]' WHERE id = 3",
        "UPDATE units SET result = replace(result, '\"unit\": 3', '\"unit\": 4') WHERE id = 3",
        "UPDATE units SET worker = x'ff' WHERE id = 3",
        "UPDATE units SET ended = 'today' WHERE id = 3",
        "UPDATE findings SET document = '[1]' WHERE unit = 0",
        "UPDATE findings SET document = '' WHERE unit = 0",
    ],
)
def test_rows_are_read_with_distrust(path: Path, statement: str) -> None:
    sql(written(path), statement)
    with pytest.raises(FormatError):
        kept(path)


def test_other_options_are_named(path: Path) -> None:
    written(path)
    with Journal.open(path, plan_of(20)):
        pass
    with pytest.raises(InputError, match=r"other options: seed \(5, was 0\); leave"):
        Journal.open(path, plan_of(20, seed=5))
    with pytest.raises(InputError, match=r"examples \(endless, was 200\)"):
        Journal.open(path, plan_of(None))


def test_one_driver_at_a_time(path: Path) -> None:
    with Journal.create(path, plan_of()) as journal:
        with pytest.raises(InputError, match=f"another driver .process {os.getpid()}. is at work"):
            Journal.open(path)
        with pytest.raises(InputError, match="another driver"):
            Journal.create(path, plan_of())
        with Journal.open(path, read_only=True) as reader:
            journal.add(result_of(next(plan_of().units())), "worker")
            assert reader.totals() == (1, 10)
    Journal.open(path).close()


def test_a_lock_ends_with_its_process(path: Path) -> None:
    written(path, 1)
    program = (
        "import pathlib, sys, time; from xpgcheck.campaign.journal import Journal\n"
        "journal = Journal.open(pathlib.Path(sys.argv[1])); print('open', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(InputError, match=f"process {process.pid}"):
            Journal.open(path)
        process.kill()
    Journal.open(path).close()


def test_a_file_that_is_no_lock_is_left_as_it_is(path: Path) -> None:
    lock_path(path).write_text("a poem")
    written(path, 1)
    assert lock_path(path).read_text() == "a poem"
    assert lock_path(path).name == "night.campaign.lock"


def test_a_full_disk_is_one_line_and_loses_nothing(path: Path) -> None:
    units = list(plan_of(400).units())
    with Journal.create(path, plan_of(400)) as journal:
        (pages,) = journal._connection.execute("PRAGMA page_count").fetchone()
        journal._connection.execute(f"PRAGMA max_page_count={pages + 3}")
        added: list[int] = []

        def add_all() -> None:
            for unit in units:
                journal.add(result_of(unit), "worker")
                added.append(unit.id)

        with pytest.raises(InputError, match=r"cannot be written .* full.; .*make room, then resume it"):
            add_all()
        assert 0 < len(added) < 400
        assert journal.finished() == set(added)
    with Journal.open(path, plan_of(400)) as journal:
        assert journal.finished() == set(added)
        for unit in units[len(added) :]:
            journal.add(result_of(unit), "worker")
    written(path.with_name("whole.campaign.sqlite"), plan=plan_of(400))
    assert kept(path) == kept(path.with_name("whole.campaign.sqlite"))


def test_a_journal_is_read_where_nothing_can_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(path)
    real = sqlite3.connect

    class Refusing(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            if "sqlite_master" in arguments[0] and not self.opened_as_it_is:  # type: ignore[attr-defined]
                raise sqlite3.OperationalError("unable to open database file")
            return super().execute(*arguments)

    def connect(name: str, **options: Any) -> sqlite3.Connection:
        connection = real(name, factory=Refusing, **options)
        connection.opened_as_it_is = "immutable=1" in name  # type: ignore[attr-defined]
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)
    assert len(kept(path)["units"]) == 20
    # With a log next to it, it would be read without its last units.
    Path(f"{path}-wal").write_bytes(b"something")
    with pytest.raises(FormatError, match="unable to open"):
        kept(path)


def test_what_is_written_is_forced_onto_the_disk_now_and_then(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs_journal, "SYNC_SECONDS", 0.0)
    with Journal.create(path, plan_of()) as journal:
        before = path.stat().st_size
        for unit in plan_of(200).units():
            journal.add(result_of(unit), "worker")
        assert path.stat().st_size > before


def test_a_journal_that_is_discarded_leaves_nothing(path: Path) -> None:
    journal = Journal.create(path, plan_of())
    journal.add(result_of(next(plan_of().units())), "worker")
    journal.discard()
    assert list(path.parent.iterdir()) == []
    Journal.create(path, plan_of()).close()


def test_where_journals_lie() -> None:
    assert journal_path("night") == Path("night.campaign.sqlite")
    assert journal_path("runs/night") == Path("runs/night.campaign.sqlite")
    assert journal_path("night.campaign.sqlite") == Path("night.campaign.sqlite")
    assert lock_path(Path("runs/other.db")) == Path("runs/other.db.campaign.lock")


def test_the_rest_of_a_removed_journal_is_not_taken_for_the_new_ones(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with Journal.create(path, plan_of()) as journal:
        for unit in plan_of(8).units():
            journal.add(result_of(unit), "worker")
        # As after a kill: nothing was put together.
        copy.write_bytes(Path(f"{path}-wal").read_bytes())
    path.unlink()
    rest = Path(f"{path}-wal")
    rest.write_bytes(copy.read_bytes())
    with pytest.raises(
        InputError, match=r"night.campaign.sqlite-wal: this is left of a journal that is gone; put the journal"
    ):
        Journal.create(path, plan_of())
    assert rest.read_bytes() == copy.read_bytes()
    rest.unlink()
    with Journal.create(path, plan_of()) as journal:
        assert journal.totals() == (0, 0)


def test_a_link_leads_to_the_same_lock(path: Path, tmp_path: Path) -> None:
    with Journal.create(path, plan_of()):
        link = tmp_path / "link.campaign.sqlite"
        link.symlink_to(path)
        with pytest.raises(InputError, match="another driver"):
            Journal.open(link)


def test_units_that_the_plan_does_not_have_finish_nothing(path: Path) -> None:
    with Journal.create(path, plan_of(3)) as journal, journal.transaction() as run:
        for unit in (-1, 999):
            run("INSERT INTO units VALUES (?, '{}', 10, 1.0, 'w', 1.0)", (unit,))
    with Journal.open(path) as journal, pytest.raises(InputError, match=r"the plan has no unit (-1|999)"):
        is_finished(plan_of(3), journal, None)


def test_all_is_noted_at_once(path: Path) -> None:
    """Killed after that, it goes on as what it was begun as."""
    with Journal.create(path, plan_of(3), "night", {"limit": "5.0", "part": "1/2"}):
        pass
    with Journal.open(path) as journal:
        assert (journal.seconds_noted("limit"), str(journal.part)) == (5.0, "1/2")
