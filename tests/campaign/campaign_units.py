"""Campaigns whose units cost nothing, and a driver of them as a process of its own, for tests of what may go wrong.

As a program: ``python campaign_units.py JOURNAL LOG COUNT SECONDS JOBS [LIMIT]`` runs or resumes such a campaign; LIMIT is
the largest file that it may write.  The log has a line for each unit that is begun, by any process, however it ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Unit, UnitResult
from xpgcheck.errors import InputError, XpgcheckError

# Driver and journal are imported where they are needed: workers import this module, hundreds of times.

HANG_SECONDS = 300.0
"""Bound of all waiting: no test is about how long something takes, and only what hangs takes as long."""


HELD = 20
"""The first unit that a program's campaign leaves waiting while there is a file "hold" next to its log."""


def plan_of(count: int | None = 20, seed: int = 0, **options: Any) -> Plan:
    """Return a plan of *count* units of ten cases; *options* steer them: see :func:`carried_out`."""
    examples = None if count is None else 10 * count
    common = {"models": [], "stretch": 1, "examples": examples, "unit": 10, "smt_every": 1, "seed": seed, "size": 5}
    return Plan("properties", {**common, **options})


def carried_out(plan: Plan, unit: Unit) -> UnitResult:
    """Note that *unit* is begun, and do what the plan says of it; units from "held" on wait while there is a file "hold"."""
    options = plan.options
    if "log" in options:
        with open(options["log"], "ab", buffering=0) as log:
            log.write(f"{unit.id} {os.getpid()}\n".encode())
    time.sleep(options.get("seconds", 0))
    if unit.id >= options.get("held", unit.id + 1):
        while Path(options["log"]).with_name("hold").exists():
            time.sleep(0.01)
    if unit.id in options.get("fork", ()):
        # It holds all that its parent has open, and outlives it.
        if (child := os.fork()) == 0:
            os.setsid()
            time.sleep(2 * HANG_SECONDS)
            os._exit(0)
        with Path(options["log"]).with_name("forked").open("a", encoding="ascii") as forked:
            forked.write(f"{child}\n")
    if unit.id in options.get("die", ()):
        os.kill(os.getpid(), signal.SIGKILL)
    if unit.id in options.get("hang", ()):
        time.sleep(600)
    if unit.id in options.get("raise", ()):
        raise ZeroDivisionError("a unit that cannot be")
    if unit.id in options.get("refuse", ()):
        raise InputError("the subject is gone")
    return result_of(unit)


def result_of(unit: Unit) -> UnitResult:
    """Return what comes of *unit*: every fifth has a finding."""
    findings = [finding_of(unit.id % 3)] if unit.id % 5 == 0 else []
    counts = {"a_property": {"held": 10 - len(findings), "failed": len(findings)}}
    return UnitResult(unit.id, unit.arguments["examples"], counts, {f"features: {unit.id % 4}": 10}, findings=findings)


def document(**said: Any) -> dict[str, Any]:
    """Return a finding as a journal keeps it (see ``finding_documents``), where *said* leaves it out with the usual."""
    return {"way": "", "example": 0, "times": 1, **said}


def finding_of(number: int) -> dict[str, Any]:
    """Return a finding; of another *number* it has another cause."""
    return document(
        about=f"property_{number}",
        is_property=True,
        verdict="wrong",
        outcome="violated",
        evidence=f"evidence {number}",
        subject="nobody",
        origin="made up",
        non_terminals=1,
        features=1,
        case=None,
    )


class Inline:
    """A scheduler without processes; ``after`` is called after each unit."""

    name = "inline"
    after: Callable[[], object] = staticmethod(lambda: None)

    def run(
        self,
        execute: Callable[..., Any],
        plan: Any,
        units: Iterator[Unit],
        on_result: Callable[[Any, str], None],
        stop: threading.Event,
    ) -> None:
        for unit in units:
            if stop.is_set():
                return
            on_result(execute(plan, unit), "inline")
            type(self).after()


def logged(log: Path) -> list[tuple[int, int]]:
    """Return the units in the order in which they were begun, each with the process that began it."""
    if not log.exists():
        return []
    return [(int(unit), int(pid)) for unit, pid in map(str.split, log.read_text(encoding="ascii").splitlines())]


def kept(journal: Path) -> dict[str, Any]:
    """Return what a journal has, without times and workers."""
    from xpgcheck.campaign.journal import Journal

    with Journal.open(journal, read_only=True) as opened:
        return {
            "units": [row.result.lasting() for row in opened.rows()],
            "findings": list(opened.findings()),
            "causes": list(opened.causes()),
        }


def workers_of(pid: int) -> list[psutil.Process]:
    """Return the workers of the driver *pid*: its children, but for what `multiprocessing` starts for itself."""
    with contextlib.suppress(psutil.Error):
        return [child for child in psutil.Process(pid).children() if not _is_of_multiprocessing(child)]
    return []


def _is_of_multiprocessing(child: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return any("multiprocessing" in word for word in child.cmdline())
    return False


@contextlib.contextmanager
def within(what: str, seconds: float = HANG_SECONDS) -> Iterator[Any]:
    """Give a function that sleeps a little, and fails after so many *seconds*."""
    deadline = time.monotonic() + seconds

    def wait() -> None:
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.01)

    yield wait


def gone(processes: list[psutil.Process]) -> None:
    """Wait until all *processes* have ended."""
    _, alive = psutil.wait_procs(processes, timeout=HANG_SECONDS)
    assert not alive, f"still there: {alive}"


def main() -> int:
    """Drive a campaign."""
    from xpgcheck.campaign.driver import run
    from xpgcheck.campaign.journal import Journal
    from xpgcheck.campaign.local import LocalScheduler

    path, log, count, seconds, jobs = sys.argv[1:6]
    if len(sys.argv) > 6:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[6]),) * 2)
    plan = plan_of(int(count), log=log, seconds=float(seconds), held=HELD)
    journal = Path(path)
    try:
        with Journal.open(journal, plan) if journal.exists() else Journal.create(journal, plan) as opened:
            # Among hundreds of kills one unit may be hit more often than a unit of its own fault ever should be.  Some
            # processes are replaced meanwhile.
            scheduler = LocalScheduler(int(jobs), attempts=1_000, recycled=100)
            # By its name as a module, which workers can import.
            from campaign_units import carried_out as imported

            ended = run(plan, opened, scheduler, workers=int(jobs), carry_out=imported)
    except XpgcheckError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    return 130 if ended.interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
