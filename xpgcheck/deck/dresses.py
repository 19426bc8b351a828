"""Dresses: what the levels of an abstract feature are, as domains, literals and values; and hostile names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from xpgcheck.model.ieee754 import BINARY32, BINARY64
from xpgcheck.model.value_sets import number_text

Document = dict[str, Any]


class Dress(NamedTuple):
    """A domain, what a literal lists for each level, and a value at each level.

    ``ends`` has the texts of the ends of levels that are intervals in a row, which a literal lists as one.
    """

    domain: Document
    levels: tuple[tuple[Any, ...], ...]
    values: tuple[Any, ...]
    ends: tuple[str, ...] = ()

    def literal(self, levels: Sequence[int]) -> list[Any]:
        """Return what a literal of *levels* lists."""
        if not self.ends:
            return [item for level in levels for item in self.levels[level]]
        found, last = [], len(self.levels) - 1
        runs = [level for level in levels if level - 1 not in levels]
        for first in runs:
            end = next(level for level in range(first, last + 1) if level + 1 not in levels)
            low = f"({self.ends[first - 1]}" if first else "(-inf"
            high = f"{self.ends[end]}]" if end < last else "inf)"
            found.append(f"{low}, {high}")
        return found


Dresser = Callable[[int], Dress]
"""Returns the dress of a feature with so many levels."""


def boolean(levels: int) -> Dress:
    """Return a Boolean feature, or categories where there are more levels."""
    if levels != 2:
        return plain(levels)
    return Dress({"type": "boolean"}, ((0,), (1,)), (0, 1))


def plain(levels: int) -> Dress:
    """Return categories c0, c1 …"""
    return of_categories([f"c{level}" for level in range(levels)])


def of_categories(names: Sequence[str]) -> Dress:
    """Return categories called *names*, one a level."""
    return Dress({"type": "categorical", "values": list(names)}, tuple((name,) for name in names), tuple(names))


def categories(names: Sequence[str]) -> Dresser:
    """Return the dresser of categories called *names*; what is missing is called c0, c1 …"""
    return lambda levels: of_categories([*names, *(f"c{k}" for k in range(levels))][:levels])


def steps(start: int | str | Fraction, step: int | str | Fraction = 1, kind: str = "integer", **bounds: Any) -> Dresser:
    """Return the dresser of numbers parted at *start*, *start* + *step* …: level 0 is what is at most *start*.

    The value at a level is its threshold, the nearest to the next level that there is.
    """
    first, width = Fraction(start), Fraction(step)

    def dressed(levels: int) -> Dress:
        ends = [first + width * level for level in range(levels)]
        return parted(ends, {"type": kind, **bounds})

    return dressed


def parted(ends: Sequence[Fraction], domain: Document) -> Dress:
    """Return numbers of *domain* parted at all *ends* but the last, each of which belongs below; *ends* are the values."""
    texts = [number_text(end) for end in ends]
    last = len(ends) - 1
    levels = []
    for level in range(len(ends)):
        low = f"({texts[level - 1]}" if level else "(-inf"
        high = f"{texts[level]}]" if level < last else "inf)"
        levels.append((f"{low}, {high}",))
    return Dress(domain, tuple(levels), tuple(texts), tuple(texts))


def floats(start: str | Fraction, kind: str = "float64", *, missing: bool = False) -> Dresser:
    """Return the dresser of numbers of a binary format, each level one float apart from the next, from *start* up."""
    binary = BINARY32 if kind == "float32" else BINARY64

    def dressed(levels: int) -> Dress:
        low = binary.floor(Fraction(start))
        assert low is not None
        ends = [low]
        while len(ends) < levels:
            above = binary.above(ends[-1])
            assert above is not None
            ends.append(above)
        made = parted(ends, {"type": kind, **({"missing": True} if missing else {})})
        if not missing:
            return made
        # A missing value goes with the last level.
        return made._replace(levels=(*made.levels[:-1], (*made.levels[-1], "missing")), ends=())

    return dressed


def with_missing(levels: int) -> Dress:
    """Return floats of which the missing value is level 0, alone."""
    made = parted([Fraction(k) for k in range(levels - 1)], {"type": "float64", "missing": True})
    return Dress(made.domain, (("missing",), *made.levels), ("missing", *made.values))


def backwards(levels: int) -> Dress:
    """Return integers of which the greatest are level 0: a test is x ≥ t first."""
    made = steps(-3)(levels)
    return Dress(made.domain, made.levels[::-1], made.values[::-1])


def strict(start: int | str | Fraction, kind: str = "real") -> Dresser:
    """Return the dresser of x < t, of two levels: the value of level 1 is the threshold."""
    end = number_text(Fraction(start))
    below = number_text(Fraction(start) - (1 if kind == "integer" else Fraction(1, 1 << 60)))

    def dressed(levels: int) -> Dress:
        if levels != 2:
            return steps(start, 1, kind)(levels)
        return Dress({"type": kind}, ((f"(-inf, {end})",), (f"[{end}, inf)",)), (below, end))

    return dressed


def in_turn(*dressers: Dresser) -> Callable[[int], Dresser]:
    """Return which dresser each feature has: these in turn."""
    return lambda feature: dressers[feature % len(dressers)]


BEYOND_INT32 = steps((1 << 31) + 3)
BEYOND_UINT32 = steps((1 << 32) + 1)
# Odd, and rounded up: a value alone that is rounded passes its own threshold.
BEYOND_DOUBLES = steps((1 << 53) + 3)
BEYOND_INT64 = steps((1 << 63) + 7)
BEYOND_FLOATS = steps(10**40)
VERY_NEGATIVE = steps(-(1 << 53) - 9)
NEGATIVE = steps(-7)
NEGATIVE_TO_ZERO = steps(-1)
CLIPPED = steps(254, low=0, high=100000)
SHORTS = steps(32766, low=-40000, high=70000)
SMALL = steps("1/1000000000000", "1/1000000000000", "real")
TINY = steps(Fraction(1, 10**30), Fraction(1, 10**30), "real")
NEAR_ONE = steps(1, Fraction(1, 10**12), "real")
THIRDS = steps("1/3", Fraction(1, 10**20), "real")
BINARY32_NEIGHBOURS = floats("1/10", "float32")
BINARY64_NEIGHBOURS = floats("1/10")
AROUND_ZERO = floats("0")
SUBNORMAL = floats(Fraction(1, 1 << 1070))
GREAT = floats(Fraction(10) ** 300)
ODD_BEYOND_2_24 = steps((1 << 24) + 1)
MANY_DIGITS = steps("1234567/1000000", Fraction(1, 10**6), "real")

CASE = ("Yes", "yes", "YES", "yEs")
BLANKS = ("yes", "yes ", " yes", "yes  ", "y es")
ACCENTS = ("resume", "résumé", "re\u0301sume\u0301", "résume")
LONG = ("approved-by-hand", "approved-by-rule", "approved-after-appeal", "approved")
NUMBERS = ("1", "0", "-1", "2", "10")
TEXTS_OF_NUMBERS = ("1.0", "1", "01", "1e0", "+1")
WORDS_OF_CODE = ("nan", "None", "NaN", "null", "none", "missing", "inf")
TRUTHS = ("False", "True", "false", "true", "0", "1")
MARKS = ("a,b", "a;b", "ab", 'a"b', "a\\b", "a/b", "<a>")
DIGITS = ("１", "1", "①", "¹")
LIGATURES = ("ﬁne", "fine", "ﬀ", "ff")
COMMAS = ("a,b", "a,c", "a", "a;b", "a:b", "a.b", "a_b", "a-b")
BEYOND_ASCII = ("赤", "青", "да", "нет")
VERY_LONG = ("x" * 16 + "a", "x" * 16 + "b", "x" * 70 + "a", "x" * 70 + "b", "x" * 199 + "a", "x" * 199 + "b")
ENDINGS = ("low risk", "very low risk", "high risk", "risk", "risks")
MARKUP = ("yes", "<b>yes</b>", "&yes", "&amp;yes", "%79es", "yes\\n")
INVISIBLE = ("ab", "a\u200db", "a\u200cb")
SHARP = ("straße", "strasse", "STRASSE", "Straße")


def at(*ends: int | str, kind: str = "integer") -> Dresser:
    """Return the dresser of numbers parted at *ends*, of which there are as many as levels."""
    return lambda levels: parted([Fraction(end) for end in ends[:levels]], {"type": kind})


SMALL_AND_BEYOND_INT32 = at(5, (1 << 31) + 3, (1 << 32) + 9, (1 << 33) + 1)
SMALL_AND_BEYOND_INT64 = at(5, (1 << 63) + 3, (1 << 64) + 9, (1 << 65) + 1)
BOTH_SIGNS = at(-(1 << 31) - 5, -4, 4, (1 << 31) + 5)
SAME_WHEN_ROUNDED = at("333333333/1000000000", "33333333333333333/100000000000000000", "1/3", "1/2", kind="real")
