"""Units on a Dask cluster: each result once, whatever workers come and go; what is wrong is said in one line."""

from __future__ import annotations

import itertools
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from campaign_units import HANG_SECONDS, Inline, kept, within
from cluster_units import Cluster, FakeResult, FakeUnit, after, execute, other_version, undecided

from xpgcheck.campaign.cluster import ATTEMPTS, DaskScheduler
from xpgcheck.campaign.cluster_worker import RECYCLED
from xpgcheck.campaign.journal import Journal
from xpgcheck.cli import campaign_running
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError, MissingPackageError, UndecidedError

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Two workers that survive their tests."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.start_scheduler()
        made.add_worker()
        made.add_worker()
        await_workers(made, 2)
        yield made
    finally:
        made.end()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        made.start_scheduler()
        yield made
    finally:
        made.end()


class Campaign:
    """Runs units, and keeps what comes."""

    def __init__(self, cluster: Cluster, log: Path | None = None) -> None:
        self.said: list[str] = []
        self.results: list[FakeResult] = []
        self.workers: list[str] = []
        self.stop = threading.Event()
        self.scheduler = DaskScheduler(cluster.address, self.said.append, undecided, connect_seconds=3)
        self.plan = {"log": str(log)} if log else {}
        self.on: Callable[[int], object] = lambda _: None

    def run(self, units: Iterator[FakeUnit]) -> Campaign:
        self.scheduler.run(execute, self.plan, units, self._take, self.stop)
        return self

    def _take(self, result: Any, worker: str) -> None:
        self.results.append(result)
        self.workers.append(worker)
        self.on(len(self.results))

    @property
    def ids(self) -> list[int]:
        return sorted(result.unit for result in self.results)


def units(count: int, **arguments: Any) -> Iterator[FakeUnit]:
    return (FakeUnit(number, arguments) for number in range(count))


def test_each_unit_once_on_both_workers_in_main_threads(steady: Cluster) -> None:
    campaign = Campaign(steady)
    campaign.run(units(24, sleep=0.05, print="noise"))
    assert campaign.ids == list(range(24))
    assert all(result.value["main thread"] for result in campaign.results)
    # A process of its own for each worker, kept between units.
    assert len({result.value["pid"] for result in campaign.results}) == len(set(campaign.workers)) == 2


def test_processes_are_replaced_after_some_units(cluster: Cluster) -> None:
    cluster.add_worker()
    campaign = Campaign(cluster).run(units(RECYCLED * 2 + 1))
    assert campaign.ids == list(range(RECYCLED * 2 + 1))
    pids = [result.value["pid"] for result in campaign.results]
    assert sorted(pids.count(pid) for pid in set(pids)) == [1, RECYCLED, RECYCLED]


def test_processes_end_with_the_campaign(steady: Cluster) -> None:
    campaign = Campaign(steady).run(units(2))
    assert_gone({result.value["pid"] for result in campaign.results})


def assert_gone(pids: set[int]) -> None:
    with within("the processes end") as wait:
        while any(running(pid) for pid in pids):
            wait()


def running(pid: int) -> bool:
    import psutil

    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_few_units_are_under_way(steady: Cluster) -> None:
    """The plan is endless: it is read as far as there are workers for it."""
    taken = itertools.count()
    campaign = Campaign(steady)
    campaign.on = lambda count: count == 5 and campaign.stop.set()
    campaign.run(FakeUnit(next(taken)) for _ in itertools.count())
    assert len(campaign.results) == 5
    assert next(taken) <= 5 + 4


def test_killed_worker_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    first, second = cluster.add_worker(), cluster.add_worker()
    campaign = Campaign(cluster, tmp_path / "log")
    # So that both are there from the beginning.
    campaign.on = lambda count: count == 6 and first.kill()
    campaign.run(units(30, sleep=0.1))
    assert campaign.ids == list(range(30))
    assert first.wait(5) == -9
    assert second.poll() is None
    # The units that were under way on it, and no others, were begun twice.
    begun = [int(line.split()[0]) for line in (tmp_path / "log").read_text().splitlines()]
    assert set(begun) == set(range(30))
    assert len(begun) <= 30 + 2


def test_unit_that_kills_its_process_is_tried_again_then_undecided(steady: Cluster, tmp_path: Path) -> None:
    campaign = Campaign(steady, tmp_path / "log")
    works = [FakeUnit(0), FakeUnit(1, {"die": True}), FakeUnit(2, {"die": str(tmp_path / "once")}), FakeUnit(3)]
    campaign.run(iter(works))
    assert campaign.ids == [0, 1, 2, 3]
    reasons = {result.unit: result.reasons for result in campaign.results if result.reasons}
    assert reasons == {1: ("worker died 3 times: its process was ended by SIGKILL",)}
    begun = [int(line.split()[0]) for line in (tmp_path / "log").read_text().splitlines()]
    assert [begun.count(number) for number in range(4)] == [1, ATTEMPTS, 2, 1]


