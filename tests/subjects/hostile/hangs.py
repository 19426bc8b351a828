"""Never answers, and keeps a core busy."""

from talk import converse


def misbehave(question):
    while True:
        pass


converse(misbehave)
