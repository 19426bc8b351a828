"""Units over processes: each once, errors as they are, and nobody else's processes touched, however it ends."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from pool_units import (
    Refusing,
    Remembering,
    do,
    doubled,
    dying_first,
    environment,
    path,
    remember,
    remembered,
    telling,
)

from xpgcheck.errors import InputError, UndecidedError
from xpgcheck.runs import host, loop
from xpgcheck.runs.host import Host, as_bytes, kill_the_unborn
from xpgcheck.runs.loop import UnitLimits
from xpgcheck.runs.pool import pooled, pooled_in_order
from xpgcheck.runs.replies import Died, Done


def test_each_unit_gives_its_result_once() -> None:
    assert sorted(pooled(doubled, range(9), 2)) == [(n, 2 * n) for n in range(9)]
    assert list(pooled_in_order(doubled, iter(range(9)), 2)) == [2 * n for n in range(9)]
    assert list(pooled(doubled, [], 2)) == []
    assert list(pooled_in_order(doubled, [], 2)) == []


def test_units_in_order_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(len(taken))
            yield taken[-1]

    for jobs in (1, 2):
        taken.clear()
        with contextlib.closing(pooled_in_order(doubled, endless(), jobs)) as results:
            assert [next(results) for _ in range(3)] == [0, 2, 4]
        assert len(taken) <= 3 + (0 if jobs == 1 else 2 * jobs + 1)


@pytest.mark.parametrize("results", [pooled, pooled_in_order])
def test_one_job_or_one_unit_needs_no_process(results: Any) -> None:
    assert list(results(do, ["work"] * 3, 1))[-1] in (os.getpid(), ("work", os.getpid()))
    assert list(results(do, iter(["work"]), 2)) in ([os.getpid()], [("work", os.getpid())])
    assert all(found not in (os.getpid(), ("work", os.getpid())) for found in results(do, ["work"] * 2, 2))


def test_every_process_is_given_the_work_once() -> None:
    found = [said for _, said in pooled(Remembering("so"), range(6), 2)]
    assert found == [["so"]] * 6


@pytest.mark.parametrize("results", [pooled, pooled_in_order])
@pytest.mark.parametrize(
    ("what", "kind", "text"),
    [
        ("refuse", InputError, "^here: there is no such thing; look elsewhere$"),
        ("crash", ZeroDivisionError, "^a unit that cannot be$"),
        ("unsendable", RuntimeError, "UnsendableError: one"),
        ("unsendable result", RuntimeError, "what the unit gave cannot be pickled"),
        ("exit", RuntimeError, "SystemExit: 7"),
        (
            "die",
            UndecidedError,
            r"^unit 2: a worker process died at each of 2 tries \(it was ended by SIGKILL\), so nothing was decided; try",
        ),
    ],
)
def test_an_error_of_a_unit_is_raised_here(results: Any, what: str, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text) as caught:
        list(results(do, ["work", what], 2))
    if kind not in (UndecidedError, RuntimeError):
        # The place where it was raised is told to anyone who looks.
        assert "pool_units.py" in str(caught.value.__cause__)


@pytest.mark.parametrize("results", [pooled, pooled_in_order])
def test_a_process_that_dies_once_costs_nothing(results: Any, tmp_path: Path) -> None:
    work = functools.partial(dying_first, str(tmp_path))
    found = list(results(work, range(5), 2))
    assert sorted(found) in ([2 * n for n in range(5)], [(n, 2 * n) for n in range(5)])
    assert {path.name for path in tmp_path.iterdir()} == {"3"}


def test_a_unit_that_takes_too_long_is_ended_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LOOK_SECONDS", 0.1)
    problem = r"^the unit 'hang': a worker process died \(it was ended after 1 s\), so nothing was decided"
    with pytest.raises(UndecidedError, match=problem):
        # Even where one process is all: this one cannot be ended.
        list(pooled(do, ["hang"], 1, "the unit {!r}".format, UnitLimits(attempts=1, unit_seconds=1.0)))


def test_an_error_while_a_process_is_prepared_is_raised_here() -> None:
    with pytest.raises(InputError, match=r"^so: there is no such thing; look elsewhere$"):
        list(pooled(Refusing("so"), range(2), 2))


def test_what_cannot_be_sent_is_said() -> None:
    with pytest.raises((AttributeError, TypeError), match=r"pickle|local object"):
        list(pooled(do, ["work", lambda: None], 2))  # type: ignore[list-item]


def test_a_process_that_cannot_be_started_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("xpgcheck.runs.host.subprocess.Popen", refused)
    with pytest.raises(UndecidedError, match="a process cannot be started: no more processes; look at the free memory"):
        list(pooled(do, ["work"] * 2, 2))


def test_what_a_unit_prints_is_no_result(capfd: pytest.CaptureFixture[str]) -> None:
    assert sorted(result == "print" for _, result in pooled(do, ["print", "work"], 2)) == [False, True]
    assert capfd.readouterr() == ("", "this is not an answer\n")


def test_a_process_has_the_environment_and_the_modules_of_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that lies in the folder of the user shadows none of Python's, and a subject that is started gets no path."""
    (tmp_path / "queue.py").write_text("raise RuntimeError('the wrong module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert [result for _, result in pooled(environment, ["PYTHONPATH"] * 2, 2)] == [None] * 2
    assert [result for _, result in pooled(path, [0, 0], 2)] == [[entry or os.getcwd() for entry in sys.path]] * 2


# ------------------------------------------------------------------------------------------------------------------ the end


@pytest.fixture
def bystanders() -> Iterator[list[psutil.Process]]:
    """Children of this process that are none of the pool's: one of `multiprocessing`, two of `subprocess`, one stopped."""
    child = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,), daemon=True)
    child.start()
    code = [sys.executable, "-c", "import time; time.sleep(600)"]
    with subprocess.Popen(code) as plain, subprocess.Popen(code) as stopped:
        stopped.send_signal(signal.SIGSTOP)
        assert child.pid is not None
        try:
            yield [psutil.Process(pid) for pid in (child.pid, plain.pid, stopped.pid)]
        finally:
            for process in (child, plain, stopped):
                process.kill()
            child.join()