def test_worker_that_joins_later_takes_units(cluster: Cluster) -> None:
    campaign = Campaign(cluster)
    with after(1, cluster.add_worker):
        campaign.run(units(4))
    assert campaign.ids == [0, 1, 2, 3]
    assert campaign.said == ["no worker is there; waiting for some (dask worker SCHEDULER --nthreads 1)"]


def test_worker_of_another_version_is_named(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add_worker(other_version(tmp_path / "other"))
    await_workers(cluster, 1)
    campaign = Campaign(cluster)
    with pytest.raises(
        InputError,
        match=r"^worker tcp://\S+ has xpgcheck 9\.\S+, sources \S+, hypothesis \S+, this is xpgcheck \d\S+, ",
    ) as caught:
        campaign.run(units(4))
    assert caught.value.exit_status == 2
    assert "\n" not in str(caught.value)
    assert campaign.results == []


def test_worker_without_the_project_is_named(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "empty" / "xpgcheck").mkdir(parents=True)
    (tmp_path / "empty" / "xpgcheck" / "__init__.py").touch()
    cluster.add_worker(tmp_path / "empty")
    await_workers(cluster, 1)
    # Where this project is installed from its checkout, the modules that are missing are found there, and differ in part.
    said = r"^worker tcp://\S+ has (no xpgcheck that can do this \(ModuleNotFoundError: |xpgcheck \S+, sources \w+, )"
    with pytest.raises(InputError, match=said):
        Campaign(cluster).run(units(4))


@pytest.mark.parametrize("kind", ["version", "missing"])
def test_worker_of_another_version_that_joins_later_is_left_out(cluster: Cluster, tmp_path: Path, kind: str) -> None:
    """Its refusals cost nothing: the units go to the other one."""
    if kind == "version":
        path = other_version(tmp_path / "other")
    else:
        path = tmp_path / "other"
        (path / "xpgcheck").mkdir(parents=True)
        (path / "xpgcheck" / "__init__.py").touch()
    cluster.add_worker()
    await_workers(cluster, 1)
    campaign = Campaign(cluster)
    campaign.on = lambda count: count == 1 and cluster.add_worker(path)
    endless = (FakeUnit(number, {"sleep": 0.05}) for number in itertools.count())
    deadline = time.monotonic() + HANG_SECONDS
    campaign.run(itertools.takewhile(lambda _: not left_out(campaign) and time.monotonic() < deadline, endless))
    assert left_out(campaign), campaign.said
    assert len([line for line in campaign.said if "left out" in line]) == 1
    assert campaign.ids == list(range(len(campaign.results)))
    assert len(set(campaign.workers)) == 1


def left_out(campaign: Campaign) -> bool:
    return any(line.startswith("worker tcp://") and line.endswith("it is left out") for line in campaign.said)


def test_stopped_worker_keeps_nobody_waiting(cluster: Cluster) -> None:
    """While one worker is stopped the other goes on; what the stopped one had comes when it goes on."""
    first, _ = cluster.add_worker(), cluster.add_worker()
    await_workers(cluster, 2)
    campaign = Campaign(cluster)

    def on(count: int) -> None:
        if count == 6:
            first.send_signal(signal.SIGSTOP)
        if count == 25:
            first.send_signal(signal.SIGCONT)

    campaign.on = on
    campaign.run(units(30, sleep=0.05))
    assert campaign.ids == list(range(30))


def test_units_of_a_worker_that_stays_stopped_go_to_others(tmp_path: Path) -> None:
    """Once Dask gives it up, here after three seconds instead of five minutes."""
    made = Cluster(tmp_path, settings={"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "3s"})
    try:
        made.start_scheduler()
        first, _ = made.add_worker(), made.add_worker()
        await_workers(made, 2)
        campaign = Campaign(made)
        campaign.on = lambda count: count == 6 and first.send_signal(signal.SIGSTOP)
        campaign.run(units(30, sleep=0.05))
        assert campaign.ids == list(range(30))
    finally:
        made.end()


def test_lost_scheduler_is_said(cluster: Cluster) -> None:
    cluster.add_worker()
    campaign = Campaign(cluster)
    assert cluster.scheduler is not None
    kill = cluster.scheduler.kill
    campaign.on = lambda count: count == 3 and kill()
    with pytest.raises(UndecidedError, match=r"^tcp://\S+: the scheduler was lost; .*resume") as caught:
        # Far more than a hang's worth of units: it is not at their end that it is said.
        campaign.run(units(100_000, sleep=0.1))
    assert caught.value.exit_status == 3
    # Earlier results are there, once, and the rest can be carried out by a new run.
    assert len(campaign.ids) == len(set(campaign.ids)) >= 3


def test_interrupt_cancels_what_is_under_way(steady: Cluster, tmp_path: Path) -> None:
    campaign = Campaign(steady, tmp_path / "log")

    def interrupt(count: int) -> None:
        if count == 2:
            raise KeyboardInterrupt

    campaign.on = interrupt
    with pytest.raises(KeyboardInterrupt):
        campaign.run(FakeUnit(number, {"sleep": 0.0 if number < 2 else 60}) for number in itertools.count())
    pids = {int(line.split()[1]) for line in (tmp_path / "log").read_text().splitlines()}
    assert_gone(pids)
    # The cluster is free for the next one.
    assert Campaign(steady).run(units(3)).ids == [0, 1, 2]


def test_stop_ends_in_a_moment(steady: Cluster) -> None:
    campaign = Campaign(steady)
    with after(2, campaign.stop.set):
        started = time.monotonic()
        campaign.run(units(10, sleep=2 * HANG_SECONDS))
    assert time.monotonic() - started < HANG_SECONDS
    assert campaign.results == []


def test_unit_that_says_that_something_is_wrong(steady: Cluster) -> None:
    with pytest.raises(InputError, match=r"^unit 0 on worker tcp://\S+ \(pid \d+\): no such subject$"):
        Campaign(steady).run(units(1, **{"raise": "no such subject"}))


def test_unit_that_crashes_is_undecided(steady: Cluster) -> None:
    campaign = Campaign(steady).run(iter([FakeUnit(0, {"crash": "a bug"}), FakeUnit(1)]))
    assert {result.unit: result.reasons for result in campaign.results} == {0: ("ZeroDivisionError: a bug",), 1: ()}


def test_unreachable_scheduler() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(InputError, match=rf"^{address}: no Dask scheduler answers within 1 s") as caught:
        DaskScheduler(address, connect_seconds=1).run(execute, {}, units(1), lambda *_: None, threading.Event())
    assert "\n" not in str(caught.value)


def test_somebody_else_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        with pytest.raises(InputError, match="no Dask scheduler answers within 1 s"):
            DaskScheduler(address, connect_seconds=1).run(execute, {}, units(1), lambda *_: None, threading.Event())


@pytest.mark.parametrize("address", ["", "localhost", "nothing://here:1", "tcp://", "tcp://127.0.0.1:port"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(InputError, match="tcp://host:8786"):
        DaskScheduler(address, connect_seconds=1).run(execute, {}, units(1), lambda *_: None, threading.Event())


def test_without_distributed_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'distributed>="):
        DaskScheduler("tcp://127.0.0.1:1").run(execute, {}, units(1), lambda *_: None, threading.Event())


def await_workers(cluster: Cluster, count: int) -> None:
    """Wait until the scheduler knows so many workers."""
    from distributed import Client

    with Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(count, timeout=HANG_SECONDS)


WORDS = ("--property", "the_predicted_class_is_kappa", "--size", "6", "--examples", "120", "--unit", "1", "--quiet")


def test_a_campaign_goes_on_wherever_it_was_interrupted(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler is lost, then the driver is killed on another cluster; the rest is done on this machine."""
    journal = tmp_path / "night.campaign.sqlite"

    def campaign(verb: str, *words: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "xpgcheck", "campaign", verb, "night", "--journal", str(journal), *words]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)

    def some_more(process: subprocess.Popen[str], than: int) -> None:
        with within("some units") as wait:
            while not journal.exists() or len(kept(journal)["units"]) <= than:
                assert process.poll() is None
                wait()

    cluster.add_worker()
    with campaign("start", *WORDS, "--scheduler", cluster.address) as driver:
        some_more(driver, 3)
        assert cluster.scheduler is not None
        cluster.scheduler.kill()
        out, err = driver.communicate(timeout=HANG_SECONDS)
        assert (driver.returncode, out) == (3, "")
        assert "the scheduler was lost" in err.splitlines()[-1]
    some = len(kept(journal)["units"])
    (tmp_path / "another").mkdir()
    another = Cluster(tmp_path / "another")
    try:
        another.start_scheduler()
        another.add_worker()
        with campaign("resume", "--quiet", "--scheduler", another.address) as driver:
            some_more(driver, some + 3)
            driver.kill()
    finally:
        another.end()
    more = len(kept(journal)["units"])
    assert some + 3 < more < 120
    with campaign("resume", "--quiet", "--jobs", "1") as driver:
        assert driver.communicate(timeout=HANG_SECONDS)[0].startswith("HOLDS: properties, 120 cases in 120 units")
    with Journal.open(journal, read_only=True) as opened:
        assert len({row.worker for row in opened.rows()}) >= 3
        assert len(opened.sessions()) == 3
    whole = tmp_path / "whole.campaign.sqlite"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(campaign_running, "_scheduler", lambda *_: Inline())
    assert main(["campaign", "start", "night", "--journal", str(whole), *WORDS]) == 0
    assert kept(journal) == kept(whole)
