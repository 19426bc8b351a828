"""Replies to a call that a process was asked to carry out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Done:
    """The result of the call."""

    result: Any


@dataclass(frozen=True, slots=True)
class Died:
    """The process ended under the call; ``how`` says by what, and ``late`` that it was since the call took too long."""

    how: str
    late: bool = False


@dataclass(frozen=True, slots=True)
class Raised:
    """The call ended with an error instead of a result: as a line, with its exit status.

    ``error`` is the exception itself where it can be sent, ``trace`` is its traceback.
    """

    line: str
    status: int
    error: Exception | None = None
    trace: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """Progress of a call, in words of its own, told before there is a reply."""

    value: Any


Reply = Done | Died | Raised
