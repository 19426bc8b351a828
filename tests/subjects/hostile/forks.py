"""Starts processes that sleep: bounded, should nobody stop it.  Every third one leaves the session."""

import os
import time

from talk import converse

MOST = 150


def misbehave(question):
    for number in range(MOST):
        if os.fork() == 0:
            if number % 3 == 0:
                os.setsid()
                if os.fork():
                    os._exit(0)
            time.sleep(30)
            os._exit(0)
        time.sleep(0.002)
    time.sleep(30)


converse(misbehave)
