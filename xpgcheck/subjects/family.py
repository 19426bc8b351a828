"""The processes of one subject: found, measured and killed, whatever they did to leave its process group.

A process belongs to the subject if its parent does, if it is in the session that the subject was started in, or if its
environment holds the subject's token.  Children inherit all three; a daemon leaves the first two behind.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

import psutil

TOKEN = "XPGCHECK_SUBJECT"
"""The variable of the environment that holds the token."""

KILL_SECONDS = 5.0
"""The time after which killing is given up: a process that waits for a device cannot be killed by anybody."""


class ProcessFamily:
    """The processes that hold *token*, and their kin.  Made before the first of them is started."""

    def __init__(self, token: str) -> None:
        """Take every process that runs now for a stranger."""
        self._token = token
        self._root = 0
        self._own: dict[int, psutil.Process] = {}
        self._strangers = set(psutil.pids())

    def adopt(self, root: int) -> None:
        """Take the process *root*, the leader of its own session, as the first member."""
        self._root = root
        self._strangers.discard(root)
        with contextlib.suppress(psutil.Error):
            self._own[root] = psutil.Process(root)

    def members(self) -> list[psutil.Process]:
        """Return the members that run.  Processes that were looked at before are not looked at again."""
        pids = set(psutil.pids())
        self._strangers &= pids
        self._own = {pid: process for pid, process in self._own.items() if pid in pids}
        for pid in sorted(pids - self._strangers - self._own.keys()):
            try:
                process = psutil.Process(pid)
                belongs = self._belongs(process)
            except (psutil.Error, OSError):
                # It is gone, or it is somebody else's.
                continue
            if belongs:
                self._own[pid] = process
            elif belongs is not None:
                self._strangers.add(pid)
        return list(self._own.values())

    def _belongs(self, process: psutil.Process) -> bool | None:
        """Tell whether *process* is a member; None where its environment cannot be told yet."""
        if process.pid == self._root or process.ppid() in self._own or os.getsid(process.pid) == self._root:
            return True
        environment = process.environ()
        return environment.get(TOKEN) == self._token if environment else None

    def usage(self) -> tuple[int, int]:
        """Return the number of members and the bytes of memory that they have together.

        Memory that members share is counted for each of them; see :meth:`exact_memory`.
        """
        members = self.members()
        return len(members), sum(map(_resident, members))

    def exact_memory(self) -> int:
        """Return the bytes of memory, what is shared counted once where the system can tell.  Slow."""
        return sum(map(_proportional, self._own.values()))

    def kill(self, *, group: bool) -> None:
        """Kill every member, again and again until none is left; *group* says that the first one is not reaped yet."""
        until = time.monotonic() + KILL_SECONDS
        members = self.members()
        # From then on everybody is looked at: a process number may have got another owner since it was.
        self._strangers.clear()
        while True:
            if group:
                with contextlib.suppress(OSError):
                    os.killpg(self._root, signal.SIGKILL)
            for member in members:
                with contextlib.suppress(psutil.Error, OSError):
                    member.kill()
            members = [member for member in self.members() if not self._is_over(member)]
            if not members or time.monotonic() > until:
                return
            time.sleep(0.002)

    def _is_over(self, process: psutil.Process) -> bool:
        """Tell whether *process* has ended.  An orphan that was handed to this one, as to process 1, is reaped."""
        if process.pid != self._root:
            with contextlib.suppress(OSError):
                os.waitpid(process.pid, os.WNOHANG)
        return not _runs(process)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except (psutil.Error, OSError):
        return 0


def _proportional(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except (psutil.Error, OSError, AttributeError):
        return _resident(process)


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running()) and process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except (psutil.Error, OSError):
        return False
