"""Ends of intervals by bisection over the machine's numbers, and replayed next to the end.

A binary64 number has a rank (:mod:`xpgcheck.model.ieee754`), and ranks are whole numbers: where a condition changes once
along the line, at most 64 questions find the number from which on it holds.  Nothing is rounded and there is no tolerance.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from xpgcheck.errors import ModelError
from xpgcheck.model.ieee754 import BINARY64

LAST = BINARY64.max_rank
"""The rank of the largest finite number; the smallest has the negative one."""

_FLOAT = struct.Struct("<d")
_BITS = struct.Struct("<q")


def number_of_rank(rank: int) -> float:
    """Return the finite binary64 number of *rank*: 0.0 has rank 0, the next larger one 1."""
    number: float = _FLOAT.unpack(_BITS.pack(abs(rank)))[0]
    return number if rank >= 0 else -number


def first_rank(holds: Callable[[float], bool]) -> int:
    """Return the smallest rank whose number *holds*, which is false up to some number and true from there on.

    ``LAST + 1`` where it holds of no finite number.  At most 64 questions, and six more: the two numbers on either side of
    it are asked again, and the two ends of the line.  Raises ``ModelError`` where an answer contradicts that the condition
    changes once.
    """
    least, most = -LAST, LAST + 1
    while least < most:
        middle = (least + most) // 2
        if holds(number_of_rank(middle)):
            most = middle
        else:
            least = middle + 1
    for rank in (-LAST, *range(max(-LAST, least - 2), min(LAST, least + 1) + 1), LAST):
        if holds(number_of_rank(rank)) is not (rank >= least):
            problem = f"a step does not keep the order of numbers around {number_of_rank(rank)!r}"
            raise ModelError(problem, mend="leave that step out of the pipeline")
    return least
