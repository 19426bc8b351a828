"""Units that cost nothing, for tests of schedulers: what a unit does is in its arguments."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campaign_units import HANG_SECONDS

from xpgcheck.errors import InputError

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class FakeUnit:
    id: int
    arguments: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class FakeResult:
    unit: int
    value: Any = None
    reasons: tuple[str, ...] = ()


def undecided(unit: FakeUnit, reason: str) -> FakeResult:
    return FakeResult(unit.id, reasons=(reason,))


def execute(plan: dict[str, Any], unit: FakeUnit) -> FakeResult:
    """Do what the arguments say, and note in the plan's log that it was done."""
    arguments = unit.arguments
    if log := plan.get("log"):
        with open(log, "a", encoding="utf-8") as file:
            file.write(f"{unit.id} {os.getpid()}\n")
    if "sleep" in arguments:
        time.sleep(arguments["sleep"])
    if "print" in arguments:
        print(arguments["print"])
    if arguments.get("die") and (arguments["die"] is True or not Path(arguments["die"]).exists()):
        if arguments["die"] is not True:
            Path(arguments["die"]).write_text("died once", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    if "raise" in arguments:
        raise InputError(arguments["raise"])
    if "crash" in arguments:
        raise ZeroDivisionError(arguments["crash"])
    main = threading.current_thread() is threading.main_thread()
    return FakeResult(unit.id, {"main thread": main, "pid": os.getpid()})


@dataclass
class Cluster:
    """A scheduler and workers, each a process of its own."""

    folder: Path
    address: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    """Environment variables of Dask's own, as DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL."""
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start_scheduler(self) -> None:
        file = self.folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
        )
        deadline = time.monotonic() + HANG_SECONDS
        while not file.exists() or '"address"' not in file.read_text(encoding="utf-8"):
            assert time.monotonic() < deadline, "the scheduler does not start"
            assert self.scheduler.poll() is None, "the scheduler ended"
            time.sleep(0.05)
        import json

        self.address = json.loads(file.read_text(encoding="utf-8"))["address"]

    def add_worker(self, path: Path = ROOT) -> subprocess.Popen[bytes]:
        process = self._start(
            *("worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"),
            *("--local-directory", str(self.folder / "space"), "--death-timeout", "300"),
            path=path,
        )
        self.workers.append(process)
        return process

    def _start(self, *arguments: str, path: Path = ROOT) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join([str(path), str(Path(__file__).parent)])
        with open(self.folder / f"{arguments[0]}.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *arguments],
                env=os.environ
                | {"PYTHONPATH": paths, "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "False"}
                | self.settings,
                cwd=self.folder,
                stdout=log,
                stderr=log,
            )

    def end(self) -> None:
        for process in [*self.workers, *([self.scheduler] if self.scheduler else [])]:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


def other_version(folder: Path) -> Path:
    """Return a folder with this project in another version."""
    shutil.copytree(ROOT / "xpgcheck", folder / "xpgcheck", ignore=shutil.ignore_patterns("__pycache__", "data"))
    version = folder / "xpgcheck" / "version.py"
    version.write_text(
        version.read_text(encoding="utf-8").replace('__version__ = "', '__version__ = "9.'), encoding="utf-8"
    )
    return folder


@contextlib.contextmanager
def after(seconds: float, action: Any) -> Iterator[None]:
    """Call *action* in a thread, in so many seconds."""
    timer = threading.Timer(seconds, action)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
