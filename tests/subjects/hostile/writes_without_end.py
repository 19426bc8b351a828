"""Writes for ever, and never a line."""

import os

from talk import converse


def misbehave(question):
    while True:
        os.write(1, b"x" * 4096)


converse(misbehave)
