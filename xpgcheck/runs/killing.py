"""Ending what a process has started, and nothing else."""

from __future__ import annotations

import contextlib

# Not when it is needed: that may be in the middle of another import.
import psutil


def kill_descendants(pid: int) -> None:
    """Kill all that the process *pid* started, as far as it can be told."""
    with contextlib.suppress(psutil.Error, OSError):
        for child in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()


def children() -> dict[int, psutil.Process]:
    """Return all children of this process, also those that others started."""
    with contextlib.suppress(psutil.Error, OSError):
        return {child.pid: child for child in psutil.Process().children()}
    return {}


def is_stopped(pid: int) -> bool:
    """Tell whether the process *pid* is stopped, as by SIGSTOP."""
    with contextlib.suppress(psutil.Error):
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    return False


def memory(pid: int) -> int:
    """Return the bytes of memory that the process *pid* has; 0 where that cannot be told."""
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0
