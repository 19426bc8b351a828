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
import selectors
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from xpgcheck.campaign.identity import identity
from xpgcheck.errors import InputError, XpgcheckError, shown

IDLE_SECONDS = 300.0
"""A process that gets no unit for so long ends by itself: whoever asked for it may be gone."""

FRESH_SECONDS = 240.0
"""A process that was idle for so long is not used any more: it could end while it is written to."""

UNIT_SECONDS = 3600.0
"""How long a unit may take before its process is ended: an SMT solver may hang where no signal reaches it."""

LOOK_SECONDS = 1.0
"""Seconds between looks whether a process that says nothing is still there."""

LARGE = 1 << 30
"""Bytes of memory from which on a process is replaced before the next unit."""

_MOST = 1 << 20

_HEAD = struct.Struct(">Q")


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


Reply = Done | Died | Raised


class Host:
    """The near end: a process that is started when it is needed, and anew after it died or grew.

    One thread uses it at a time; :meth:`kill` may come from any other.  ``last_pid`` is the process that was used last.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self.last_pid: int | None = None
        self._used = 0.0
        self._busy = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        process = self._process
        return process.pid if process is not None else None

    def do(self, call: bytes) -> Reply:
        """Return what *call* (see :func:`as_bytes`) gives in the process."""
        process = self._ready()
        try:
            _write(_pipe(process.stdin), call)
            reply: Reply = pickle.loads(_received(process))
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

    def kill(self) -> int | None:
        """End the process and all that it started; return its status."""
        with self._lock:
            process, self._process = self._process, None
            busy = self._busy
        if process is None:
            return None
        if process.poll() is None:
            kill_descendants(process.pid)
            process.kill()
        status = process.wait()
        if not busy:
            # Else whoever waits for an answer does so: a pipe that is read is not closed by others.
            _close(process)
        return status

    def _ready(self) -> subprocess.Popen[bytes]:
        idle = time.monotonic() - self._used
        if self._process is not None and (
            self._process.poll() is not None or idle > FRESH_SECONDS or _memory(self._process.pid) > LARGE
        ):
            self.kill()
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", "from xpgcheck.campaign.hosted import main; main()"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                )
            self._busy = True
            self.last_pid = self._process.pid
            return self._process


def as_bytes(execute: Callable[..., Any], *arguments: Any) -> bytes:
    """Return the call ``execute(*arguments)`` as what :meth:`Host.do` takes: the function has to be one of a module.

    It is carried out by processes of this process's identity alone: sources may change while a campaign runs, and processes
    that are started later read them anew.
    """
    return pickle.dumps((identity(), pickle.dumps((execute, arguments))))


def kill_descendants(pid: int) -> None:
    """Kill all that the process *pid* started."""
    import psutil

    with contextlib.suppress(psutil.Error):
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
            _pipe(pipe).close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:  # pragma: no cover - both are asked for
        raise EOFError
    return pipe


def _received(process: subprocess.Popen[bytes]) -> bytes:
    """Return the next message of *process*.  Raises ``EOFError`` where it has ended.

    The end of the pipe alone would not do: what a subject forked may hold it open for ever.
    """
    pipe = _pipe(process.stdout).fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)

        def taken(size: int) -> bytes:
            parts: list[bytes] = []
            while size:
                while not selector.select(LOOK_SECONDS):
                    if process.poll() is not None and not selector.select(0):
                        raise EOFError
                part = os.read(pipe, min(size, _MOST))
                if not part:
                    raise EOFError
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

        (size,) = _HEAD.unpack(taken(_HEAD.size))
        return taken(size)


def _write(pipe: IO[bytes], data: bytes) -> None:
    data = _HEAD.pack(len(data)) + data
    while data:
        # Without a buffer it may take less.
        data = data[pipe.write(data) :]
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes:
    """Return the next message.  Raises ``EOFError`` where the pipe ends."""
    (size,) = _HEAD.unpack(_exactly(pipe, _HEAD.size))
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def main() -> None:
    """Be the far end: carry out what comes over standard input, until it ends or nothing comes for long."""
    answers = os.fdopen(os.dup(1), "wb")
    # What a subject prints is not an answer.
    os.dup2(2, 1)
    # A key that is pressed is for whoever started the campaign.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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
            _write(answers, data)
        except OSError:
            _leave()


def _carried_out(message: bytes) -> Reply:
    try:
        wanted, call = pickle.loads(message)
        if identity() != wanted:
            line = f"a process began with {identity()}, the driver with {wanted}; use --resume when they do not change"
            return Raised(line, InputError.exit_status)
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
            messages.put(_read(pipe))
    _leave()


def _leave() -> None:
    kill_descendants(os.getpid())
    os._exit(0)
