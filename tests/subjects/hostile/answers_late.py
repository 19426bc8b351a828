"""Answers when time is up."""

import time

from talk import answer, converse


def misbehave(question):
    time.sleep(3)
    answer(question)


converse(misbehave)
