"""The order of the finite float32 numbers as consecutive integers, read off their bits.

Written apart from :mod:`xpgcheck.model.float32` on purpose: an oracle does not share the arithmetic that it judges.
The bits of a positive float32, read as an unsigned integer, count the numbers in order from zero; negative ones
mirror them.
"""

from __future__ import annotations

import struct
from fractions import Fraction

LAST = 0x7F7FFFFF
"""The rank of the largest finite float32; the smallest has the rank ``-LAST``, zero has 0."""


def rank_of(number: Fraction | int) -> int:
    """Return the rank of a finite float32.  Raises ``ValueError`` where *number* is not exactly one."""
    try:
        packed = struct.pack(">f", float(abs(number)))
    except OverflowError:
        raise ValueError(f"{number} is beyond the float32 numbers") from None
    (rank,) = struct.unpack(">I", packed)
    # Packing rounds: what comes back is the number only if it was a float32.
    if rank > LAST or Fraction(*struct.unpack(">f", packed)) != abs(number):
        raise ValueError(f"{number} is not a float32")
    return -int(rank) if number < 0 else int(rank)


def number_at(rank: int) -> Fraction:
    """Return the float32 of that *rank*, exactly.  Raises ``ValueError`` beyond the finite ones."""
    if abs(rank) > LAST:
        raise ValueError(f"no finite float32 has the rank {rank}")
    (number,) = struct.unpack(">f", struct.pack(">I", abs(rank)))
    return -Fraction(number) if rank < 0 else Fraction(number)
