"""Writes lines for ever that are no answers."""

import os

from talk import converse


def misbehave(question):
    while True:
        os.write(1, b"still thinking\n" * 100)


converse(misbehave)
