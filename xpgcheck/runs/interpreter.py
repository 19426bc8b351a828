"""This interpreter once more, in a process that finds the same modules."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_BOOT = """\
import sys
sys.path[:] = filter(None, sys.path)
import json
sys.path[:] = json.loads(sys.argv.pop())
"""
"""It finds the modules that this one does, in the same order.

The folder that it runs in is taken off the path first, where a module of the user's would shadow one of Python's.  Its
environment stays as it is: what it starts in turn may be of another Python.
"""


def python_command(code: str, *arguments: str) -> list[str]:
    """Return the command that runs *code* by this interpreter, with *arguments* as ``sys.argv[1:]``."""
    return [sys.executable, "-c", _BOOT + code, *arguments, json.dumps([entry or os.getcwd() for entry in sys.path])]


@contextmanager
def deaf() -> Iterator[None]:
    """Let what is started in the body not get SIGINT: a key that is pressed is for the process that starts it.

    It holds from its first moment on, before it can ignore it.  Signals for this thread meanwhile come afterwards.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
