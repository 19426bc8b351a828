"""Units over processes of this machine: those die, stop, hang and raise; each unit comes once all the same."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from campaign_units import HANG_SECONDS, carried_out, gone, logged, plan_of, result_of, within, workers_of

from xpgcheck.campaign.calls import as_bytes
from xpgcheck.campaign.local import ATTEMPTS, LocalScheduler
from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Unit, UnitResult
from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.runs import loop
from xpgcheck.runs.host import Host
from xpgcheck.runs.replies import Died, Done


class Campaign:
    """Runs a plan in this process, and keeps what comes."""

    def __init__(self, log: Path, jobs: int = 2, **settings: Any) -> None:
        self.log = log
        self.results: list[UnitResult] = []
        self.workers: list[str] = []
        self.stop = threading.Event()
        self.scheduler = LocalScheduler(jobs, **settings)
        self.on: Callable[[int], object] = lambda _: None

    def run(self, count: int | None = 20, *, units: Iterator[Unit] | None = None, **options: Any) -> Campaign:
        plan = plan_of(count, log=str(self.log), **options)
        before = set(workers_of(os.getpid()))
        self.scheduler.run(carried_out, plan, units or plan.units(), self._take, self.stop)
        assert set(workers_of(os.getpid())) <= before
        return self

    def _take(self, result: UnitResult, worker: str) -> None:
        self.results.append(result)
        self.workers.append(worker)
        self.on(len(self.results))

    @property
    def ids(self) -> list[int]:
        return sorted(result.unit for result in self.results)

    @property
    def begun(self) -> Counter[int]:
        return Counter(unit for unit, _ in logged(self.log))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def test_each_unit_comes_once(log: Path) -> None:
    campaign = Campaign(log, recycled=40).run(40, seconds=0.01)
    assert campaign.ids == list(range(40))
    assert set(campaign.begun.values()) == {1}
    assert len(set(campaign.workers)) == 2
    units = {unit.id: unit for unit in plan_of(40).units()}
    assert all(result == result_of(units[result.unit]) for result in campaign.results)


def test_there_may_be_more_processes_than_units_and_no_unit(log: Path) -> None:
    assert Campaign(log, jobs=3).run(2).ids == [0, 1]
    assert Campaign(log).run(0).ids == []


def test_a_process_that_is_killed_loses_nothing(log: Path) -> None:
    campaign = Campaign(log)

    def kill(number: int) -> None:
        if number in (3, 9):
            workers_of(os.getpid())[0].kill()

    campaign.on = kill
    campaign.run(20, seconds=0.02)
    assert campaign.ids == list(range(20))
    assert not any(result.open for result in campaign.results)
    assert sum(campaign.begun.values()) <= 22
    assert len(set(campaign.workers)) >= 3


def test_a_unit_that_kills_its_process_is_left_open_in_the_end(log: Path) -> None:
    campaign = Campaign(log).run(10, die=[4])
    assert campaign.ids == list(range(10))
    assert campaign.begun[4] == ATTEMPTS
    (dead,) = [result for result in campaign.results if result.open]
    assert (dead.unit, dead.cases, dead.open) == (4, 0, 1)
    assert dead.reasons == ["unit 4: worker died 3 times, its process was ended by SIGKILL"]


def test_a_unit_that_raises_is_left_open(log: Path) -> None:
    campaign = Campaign(log).run(10, **{"raise": [2]})
    assert campaign.ids == list(range(10))
    (broken,) = [result for result in campaign.results if result.open]
    assert "ZeroDivisionError" in broken.reasons[0]


def test_what_a_unit_says_is_wrong_input_ends_it(log: Path) -> None:
    with pytest.raises(InputError, match="unit 2: the subject is gone"):
        Campaign(log).run(10, refuse=[2])


def test_a_process_that_is_stopped_keeps_nobody_waiting(log: Path) -> None:
    """It goes on later, and no unit of it was given to another."""
    campaign = Campaign(log, stopped_seconds=HANG_SECONDS)
    stopped: list[psutil.Process] = []

    def act(number: int) -> None:
        if number == 4:
            stopped.extend(workers_of(os.getpid())[:1])
            stopped[0].suspend()
        # The others went on meanwhile: if not, it would stay stopped, and be replaced, and its unit begun twice.
        if number == 30:
            stopped[0].resume()

    campaign.on = act
    campaign.run(40, seconds=0.02)
    assert campaign.ids == list(range(40))
    assert set(campaign.begun.values()) == {1}


def test_a_process_that_stays_stopped_is_replaced(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often: the unit is not to blame."""
    monkeypatch.setattr(loop, "LOOK_SECONDS", 0.1)
    campaign = Campaign(log, jobs=1, stopped_seconds=0.3)
    stopped: list[psutil.Process] = []
    over = threading.Event()

    def stop_whoever_has_unit_2() -> None:
        while not over.wait(0.01) and len(stopped) <= ATTEMPTS:
            begun = [pid for unit, pid in logged(log) if unit == 2]
            if len(begun) > len(stopped):
                stopped.append(psutil.Process(begun[-1]))
                stopped[-1].suspend()

    watcher = threading.Thread(target=stop_whoever_has_unit_2)
    watcher.start()
    try:
        # More units wait meanwhile: what is forgiven one is not the next one's.
        campaign.run(12, seconds=0.1)
    finally:
        over.set()
        watcher.join()
    assert campaign.ids == list(range(12))
    assert not any(result.open for result in campaign.results)
    assert campaign.begun[2] == ATTEMPTS + 2
    gone(stopped)


