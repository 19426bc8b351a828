"""The order of the finite float32 and float64 numbers as consecutive integers, read off their bits.

Written apart from :mod:`xpgcheck.model.ieee754` on purpose: an oracle does not share the arithmetic that it judges.
The bits of a positive number, read as an unsigned integer, count the numbers in order from zero; negative ones mirror
them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from fractions import Fraction

from xpgcheck.model.domains import Float32, Float64


@dataclass(frozen=True, slots=True)
class FloatRanks:
    """The numbers of one width in order; ``number`` and ``unsigned`` are their codes in :mod:`struct`."""

    name: str
    number: str
    unsigned: str
    last: int
    """The rank of the largest finite number; the smallest has the rank ``-last``, zero has 0."""

    def rank_of(self, number: Fraction | int) -> int:
        """Return the rank of a finite number.  Raises ``ValueError`` where *number* is not exactly one of this width."""
        try:
            near = float(number)
            packed = struct.pack(self.number, abs(near))
        except OverflowError:
            raise ValueError(f"{number} is beyond the {self.name} numbers") from None
        (rank,) = struct.unpack(self.unsigned, packed)
        (back,) = struct.unpack(self.number, packed)
        # Both steps round: what comes back is the number only if it was one of this width.
        if rank > self.last or back != abs(near) or near.as_integer_ratio() != number.as_integer_ratio():
            raise ValueError(f"{number} is not a {self.name}")
        return -int(rank) if near < 0 else int(rank)

    def number_at(self, rank: int) -> Fraction:
        """Return the number of that *rank*, exactly.  Raises ``ValueError`` beyond the finite ones."""
        if abs(rank) > self.last:
            raise ValueError(f"no finite {self.name} has the rank {rank}")
        (number,) = struct.unpack(self.number, struct.pack(self.unsigned, abs(rank)))
        return -Fraction(number) if rank < 0 else Fraction(number)


FLOAT32_RANKS = FloatRanks("float32", ">f", ">I", 0x7F7FFFFF)
FLOAT64_RANKS = FloatRanks("float64", ">d", ">Q", 0x7FEFFFFFFFFFFFFF)


def ranks_of(domain: Float32 | Float64) -> FloatRanks:
    """Return the order of the numbers of *domain*."""
    return FLOAT32_RANKS if isinstance(domain, Float32) else FLOAT64_RANKS
