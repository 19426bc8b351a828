"""The fault table: whatever is killed, stopped or full, no finished unit is lost, repeated or counted twice."""

from __future__ import annotations

import contextlib
import itertools
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import campaign_units
import psutil
import pytest
from campaign_units import HANG_SECONDS, gone, kept, logged, plan_of, result_of, within, workers_of

from xpgcheck.campaign.journal import Journal

PROGRAM = str(Path(campaign_units.__file__))


class Driven:
    """A campaign that is driven by processes of their own, one after the other."""

    def __init__(self, folder: Path, count: int, seconds: float, jobs: int = 2) -> None:
        folder.mkdir(exist_ok=True)
        self.journal = folder / "night.campaign.sqlite"
        self.log = folder / "log"
        self.count = count
        self._words = [str(self.journal), str(self.log), str(count), str(seconds), str(jobs)]
        self._seen = 0
        self._finished: set[int] = set()
        self.hold = folder / "hold"

    @contextmanager
    def session(self, *words: str) -> Iterator[subprocess.Popen[bytes]]:
        """Start a driver; at the end it is gone, and its workers are, and no unit was begun that was finished before."""
        self._finished = self.finished()
        self._seen = len(logged(self.log))
        command = [sys.executable, PROGRAM, *self._words, *words]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            workers: list[psutil.Process] = []
            try:
                yield process
                workers = workers_of(process.pid)
            finally:
                process.kill()
        gone(workers)
        self.check()

    def check(self) -> None:
        """See that nothing finished was begun again, and nothing that was finished is lost."""
        again = {unit for unit, _ in logged(self.log)[self._seen :]} & self._finished
        assert not again, f"units carried out again: {again}"
        assert self.finished() >= self._finished

    def finished(self) -> set[int]:
        if not self.journal.exists():
            return set()
        with Journal.open(self.journal, read_only=True) as journal:
            return journal.finished()

    def wait_for(self, units: int, process: subprocess.Popen[bytes]) -> None:
        with within(f"{units} units") as wait:
            while len(self.finished()) < units:
                assert process.poll() is None, process.stderr and process.stderr.read()
                wait()

    def finish(self) -> None:
        """Drive it to its end, undisturbed."""
        self.hold.unlink(missing_ok=True)
        with self.session() as process:
            assert process.wait(HANG_SECONDS) == 0, process.stderr and process.stderr.read()
        assert self.finished() == set(range(self.count))

    def kept(self) -> dict[str, Any]:
        return kept(self.journal)


def undisturbed(folder: Path, count: int) -> dict[str, Any]:
    """Return what the journal of an undisturbed campaign has."""
    path = folder / "undisturbed.campaign.sqlite"
    with Journal.create(path, plan_of(count)) as journal:
        for unit in plan_of(count).units():
            journal.add(result_of(unit), "one process")
    return kept(path)


def test_kill_of_the_driver(tmp_path: Path) -> None:
    driven = Driven(tmp_path, 40, 0.02)
    driven.hold.touch()
    with driven.session() as process:
        driven.wait_for(5, process)
        workers = workers_of(process.pid)
        assert len(workers) == 2
        process.kill()
        gone(workers)
    some = driven.finished()
    assert 5 <= len(some) < 40
    driven.finish()
    assert driven.kept() == undisturbed(tmp_path, 40)
    # Those that were laid out, two for each process, and no others: under way, or done and not written yet.
    twice = [unit for unit, times in Counter(unit for unit, _ in logged(driven.log)).items() if times > 1]
    assert len(twice) <= 4


def test_kill_of_a_worker(tmp_path: Path) -> None:
    driven = Driven(tmp_path, 40, 0.02)
    driven.hold.touch()
    with driven.session() as process:
        driven.wait_for(5, process)
        workers_of(process.pid)[0].kill()
        driven.hold.unlink()
        assert process.wait(HANG_SECONDS) == 0
    assert driven.kept() == undisturbed(tmp_path, 40)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_clean(tmp_path: Path, number: signal.Signals) -> None:
    driven = Driven(tmp_path, 40, 0.02)
    driven.hold.touch()
    with driven.session() as process:
        driven.wait_for(5, process)
        workers = workers_of(process.pid)
        process.send_signal(number)
        assert process.wait(HANG_SECONDS) == 130
        gone(workers)
        assert process.stderr is not None
        assert process.stderr.read() == b""
    with Journal.open(driven.journal, read_only=True) as journal:
        (session,) = journal.sessions()
        assert session.ended is not None
    driven.finish()
    assert driven.kept() == undisturbed(tmp_path, 40)


