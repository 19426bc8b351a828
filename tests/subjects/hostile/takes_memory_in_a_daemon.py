"""Takes memory in a process that left the session and its parent."""

import os
import time

from talk import converse

STEP = 64 << 20


def misbehave(question):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        held = []
        for _ in range(12):
            held.append(bytearray(b"x") * STEP)
            time.sleep(0.05)
        time.sleep(30)
        os._exit(0)
    time.sleep(30)


converse(misbehave)
