"""The limits that hold for a subject in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Resources that a subject may use.  A subject that exceeds a limit is killed with all its processes.

    ``seconds`` are for one answer, ``start_seconds`` for the answer to hello.  ``memory`` is in bytes, of all processes of
    the subject together, and ``processes`` is their number.  ``line`` is the length of an answer in bytes, ``chatter``
    the bytes on stdout that are no answers, for each question.
    """

    seconds: float = 10.0
    memory: int = 2048 * MEBIBYTE
    processes: int = 64
    line: int = 16 * MEBIBYTE
    chatter: int = MEBIBYTE
    start_seconds: float = 60.0
