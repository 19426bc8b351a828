"""Ignores whatever signal can be ignored."""

import contextlib
import signal
import time

from talk import converse


def misbehave(question):
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(30)


converse(misbehave)
