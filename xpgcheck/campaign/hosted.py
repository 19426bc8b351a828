"""A process of our own that carries out units one after the other, for whoever cannot do so itself.

A worker of a cluster runs units in threads.  But a subject's time for an answer is limited by a signal, which only a main
thread gets; solvers keep state for a process; and a unit that brings its process down should not bring down the worker.
So each thread of a worker has a process in which :func:`main` runs.  Both ends are of one
version, checked before (:mod:`xpgcheck.campaign.identity`), and talk over pipes that nobody else has.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from xpgcheck.campaign.identity import identity
from xpgcheck.campaign.messages import pipe_of, read, receive, send, write
from xpgcheck.errors import XpgcheckError, shown

IDLE_SECONDS = 300.0
"""A process that gets no unit for so long ends by itself: whoever asked for it may be gone."""

FRESH_SECONDS = 240.0
"""A process that was idle for so long is not used any more: it could end while it is written to."""

UNIT_SECONDS = 3600.0
"""How long a unit may take before its process is ended: an SMT solver may hang where no signal reaches it."""

_PR_SET_PDEATHSIG = 1

LARGE = 1 << 30
"""Bytes of memory from which on a process is replaced before the next unit."""


@dataclass(frozen=True, slots=True)
class Done:
    """What the unit gave."""

    result: Any


@dataclass(frozen=True, slots=True)
class Died:
    """The process ended under the unit; ``how`` says by what."""

    how: str


@dataclass(frozen=True, slots=True)
class Raised:
    """The unit ended with an error instead of a result.  ``status`` is its exit status."""

    line: str
    status: int


@dataclass(frozen=True, slots=True)
class Foreign:
    """The process did not touch the unit: it began with other sources, ``identity``."""

    identity: str


Reply = Done | Died | Raised | Foreign


class Host:
    """The near end: a process that is started when it is needed, and anew after it died or grew.

    One thread uses it at a time; :meth:`kill` may come from any other.  ``last_pid`` is the process that was used last,
    ``calls`` counts what it was given.
    """

    def __init__(self) -> None:
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
            send(process, call)
            reply: Reply = pickle.loads(receive(process))
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
            # Else whoever waits for an answer does so: a pipe that is read is not closed by others.
            _close(process)
        return status

    def _ready(self) -> subprocess.Popen[bytes] | None:
        """Return the process, started if need be; None where it was killed meanwhile."""
        process, idle = self._process, time.monotonic() - self._used
        if process is not None and (process.poll() is not None or idle > FRESH_SECONDS or _memory(process.pid) > LARGE):
            self.kill()
        with self._lock:
            if self._process is not None:
                self._busy = True
                self.last_pid = self._process.pid
                return self._process
            kills, self._starting = self._kills, time.monotonic()
        try:
            # Not under the lock: it waits for the new process, which may be stopped by then.
            process = subprocess.Popen(
                [sys.executable, "-c", "from xpgcheck.campaign.hosted import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )
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


def kill_the_unborn(hosts: Iterable[Host]) -> None:
    """Kill children of this process that are stopped and belong to none of *hosts*.

    Between its creation and the start of its program a process belongs to nobody, and whoever creates it waits for it:
    stopped then, it would be waited for until somebody lets it go on.
    """
    import psutil

    known = {host.pid for host in hosts}
    with contextlib.suppress(psutil.Error, OSError):
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.Error):
                if child.pid not in known and child.status() == psutil.STATUS_STOPPED:
                    child.kill()


def as_bytes(execute: Callable[..., Any], *arguments: Any) -> bytes:
    """Return the call ``execute(*arguments)`` as what :meth:`Host.do` takes: the function has to be one of a module.

    It is carried out by processes of this process's identity alone: sources may change while a campaign runs, and processes
    that are started later read them anew.
    """
    return pickle.dumps((identity(), pickle.dumps((execute, arguments))))


def kill_descendants(pid: int) -> None:
    """Kill all that the process *pid* started, as far as it can be told."""
    import psutil

    with contextlib.suppress(psutil.Error, OSError):
        for child in psutil.Process(pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()


def _memory(pid: int) -> int:
    import psutil

    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


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


def main() -> None:
    """Be the far end: carry out what comes over standard input, until it ends or nothing comes for long."""
    answers = os.fdopen(os.dup(1), "wb")
    # What a subject prints is not an answer.
    os.dup2(2, 1)
    # A key that is pressed is for whoever started the campaign.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_the_parent()
    messages: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(messages,), daemon=True).start()
    while True:
        try:
            message = messages.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            _leave()
        reply = _carried_out(message)
        try:
            data = pickle.dumps(reply)
        except Exception as error:
            data = pickle.dumps(Raised(f"what the unit gave cannot be pickled: {_text(error)}", 3))
        try:
            write(answers, data)
        except OSError:
            _leave()


def _end_with_the_parent() -> None:
    """Have the system kill this process with whoever started it: a solver may keep :func:`_listen` from running.

    Linux alone has that.  It looks at the thread that started the process, which waits for it all the time.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _carried_out(message: bytes) -> Reply:
    try:
        wanted, call = pickle.loads(message)
        if identity() != wanted:
            return Foreign(identity())
        execute, arguments = pickle.loads(call)
        return Done(execute(*arguments))
    except XpgcheckError as error:
        return Raised(str(error), error.exit_status)
    except Exception as error:
        return Raised(_text(error), 3)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {shown(error, 300)[1:-1]}"


def _listen(messages: queue.SimpleQueue[bytes]) -> None:
    """Hand on messages; where the pipe ends, whoever asked is gone, so leave in the middle of a unit."""
    with contextlib.suppress(EOFError, OSError):
        pipe = os.fdopen(os.dup(0), "rb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        while True:
            messages.put(read(pipe))
    _leave()


def _leave() -> None:
    kill_descendants(os.getpid())
    os._exit(0)
