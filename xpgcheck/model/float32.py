"""The finite IEEE 754 binary32 numbers as exact fractions, in order.

A source that casts its inputs to float32 (scikit-learn) has this as its domain: between two neighbours there is nothing.
Neighbours are found by rank: the bits of a float32, read as a sign and a magnitude, count the numbers in order.
"""

from __future__ import annotations

import struct
from fractions import Fraction

MAX_RANK = 0x7F7FFFFF


def from_rank(rank: int) -> Fraction:
    """Return the *rank*-th float32 counted from 0 (rank 0 is zero, negative ranks are negative numbers)."""
    magnitude = Fraction(struct.unpack("<f", struct.pack("<I", abs(rank)))[0])
    return magnitude if rank >= 0 else -magnitude


HIGHEST = from_rank(MAX_RANK)
LOWEST = -HIGHEST


def _floor_rank(value: Fraction) -> int:
    """Return the largest rank whose number is at most *value*, clipped to the finite ones (−MAX_RANK − 1 below all)."""
    if value >= HIGHEST:
        return MAX_RANK
    if value < LOWEST:
        return -MAX_RANK - 1
    near: float = struct.unpack("<f", struct.pack("<f", float(value)))[0]
    (bits,) = struct.unpack("<I", struct.pack("<f", abs(near)))
    rank: int = bits if near >= 0 else -bits
    # Two roundings to nearest: one step at most too high, never too low by a whole step.
    return rank - 1 if Fraction(near) > value else rank


def floor(value: Fraction) -> Fraction | None:
    """Return the largest float32 that is at most *value*; None where all are larger."""
    rank = _floor_rank(value)
    return None if rank < -MAX_RANK else from_rank(rank)


def ceiling(value: Fraction) -> Fraction | None:
    """Return the smallest float32 that is at least *value*; None where all are smaller."""
    mirrored = floor(-value)
    return None if mirrored is None else -mirrored


def above(value: Fraction) -> Fraction | None:
    """Return the smallest float32 that is larger than *value*; None where there is none."""
    rank = _floor_rank(value)
    return None if rank >= MAX_RANK else from_rank(rank + 1)


def below(value: Fraction) -> Fraction | None:
    """Return the largest float32 that is smaller than *value*; None where there is none."""
    mirrored = above(-value)
    return None if mirrored is None else -mirrored


def nearest(value: float) -> Fraction | None:
    """Return *value* rounded to float32 as IEEE 754 does (ties to even); None for NaN, infinities and what overflows."""
    try:
        rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return None
    return Fraction(rounded) if rounded - rounded == 0 else None


def is_float32(value: Fraction) -> bool:
    """Tell whether *value* is exactly a finite float32."""
    return LOWEST <= value <= HIGHEST and nearest(float(value)) == value
