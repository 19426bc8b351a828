"""Hand-made groups: decision graphs at the ends of what is allowed, and the ones that published explainers fail on."""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.vectors.edge_numbers import number_cases
from xpgcheck.vectors.grouping import Group
from xpgcheck.vectors.writing_cases import (
    BOOLEAN,
    REAL,
    Nodes,
    Points,
    Space,
    backwards,
    below,
    categories,
    group,
    integers,
    zero_one,
)

TWO = ("no", "yes")
ENDS: Nodes = [("N", "no"), ("Y", "yes")]


def edge_cases() -> list[Group]:
    """Return all hand-made groups, in the order of their numbers."""
    return [*_constants(), *_features(), *_edges(), *_paths(), *_names(), *_diamonds(), *_families(), *number_cases()]


def _constants() -> Iterator[Group]:
    space: Space = {"x": BOOLEAN, "y": integers(0, 3)}
    some: Points = [("any point", (0, 0)), ("another point", (1, 3))]
    yield group("root terminal, one class", space, ["only"], [("root", "only")], some)
    yield group("root terminal, two classes", space, TWO, [("root", "yes")], some)
    tested: Nodes = [("root", "x", zero_one("A", "B")), ("A", "yes"), ("B", "yes")]
    yield group("constant though tested, one class", space, ["yes"], tested, some)
    yield group("constant though tested, two classes", space, TWO, tested, some)
    one: Nodes = [("root", "x", [("A", [0, 1])]), ("A", "yes")]
    yield group("constant by one edge", {"x": BOOLEAN}, TWO, one, [("the feature is in no XP", (1,))])
    shared: Nodes = [
        ("root", "x", zero_one("L", "R")),
        ("L", "y", [("A", [0]), ("R", ["[1, 3]"])]),
        ("R", "y", [("A", ["[0, 1]"]), ("B", [2, 3])]),
        ("A", "yes"),
        ("B", "yes"),
    ]
    # Three classes are declared, and points reach one of them.
    yield group("constant with shared nodes", space, ["no", "yes", "maybe"], shared, some)


def _features() -> Iterator[Group]:
    nodes: Nodes = [("root", "b", zero_one("N", "Y")), *ENDS]
    space: Space = {"a": BOOLEAN, "b": BOOLEAN, "c": categories("u", "v")}
    yield group("features never tested", space, TWO, nodes, [("XPs name feature 1 alone", (0, 1, "u"))])
    space = {"a": categories("only"), "b": BOOLEAN, "c": integers(2, 2)}
    nodes = [("root", "a", [("n", ["only"])]), ("n", "c", [("m", [2])]), ("m", "b", zero_one("N", "Y")), *ENDS]
    yield group("domains of one value", space, TWO, nodes, [("tested, and in no XP", ("only", 0, 2))])
    nodes = [
        ("root", "b", zero_one("n", "Y")),
        ("n", "c", [("N", ["[0, 9]"])]),
        *ENDS,
    ]
    yield group("one value of a wider literal", space, TWO, nodes, [("the literal reaches beyond", ("only", 1, 2))])
    nodes = [
        ("root", "x", zero_one("n1", "n2")),
        ("n1", "y", zero_one("T1", "T2")),
        ("n2", "y", zero_one("T3", "T4")),
        ("T1", "no"),
        ("T2", "yes"),
        ("T3", "yes"),
        ("T4", "yes"),
    ]
    points: Points = [("x and y suffice", (0, 0)), ("either suffices", (1, 1)), ("x alone suffices", (1, 0))]
    yield group("a terminal a leaf", {"x": BOOLEAN, "y": BOOLEAN}, TWO, nodes, points)


