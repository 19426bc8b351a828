"""Ends, and leaves a process behind that holds its pipes."""

import os
import time

from talk import converse


def misbehave(question):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(30)
        os._exit(0)
    os.wait()
    os._exit(3)


converse(misbehave)
