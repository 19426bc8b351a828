"""Takes more and more memory: bounded, should nobody stop it."""

import time

from talk import converse

STEP = 64 << 20


def misbehave(question):
    held = []
    for _ in range(12):
        held.append(bytearray(b"x") * STEP)
        time.sleep(0.05)
    time.sleep(30)


converse(misbehave)