def _edges() -> Iterator[Group]:
    letters = "abcdefghijkl"
    space: Space = {"x": categories(*letters), "y": BOOLEAN}
    nodes: Nodes = [
        ("root", "x", [(f"n{i % 3}", [letter]) for i, letter in enumerate(letters)]),
        ("n0", "y", zero_one("N", "Y")),
        ("n1", "y", zero_one("Y", "N")),
        ("n2", "y", [("Y", [0, 1])]),
        *ENDS,
    ]
    points: Points = [("parallel edges", ("d", 1)), ("the last of them", ("k", 0)), ("y is free here", ("c", 1))]
    yield group("twelve parallel edges", space, TWO, nodes, points, ("parallel_edges",))
    space = {"x": integers(0, 9), "y": BOOLEAN}
    nodes = [
        ("root", "x", [("N", ["[0, 2)"]), ("m", ["[2, 4]"]), ("N", ["[5, 6]"]), ("Y", [7, 9]), ("N", [8])]),
        ("m", "y", zero_one("N", "Y")),
        *ENDS,
    ]
    points = [
        ("first of three intervals", (0, 0)),
        ("between them", (6, 0)),
        ("a gap in the other", (9, 1)),
        ("", (3, 1)),
    ]
    yield group("parallel edges with gaps", space, TWO, nodes, points, ("parallel_edges",))
    nodes = [("root", "x", [("N", [0]), ("N", [1])]), ("N", "no")]
    yield group("all edges parallel", {"x": BOOLEAN}, ["no"], nodes, [("constant", (1,))], ("parallel_edges",))
    wide: Nodes = [
        ("root", "x", [(f"t{i}", [letter]) for i, letter in enumerate(letters)]),
        *((f"t{i}", f"class {i}") for i in range(12)),
    ]
    names = [f"class {i}" for i in range(12)]
    yield group("twelve classes", {"x": categories(*letters)}, names, wide, [("one of twelve", ("g",))])
    wide = [
        ("root", "x", [(f"m{i}", [i]) for i in range(8)]),
        *((f"m{i}", "y", below(str(i), "Y", "N")) for i in range(8)),
        *ENDS,
    ]
    space = {"x": integers(0, 7), "y": integers(0, 8)}
    yield group("y <= x", space, TWO, wide, [("equal", (3, 3)), ("y is least", (0, 0)), ("y is greatest", (7, 8))])


def _paths() -> Iterator[Group]:
    again: Nodes = [
        ("root", "x", [("n", ["a", "b"]), ("N", ["c"])]),
        ("n", "x", [("Y", ["a"]), ("N", ["b", "c"])]),
        *ENDS,
    ]
    points: Points = [("the one CXp is the one feature", ("a",)), ("", ("b",)), ("", ("c",))]
    yield group("one feature tested twice", {"x": categories("a", "b", "c")}, TWO, again, points)
    nodes: Nodes = [
        ("root", "x", below("5", "n", "N")),
        ("n", "y", zero_one("m", "N")),
        ("m", "x", below("3", "Y", "N")),
        *ENDS,
    ]
    space: Space = {"x": integers(0, 9), "y": BOOLEAN}
    points = [("x twice on the 1-path", (3, 0)), ("between the two thresholds", (4, 0)), ("", (5, 1)), ("", (9, 0))]
    yield group("x <= 5, y, x <= 3", space, TWO, nodes, points)
    nodes = [("root", "x", below("5", "n", "N")), ("n", "x", below("3", "Y", "N")), *ENDS]
    points = [("both conditions hold", ("3",)), ("x <= 3 decides", ("4",)), ("x <= 5 decides, or x <= 3", ("6",))]
    yield group("x <= 5, x <= 3 over reals", {"x": REAL}, TWO, nodes, points)
    nodes = [
        ("root", "x", below("3", "n", "m")),
        ("n", "y", below("1", "Y", "p")),
        ("m", "x", below("5", "p", "N")),
        ("p", "z", zero_one("N", "Y")),
        *ENDS,
    ]
    space = {"x": REAL, "y": REAL, "z": BOOLEAN}
    points = [("", ("3", "1", 0)), ("", ("7/2", "0", 1)), ("", ("6", "1", 1)), ("", ("0", "2", 0))]
    yield group("shared below repeated conditions", space, TWO, nodes, points)
    nodes = [
        ("root", "x", zero_one("l", "r")),
        ("l", "y", zero_one("s", "Y")),
        ("r", "y", zero_one("N", "s")),
        ("s", "z", zero_one("N", "Y")),
        *ENDS,
    ]
    space = {"x": BOOLEAN, "y": BOOLEAN, "z": BOOLEAN}
    points = [("through the shared node", (0, 0, 1)), ("past it", (0, 1, 0)), ("", (1, 1, 0)), ("", (1, 0, 1))]
    made = group("a shared non-terminal", space, TWO, nodes, points)
    yield made
    yield backwards(made)


