"""Writes half an answer, and ends."""

import os
import sys

from talk import converse


def misbehave(question):
    os.write(1, b'{"id":%d,"answer":[0' % question["id"])
    sys.exit()


converse(misbehave)
