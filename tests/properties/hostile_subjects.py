"""Subjects that misbehave inside a property: each with the verdict that it must end in."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any


class Raises:
    name = "raises"

    def axp(self, graph: Any, instance: Any) -> Any:
        raise RuntimeError("no\nidea")


class Exits:
    name = "exits"

    def axp(self, graph: Any, instance: Any) -> Any:
        sys.exit(0)


class Hangs:
    name = "hangs"

    def axp(self, graph: Any, instance: Any) -> Any:
        while True:
            pass


class HangsStubbornly:
    """Swallows whatever interrupts it, a few times."""

    name = "hangs stubbornly"

    def axp(self, graph: Any, instance: Any) -> Any:
        for _ in range(3):
            with contextlib.suppress(BaseException):
                while True:
                    pass
        while True:
            pass


class YieldsForEver:
    name = "yields for ever"

    def axp(self, graph: Any, instance: Any) -> Any:
        while True:
            yield 0


class ListsForEver:
    name = "lists for ever"

    def enumerate(self, graph: Any, instance: Any) -> Any:
        while True:
            yield "AXp", ()


class RaisesMidway:
    name = "raises midway"

    def enumerate(self, graph: Any, instance: Any) -> Any:
        yield "AXp", ()
        raise KeyError("midway")


class Answers:
    """Answers one thing to whatever it is asked for one AXp."""

    name = "answers"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def axp(self, graph: Any, instance: Any) -> Any:
        return self.answer


class BadRepr:
    def __repr__(self) -> str:
        raise ValueError("no repr")


class Recurses:
    name = "recurses"

    def axp(self, graph: Any, instance: Any) -> Any:
        return self.axp(graph, instance)


class RunsOutOfMemory:
    name = "runs out of memory"

    def axp(self, graph: Any, instance: Any) -> Any:
        raise MemoryError


class Kills:
    """Not for this process: what a subject in its own process may do."""

    name = "kills"

    def axp(self, graph: Any, instance: Any) -> Any:
        os.abort()


def mine() -> Answers:
    return Answers({0})