def _names() -> Iterator[Group]:
    space: Space = {"годъ": integers(1900, 2100), "色": categories("赤", "青", "緑 "), "ä b→c": BOOLEAN}
    nodes: Nodes = [
        ("ρίζα", "色", [("二", ["赤", "緑 "]), ("नहीं", ["青"])]),
        ("二", "годъ", [("हाँ", ["(-inf, 2000)"]), ("⊤?", ["[2000, inf)"])]),
        ("⊤?", "ä b→c", zero_one("नहीं", "हाँ")),
        ("हाँ", "да"),
        ("नहीं", "нѣтъ"),
    ]
    points: Points = [
        ("", (2000, "赤", 1)),
        ("a category that ends in a blank", (1999, "緑 ", 0)),
        ("", (2100, "青", 0)),
    ]
    yield group("имена 名前", space, ["да", "нѣтъ"], nodes, points, ("non_latin_names",))
    nodes = [("root", "0", zero_one("n", "1")), ("n", "1", zero_one("1", "0")), ("0", "1"), ("1", "-1")]
    points = [("class 1 has index 2", (0, 1)), ("class -1 has index 0", (1, 0))]
    space = {"0": BOOLEAN, "1": BOOLEAN}
    yield group("classes called by numbers", space, ["-1", "0.5", "1"], nodes, points, ("labels_as_numbers",))
    nodes = [("root", "x", zero_one("a", "b")), ("a", "1"), ("b", "0")]
    yield group("1 before 0", {"x": BOOLEAN}, ["1", "0"], nodes, [("", (0,)), ("", (1,))], ("labels_as_numbers",))
    nodes = [
        ("root", "code", [("N", ["1", "1.0"]), ("n", ["01"]), ("Y", ["10"])]),
        ("n", "x", zero_one("N", "Y")),
        *ENDS,
    ]
    space = {"code": categories("1", "01", "1.0", "10"), "x": BOOLEAN}
    points = [("", ("01", 0)), ("", ("1.0", 1)), ("", ("10", 0))]
    yield group("categories like numbers", space, TWO, nodes, points, ("categories_as_numbers",))


def _diamonds() -> Iterator[Group]:
    """Chains of 2 to 10 diamonds: bit i picks how the i-th value of a selector is classified, a value beyond all is yes."""
    for k in range(2, 11):
        space: Space = {f"b{i}": BOOLEAN for i in range(k)} | {"s": integers(0, k)}
        nodes: Nodes = []
        for i in range(k):
            after = f"d{i + 1}" if i + 1 < k else "Y"
            rest = [f"[0, {i})", f"({i}, {k}]"] if i else [f"(0, {k}]"]
            nodes.append((f"d{i}", f"b{i}", zero_one(f"l{i}", f"r{i}")))
            nodes.append((f"l{i}", "s", [("N", [i]), (after, rest)]))
            nodes.append((f"r{i}", "s", [("U", [i]), (after, rest)]))
        nodes += [*ENDS, ("U", "yes")]
        points: Points = [
            ("no value is selected, and all bits are 1", (*[1] * k, k)),
            ("the last bit is selected, and is 0", (*[i % 2 for i in range(k - 1)], 0, k - 1)),
        ]
        yield group(f"{k} diamonds", space, TWO, nodes, points, ("diamond_chain",))


def _families() -> Iterator[Group]:
    for m in (5, 7):
        need = m // 2 + 1
        nodes: Nodes = []
        for i in range(m):
            for ones in range(max(0, need - m + i), min(i, need - 1) + 1):
                low = f"{i + 1}.{ones}" if ones >= need - m + i + 1 else "N"
                high = f"{i + 1}.{ones + 1}" if ones + 1 < need else "Y"
                nodes.append((f"{i}.{ones}", f"x{i}", zero_one(low, high)))
        nodes += ENDS
        space: Space = {f"x{i}": BOOLEAN for i in range(m)}
        points: Points = [("all agree", [1] * m), ("one more yes", [1] * need + [0] * (m - need)), ("none", [0] * m)]
        yield group(f"majority of {m}", space, TWO, nodes, points)
    nodes = [
        ("root", "x", zero_one("n", "Y")),
        ("n", "y", zero_one("N", "m")),
        ("m", "z", zero_one("N", "Y")),
        *ENDS,
    ]
    space = {"x": BOOLEAN, "y": BOOLEAN, "z": BOOLEAN}
    points = [("AXps of one and of two features", (1, 1, 1)), ("CXps of one and of two features", (0, 0, 0))]
    yield group("x or (y and z)", space, TWO, nodes, points)
    pairs: Nodes = []
    for i in range(4):
        after = f"x{i + 1}" if i < 3 else "Y"
        pairs += [(f"x{i}", f"x{i}", zero_one(f"y{i}", after)), (f"y{i}", f"y{i}", zero_one("N", after))]
    space = {f"{letter}{i}": BOOLEAN for i in range(4) for letter in "xy"}
    points = [("2^4 AXps, four CXps", [1] * 8), ("four AXps, 2^4 CXps", [0] * 8)]
    yield group("four pairs", space, TWO, [*pairs, *ENDS], points)
    nodes = [
        ("root", "x", zero_one("l", "r")),
        ("l", "y", zero_one("N", "Y")),
        ("r", "y", zero_one("Y", "N")),
        *ENDS,
    ]
    yield group("exclusive or", {"x": BOOLEAN, "y": BOOLEAN}, TWO, nodes, [("one AXp, two CXps", (0, 1))])
