"""Begins an answer and never ends it."""

import os

from talk import converse


def misbehave(question):
    os.write(1, b'{"id":%d,"answer":[' % question["id"])
    while True:
        os.write(1, b"1," * 2048)


converse(misbehave)
