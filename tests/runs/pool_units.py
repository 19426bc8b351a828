"""Units that cost nothing, for tests of what may go wrong in a pool."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.runs.far_end import tell

_said: list[str] = []


class UnsendableError(Exception):
    """An error that cannot be made from its arguments, as many cannot."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one)


def remember(word: str) -> None:
    """Prepare a process."""
    _said.append(word)


def remembered(number: int) -> list[str]:
    """Return what this process was prepared with."""
    return list(_said)


class Remembering:
    """Work that notes each time that it comes to a process."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __reduce__(self) -> tuple[object, ...]:
        return _arrived, (self.word,)

    def __call__(self, number: int) -> list[str]:
        return remembered(number)


class Refusing(Remembering):
    """Work that cannot be made in a process."""

    def __reduce__(self) -> tuple[object, ...]:
        return _refused, (self.word,)


def _arrived(word: str) -> Remembering:
    remember(word)
    return Remembering(word)


def _refused(word: str) -> Remembering:
    raise InputError("there is no such thing", place=word, mend="look elsewhere")


def doubled(number: int) -> int:
    """Return twice the number; the odd ones take a moment."""
    time.sleep(0.02 * (number % 2))
    return 2 * number


def dying_first(folder: str, number: int) -> int:
    """Return twice the number; at 3 the process dies, the first time."""
    if number == 3 and not os.path.exists(os.path.join(folder, "3")):
        with open(os.path.join(folder, "3"), "x", encoding="ascii"):
            os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def environment(name: str) -> str | None:
    """Return a variable of the process's environment."""
    return os.environ.get(name)


def path(_: int) -> list[str]:
    """Return where the process looks for modules."""
    return sys.path


def do(what: str) -> Any:
    """Do what the name says."""
    if what == "work":
        return os.getpid()
    if what == "print":
        print("this is not an answer", flush=True)
        return what
    if what == "refuse":
        raise InputError("there is no such thing", place="here", mend="look elsewhere")
    if what == "crash":
        raise ZeroDivisionError("a unit that cannot be")
    if what == "unsendable":
        raise UnsendableError("one", "other")
    if what == "unsendable result":
        return lambda: None
    if what == "exit":
        raise SystemExit(7)
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "be interrupted":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        return what
    time.sleep(600)
    return None


def telling(unit: int) -> int:
    """Tell how far the unit is, and return it."""
    tell(f"half of {unit}")
    return unit
