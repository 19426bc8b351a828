"""The driver: the units that the journal lacks, until the end, the limit or a signal; times by no clock that may be set."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from campaign_units import Inline, carried_out, finding_of, kept, logged, plan_of, result_of

from xpgcheck.campaign import driver
from xpgcheck.campaign.driver import AskedToStop, is_finished, run, stopping, verdict
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.local import LocalScheduler
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import UnitResult
from xpgcheck.errors import InputError


class Doubling(Inline):
    """A scheduler that brings each result twice, as one that lost its connection may."""

    def run(self, execute: Any, plan: Any, units: Any, on_result: Any, stop: Any) -> None:
        def twice(result: UnitResult, worker: str) -> None:
            on_result(result, worker)
            on_result(result, worker)

        super().run(execute, plan, units, twice, stop)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.campaign.sqlite"


def driven(path: Path, plan: Plan, scheduler: Any = None, **options: Any) -> driver.EndedRun:
    with Journal.open(path, plan) if path.exists() else Journal.create(path, plan) as journal:
        return run(plan, journal, scheduler or Inline(), workers=1, carry_out=carried_out, **options)


def test_all_units_are_carried_out(path: Path) -> None:
    told: list[int] = []
    ended = driven(path, plan_of(20), advance=told.append)
    assert (ended.finished, ended.interrupted, ended.units) == (True, False, 20)
    assert told == [10] * 20
    assert len(kept(path)["units"]) == 20


def test_what_is_finished_is_not_repeated(path: Path, tmp_path: Path) -> None:
    plan = plan_of(20, log=str(tmp_path / "log"))
    stop = threading.Event()
    ended = driven(path, plan, stop=stop, advance=lambda _: stop.set() if len(logged(tmp_path / "log")) == 7 else None)
    assert (ended.finished, ended.interrupted, ended.units) == (False, True, 7)
    ended = driven(path, plan)
    assert (ended.finished, ended.units) == (True, 13)
    assert Counter(unit for unit, _ in logged(tmp_path / "log")) == dict.fromkeys(range(20), 1)


def test_a_result_that_comes_twice_counts_once(path: Path) -> None:
    told: list[int] = []
    assert driven(path, plan_of(20), Doubling(), advance=told.append).units == 20
    assert len(told) == 20
    assert len(kept(path)["units"]) == 20


def test_processes_and_kills_leave_no_trace_in_what_was_found(path: Path, tmp_path: Path) -> None:
    driven(path, plan_of(60))
    other = tmp_path / "other.campaign.sqlite"
    driven(other, plan_of(60), LocalScheduler(3))
    assert kept(path) == kept(other)


def test_a_limit_ends_an_endless_campaign(path: Path) -> None:
    plan = plan_of(None, seconds=0.01)
    ended = driven(path, plan, limit=0.3)
    assert ended.finished
    some = ended.units
    assert 2 < some < 60
    with Journal.open(path) as journal:
        assert journal.spent >= 0.25
        assert is_finished(plan, journal, 0.2)
        assert not is_finished(plan, journal, 99.0)
        assert not is_finished(plan, journal, None)
    # The time is that of all sessions together.
    assert driven(path, plan, limit=0.3).units <= 1
    assert driven(path, plan, limit=0.6).units > 2


def test_a_clock_that_goes_backwards_changes_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driven(path, plan_of(30))
    other = tmp_path / "other.campaign.sqlite"
    backwards = itertools.count(2_000_000_000, -3_600)
    monkeypatch.setattr(time, "time", lambda: float(next(backwards)))
    assert driven(other, plan_of(30)).finished
    assert kept(path) == kept(other)
    with Journal.open(other, read_only=True) as journal:
        ends = [row.ended for row in journal.rows()]
        assert ends == sorted(ends, reverse=True)
        assert 0 <= journal.spent < 60
    endless = tmp_path / "endless.campaign.sqlite"
    ended = driven(endless, plan_of(None, seconds=0.01), limit=0.2)
    assert ended.finished
    assert 2 < ended.units < 60


def test_a_signal_ends_it_and_the_handlers_are_put_back(path: Path) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    count = itertools.count(1)
    number = signal.SIGTERM

    def advance(_: int) -> None:
        if next(count) == 3:
            os.kill(os.getpid(), number)

    ended = driven(path, plan_of(20), advance=advance)
    assert (ended.interrupted, ended.units) == (True, 3)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_second_key_interrupts_at_once() -> None:
    stop = AskedToStop()
    with stopping(stop):
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.is_set()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def test_an_interruption_while_it_writes_leaves_a_whole_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal.create(path, plan_of(20)) as journal:
        units = list(plan_of(20).units())
        journal.add(result_of(units[1]), "worker")

        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(Journal, "_add_finding", staticmethod(interrupt))
        with pytest.raises(KeyboardInterrupt):
            journal.add(result_of(units[0]), "worker")
        monkeypatch.undo()
        # Neither the unit nor its finding.
        assert journal.finished() == {1}
        assert journal.add(result_of(units[0]), "worker")
        assert next(iter(journal.findings()))[0] == 0


def test_in_a_thread_there_are_no_handlers(path: Path) -> None:
    found: list[driver.EndedRun] = []
    thread = threading.Thread(target=lambda: found.append(driven(path, plan_of(3))))
    thread.start()
    thread.join()
    assert found[0].finished


def test_a_session_ends_whatever_happens(path: Path) -> None:
    class Broken(Inline):
        def run(self, *_: Any) -> None:
            raise InputError("no such scheduler")

    with pytest.raises(InputError, match="no such scheduler"):
        driven(path, plan_of(3), Broken())
    with Journal.open(path, read_only=True) as journal:
        assert journal.sessions()[0].ended is not None


@pytest.mark.parametrize(
    ("results", "status", "word"),
    [
        ([], 0, "HOLDS: properties, 10 cases in 1 unit, no failure, 0 inconclusive"),
        ([{"open": 2}], 3, "INCONCLUSIVE: properties, 20 cases in 2 units, no failure, 2 inconclusive"),
        ([{"findings": [finding_of(1)]}, {"open": 2}], 1, "VIOLATED: .* 1 cause of 1 failure, 2 inconclusive"),
        ([{"findings": [finding_of(1) | {"outcome": "inconclusive"}], "open": 1}], 3, "INCONCLUSIVE: "),
    ],
)
def test_the_verdict(path: Path, results: list[dict[str, Any]], status: int, word: str) -> None:
    import re

    with Journal.create(path, plan_of(10)) as journal:
        journal.add(UnitResult(9, 10, {"an_axp_suffices": {"held": 10}}), "worker")
        for number, fields in enumerate(results):
            journal.add(UnitResult(number, 10, **fields), "worker")
        found = verdict(journal)
    assert found.status == status
    assert re.match(word, found.text)
