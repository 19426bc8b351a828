"""A process of our own that carries out calls one after the other, for a process that cannot do so itself.

A worker of a cluster runs units in threads.  But a subject's time for an answer is limited by a signal, which only a main
thread gets; solvers keep state for a process; and a unit that brings its process down should not bring down the worker.
So each thread has a process in which :func:`xpgcheck.runs.far_end.main` runs.  Both ends talk over pipes that nobody
else has: a process that is ended, at any moment, leaves no lock behind that others wait for.
"""

from __future__ import annotations

import contextlib
import math
import pickle
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Collection, Iterable
from typing import Any

import psutil

from xpgcheck.runs.interpreter import deaf, python_command
from xpgcheck.runs.killing import children, is_stopped, kill_descendants, memory
from xpgcheck.runs.messages import pipe_of, receive, send
from xpgcheck.runs.replies import Died, Done, Reply, Told

FRESH_SECONDS = 240.0
"""A process that was idle for so long is not used any more: it could end (after ``IDLE_SECONDS``) while it is written to."""

LARGE = 1 << 30
"""Bytes of memory from which on a process is replaced before the next call."""


def as_bytes(call: Callable[..., Any], *arguments: Any) -> bytes:
    """Return ``call(*arguments)`` as what :meth:`Host.do` takes: the function has to be one of a module."""
    return pickle.dumps((call, arguments))


class Host:
    """The near end: a process that is started when it is needed, and again after it died or grew.

    One thread uses it at a time; :meth:`kill` may come from any other.  ``last_pid`` is the process that was used last,
    ``calls`` counts what it was given, ``before`` are this process's children as the last one was started.  ``hearer`` is
    told what a call tells of how far it is.
    """

    def __init__(self, first: bytes | None = None, large: float = LARGE) -> None:
        """A new process is given the call *first* before any other; one of *large* bytes of memory is replaced."""
        self._first = first
        self._large = large
        self.hearer: Callable[[Any], None] = lambda _: None
        self._begun = False
        self.before: Collection[int] = ()
        self._process: subprocess.Popen[bytes] | None = None
        self.last_pid: int | None = None
        self.calls = 0
        self._used = 0.0
        self._busy = False
        self._kills = 0
        self._starting: float | None = None
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        process = self._process
        return process.pid if process is not None else None

    @property
    def starting(self) -> float:
        """For how many seconds a process is being started: its thread waits for it, so it has to go on to be noticed."""
        since = self._starting
        return time.monotonic() - since if since is not None else 0.0

    def do(self, call: bytes) -> Reply:
        """Return what *call* (see :func:`as_bytes`) gives in the process."""
        self.calls += 1
        process = self._ready()
        if process is None:
            return Died("was ended while it started")
        try:
            reply = self._begin(process)
            if isinstance(reply, Done):
                reply = self._answer(process, call)
        except (OSError, EOFError):
            return Died(_how(process, self.kill()))
        finally:
            self._used = time.monotonic()
            with self._lock:
                self._busy = False
                gone = self._process is not process
            if gone:
                _close(process)
        return reply

    def _begin(self, process: subprocess.Popen[bytes]) -> Reply:
        """Give *process* the first call, unless it had that."""
        reply: Reply = Done(None)
        if self._first is not None and not self._begun:
            reply = self._answer(process, self._first)
        self._begun = isinstance(reply, Done)
        return reply

    def _answer(self, process: subprocess.Popen[bytes], call: bytes) -> Reply:
        send(process, call)
        while isinstance(reply := pickle.loads(receive(process)), Told):
            self.hearer(reply.value)
        own: Reply = reply
        return own

    def kill(self, call: int | None = None) -> int | None:
        """End the process and all that it started; return its status.  If *call* is given, only while it is at that call."""
        with self._lock:
            if call is not None and (call != self.calls or not (self._busy or self._starting is not None)):
                return None
            self._kills += 1
            process = self._process
        if process is None:
            return None
        try:
            if process.poll() is None:
                kill_descendants(process.pid)
        finally:
            process.kill()
        status = process.wait()
        with self._lock:
            if self._process is process:
                self._process = None
            busy = self._busy
        if not busy:
            # Else the thread that waits for an answer does so: a pipe that is read is not closed by others.
            _close(process)
        return status

    def _ready(self) -> subprocess.Popen[bytes] | None:
        """Return the process, started if need be; None where it was killed meanwhile."""
        process, idle = self._process, time.monotonic() - self._used
        if process is not None and (process.poll() is not None or idle > FRESH_SECONDS or self._is_large(process.pid)):
            self.kill()
        with self._lock:
            if self._process is not None:
                self._busy = True
                self.last_pid = self._process.pid
                return self._process
            self._begun, self.before = False, children()
            kills, self._starting = self._kills, time.monotonic()
        command = python_command("from xpgcheck.runs.far_end import main; main()")
        try:
            # Not under the lock: it waits for the new process, which may be stopped by then.
            with deaf():
                process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        except BaseException:
            with self._lock:
                self._starting = None
            raise
        self.last_pid = process.pid
        with self._lock:
            self._starting = None
            wanted = self._kills == kills
            if wanted:
                self._process, self._busy = process, True
        if wanted:
            return process
        process.kill()
        process.wait()
        _close(process)
        return None

    def _is_large(self, pid: int) -> bool:
        return self._large < math.inf and memory(pid) > self._large


def kill_the_unborn(hosts: Iterable[Host]) -> None:
    """Kill what *hosts* are just starting, where it is stopped.

    Between its creation and the start of its program a process belongs to nobody, and its creator waits for it:
    stopped then, it would be waited for until somebody lets it go on.  Children that were there before are not touched.
    """
    everybody = list(hosts)
    known = {host.pid for host in everybody}
    for pid, child in children().items():
        new = any(host.starting and pid not in host.before for host in everybody)
        if new and pid not in known and is_stopped(pid):
            with contextlib.suppress(psutil.Error):
                child.kill()


def _how(process: subprocess.Popen[bytes], status: int | None) -> str:
    status = process.wait() if status is None else status
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError, ValueError):
            pipe_of(pipe).close()
