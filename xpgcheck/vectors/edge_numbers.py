"""Hand-made groups about numbers: thresholds and their neighbours, float formats, bounds, missing values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from xpgcheck.model.ieee754 import BINARY32, BINARY64, BinaryFormat
from xpgcheck.model.value_sets import number_text
from xpgcheck.vectors.grouping import Document, Group
from xpgcheck.vectors.writing_cases import (
    BOOLEAN,
    FLOAT32,
    FLOAT64,
    MAYBE_FLOAT32,
    MAYBE_FLOAT64,
    REAL,
    Nodes,
    Points,
    Space,
    below,
    group,
    integers,
    zero_one,
)

TWO = ("no", "yes")
ENDS: Nodes = [("N", "no"), ("Y", "yes")]


def number_cases() -> list[Group]:
    """Return the groups, in the order of their numbers."""
    return [*_reals(), *_floats(), *_missing(), *_integers()]


def _reals() -> Iterator[Group]:
    space: Space = {"x": REAL, "y": BOOLEAN}
    nodes: Nodes = [("root", "x", below("5/2", "n", "Y")), ("n", "y", zero_one("N", "Y")), *ENDS]
    points: Points = [
        ("on the threshold, which is below", ("2.5", 0)),
        ("a millionth above", ("2.500001", 0)),
        ("a millionth below", ("2.499999", 1)),
        ("10^-40 above: binary64 cannot tell", (f"2.5{'0' * 38}1", 0)),
    ]
    yield group("x <= 5/2", space, TWO, nodes, points)
    nodes = [("root", "x", [("n", ["(-inf, 5/2)"]), ("Y", ["[5/2, inf)"])]), ("n", "y", zero_one("N", "Y")), *ENDS]
    yield group("x < 5/2", space, TWO, nodes, points)
    thirds: Document = {"type": "real", "low": 0, "high": 1}
    nodes = [
        ("root", "x", [("N", ["[0, 1/3)"]), ("n", ["1/3"]), ("Y", ["(1/3, 1]"])]),
        ("n", "y", [("N", ["[0, 1/10]"]), ("Y", ["(1/10, 1]"])]),
        *ENDS,
    ]
    points = [("exactly a third", ("1/3", "1/10")), ("nearly", ("0.3333333333333333", "0.1")), ("", ("0.34", "1"))]
    yield group("a third exactly", {"x": thirds, "y": thirds}, TWO, nodes, points)
    inside: Document = {"type": "real", "low": 0, "high": 1, "low_open": True, "high_open": True}
    nodes = [("root", "x", [("N", ["(-inf, 1/2]"]), ("Y", ["(1/2, 1]"])]), *ENDS]
    points = [("near the open bound", ("1/1000000",)), ("", ("0.5",)), ("", ("0.9999999",))]
    yield group("an open domain", {"x": inside}, TWO, nodes, points)
    nodes = [("root", "x", [("N", ["(-inf, -1]", "(-1/2, 0)"]), ("Y", ["(-1, -1/2]", "[0, inf)"])]), *ENDS]
    points = [("", ("-1",)), ("", ("-1/2",)), ("zero is an end", ("0",)), ("", ("-0.0000001",))]
    yield group("signs and gaps", {"x": REAL}, TWO, nodes, points)


def _neighbours(binary: BinaryFormat, number: Fraction) -> tuple[str, str]:
    """Return the greatest number of the format at most *number* and the least one above it, as texts."""
    low = binary.floor(number)
    assert low is not None
    high = binary.above(low)
    assert high is not None
    return number_text(low), number_text(high)


def _floats() -> Iterator[Group]:
    for kind, binary, domain in (("binary32", BINARY32, FLOAT32), ("binary64", BINARY64, FLOAT64)):
        space: Space = {"x": domain, "y": domain}
        nodes: Nodes = [("root", "x", below("0.1", "n", "Y")), ("n", "y", below("0.3", "N", "Y")), *ENDS]
        low, high = _neighbours(binary, Fraction(1, 10))
        points: Points = [
            ("x is the number below 1/10", (low, "0")),
            ("x is the number above 1/10", (high, "0")),
            ("y is on 3/10's side below", (low, _neighbours(binary, Fraction(3, 10))[0])),
            ("y is on 3/10's side above", (low, _neighbours(binary, Fraction(3, 10))[1])),
        ]
        yield group(f"x <= 0.1 over {kind}", space, TWO, nodes, points, ("no_float_threshold",))
        one = Fraction(1)
        after = number_text(_above(binary, one))
        twice = number_text(_above(binary, _above(binary, one)))
        nodes = [
            ("root", "x", [("N", ["(-inf, 1]"]), ("n", [f"(1, {twice})"]), ("Y", [f"[{twice}, inf)"])]),
            ("n", "y", [("N", ["(-inf, 0]"]), ("Y", ["(0, inf)"])]),
            *ENDS,
        ]
        points = [("the one number between", (after, "0")), ("below it", ("1", "1")), ("above it", (twice, "0"))]
        yield group(f"one {kind} number between", space, TWO, nodes, points)
        nodes = [
            ("root", "x", [("N", [f"(-inf, {number_text(binary.highest)})"]), ("Y", [number_text(binary.highest)])]),
            *ENDS,
        ]
        points = [("the greatest number", (number_text(binary.highest), "0")), ("the least number", ("-1", "0"))]
        yield group(f"the greatest {kind} number", space, TWO, nodes, points)
        tiny = number_text(binary.from_rank(1)) if kind == "binary32" else None
        if tiny is not None:
            nodes = [("root", "x", [("N", ["(-inf, 0]"]), ("Y", ["(0, inf)"])]), *ENDS]
            points = [("the least positive number", (tiny, "0")), ("zero", ("0", "0"))]
            yield group(f"x <= 0 over {kind}", space, TWO, nodes, points)
    big = 2**24
    nodes = [("root", "x", below(str(big), "N", "Y")), *ENDS]
    points = [("2^24, before which odd numbers end", (str(big),)), ("the next number is 2^24 + 2", (str(big + 2),))]
    yield group("x <= 2^24 over binary32", {"x": FLOAT32}, TWO, nodes, points)


def _above(binary: BinaryFormat, number: Fraction) -> Fraction:
    found = binary.above(number)
    assert found is not None
    return found


def _missing() -> Iterator[Group]:
    for kind, domain in (("binary32", MAYBE_FLOAT32), ("binary64", MAYBE_FLOAT64)):
        space: Space = {"x": domain, "y": domain}
        nodes: Nodes = [
            ("root", "x", [("n", ["(-inf, 0]", "missing"]), ("Y", ["(0, inf)"])]),
            ("n", "y", [("N", ["(-inf, 1/2]"]), ("Y", ["(1/2, inf)", "missing"])]),
            *ENDS,
        ]
        points: Points = [
            ("x is missing, and goes below", ("missing", "0")),
            ("y is missing, and goes above", ("0", "missing")),
            ("both are missing", ("missing", "missing")),
            ("none is missing", ("1", "0")),
        ]
        yield group(f"missing goes with a side, {kind}", space, TWO, nodes, points)
        nodes = [
            ("root", "x", [("n", ["missing"]), ("Y", ["(-inf, inf)"])]),
            ("n", "y", [("N", ["missing"]), ("Y", ["(-inf, inf)"])]),
            *ENDS,
        ]
        points = [("both are missing: any value changes the class", ("missing", "missing")), ("", ("0", "missing"))]
        yield group(f"is it missing, {kind}", space, TWO, nodes, points)
    nodes = [
        ("root", "x", [("n", ["(-inf, 0]", "missing"]), ("Y", ["(0, inf)"])]),
        ("n", "x", [("N", ["missing", "(5, inf)"]), ("Y", ["(-inf, 5]"])]),
        *ENDS,
    ]
    points = [("only the missing value gives no", ("missing",)), ("", ("-1",)), ("", ("6",))]
    yield group("missing, tested twice", {"x": MAYBE_FLOAT32}, TWO, nodes, points)


def _integers() -> Iterator[Group]:
    nodes: Nodes = [
        ("root", "x", [("N", ["(-inf, 1)"]), ("n", [1, 2]), ("Y", ["(2, 100]"])]),
        ("n", "y", [("N", ["(-inf, 0]"]), ("Y", ["(0, inf)"])]),
        *ENDS,
    ]
    points: Points = [("the lowest integer", (0, -1)), ("the highest integer", (3, 1)), ("", (1, 0)), ("", (2, 1))]
    yield group("0 to 3", {"x": integers(0, 3), "y": integers(-1, 1)}, TWO, nodes, points)
    nodes = [
        ("root", "x", [("Y", ["(-inf, 5/2]"]), ("n", ["(5/2, 7/2)"]), ("Y", ["[7/2, inf)"])]),
        ("n", "y", zero_one("N", "Y")),
        *ENDS,
    ]
    space: Space = {"x": integers(), "y": BOOLEAN}
    points = [("3 is the one integer between", (3, 0)), ("", (2, 0)), ("", (4, 1))]
    yield group("an integer between halves", space, TWO, nodes, points, ("parallel_edges",))
    nodes = [
        ("root", "x", [("N", ["(-inf, 2]"]), ("Y", ["[3, inf)"])]),
        *ENDS,
    ]
    points = [("no integer between 2 and 3", (2,)), ("", (3,)), ("", (-7,))]
    yield group("x <= 2, x >= 3", {"x": integers()}, TWO, nodes, points, ("no_integer_between",))
    big = 2**53
    nodes = [("root", "x", below(str(big), "N", "n")), ("n", "x", below(str(big + 1), "Y", "N")), *ENDS]
    points = [("2^53", (big,)), ("2^53 + 1, no binary64 number", (big + 1,)), ("2^53 + 2", (big + 2,))]
    yield group("beyond 2^53", {"x": integers(big - 1)}, TWO, nodes, points)
    nodes = [("root", "x", below("-10", "n", "Y")), ("n", "y", below("-9", "N", "Y")), *ENDS]
    points = [("-10 <= -10, not -9 <= -10", (-10, -9)), ("", (-9, -10)), ("", (-11, 0))]
    yield group("negative integers", {"x": integers(None, 0), "y": integers(None, 0)}, TWO, nodes, points)
