"""The finite numbers of an IEEE 754 binary format as exact fractions, in order.

A source that casts its inputs to binary32 (scikit-learn, XGBoost) or reads binary64 (LightGBM) has these as its domain:
between two neighbours there is nothing.  Neighbours are found by rank: the bits of a number, read as a sign and a
magnitude, count the numbers in order.
"""

from __future__ import annotations

import struct
from decimal import Decimal
from fractions import Fraction


class BinaryFormat:
    """A binary interchange format: its numbers by rank, and the ones around a fraction."""

    def __init__(self, name: str, float_code: str, integer_code: str, max_rank: int) -> None:
        self.name = name
        self.max_rank = max_rank
        self._float = struct.Struct(float_code)
        self._integer = struct.Struct(integer_code)
        self._sign = 1 << (8 * self._integer.size - 1)
        self.highest = self.from_rank(max_rank)
        self.lowest = -self.highest

    def from_rank(self, rank: int) -> Fraction:
        """Return the *rank*-th number counted from 0 (rank 0 is zero, negative ranks are negative numbers)."""
        magnitude = Fraction(self._float.unpack(self._integer.pack(abs(rank)))[0])
        return magnitude if rank >= 0 else -magnitude

    def floor_rank(self, value: Fraction | Decimal | int) -> int:
        """Return the largest rank whose number is at most *value*, clipped to the finite ones (−max_rank − 1 below).

        No binary64 number lies between *value* and the one next to it, so that one's rank is the answer, unless it is itself
        a number of this format and above *value*.
        """
        try:
            near = float(value)
        except OverflowError:
            return self.max_rank if value > 0 else -self.max_rank - 1
        if near - near != 0:
            # What Decimal does for an overflow.
            return self.max_rank if near > 0 else -self.max_rank - 1
        rank = self.float_floor_rank(near)
        # Mostly they are equal, which their ratios tell much faster than a comparison does.
        if near.as_integer_ratio() == value.as_integer_ratio():
            return rank
        return rank - 1 if near > value and self._is_own(near) else rank

    def _is_own(self, value: float) -> bool:
        try:
            return bool(self._float.unpack(self._float.pack(value))[0] == value)
        except OverflowError:
            return False

    def float_floor_rank(self, value: float) -> int:
        """Return what :meth:`floor_rank` does of a finite binary64 number."""
        try:
            packed = self._float.pack(value)
        except OverflowError:
            return self.max_rank if value > 0 else -self.max_rank - 1
        (near,), (bits,) = self._float.unpack(packed), self._integer.unpack(packed)
        rank: int = bits if bits < self._sign else self._sign - bits
        # Both are binary64 numbers, so that the comparison is exact.
        return rank - 1 if near > value else rank

    def floor(self, value: Fraction) -> Fraction | None:
        """Return the largest number that is at most *value*; None where all are larger."""
        rank = self.floor_rank(value)
        return None if rank < -self.max_rank else self.from_rank(rank)

    def ceiling(self, value: Fraction) -> Fraction | None:
        """Return the smallest number that is at least *value*; None where all are smaller."""
        mirrored = self.floor(-value)
        return None if mirrored is None else -mirrored

    def above(self, value: Fraction) -> Fraction | None:
        """Return the smallest number that is larger than *value*; None where there is none."""
        rank = self.floor_rank(value)
        return None if rank >= self.max_rank else self.from_rank(rank + 1)

    def below(self, value: Fraction) -> Fraction | None:
        """Return the largest number that is smaller than *value*; None where there is none."""
        mirrored = self.above(-value)
        return None if mirrored is None else -mirrored

    def nearest(self, value: float) -> Fraction | None:
        """Return *value* rounded as IEEE 754 does (ties to even); None for NaN, infinities and what overflows."""
        try:
            rounded: float = self._float.unpack(self._float.pack(value))[0]
        except OverflowError:
            return None
        return Fraction(rounded) if rounded - rounded == 0 else None

    def rounded(self, value: float) -> float:
        """Return what :meth:`nearest` does as a float.  Raises ``OverflowError`` where there is no such number."""
        found: float = self._float.unpack(self._float.pack(value))[0]
        return found

    def holds(self, value: Fraction) -> bool:
        """Tell whether *value* is exactly a finite number of this format."""
        try:
            near = float(value)
        except OverflowError:
            return False
        # Compared as ratios of integers, which is exact, and faster than a comparison of fractions.
        return near.as_integer_ratio() == value.as_integer_ratio() and self._is_own(near)

    def __repr__(self) -> str:
        return f"<BinaryFormat {self.name}>"


BINARY32 = BinaryFormat("float32", "<f", "<I", 0x7F7FFFFF)
BINARY64 = BinaryFormat("float64", "<d", "<Q", 0x7FEFFFFFFFFFFFFF)
