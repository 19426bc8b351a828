"""The cases of the deck: what each is for, its shape and its dress."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xpgcheck.deck import changes, dresses, shapes
from xpgcheck.deck.cases_of_answers import answer_cases, family_cases, more_answer_cases, more_family_cases
from xpgcheck.deck.cases_of_readings import category_cases, class_cases, set_cases, value_cases
from xpgcheck.deck.designs import ALL_LEVELS, BEYOND, BLANKS, CATEGORIES, CONFUSABLE, MIXED, Designed
from xpgcheck.deck.dresses import Dresser


def designed() -> list[Designed]:
    """Return all cases, in the order in which they are asked."""
    readings = [*value_cases(), *class_cases(), *category_cases()]
    small = [*_shapes(), *_terminals_and_names(), *_widths(), *_literals_of_pieces(), *_widths_and_more(), *set_cases()]
    large = [*answer_cases(), *more_answer_cases(), *_depths(), *family_cases(), *more_family_cases()]
    return [*readings, *small, *large, *_nodes(), *_nodes_and_more()]


def _depths() -> Iterator[Designed]:
    real = "a tree that was grown until its leaves are pure, over few columns"
    for depth in (8, 12, 18, 31, 60, 101, 130):
        reason = f"what decides lies {depth + 1} levels down, beyond a search that stops before"
        kinds = ("depth", "nodes") if depth > 60 else ("depth",)
        yield Designed(f"{depth} steps", kinds, reason, real, shapes.staircase(depth), ALL_LEVELS)
    for depth, count in ((11, 3), (35, 4), (105, 3), (210, 3)):
        reason = "a small problem behind a long path of nodes with one child"
        shape = changes.below_idle_nodes(shapes.conjunction(count), depth)
        yield Designed(f"AND of {count}, {depth} levels down", ("depth", "shape"), reason, "a pruned tree", shape)
    yield Designed(
        "48 steps, six at a time",
        ("depth", "width"),
        "long paths of nodes with many edges",
        "a tree with multi-way splits",
        shapes.staircase(48, 6),
        ALL_LEVELS,
    )
    yield Designed(
        "AND of 101",
        ("depth", "answer"),
        "a path of 101 levels, an answer of 101 features",
        "a decision list of one class",
        changes.asked_at(shapes.conjunction(101), 0, 2),
    )
    for name, dress in (
        ("beyond doubles", dresses.BEYOND_DOUBLES),
        ("negative", dresses.steps(-20)),
        ("a float apart", dresses.BINARY64_NEIGHBOURS),
        ("small", dresses.SMALL),
    ):
        reason = "the same feature again and again, at thresholds that lose their order when they are rounded"
        shape = shapes.staircase(14)
        yield Designed(f"14 steps, {name}", ("depth", "values"), reason, real, shape, _first_feature(dress))
    yield Designed(
        "20 steps, feature names alike",
        ("depth", "names"),
        "a long path over features whose names differ in case alone",
        "columns named by several people",
        shapes.staircase(20),
        ALL_LEVELS,
        ("Steps", "steps", "STEPS"),
    )
    yield Designed(
        "20 steps, classes alike",
        ("depth", "names"),
        "a long path to classes that differ in an accent alone",
        "labels typed by hand",
        shapes.staircase(20),
        ALL_LEVELS,
        (),
        dresses.ACCENTS[:2],
    )


def _first_feature(dress: Dresser) -> Callable[[int], Dresser]:
    return lambda feature: dresses.boolean if feature else dress


def _widths() -> Iterator[Designed]:
    real = "a column of countries, of postal codes, of products"
    for levels in (5, 6, 9, 12, 21, 40):
        deciding = {5: 4, 6: 5, 9: 8, 12: 0, 21: 20, 40: 30}[levels]
        reason = f"one edge of {levels} leads to another class, not one of the first few"
        yield Designed(f"fan of {levels}", ("width",), reason, real, shapes.fan(levels, deciding), CATEGORIES)
    yield Designed(
        "nodes of 2 to 40 edges",
        ("width", "nodes"),
        "a node of each width: some width alone goes wrong",
        real,
        shapes.fans_of_each_width(40),
        CATEGORIES,
    )
    yield Designed(
        "40 classes",
        ("width", "names"),
        "indices of classes are cut, or taken for others, from some number on",
        "digits, letters, products to recommend",
        shapes.pairs_of_classes(40),
        CATEGORIES,
        (),
        [f"class {k}" for k in range(40)],
    )
    for levels, deciding in ((8, 0), (21, 10), (40, 1), (300, 1)):
        reason = f"edge {deciding + 1} of {levels} leads to another class, not one of the last few"
        name = f"fan of {levels}, edge {deciding + 1}"
        yield Designed(name, ("width",), reason, real, shapes.fan(levels, deciding), CATEGORIES)
    for levels in (7, 16, 33):
        reason = f"each of {levels} edges leads to another test"
        yield Designed(f"switch of {levels}", ("width",), reason, real, shapes.switch(levels), CATEGORIES)


def _literals_of_pieces() -> Iterator[Designed]:
    for levels, parts in ((2, 4), (2, 12), (3, 9), (2, 30)):
        reason = f"literals are unions of {parts} pieces"
        real = "even and odd numbers, weekdays of dates"
        yield Designed(
            f"{levels} literals of {parts} pieces", ("width",), reason, real, shapes.pieces(levels, parts), ALL_LEVELS
        )
        if parts == 12:
            yield Designed(
                "2 literals of 12 pieces, beyond doubles",
                ("width", "values"),
                "pieces of one number each, at numbers that doubles take for equal",
                "identifiers",
                shapes.pieces(2, 12),
                _first_feature(dresses.BEYOND_DOUBLES),
            )
            yield Designed(
                "2 literals of 12 pieces, floats next to each other",
                ("width", "values"),
                "pieces of one float each",
                "measurements of a device with few bits",
                shapes.pieces(2, 12),
                _first_feature(dresses.BINARY32_NEIGHBOURS),
            )
            yield Designed(
                "2 literals of 12 categories",
                ("width",),
                "literals that list a dozen categories",
                "grouped categories",
                shapes.pieces(2, 12),
                CATEGORIES,
            )


def _widths_and_more() -> Iterator[Designed]:
    real = "a column of countries, of postal codes, of products"
    yield Designed(
        "3 fans of 60",
        ("width", "nodes"),
        "nodes with 60 edges and a terminal for each",
        "a multi-way split by product",
        shapes.fan(60, 57, 3),
        CATEGORIES,
    )
    yield Designed(
        "switch of 9, words alike",
        ("width", "names"),
        "edges whose categories differ in case or blanks alone",
        "a column typed by hand",
        shapes.switch(9),
        dresses.in_turn(dresses.categories([*dresses.CASE, *dresses.BLANKS[1:]])),
    )
    yield Designed(
        "switch of 9 among 20 features",
        ("width", "shape"),
        "many edges, and features that no node tests",
        real,
        changes.with_spares(shapes.switch(9), 4, 2, 4),
        CATEGORIES,
    )
    yield Designed(
        "fan of 300",
        ("width", "values", "nodes"),
        "a domain of 300 categories, each with an edge",
        "identifiers as categories",
        shapes.fan(300, 298),
        CATEGORIES,
    )


def _nodes() -> Iterator[Designed]:
    real = "a tree as libraries grow it by default"
    for depth in (6, 7, 8):
        reason = f"{2 ** (depth + 1) - 1} nodes: errors and other answers from some number of nodes on"
        yield Designed(f"complete tree of depth {depth}", ("nodes",), reason, real, shapes.lookup(depth))
    yield Designed(
        "complete tree of depth 9",
        ("nodes", "family"),
        "1,023 nodes",
        real,
        changes.asked_at(shapes.lookup(9), 0, 1),
    )
    for depth, branches, only in ((7, 2, 77), (3, 10, 345)):
        yield Designed(
            f"one leaf of {branches**depth}",
            ("nodes", "width") if branches > 2 else ("nodes",),
            "of many nodes that wait to be looked at one alone decides: those beyond some number are dropped",
            "a rare class",
            shapes.lookup(depth, branches=branches, only=only),
            CATEGORIES,
        )
    yield Designed(
        "three tests of 14 categories",
        ("nodes", "width"),
        "2,955 nodes, all near the root",
        "multi-way splits of categorical columns",
        shapes.lookup(3, branches=14),
        CATEGORIES,
    )
    yield Designed(
        "AND of 4 on many nodes",
        ("nodes", "shape", "depth"),
        "a small problem on a graph of 160 nodes and more",
        "a graph with nodes that do nothing",
        changes.below_idle_nodes(shapes.conjunction(4), 160),
    )
    yield Designed(
        "parity of 8, unfolded",
        ("nodes", "answer"),
        "an answer of 8 features on a tree of 511 nodes",
        real,
        changes.unfolded(shapes.parity(8), 500),
    )


def _nodes_and_more() -> Iterator[Designed]:
    real = "a tree as libraries grow it by default"
    for name, dress in (("beyond doubles", BEYOND), ("negative", dresses.in_turn(dresses.NEGATIVE))):
        yield Designed(
            f"complete tree of depth 7, {name}",
            ("nodes", "values"),
            "many nodes, with exact comparisons at each",
            real,
            shapes.lookup(7),
            dress,
        )
    yield Designed(
        "complete tree of depth 7, names alike",
        ("nodes", "names"),
        "many nodes, over features and classes whose names are alike",
        "columns named by several people",
        shapes.lookup(7),
        names=CONFUSABLE,
        classes=("No", "no"),
    )


def _shapes() -> Iterator[Designed]:
    real = "a diagram with shared nodes, as BDD packages make"
    for count in (3, 6, 9):
        reason = f"2^{count} paths over {3 * count} nodes: walking paths, or marking nodes too early, goes wrong"
        yield Designed(f"{count} diamonds", ("shape",), reason, real, shapes.diamonds(count), MIXED)
    for what, shape in (
        ("one terminal alone", shapes.constant(0)),
        ("seven terminals of one class", shapes.constant(3)),
    ):
        yield Designed(what, ("shape",), "the AXp is empty, and there is no CXp", "a model of one class", shape)
    for count in (5, 9):
        reason = "two nodes a layer, entered from both sides"
        yield Designed(f"{count} crossed layers", ("shape",), reason, real, shapes.reconvergent(count))
    yield Designed(
        "AND of 3 below 6 diamonds",
        ("shape", "depth"),
        "features that part a path that joins again are in no XP",
        real,
        changes.below_diamonds(shapes.conjunction(3), 6),
    )
    yield Designed(
        "3 of 5 below 3 diamonds, unfolded",
        ("shape", "nodes"),
        "shared nodes as copies",
        "what libraries that cannot share nodes make of it",
        changes.unfolded(changes.below_diamonds(shapes.majority(5, 3), 3), 170),
    )
    yield Designed(
        "two features among 70",
        ("shape",),
        "indices above 31 and 63, and features on no path before, between and after",
        "a table whose model uses two columns",
        changes.with_spares(shapes.conjunction(2), 33, 32, 1),
    )


def _terminals_and_names() -> Iterator[Designed]:
    real = "a diagram with shared nodes, as BDD packages make"
    yield Designed(
        "one terminal per class, edges turned round",
        ("shape",),
        "all edges lead to two shared terminals, the later value first",
        real,
        changes.reversed_edges(shapes.majority(5, 3)),
        dresses.in_turn(dresses.boolean, dresses.backwards),
    )
    yield Designed(
        "six terminals of three classes",
        ("shape",),
        "several terminals have the class of the instance, and several others another",
        real,
        shapes.several_terminals((0, 1, 2, 0, 1, 0)),
        ALL_LEVELS,
        (),
        ("no", "yes", "perhaps"),
    )
    yield Designed(
        "diamonds over negative numbers",
        ("shape", "values"),
        "shared nodes, and values that lose their order by their sign",
        "temperatures, balances",
        shapes.diamonds(4),
        dresses.in_turn(dresses.BOTH_SIGNS, dresses.NEGATIVE, dresses.boolean),
    )
    yield Designed(
        "diamonds, names that end in blanks",
        ("shape", "names"),
        "shared nodes, over features whose names are equal once blanks are stripped",
        "columns of a spreadsheet",
        shapes.diamonds(5),
        names=BLANKS,
        classes=("yes", "yes "),
    )
