"""Shapes: decision graphs over abstract features, of which only the number of levels is known.

A level of a feature is a set of its values that nothing tells apart.  What a level is, a dress says
(:mod:`xpgcheck.deck.dresses`).  Every function here returns a :class:`CaseShape`; those of :mod:`xpgcheck.deck.changes`
change one, so that any two kinds meet in one case.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

NO, YES = 0, 1
"""The two classes, by their index."""


class Test(NamedTuple):
    """A non-terminal: its feature, and its edges as (child, levels)."""

    feature: int
    edges: tuple[tuple[str, tuple[int, ...]], ...]


class CaseShape(NamedTuple):
    """Nodes by name, the root first; a terminal is the index of its class.

    ``levels`` has the number of levels of each feature, ``asked`` instances with a comment each, as the level of each
    feature.
    """

    levels: tuple[int, ...]
    nodes: dict[str, Test | int]
    asked: tuple[tuple[str, tuple[int, ...]], ...]


def two(feature: int, zero: str, one: str) -> Test:
    """Return a test of a feature of two levels."""
    return Test(feature, ((zero, (0,)), (one, (1,))))


ENDS: dict[str, Test | int] = {"N": NO, "Y": YES}


def conjunction(count: int, levels: int = 2) -> CaseShape:
    """All features are at level 0, or the class is no: one AXp of all features there, and as many CXps.

    Every other level has a terminal of its own, so that a node has *levels* edges.
    """
    nodes: dict[str, Test | int] = {}
    for i in range(count):
        after = f"n{i + 1}" if i + 1 < count else "Y"
        others = tuple((f"N{i}.{level}" if levels > 2 else "N", (level,)) for level in range(1, levels))
        nodes[f"n{i}"] = Test(i, ((after, (0,)), *others))
    for i in range(count if levels > 2 else 0):
        nodes.update({f"N{i}.{level}": NO for level in range(1, levels)})
    nodes.update(ENDS if levels == 2 else {"Y": YES})
    most = (*[0] * (count - 1), 1)
    asked = (
        ("one point of a rare class: the AXp is all features", (0,) * count),
        ("every feature is an AXp, and the CXp is all of them", (levels - 1,) * count),
        ("the last feature alone", most),
    )
    return CaseShape((levels,) * count, nodes, asked)


def parity(count: int) -> CaseShape:
    """The class is the parity of all features: the AXp is all of them, at every point."""
    nodes: dict[str, Test | int] = {}
    for i in range(count):
        for odd in (0, 1) if i else (0,):
            same, other = ("N" if odd == 0 else "Y", "Y" if odd == 0 else "N")
            if i + 1 < count:
                same, other = f"p{i + 1}.{odd}", f"p{i + 1}.{1 - odd}"
            nodes[f"p{i}.{odd}"] = two(i, same, other)
    nodes.update(ENDS)
    return CaseShape((2,) * count, nodes, (("no feature can be left out", (0,) * count), ("", (1, *[0] * (count - 1)))))


def groups(number: int, size: int = 2, levels: int = 2) -> CaseShape:
    """Some feature of each of *number* groups of *size* is at level 0: size^number AXps where all are, one CXp a group."""
    nodes: dict[str, Test | int] = {}
    for k in range(number):
        after = f"g{k + 1}.0" if k + 1 < number else "Y"
        for j in range(size):
            fails = f"g{k}.{j + 1}" if j + 1 < size else f"N{k}"
            others = [(fails, (1,)), *((f"{fails}+{level}", (level,)) for level in range(2, levels))]
            nodes[f"g{k}.{j}"] = Test(k * size + j, ((after, (0,)), *others))
    for k in range(number):
        for j in range(size):
            for level in range(2, levels):
                if j + 1 < size:
                    nodes[f"g{k}.{j + 1}+{level}"] = Test(
                        k * size + j + 1,
                        tuple(
                            (f"g{k + 1}.0" if k + 1 < number else "Y", (0,)) if own == 0 else (f"N{k}", (own,))
                            for own in range(levels)
                        ),
                    )
                else:
                    nodes[f"N{k}+{level}"] = NO
        nodes[f"N{k}"] = NO
    nodes["Y"] = YES
    last = (0,) * (number * size - size) + (1,) * size
    asked = (("many AXps", (0,) * (number * size)), ("many CXps", (1,) * (number * size)), ("the last group", last))
    return CaseShape((levels,) * (number * size), nodes, asked)


def majority(count: int, need: int) -> CaseShape:
    """At least *need* of *count* features are at level 1: both families are all sets of one size."""
    nodes: dict[str, Test | int] = {}
    for i in range(count):
        for ones in range(max(0, need - count + i), min(i, need - 1) + 1):
            low = f"m{i + 1}.{ones}" if ones >= need - count + i + 1 else "N"
            high = f"m{i + 1}.{ones + 1}" if ones + 1 < need else "Y"
            nodes[f"m{i}.{ones}"] = two(i, low, high)
    nodes.update(ENDS)
    return CaseShape(
        (2,) * count, nodes, (("all agree", (1,) * count), ("as few as can be", (1,) * need + (0,) * (count - need)))
    )


def staircase(depth: int, width: int = 1) -> CaseShape:
    """One feature, tested again on every level of the path, goes down a step; what decides stands at the bottom.

    Feature 0 has depth + 1 levels, feature 1 is asked where a step is left, feature 2 at the bottom alone.  With *width*,
    every node takes that many steps at once, each with an edge of its own.
    """
    nodes: dict[str, Test | int] = {}
    for start in range(0, depth, width):
        steps = tuple(range(start, min(start + width, depth)))
        after = f"s{start + width}" if start + width < depth else "bottom"
        rest = tuple(range(steps[-1] + 1, depth + 1))
        # What was passed on the way is listed too, and cannot come again.
        leaving = [(f"b{steps[0]}", tuple(range(start + 1))), *((f"b{step}", (step,)) for step in steps[1:])]
        nodes[f"s{start}"] = Test(0, (*leaving, (after, rest)))
    for step in range(depth):
        nodes[f"b{step}"] = two(1, "Y", "N") if step % 2 else two(1, "N", "Y")
    nodes["bottom"] = two(2, "N", "Y")
    nodes.update(ENDS)
    asked = (
        ("at the bottom: the last test decides", (depth, 0, 0)),
        ("left halfway down", (depth // 2, 1, 1)),
        ("left at the last step", (depth - 1, 0, 1)),
    )
    return CaseShape((depth + 1, 2, 2), nodes, asked)


def fan(levels: int, deciding: int, count: int = 1) -> CaseShape:
    """A node with an edge per level: one alone leads to the other class, each of the others to a terminal of its own.

    With *count* > 1 there are so many of these nodes, and a second feature chooses among them.
    """
    nodes: dict[str, Test | int] = {}
    if count > 1:
        nodes["root"] = Test(1, tuple((f"f{k}", (k,)) for k in range(count)))
    for k in range(count):
        nodes[f"f{k}"] = Test(0, tuple((f"t{k}.{j}", (j,)) for j in range(levels)))
    for k in range(count):
        nodes.update({f"t{k}.{j}": YES if j == (deciding + k) % levels else NO for j in range(levels)})
    rest = (0,) if count > 1 else ()
    first = 0 if deciding else 1
    last = levels - 1 if deciding != levels - 1 else levels - 2
    asked = (
        ("one edge of many changes the class", (first, *rest)),
        ("the last of the others", (last, *rest)),
        ("the rare class itself", (deciding, *rest)),
    )
    return CaseShape((levels, count) if count > 1 else (levels,), nodes, asked)


def fans_of_each_width(most: int) -> CaseShape:
    """A feature chooses among nodes of 2 to *most* edges over another one, the last of which leads to another class."""
    nodes: dict[str, Test | int] = {"root": Test(1, tuple((f"f{k}", (k,)) for k in range(most - 1)))}
    for k in range(most - 1):
        last = (f"t{k}.{k + 1}", tuple(range(k + 1, most)))
        nodes[f"f{k}"] = Test(0, (*((f"t{k}.{j}", (j,)) for j in range(k + 1)), last))
    for k in range(most - 1):
        nodes.update({f"t{k}.{j}": YES if j > k else NO for j in range(k + 2)})
    asked = tuple((f"{k + 2} edges, level {j}", (j, k)) for k in range(most - 1) for j in (0, k + 1))
    return CaseShape((most, most - 1), nodes, asked)


def entered_everywhere(count: int) -> CaseShape:
    """A chain of *count* tests that all have to be at level 0; the last feature says where it is entered."""
    chain = conjunction(count)
    nodes: dict[str, Test | int] = {"root": Test(count, tuple((f"n{i}", (i,)) for i in range(count)))}
    nodes.update(chain.nodes)
    asked = tuple((f"{count - i} conditions", (*[0] * count, i)) for i in range(count))
    return CaseShape((*chain.levels, count), nodes, asked)


def switch(levels: int) -> CaseShape:
    """A node with an edge per level leads to tests of further features, each asked on a few of the edges."""
    nodes: dict[str, Test | int] = {"root": Test(0, tuple((f"c{j}", (j,)) for j in range(levels)))}
    for j in range(levels):
        nodes[f"c{j}"] = two(1 + j % 3, f"a{j}", f"b{j}")
    for j in range(levels):
        nodes[f"a{j}"], nodes[f"b{j}"] = (NO, YES) if j % 2 else (YES, NO)
    asked = tuple((f"edge {j + 1} of {levels}", (j, 0, 1, 0)) for j in (0, levels // 2, levels - 1))
    return CaseShape((levels, 2, 2, 2), nodes, asked)


def pieces(levels: int, parts: int) -> CaseShape:
    """Literals that are unions of *parts* pieces, with gaps: every other level leads one way."""
    count = levels * parts
    ways = [tuple(range(way, count, levels)) for way in range(levels)]
    nodes: dict[str, Test | int] = {"root": Test(0, tuple((f"w{way}", ways[way]) for way in range(levels)))}
    for way in range(levels):
        nodes[f"w{way}"] = two(1, "N", "Y") if way else two(2, "Y", "N")
    nodes.update(ENDS)
    asked = (
        ("in the first piece", (0, 0, 0)),
        ("in the last piece of the first literal", (count - levels, 0, 0)),
        ("in the last piece of all", (count - 1, 1, 0)),
        ("in a piece in the middle", (levels * (parts // 2) + 1, 0, 1)),
    )
    return CaseShape((count, 2, 2), nodes, asked)


def constant(depth: int) -> CaseShape:
    """One class everywhere: a terminal, or a path of *depth* nodes whose other edges lead to terminals of the same class."""
    nodes: dict[str, Test | int] = {}
    for i in range(depth):
        after = f"n{i + 1}" if i + 1 < depth else "Y"
        nodes[f"n{i}"] = Test(i, ((f"Y{i}", (0,)), (f"Z{i}", (1,)), (after, (2, 3))))
        nodes.update({f"Y{i}": YES, f"Z{i}": YES})
    nodes["Y"] = YES
    count = max(depth, 2)
    return CaseShape((4,) * count, nodes, (("", (0,) * count), ("", (3,) * count)))


def lookup(depth: int, seed: int = 7, branches: int = 2, only: int = -1) -> CaseShape:
    """A complete tree of *depth* levels, one feature per level, with *branches*^*depth* terminals; *only* one of a class."""
    nodes: dict[str, Test | int] = {}
    names = [[f"l{level}.{k}" for k in range(branches**level)] for level in range(depth + 1)]
    for level in range(depth):
        for k, name in enumerate(names[level]):
            children = names[level + 1][branches * k : branches * (k + 1)]
            nodes[name] = Test(level, tuple((child, (j,)) for j, child in enumerate(children)))
    for k, name in enumerate(names[depth]):
        nodes[name] = YES if (k == only if only >= 0 else (k * k * seed + k) % 5 in (0, 3)) else NO
    asked = tuple(
        ("", tuple(k // branches ** (depth - 1 - i) % branches for i in range(depth)))
        for k in dict.fromkeys((max(only, 0), branches**depth // 3, branches**depth - 1))
    )
    return CaseShape((branches,) * depth, nodes, asked)


def diamonds(count: int) -> CaseShape:
    """A chain of diamonds: each feature parts the path, the next node joins it; a selector asks one of them at the end."""
    nodes: dict[str, Test | int] = {}
    for i in range(count):
        after = f"d{i + 1}" if i + 1 < count else "Y"
        rest = tuple(level for level in range(count + 1) if level > i)
        nodes[f"d{i}"] = two(i, f"l{i}", f"r{i}")
        nodes[f"l{i}"] = Test(count, (("N", tuple(range(i + 1))), (after, rest)))
        nodes[f"r{i}"] = Test(count, (("Z", tuple(range(i + 1))), (after, rest)))
    nodes.update({**ENDS, "Z": YES})
    asked = (
        ("nothing is selected", (*[1] * count, count)),
        ("the last is selected, and decides", (*[i % 2 for i in range(count - 1)], 0, count - 1)),
    )
    return CaseShape((*[2] * count, count + 1), nodes, asked)


def reconvergent(count: int) -> CaseShape:
    """Layers of two nodes that cross: whether the number of changes is even is known by two nodes a layer."""
    nodes: dict[str, Test | int] = {}
    for i in range(count):
        for side in (0, 1) if i else (0,):
            left, right = (f"x{i + 1}.{0}", f"x{i + 1}.{1}") if i + 1 < count else ("N", "Y")
            # On every third layer both sides go on alike: what came before is forgotten.
            crossed = side and i % 3
            nodes[f"x{i}.{side}"] = two(i, right, left) if crossed else two(i, left, right)
    nodes.update(ENDS)
    return CaseShape((2,) * count, nodes, (("", (0,) * count), ("", (1,) * count)))


def pairs_of_classes(count: int) -> CaseShape:
    """Every two of *count* classes, parted by a second feature below an edge of theirs: taken for one, it is in no AXp.

    Of more than ten only those with the first one, and neighbours.
    """
    every = itertools.combinations(range(count), 2)
    pairs = [(first, second) for first, second in every if count <= 10 or not first or second == first + 1]
    nodes: dict[str, Test | int] = {"root": Test(0, tuple((f"p{k}", (k,)) for k in range(len(pairs))))}
    for k, (first, second) in enumerate(pairs):
        nodes[f"p{k}"] = two(1, f"t{first}", f"t{second}")
    nodes.update({f"t{own}": own for own in range(count)})
    asked = tuple((f"classes {first} and {second}", (k, 0)) for k, (first, second) in enumerate(pairs))
    return CaseShape((len(pairs), 2), nodes, asked)


def several_terminals(classes: Sequence[int]) -> CaseShape:
    """A feature with a level for each entry of *classes*, which leads to a terminal of that class; a second decides one."""
    nodes: dict[str, Test | int] = {"root": Test(0, tuple((f"t{j}", (j,)) for j in range(len(classes))))}
    nodes["t0"] = two(1, "a", "b")
    nodes.update({f"t{j}": own for j, own in enumerate(classes) if j})
    nodes.update({"a": classes[0], "b": classes[1]})
    asked = tuple((f"level {j}", (j, 0)) for j in range(min(3, len(classes))))
    return CaseShape((len(classes), 2), nodes, asked)


def tested_twice() -> CaseShape:
    """A feature of four levels is tested, and tested again: the second literals list levels that went another way."""
    nodes: dict[str, Test | int] = {
        "root": Test(0, (("even", (0, 2)), ("odd", (1, 3)))),
        "even": Test(0, (("Y", (0, 3)), ("decides", (1, 2)))),
        "odd": Test(0, (("Y", (1, 2)), ("decides", (0, 3)))),
        "decides": two(1, "N", "Y"),
        **ENDS,
    }
    asked = (
        ("levels 0 and 1 have one class", (0, 0)),
        ("levels 2 and 3 have the other one", (2, 0)),
        ("the second feature suffices", (3, 1)),
    )
    return CaseShape((4, 2), nodes, asked)


def combinations() -> CaseShape:
    """Two features of four levels: 1 and 3 of one with 1 and 3 of the other have other classes, 0 and 2 with none."""
    nodes: dict[str, Test | int] = {
        "root": Test(0, (("Y", (0, 2)), ("one", (1,)), ("three", (3,)))),
        "one": Test(1, (("Y", (0, 2)), ("N", (1, 3)))),
        "three": Test(1, (("Y", (0, 2)), ("N", (1,)), ("P", (3,)))),
        **ENDS,
        "P": 2,
    }
    asked = (
        ("two features have to change, each in two ways", (0, 0)),
        ("whose set grows first decides how far the other one does", (1, 1)),
        ("levels 1 and 3 change the class, 2 does not", (1, 0)),
        ("a third class", (3, 3)),
    )
    return CaseShape((4, 4), nodes, asked)