def test_a_unit_that_hangs_is_left_open_in_the_end(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    def clock() -> float:
        """Go on while the unit hangs, and stand still while a process starts, however long that takes."""
        if any(psutil.pid_exists(pid) for unit, pid in logged(log) if unit == 3):
            now[0] += 10
        return now[0]

    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=clock))
    campaign = Campaign(log, jobs=1, unit_seconds=10.0).run(6, hang=[3])
    assert campaign.ids == list(range(6))
    assert [result.unit for result in campaign.results if result.open] == [3]
    assert campaign.begun[3] == ATTEMPTS
    (result,) = [result for result in campaign.results if result.open]
    assert result.reasons[0].endswith(f"died {ATTEMPTS} times, its process was ended after 10 s (--unit-timeout)")
    assert not any("None" in worker for worker in campaign.workers)


def test_processes_are_replaced_after_some_units(log: Path) -> None:
    campaign = Campaign(log, jobs=1, recycled=3).run(10)
    assert campaign.ids == list(range(10))
    assert sorted(Counter(pid for _, pid in logged(log)).values()) == [1, 3, 3, 3]


def test_it_stops_when_it_is_asked_to(log: Path) -> None:
    campaign = Campaign(log)

    def slow_to_stop(number: int) -> None:
        if number == 5:
            campaign.stop.set()
            time.sleep(2)

    campaign.on = slow_to_stop
    campaign.run(None, seconds=0.02)
    # What was done meanwhile is not lost: up to what was laid out.
    assert 5 < len(campaign.ids) <= 9
    assert len(set(campaign.ids)) == len(campaign.ids)


def test_units_are_taken_as_they_are_needed(log: Path) -> None:
    """The plan may be endless, and --for looks at the clock when a unit is taken."""
    taken = itertools.count()
    campaign = Campaign(log)
    campaign.on = lambda number: campaign.stop.set() if number == 10 else None

    def counted() -> Iterator[Unit]:
        for unit in plan_of(None).units():
            next(taken)
            yield unit

    campaign.run(None, units=counted(), seconds=0.01)
    assert next(taken) <= 10 + 2 * 2


def test_an_error_of_whoever_takes_results_ends_the_processes(log: Path) -> None:
    campaign = Campaign(log)

    def full(number: int) -> None:
        if number == 3:
            raise InputError("the disk is full")

    campaign.on = full
    with pytest.raises(InputError, match="the disk is full"):
        campaign.run(20, seconds=0.01)
    assert len(campaign.results) == 3
    assert workers_of(os.getpid()) == []


