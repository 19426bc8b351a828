"""Answers, and answers again when that is no longer expected."""

import time

from talk import answer, converse


def misbehave(question):
    answer(question)
    time.sleep(0.3)
    answer(question)


converse(misbehave)
