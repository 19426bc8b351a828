"""Answers a number of a million digits."""

import os

from talk import converse

converse(lambda question: os.write(1, b'{"id":%d,"answer":[%s]}\n' % (question["id"], b"9" * 60_000)))
