"""The cases of the battery: trees and points, names, and damage to files; one row of the table each."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from battery_reader import Reader
from battery_trees import (
    LARGEST,
    LARGEST_SINGLE,
    NAN,
    Cell,
    Leaf,
    Split,
    Tree,
    Variable,
    bushy,
    chain,
    nearby,
    points_of,
    stump,
)

Question = tuple[Tree, Sequence[Sequence[Cell]]]
Damage = tuple[bytes, str]
"""Bytes, and what they may mean: ``same`` as the whole file, ``refused``, ``either``, or ``any`` model."""


@dataclass(frozen=True)
class Case:
    """A row of the table: trees with points (``questions``), or files (``damage``)."""

    name: str
    questions: Callable[[Reader], Iterator[Question]] | None = None
    damage: Callable[[Reader], Iterator[Damage]] | None = None
    whole: bool = True
    """Whether a refused case refuses the model; else the model is read and its points are refused."""
    orders: bool = False
    """Whether the files are asked with their fields in other orders too."""


CASES: list[Case] = []


def questions(
    name: str, *, whole: bool = True, orders: bool = False
) -> Callable[[Callable[[Reader], Iterator[Question]]], None]:
    return lambda function: CASES.append(Case(name, questions=function, whole=whole, orders=orders))


def damage(name: str) -> Callable[[Callable[[Reader], Iterator[Damage]]], None]:
    return lambda function: CASES.append(Case(name, damage=function))


def around(reader: Reader, wanted: Sequence[float], **more: bool) -> Iterator[Question]:
    """Yield a stump for each threshold, and points around all of them."""
    cells = {
        repr(x): x
        for t in [*wanted, 0.0, -0.0, 1e-45, 1.0, -1.0, LARGEST_SINGLE, -LARGEST_SINGLE, LARGEST, -LARGEST]
        for x in nearby(t, reader.largest)
    }
    points = [(x,) for x in [*cells.values(), *([NAN] if more else [])]]
    for threshold in reader.thresholds(wanted):
        yield stump(Variable("x"), threshold, reader.labels, **more), points


ORDINARY = (0.1, -2.5, 1 / 3, 1e-20, 16777217.0, float.fromhex("0x1.000001p0"), float.fromhex("0x1.000003p0"))


@questions("threshold, its float neighbours")
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, ORDINARY)


@questions("zeros of both signs")
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, [0.0, -0.0])


@questions("subnormal thresholds")
def _(reader: Reader) -> Iterator[Question]:
    tiny = [5e-324, 1e-310, 2.0**-1022, 2.0**-149, 2.0**-148, 2.0**-126, 1e-35, 2e-35, 5e-36]
    yield from around(reader, [*tiny, *(-t for t in tiny)])


@questions("largest float as threshold")
def _(reader: Reader) -> Iterator[Question]:
    large = [LARGEST_SINGLE, math.nextafter(LARGEST_SINGLE, 0), 1e39, LARGEST, math.nextafter(LARGEST, 0)]
    yield from around(reader, [*large, *(-t for t in large)])


@questions("infinite threshold", orders=True)
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, [math.inf, -math.inf])


@questions("NaN threshold", orders=True)
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, [NAN])


@questions("infinite value", whole=False)
def _(reader: Reader) -> Iterator[Question]:
    for infinite in (math.inf, -math.inf):
        yield stump(Variable("x"), 0.5, reader.labels), [(infinite,)]


def missing_thresholds(reader: Reader) -> list[float]:
    """Return thresholds, infinite ones where there are: these split the missing values from all others."""
    return [*ORDINARY, 0.0, -1e-40, *([] if "infinite threshold" in reader.cannot else [math.inf, -math.inf])]


@questions("missing value goes left")
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, missing_thresholds(reader), missing_left=True)


@questions("missing value goes right")
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, missing_thresholds(reader), missing_left=False)


@questions("missing value stops at a node")
def _(reader: Reader) -> Iterator[Question]:
    yield from around(reader, ORDINARY, missing_left=True)
    test = frozenset([1])
    nodes = (Split(0, 0.5, 1, 2, own=1), Split(1, test, 3, 4, own=0), Leaf(1), Leaf(1), Leaf(1))
    features = (Variable("x"), Variable("colour", "category", ("blue", "green")))
    yield Tree(features, tuple(reader.labels), nodes, missing=True), [(x, k) for x in (0.0, 1.0, NAN) for k in (0, 1)]


@questions("missing value that no domain has", whole=False)
def _(reader: Reader) -> Iterator[Question]:
    yield stump(Variable("x"), 0.5, reader.labels), [(NAN,)]


def everywhere(reader: Reader, tree: Tree) -> Question:
    return tree, points_of(tree, reader.largest)


@questions("one leaf")
def _(reader: Reader) -> Iterator[Question]:
    for label in (0, 1):
        yield everywhere(reader, Tree((reader.variable("x"),), tuple(reader.labels), (Leaf(label),)))


@questions("every leaf of one class")
def _(reader: Reader) -> Iterator[Question]:
    yield everywhere(reader, chain(reader.variable, 5, reader.labels, pure=True))


@questions("depth 1 to 60")
def _(reader: Reader) -> Iterator[Question]:
    for depth in range(1, 61):
        tree = chain(reader.variable, depth, reader.labels)
        points = points_of(tree, reader.largest, 8)
        yield tree, [*points[:: max(1, len(points) // 8)], *points[-8:]]


@questions("1,000 nodes")
def _(reader: Reader) -> Iterator[Question]:
    yield everywhere(reader, bushy(reader.variable, reader.leaves, reader.labels))


@questions("features that no node tests")
def _(reader: Reader) -> Iterator[Question]:
    test = 0.5 if reader.kind == "number" else None
    features = tuple(reader.variable(f"x{i}") for i in range(40))
    yield everywhere(reader, Tree(features, tuple(reader.labels), (Split(7, test, 1, 2), Leaf(0), Leaf(1))))


@questions("feature of one value")
def _(reader: Reader) -> Iterator[Question]:
    test = 0.5 if reader.kind == "number" else None
    features = (Variable("always", constant=True), reader.variable("x"))
    yield everywhere(reader, Tree(features, tuple(reader.labels), (Split(1, test, 1, 2), Leaf(0), Leaf(1))))


def among(reader: Reader, values: Sequence[str | int], left: Sequence[int], mapped: bool = False) -> Tree:
    """Return the tree that tests whether a category is among some, then a second feature."""
    test = 0.5 if reader.kind == "number" else None
    features = (Variable("colour", "category", tuple(values), mapped=mapped), reader.variable("x"))
    nodes = (Split(0, frozenset(left), 1, 2), Leaf(0), Split(1, test, 3, 4), Leaf(1), Leaf(0))
    return Tree(features, tuple(reader.labels), nodes)


def every_category(tree: Tree, more: int = 0) -> Question:
    cells: list[Cell] = [False, True] if tree.features[1].kind == "boolean" else [0.0, 1.0]
    return tree, [(k, cell) for k in range(len(tree.features[0].values) + more) for cell in cells]


@questions("no category")
def _(reader: Reader) -> Iterator[Question]:
    if "no category" in reader.refused:
        yield Tree((Variable("colour", "category"),), tuple(reader.labels), (Leaf(0),)), []
    else:
        # The set of a node is empty, of those that go left or of those that go right.
        for left in ([], range(5)):
            yield every_category(among(reader, [str(k) for k in range(5)], list(left)), 2)


@questions("one category")
def _(reader: Reader) -> Iterator[Question]:
    test = 0.5 if reader.kind == "number" else None
    tree = among(reader, ["only"], [0])
    yield every_category(replace(tree, nodes=(Split(1, test, 1, 2), Leaf(1), Leaf(0))))
    if "no category" not in reader.refused:
        # Elsewhere a node's set is stored, so that a node may test what is always so.
        yield every_category(tree)


@questions("70 categories")
def _(reader: Reader) -> Iterator[Question]:
    values = [f"{k}" for k in range(70)]
    for left in (range(0, 70, 3), [0], [69], [31, 32, 33, 63, 64], range(69)):
        yield every_category(among(reader, values, list(left)))


@questions("map of codes to categories")
def _(reader: Reader) -> Iterator[Question]:
    for values in (["blue", "green", "red"], [3, 4, 8], [-1, 0, 1], ["1", "0"]):
        yield every_category(among(reader, values, [0, 2] if len(values) > 2 else [0], mapped=True))


@questions("unknown category", whole=False)
def _(reader: Reader) -> Iterator[Question]:
    values = [f"{k}" for k in range(35)]
    tree = among(reader, values, [1, 2, 33])
    unseen = every_category(tree, 3)[1][-4:]
    yield tree, unseen if "unknown category" not in reader.refused else unseen[-1:]
    # Sources differ in whether an unknown category is a missing value.
    root = replace(tree.nodes[0], missing_left=True)
    yield (
        replace(tree, nodes=(root, *tree.nodes[1:])),
        unseen if "unknown category" not in reader.refused else unseen[-1:],
    )


@questions("categories that are texts")
def _(reader: Reader) -> Iterator[Question]:
    yield every_category(among(reader, ["true", "0", "a b", 'c, "d"', "größe", "=", "1.0"], [1, 3, 5]))


@questions("truth values as cells")
def _(reader: Reader) -> Iterator[Question]:
    test = 0.5 if reader.kind == "number" else None
    yield stump(reader.variable("x"), test, reader.labels), [(False,), (True,)]


def labelled(reader: Reader, *labels: object) -> Question:
    return everywhere(reader, bushy(reader.variable, max(4, len(labels)), labels, max(3, len(labels))))


@questions("labels: integers")
def _(reader: Reader) -> Iterator[Question]:
    yield labelled(reader, 0, 1, 2)
    yield labelled(reader, 7, 30, 2**40)


@questions("labels: negative integers")
def _(reader: Reader) -> Iterator[Question]:
    yield labelled(reader, -7, -1, 2)


@questions("labels: floats")
def _(reader: Reader) -> Iterator[Question]:
    yield labelled(reader, 0.5, 1.0, -2.25)


@questions("labels: Booleans")
def _(reader: Reader) -> Iterator[Question]:
    tree = stump(reader.variable("x"), 0.5 if reader.kind == "number" else None, (False, True))
    yield everywhere(reader, tree)


@questions("labels: texts")
def _(reader: Reader) -> Iterator[Question]:
    yield labelled(reader, "no", "maybe, yes", 'a "b"', " x ")


@questions("labels: any script")
def _(reader: Reader) -> Iterator[Question]:
    yield labelled(reader, "größe", "日本語", "да", "🙂")


@questions("1,000 classes")
def _(reader: Reader) -> Iterator[Question]:
    tree, points = labelled(reader, *(f"class {k}" for k in range(1000)))
    # A thousand trees add to a thousand scores at each point.
    yield tree, points[:: 16 if reader.tree_per_class else 1]


def named(reader: Reader, *pairs: Sequence[str]) -> Iterator[Question]:
    """Yield trees whose features, or classes, have the names."""
    sample = reader.sample()
    for first, second in pairs:
        if reader.names_features:
            yield everywhere(reader, replace(sample, features=(reader.variable(first), reader.variable(second))))
        if reader.names_classes:
            yield everywhere(reader, replace(sample, labels=(first, second)))


@questions("names with blanks")
def _(reader: Reader) -> Iterator[Question]:
    for name in reader.blanks:
        yield from named(reader, (name, "c"), ("c", name))


@questions("names with commas")
def _(reader: Reader) -> Iterator[Question]:
    yield from named(reader, ("a,b", "c;d:e=f!g"), (",", "c"))


@questions("names with quotes")
def _(reader: Reader) -> Iterator[Question]:
    yield from named(reader, ('a"b', "c'd"), ('"', "'"), ('"a"', "\\"))


@questions("names with line ends, controls")
def _(reader: Reader) -> Iterator[Question]:
    names = ("a\nb", "a\r", "a\u2028b", "a\tb", "a\x85b", "a\x1cb")
    yield from named(reader, *((name, "c") for name in reader.can_be_written(names)))


@questions("names of any script")
def _(reader: Reader) -> Iterator[Question]:
    yield from named(reader, ("größe", "日本語"), ("🙂", "да"), ("<b>", "=1+1"))


@questions("names with U+200C, U+200D")
def _(reader: Reader) -> Iterator[Question]:
    yield from named(reader, ("می\u200cخواهم", "c"), ("👩\u200d🔬", "c"))


@questions("equal names")
def _(reader: Reader) -> Iterator[Question]:
    yield from named(reader, ("a", "a"))


@questions("empty name")
def _(reader: Reader) -> Iterator[Question]:
    yield from named(reader, ("", "c"), ("c", ""))


@damage("fields in another order")
def _(reader: Reader) -> Iterator[Damage]:
    for data in reader.in_other_orders(reader.sample()):
        yield data, "same"


@damage("byte order mark")
def _(reader: Reader) -> Iterator[Damage]:
    yield b"\xef\xbb\xbf" + reader.make(reader.sample()), "same"


@damage("lines end in CRLF")
def _(reader: Reader) -> Iterator[Damage]:
    # Where a text has one line, line ends stand between its fields.
    data: bytes = reader.make(reader.sample())
    yield data.replace(b"\n", b"\r\n") if b"\n" in data else data.replace(b',"', b',\r\n"') + b"\r\n", "same"


@damage("gzip")
def _(reader: Reader) -> Iterator[Damage]:
    yield gzip.compress(reader.make(reader.sample()), mtime=0), "refused"


@damage("cut off")
def _(reader: Reader) -> Iterator[Damage]:
    data: bytes = reader.make(reader.sample())
    end = reader.must_be_whole_to(data)
    for length in [*range(0, end, max(1, end // 40)), end - 1]:
        yield data[:length], "refused"
    for length in range(end, len(data), max(1, (len(data) - end) // 10)):
        yield data[:length], reader.after_the_end


@damage("a field twice")
def _(reader: Reader) -> Iterator[Damage]:
    for data in reader.with_doubled_keys(reader.sample()):
        yield data, "refused"


@damage("a number of 10^6 digits")
def _(reader: Reader) -> Iterator[Damage]:
    zeros = b"0" * 10**6

    def spellings(number: bytes) -> Sequence[bytes]:
        return [b"9" * 10**6, b"-" + b"9" * 10**6, number + b"." * (b"." not in number) + zeros]

    for data in reader.with_numbers(reader.sample(), spellings):
        yield data, "either" if zeros in data else "refused"


@damage("a number that only Python reads")
def _(reader: Reader) -> Iterator[Damage]:
    for data in reader.with_numbers(reader.sample(), lambda number: [number + b"_0", "٢".encode()]):
        yield data, "refused"


@damage("nested 10^5 deep")
def _(reader: Reader) -> Iterator[Damage]:
    for data in reader.nested_deeply(reader.sample()):
        yield data, "refused"
