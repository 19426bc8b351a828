"""Closes stdout, and stays."""

import os
import time

from talk import converse


def misbehave(question):
    os.close(1)
    time.sleep(30)


converse(misbehave)
