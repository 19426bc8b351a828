"""Carries on whatever is raised in it."""

import contextlib
import time

from talk import converse


def misbehave(question):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(0.01)
            raise KeyboardInterrupt


converse(misbehave)
