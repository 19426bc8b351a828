"""Ctrl-C and SIGTERM, once or in a heap, at any moment: one line, exit status 130, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.cli import groups
from xpgcheck.cli import main as command_line
from xpgcheck.cli.entry import INTERRUPTED, Interrupts
from xpgcheck.runs import pool
from xpgcheck.runs.loop import UnitLimits

LINE = "xpgcheck: interrupted\n"


@pytest.fixture
def interrupts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Interrupts]:
    """The handler of the console script, in this process."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)
    handler = Interrupts()
    handler.handle()
    try:
        yield handler
    finally:
        for number, action in before.items():
            signal.signal(number, action)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_that_come_together_interrupt_once(interrupts: Interrupts, number: signal.Signals) -> None:
    """The cleaning up after the first is not interrupted by those that a terminal or a shell sends with it."""
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    # The time that has passed does not matter to the test.
    interrupts._last = time.monotonic() + 3600
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    assert interrupts.signals == 3
    interrupts._last = time.monotonic() - 2
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)


def test_an_interrupt_that_comes_upon_a_finalizer_is_not_lost(
    interrupts: Interrupts, capfd: pytest.CaptureFixture[str]
) -> None:
    class Solver:
        def __del__(self) -> None:
            os.kill(os.getpid(), signal.SIGINT)
            pytest.fail("it is not interrupted")

    def used() -> None:
        solver = Solver()
        del solver
        threading.Event().wait(60)

    # Older versions of pytest set a hook of their own for the time of a test.
    sys.unraisablehook = interrupts.lost
    with pytest.raises(KeyboardInterrupt):
        used()
    assert capfd.readouterr().err == ""


def test_what_else_is_lost_is_told(interrupts: Interrupts, capfd: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def __del__(self) -> None:
            raise ZeroDivisionError

    sys.unraisablehook = interrupts.lost
    broken: Any = Broken()
    del broken
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_who_leaves_is_not_interrupted(interrupts: Interrupts) -> None:
    assert interrupts.end(INTERRUPTED) == INTERRUPTED
    os.kill(os.getpid(), signal.SIGINT)
    os.kill(os.getpid(), signal.SIGTERM)
    assert interrupts.end(0) == 0
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_who_is_to_ignore_keys_does(interrupts: Interrupts) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Interrupts().handle()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.parametrize("place", ["check_command", "models_command"])
def test_an_interrupt_is_one_line(
    place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(groups.importlib, "import_module", pressed)
    assert command_line.main([place.split("_")[0]]) == INTERRUPTED
    assert capsys.readouterr().err == LINE


RUN = "xpgcheck.properties.running.units.UNIT=5"
CLAIM = '{"model":"omdd","instance":[0,0,2],"claim":"AXp","features":[0,1,2]}\n'


@pytest.mark.parametrize(
    ("words", "size", "said"),
    [
        (
            "check hardware iris --json new.json",
            "xpgcheck.gate.check.run.UNIT=3",
            "3 of 203 instances are checked; HOLDS",
        ),
        ("properties run --subject textbook --examples 20 --json new.json", RUN, "5 of 20 cases are tried; HOLDS"),
        ("properties run --subject seeded:labels-swapped --examples 20", RUN, "5 of 20 cases are tried; VIOLATED"),
        (
            "gate textbook --examples 20 --no-deck --json new.json",
            "xpgcheck.gate.run.INSTANCES=10",
            "10 of 100 cases are judged; HOLDS",
        ),
        (
            "verify claims.jsonl --output new.json",
            "xpgcheck.gate.verifying.BATCH_LINES=2",
            "2 lines are judged; VIOLATED",
        ),
        (
            "properties selftest --bug labels-swapped --examples 5 --json new.json",
            "",
            "1 of 2 parts are done; 1 of 1 seeded bugs caught",
        ),
        ("paper --quick --claim example-1 --claim one-xp-polynomial", "", "1 of 2 units of evidence are finished"),
    ],
)
def test_an_interrupt_says_what_is_finished(
    words: str,
    size: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line says as much as is known, and no file is left half-written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims.jsonl").write_text(CLAIM * 6, encoding="ascii")
    place, _, value = size.rpartition("=")
    if place:
        monkeypatch.setattr(place, int(value))
    plain = pool._several

    def one_unit(units: Iterable[Any], jobs: int, limits: UnitLimits) -> tuple[bool, Iterable[Any]]:
        def interrupted_after_one() -> Iterator[Any]:
            yield next(iter(units))
            raise KeyboardInterrupt

        return plain(interrupted_after_one(), 1, limits)

    monkeypatch.setattr(pool, "_several", one_unit)
    assert command_line.main([*words.split(), "-q"]) == INTERRUPTED
    out, err = capsys.readouterr()
    hint = re.search(r"; ('xpgcheck campaign start .*' keeps what is finished|with --journal FILE .*)\n$", err)
    assert (hint is None) == (words.split()[0] == "verify" or "selftest" in words)
    told = err.replace(hint[0], "\n") if hint else err
    assert (out, told.replace(" so far", "")) == ("", f"xpgcheck: interrupted: {said}\n")
    assert ("; " in said) == (" so far" in err)
    assert [path.name for path in tmp_path.iterdir()] == ["claims.jsonl"]


PROGRAM = """
import signal
from xpgcheck.cli.entry import Interrupts, entry
plain = Interrupts.handle
def handle(self):
    plain(self)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
Interrupts.handle = handle
entry()
"""
"""The console script; what comes before it can handle signals, while Python starts, comes right then."""


def interrupted(rng: random.Random, number: signal.Signals) -> str:
    """Run a check by two processes, send its group some signals at some moment, and return how it ended."""
    words = ["check", "--jobs", "2", "iris", "wine"]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    with process:
        try:
            time.sleep(rng.choice([0, rng.uniform(0, 0.5), rng.uniform(0, 2)]))
            for _ in range(rng.choice([1, 2, 3, 5])):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                time.sleep(rng.choice([0, 0.001, 0.01, 0.1]))
            out, err = process.communicate(timeout=120)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    hint = "(; 'xpgcheck campaign start .*' keeps what is finished)?"
    told = rf": [\d,]+ of [\d,]+ instances are checked(; HOLDS so far)?{hint}$"
    err = re.sub(told, "", err.rstrip("\n")) + "\n"
    # SIGTERM ends a process that has said all and is leaving, whatever keeps it.
    over = process.returncode == 0 or process.returncode == -number == -signal.SIGTERM
    return "finished" if over and "HOLDS" in out and err == "\n" else f"{process.returncode} {err}"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_heap_of_signals_at_any_moment_is_one_line(number: signal.Signals) -> None:
    """However the moments fall, on a machine of whatever speed."""
    ends = [interrupted(random.Random(seed), number) for seed in range(20)]
    assert set(ends) <= {f"{INTERRUPTED} {LINE}", "finished"}
    # At the first moment of all it cannot have finished.
    assert f"{INTERRUPTED} {LINE}" in ends


def test_little_is_imported_before_signals_are_handled() -> None:
    """Until then Python itself ends at Ctrl-C, with a traceback."""
    folder = Path(command_line.__file__).parents[2]
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import xpgcheck.cli.entry; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-ISc", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"typing", "re", "importlib.util", "click", "threading"} & set(loaded)
    own = {name for name in loaded if name.startswith("xpgcheck")}
    assert own == {"xpgcheck", "xpgcheck.version", "xpgcheck.cli", "xpgcheck.cli.entry"}