def ours(bystanders: list[psutil.Process]) -> list[psutil.Process]:
    """Return the children that are left, but for *bystanders* and what `multiprocessing` starts for itself."""
    known = {process.pid for process in bystanders}
    left = [child for child in psutil.Process().children() if child.pid not in known]
    return [child for child in left if "multiprocessing" not in " ".join(child.cmdline())]


def live(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("how", ["refuse", "die", "left", "interrupted", "done"])
def test_all_processes_of_the_pool_end_and_no_others(bystanders: list[psutil.Process], how: str) -> None:
    results = pooled(do, ["work", {"refuse": "refuse", "die": "die", "done": "work"}.get(how, "hang")], 2)
    if how == "left":
        next(results)
        results.close()
    elif how == "interrupted":
        next(results)
        with pytest.raises(KeyboardInterrupt):
            results.throw(KeyboardInterrupt)
    elif how == "done":
        assert len(list(results)) == 2
    else:
        with pytest.raises((InputError, UndecidedError)):
            list(results)
    assert ours(bystanders) == []
    assert all(map(live, bystanders))


def test_an_interrupt_while_processes_are_ended_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, calls = Host.kill, iter([KeyboardInterrupt])

    def kill(self: Host, call: int | None = None) -> int | None:
        for error in calls:
            raise error
        return plain(self, call)

    results = pooled(do, ["work", "hang"], 2)
    next(results)
    monkeypatch.setattr(Host, "kill", kill)
    with pytest.raises(KeyboardInterrupt):
        results.close()
    assert ours([]) == []


def test_what_is_stopped_and_was_there_before_a_process_started_is_left_alone(bystanders: list[psutil.Process]) -> None:
    place = Host()
    place.before = [child.pid for child in psutil.Process().children()]
    place._starting = time.monotonic()
    newcomer = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        newcomer.send_signal(signal.SIGSTOP)
        while psutil.Process(newcomer.pid).status() != psutil.STATUS_STOPPED:
            time.sleep(0.01)
        kill_the_unborn([place])
        assert newcomer.wait() == -signal.SIGKILL
    finally:
        newcomer.kill()
        newcomer.wait()
    assert all(map(live, bystanders))


# ----------------------------------------------------------------------------------------------------------------- one of it


def test_a_process_does_not_hear_a_key_that_is_pressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """From its first moment on, before Python can handle it; but nothing is left blocked or ignored for what it starts."""
    masks = []
    plain = subprocess.Popen

    def started(*words: Any, **options: Any) -> Any:
        masks.append(signal.pthread_sigmask(signal.SIG_BLOCK, []))
        return plain(*words, **options)

    monkeypatch.setattr(host.subprocess, "Popen", started)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    place = Host()
    try:
        assert place.do(as_bytes(do, "be interrupted")) == Done("be interrupted")
        assert isinstance(place.do(as_bytes(do, "die")), Died)
        code = "import signal; print(signal.getsignal(2) is signal.default_int_handler, signal.pthread_sigmask(0, []))"
        said = place.do(as_bytes(subprocess.check_output, [sys.executable, "-c", code]))
    finally:
        place.kill()
    assert said == Done(b"True set()\n")
    assert all(signal.SIGINT in mask for mask in masks)
    assert len(masks) == 2
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_a_new_process_is_prepared_too() -> None:
    place = Host(as_bytes(remember, "so"))
    try:
        assert [place.do(as_bytes(remembered, n)) for n in range(2)] == [Done(["so"])] * 2
        place.kill()
        assert place.do(as_bytes(remembered, 0)) == Done(["so"])
    finally:
        place.kill()


# ---------------------------------------------------------------------------------------------------------------- many times


def fail_often(times: int) -> None:
    """Let a unit fail while others are under way, begin or end: at any moment of theirs, as it comes."""
    for number in range(times):
        with pytest.raises(InputError):
            list(pooled(do, ["work"] * (number % 3) + ["refuse"] + ["work", "hang"][: number % 2 + 1], 2))
    assert ours([]) == []


def test_an_error_ends_a_pool(capfd: pytest.CaptureFixture[str]) -> None:
    fail_often(5)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_an_error_ends_a_pool_every_time(capfd: pytest.CaptureFixture[str]) -> None:
    fail_often(100)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_units_tell_is_heard(jobs: int) -> None:
    heard: list[tuple[int, str]] = []
    done = dict(pooled(telling, [1, 2, 3], jobs, hearer=lambda unit, told: heard.append((unit, told))))
    assert done == {1: 1, 2: 2, 3: 3}
    assert sorted(heard) == [(1, "half of 1"), (2, "half of 2"), (3, "half of 3")]
