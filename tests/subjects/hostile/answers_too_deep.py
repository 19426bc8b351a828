"""Answers lists within lists."""

import os

from talk import converse


def misbehave(question):
    line = b'{"id":%d,"answer":' % question["id"] + b"[" * 200_000 + b"]" * 200_000 + b"}\n"
    while line:
        line = line[os.write(1, line) :]


converse(misbehave)
