"""Ends in an exception."""

from talk import converse


def misbehave(question):
    raise RuntimeError("no\nidea")


converse(misbehave)
