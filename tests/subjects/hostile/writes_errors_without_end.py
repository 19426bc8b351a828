"""Writes to stderr for ever."""

import os

from talk import converse


def misbehave(question):
    while True:
        os.write(2, b"oh no\n" * 1000)


converse(misbehave)
