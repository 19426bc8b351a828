"""The far end of a process that carries out calls: what runs in it, from its first moment to its last."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from xpgcheck.errors import XpgcheckError, shown
from xpgcheck.runs.killing import kill_descendants
from xpgcheck.runs.messages import read, write
from xpgcheck.runs.replies import Done, Raised, Reply, Told

IDLE_SECONDS = 300.0
"""A process that gets no call for so long ends by itself: its caller may be gone."""

_PR_SET_PDEATHSIG = 1


_kept: list[Callable[[Any], Any]] = []
"""The work that units of a pool are put to."""


def keep(work: Callable[[Any], Any]) -> None:
    """Be ready to put units to *work*."""
    _kept[:] = [work]


def work_on(unit: Any) -> Any:
    """Return what the work that is kept makes of *unit*."""
    return _kept[0](unit)


_hearer: list[Callable[[Any], None]] = []
"""The function that work tells its progress to."""


def tell(value: Any) -> None:
    """Tell the caller the progress of the call that is carried out."""
    if _hearer:
        _hearer[0](value)


@contextlib.contextmanager
def hearing(hearer: Callable[[Any], None]) -> Iterator[None]:
    """Let *hearer* be told, where calls are carried out in this process."""
    _hearer[:] = [hearer]
    try:
        yield
    finally:
        _hearer.clear()


def main() -> None:
    """Carry out what comes over standard input, until it ends or nothing comes for long."""
    # A key that is pressed is for the process that started this one, which has blocked it from the start.  A handler and
    # not SIG_IGN or a mask, which subjects would inherit.
    signal.signal(signal.SIGINT, lambda *_: None)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    answers = os.fdopen(os.dup(1), "wb")
    _hearer[:] = [lambda value: write(answers, pickle.dumps(Told(value)))]
    # A subject's prints are no answers.
    os.dup2(2, 1)
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
    """Have the system kill this process with the one that started it: a solver may keep :func:`_listen` from running.

    Linux alone has that.  It looks at the thread that started the process, which waits for it all the time.
    """
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _carried_out(message: bytes) -> Reply:
    try:
        call, arguments = pickle.loads(message)
        return Done(call(*arguments))
    except XpgcheckError as error:
        return Raised(str(error), error.exit_status, _portable(error), traceback.format_exc())
    except Exception as error:
        return Raised(_text(error), 3, _portable(error), traceback.format_exc())
    except BaseException as error:
        # SystemExit among them: it is not the process that wants to end, but what it was asked to do.
        return Raised(_text(error), 3, None, traceback.format_exc())


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {shown(error, 300)[1:-1]}"


def _portable(error: Exception) -> Exception | None:
    """Return *error* if the near end can read it, else None."""
    try:
        return error if type(pickle.loads(pickle.dumps(error))) is type(error) else None
    except Exception:
        return None


def _listen(messages: queue.SimpleQueue[bytes]) -> None:
    """Hand on messages; where the pipe ends, the caller is gone, so leave in the middle of a call."""
    with contextlib.suppress(EOFError, OSError):
        pipe = os.fdopen(os.dup(0), "rb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        while True:
            messages.put(read(pipe))
    _leave()


def _leave() -> NoReturn:
    """End at once, with all that was started.  Nobody else waits for anything that this process holds."""
    try:
        kill_descendants(os.getpid())
    finally:
        os._exit(0)