def test_a_process_that_cannot_be_started_is_said(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("xpgcheck.runs.host.subprocess.Popen", refuse)
    with pytest.raises(UndecidedError, match="no more processes"):
        Campaign(log).run(3)


def test_ctrl_c_is_for_the_driver(log: Path) -> None:
    """A key pressed on the terminal goes to all processes of its group."""
    campaign = Campaign(log)

    def act(number: int) -> None:
        if number == 4:
            for worker in workers_of(os.getpid()):
                worker.send_signal(signal.SIGINT)

    campaign.on = act
    campaign.run(20, seconds=0.02)
    assert set(campaign.begun.values()) == {1}
    assert len(set(campaign.workers)) == 2


def test_a_unit_twice_would_be_seen(log: Path) -> None:
    """The log that these tests look at is written by the process that begins a unit."""
    unit = next(plan_of().units())
    plan = Plan("properties", {**plan_of().options, "log": str(log)})
    carried_out(plan, unit), carried_out(plan, unit)
    assert Counter(number for number, _ in logged(log)) == {0: 2}
    with within("nothing happens", 0.0) as wait, pytest.raises(AssertionError, match="nothing happens"):
        wait()


def test_processes_of_other_sources_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where files are changed while a campaign runs, and a process is replaced."""
    monkeypatch.setattr("xpgcheck.campaign.calls.identity", lambda: "xpgcheck of yesterday")
    monkeypatch.setattr("xpgcheck.campaign.local.identity", lambda: "xpgcheck of yesterday")
    taken: list[Any] = []
    with pytest.raises(
        InputError, match=r"unit 0: a process began with xpgcheck .*, the driver with xpgcheck of yesterday"
    ):
        LocalScheduler(1).run(
            carried_out, plan_of(3), plan_of(3).units(), lambda *_: taken.append(_), threading.Event()
        )
    assert taken == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_what_a_unit_forked_keeps_nobody_waiting(tmp_path: Path) -> None:
    """The end of a process is noticed though a child of its own holds its pipes open."""
    campaign = Campaign(tmp_path / "log", attempts=2).run(6, fork=[2], die=[2])
    # It is still there, so nobody waited for its end.
    children = [psutil.Process(int(pid)) for pid in (tmp_path / "forked").read_text(encoding="ascii").split()]
    assert len(children) == 2
    for child in children:
        child.kill()
    assert sorted(result.unit for result in campaign.results) == list(range(6))
    assert [result.unit for result in campaign.results if result.open] == [2]


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the start of the third process be stopped: between its creation and its program, when nobody knows it yet."""
    started: list[int] = []
    plain = subprocess.Popen

    def popen(*words: Any, **options: Any) -> Any:
        started.append(len(started))
        if len(started) == 3:
            child = plain([sys.executable, "-c", "import time; time.sleep(600)"])
            os.kill(child.pid, signal.SIGSTOP)
            child.wait()
        return plain(*words, **options)

    monkeypatch.setattr("xpgcheck.runs.host.subprocess.Popen", popen)
    monkeypatch.setattr(loop, "LOOK_SECONDS", 0.1)
    return started


def test_a_process_that_is_stopped_while_it_starts_keeps_nobody_waiting(log: Path, stuck: list[int]) -> None:
    campaign = Campaign(log, stopped_seconds=1.0, recycled=2).run(12)
    assert campaign.ids == list(range(12))
    assert not any(result.open for result in campaign.results)
    assert len(stuck) >= 6


def test_it_stops_while_a_process_starts(log: Path, stuck: list[int]) -> None:
    campaign = Campaign(log, stopped_seconds=2 * HANG_SECONDS, recycled=2)

    def stop_when_it_is_stuck() -> None:
        with within("a process is stopped while it starts") as wait:
            while len(stuck) < 3:
                wait()
        campaign.stop.set()

    watcher = threading.Thread(target=stop_when_it_is_stuck)
    watcher.start()
    started = time.monotonic()
    campaign.run(12)
    watcher.join()
    assert time.monotonic() - started < HANG_SECONDS


def test_a_thread_that_ends_is_noticed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop._Run, "_attend", lambda *_: None)
    with pytest.raises(UndecidedError, match="a thread of the driver has ended; resume it"):
        Campaign(log).run(3)


def test_an_error_at_replacing_a_process_is_said(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = Host.kill, itertools.count()

    def refuse(host: Host, call: int | None = None) -> int | None:
        if next(calls) == 0:
            raise OSError("too many open files")
        return plain(host, call)

    monkeypatch.setattr(Host, "kill", refuse)
    with pytest.raises(UndecidedError, match="a process cannot be started: too many open files"):
        Campaign(log, jobs=1, recycled=2).run(6)


def _length(what: str, big: str) -> int:
    """Called in a process: *what* "fork" leaves a daemon that holds all that its parent has open."""
    if what == "fork" and os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            time.sleep(30)
        os._exit(0)
    return len(big)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_large_call_waits_for_no_dead_process() -> None:
    host = Host()
    assert host.do(as_bytes(_length, "fork", "x" * 300_000)) == Done(300_000)
    assert host.pid is not None
    os.kill(host.pid, signal.SIGSTOP)
    timer = threading.Timer(0.5, host.kill)
    timer.start()
    # It would wait for ever.
    assert isinstance(host.do(as_bytes(_length, "", "x" * 300_000)), Died)


def test_a_kill_meant_for_one_call_hits_no_other() -> None:
    host = Host()
    assert host.do(as_bytes(_length, "", "x")) == Done(1)
    pid = host.pid
    assert host.kill(host.calls) is None
    assert host.kill(host.calls - 1) is None
    assert host.do(as_bytes(_length, "", "xx")) == Done(2)
    assert host.pid == pid
    assert host.kill() == -signal.SIGKILL
