"""Closes stdin and stays: nothing can be asked any more."""

import os
import time

from talk import converse


def misbehave(question):
    os.close(0)
    time.sleep(30)


converse(misbehave)