def test_two_drivers(tmp_path: Path) -> None:
    driven = Driven(tmp_path, 40, 0.02)
    driven.hold.touch()
    with driven.session() as process:
        driven.wait_for(2, process)
        second = subprocess.run(
            [sys.executable, PROGRAM, *driven._words], capture_output=True, text=True, timeout=HANG_SECONDS, check=False
        )
        assert second.returncode == 2
        assert f"another driver (process {process.pid}) is at work" in second.stderr
        # Nothing of it disturbs the first.
        driven.hold.unlink()
        driven.wait_for(30, process)
        process.terminate()
        assert process.wait(HANG_SECONDS) == 130
    assert set(Counter(unit for unit, _ in logged(driven.log)).values()) == {1}


def test_a_limit_of_files_as_a_full_disk(tmp_path: Path) -> None:
    driven = Driven(tmp_path, 200, 0)
    with driven.session(str(100_000)) as process:
        assert process.wait(HANG_SECONDS) == 2
        assert process.stderr is not None
        said = process.stderr.read().decode()
    assert "cannot be written" in said
    assert "resume it" in said
    assert said.count("\n") == 1
    assert 0 < len(driven.finished()) < 200
    driven.finish()
    assert driven.kept() == undisturbed(tmp_path, 200)


def test_a_full_disk(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("nothing can be mounted here")
    try:
        driven = Driven(small, 400, 0)
        with driven.session() as process:
            assert process.wait(HANG_SECONDS) == 2
            assert process.stderr is not None
            said = process.stderr.read().decode()
        assert "make room, then resume it" in said
        some = driven.finished()
        assert 0 < len(some) < 400
        subprocess.run(["mount", "-o", "remount,size=16m", str(small)], check=True)
        driven.finish()
        assert driven.kept() == undisturbed(tmp_path, 400)
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_random_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    killed(tmp_path, kills=10, seed=1, count=60)


@pytest.mark.slow
def test_eighty_random_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    done = killed(tmp_path, kills=80, seed=2, count=300)
    assert min(done["driver"], done["worker"]) > 8


def killed(folder: Path, kills: int, seed: int, count: int) -> Counter[str]:
    """Drive campaigns, one after the other, and kill drivers and workers at random until there were so many *kills*."""
    dice = random.Random(seed)
    right = undisturbed(folder, count)
    done: Counter[str] = Counter()
    for number in itertools.count():
        driven, before = Driven(folder / str(number), count, 0.01), done.copy()
        while done.total() < kills and len(driven.finished()) < count:
            with driven.session() as process:
                while process.poll() is None and done.total() < kills:
                    time.sleep(dice.uniform(0.0, 0.1))
                    workers = workers_of(process.pid)
                    # Seldom while it starts, which takes longest.
                    if dice.random() < (0.2 if workers else 0.02):
                        process.kill()
                        done["driver"] += 1
                        gone(workers)
                        break
                    if workers:
                        # One that has left meanwhile is not killed.
                        with contextlib.suppress(psutil.NoSuchProcess):
                            dice.choice(workers).kill()
                            done["worker"] += 1
        driven.finish()
        assert driven.kept() == right
        times = Counter(unit for unit, _ in logged(driven.log))
        assert set(times) == set(range(count))
        # What was under way when something was killed is begun again, and nothing else.
        assert times.total() - count <= 2 * (done["driver"] - before["driver"]) + done["worker"] - before["worker"]
        if done.total() >= kills:
            break
    return done


def test_a_journal_that_forgets_would_be_seen(tmp_path: Path) -> None:
    """The test of kills fails if a finished unit is not in the journal, or is carried out again."""
    driven = Driven(tmp_path, 10, 0)
    driven.finish()
    with Journal.open(driven.journal) as journal:
        journal._connection.execute("DELETE FROM units WHERE id = 3")
    driven._finished, driven._seen = set(range(10)), len(logged(driven.log))
    with pytest.raises(AssertionError):
        driven.check()
    driven._finished, driven._seen = {3}, 0
    with pytest.raises(AssertionError, match="carried out again"):
        driven.check()


def test_the_workers_of_a_killed_driver_leave_in_the_middle_of_a_unit(tmp_path: Path) -> None:
    driven = Driven(tmp_path, 4, 2 * HANG_SECONDS)
    with driven.session() as process:
        with within("both workers begin") as wait:
            while len(logged(driven.log)) < 2:
                wait()
        workers = workers_of(process.pid)
        process.kill()
        gone(workers)
    assert driven.finished() == set()
