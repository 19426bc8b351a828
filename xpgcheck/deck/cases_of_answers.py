"""Cases of the deck whose answers are large: sets of many features, and many of them."""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.deck import changes, dresses, shapes
from xpgcheck.deck.designs import ALL_LEVELS, BEYOND, BLANKS, CATEGORIES, CONFUSABLE, MIXED, Designed


def answer_cases() -> Iterator[Designed]:
    """Yield cases of large AXps and CXps."""
    real = "a rule of many conditions: one point of feature space has the class"
    for count in (7, 9, 11, 14, 20):
        reason = f"AXps and CXps of {count} features are cut, or no longer made minimal, from some number on"
        kinds = ("answer", "depth") if count > 10 else ("answer",)
        yield Designed(f"AND of {count}", kinds, reason, real, shapes.conjunction(count))
    for count in (31, 63, 127):
        reason = f"{count + 1} XPs: what comes in blocks of a power of two goes wrong at their ends"
        shape = changes.asked_at(shapes.conjunction(count), 0, 1)
        yield Designed(f"AND of {count}", ("family", "answer", "depth"), reason, real, shape)
    yield Designed(
        "AND of 1 to 24 of 24",
        ("answer", "shape"),
        "an AXp of each size: some size alone goes wrong",
        "rules that share their last conditions",
        shapes.entered_everywhere(24),
        ALL_LEVELS,
    )
    for count in (8, 12, 16):
        reason = "every feature is in the AXp: an upper limit on its size leaves some out"
        real = "a checksum, a comparison of many columns"
        yield Designed(f"parity of {count}", ("answer", "shape"), reason, real, shapes.parity(count))
    real = "a scorecard over categorical columns"
    yield Designed(
        "AND of 8 over six categories",
        ("answer", "width"),
        "large answers where nodes have many edges",
        real,
        shapes.conjunction(8, 6),
        CATEGORIES,
    )
    yield Designed(
        "AND of 14 over thirteen categories",
        ("answer", "width", "nodes", "depth"),
        "large answers on a graph of many nodes",
        real,
        shapes.conjunction(14, 13),
        CATEGORIES,
    )


def more_answer_cases() -> Iterator[Designed]:
    """Yield cases of large AXps and CXps among other features, values and names."""
    spares = changes.with_spares(shapes.conjunction(10), 2, 1, 3)
    yield Designed(
        "AND of 10 among 25 features",
        ("answer", "shape"),
        "features that no node tests lie between those of a large answer",
        "a table whose model uses a part of the columns",
        spares,
    )
    yield Designed(
        "AND of 40 among 90 features",
        ("answer", "shape", "depth"),
        "indices above 31 and 63 are lost where sets are bit masks of a machine word",
        "a table of hundreds of columns",
        changes.with_spares(shapes.conjunction(40), 5, 1, 5),
    )
    for name, dress in (("mixed domains", MIXED), ("thresholds beyond 2^31 and 2^53", BEYOND)):
        kinds = ("answer", "values") if dress is BEYOND else ("answer",)
        reason = "a large answer, each feature of which needs an exact comparison"
        yield Designed(f"AND of 12, {name}", kinds, reason, "a rule over measurements", shapes.conjunction(12), dress)
    yield Designed(
        "AND of 12, names alike",
        ("answer", "names"),
        "features whose names differ in case alone are taken for one: answers have half the size",
        "columns named by several people",
        shapes.conjunction(12),
        names=CONFUSABLE,
    )


def family_cases() -> Iterator[Designed]:
    """Yield cases with many XPs."""
    real = "alternatives: this or that document for each of several requirements"
    for number in (4, 5, 6, 7, 8, 10):
        reason = f"{2**number} AXps: lists are cut, end early, or have duplicates from some number on"
        kinds = ("family", "answer") if number > 6 else ("family",)
        yield Designed(f"{number} pairs", kinds, reason, real, shapes.groups(number))
    for number in (4, 5):
        reason = f"{3**number} AXps or CXps"
        yield Designed(f"{number} triples", ("family",), reason, real, shapes.groups(number, 3))
    reason = "2^20 AXps: one is asked for, and membership; an explainer that lists all first gives no answer"
    yield Designed("20 pairs", ("family", "answer", "depth"), reason, real, changes.asked_at(shapes.groups(20), 0, 2))
    real = "a vote: so many of so many signs"
    for count, need in ((7, 4), (8, 3), (9, 5), (11, 6), (12, 3)):
        reason = "both families are large, all sets of one size"
        yield Designed(f"{need} of {count}", ("family", "shape"), reason, real, shapes.majority(count, need))


def more_family_cases() -> Iterator[Designed]:
    """Yield cases with many XPs on graphs that are large, too, or whose names or values are not ordinary."""
    yield Designed(
        "6 pairs 40 levels down",
        ("family", "depth", "shape"),
        "a large family behind a long path",
        "a deep tree",
        changes.below_idle_nodes(shapes.groups(6), 40),
    )
    yield Designed(
        "5 pairs over six categories",
        ("family", "width"),
        "a large family where nodes have many edges",
        "categorical columns",
        shapes.groups(5, 2, 6),
        CATEGORIES,
    )
    yield Designed(
        "7 pairs over twelve categories",
        ("family", "width", "nodes", "answer"),
        "a large family on a graph of many nodes",
        "categorical columns",
        shapes.groups(7, 2, 12),
        CATEGORIES,
    )
    yield Designed(
        "5 of 9, unfolded",
        ("family", "nodes"),
        "the same large families on a tree of many nodes",
        "what libraries that cannot share nodes make of a vote",
        changes.unfolded(shapes.majority(9, 5), 320),
    )
    for name, dress in (("beyond doubles", BEYOND), ("small reals", dresses.in_turn(dresses.SMALL, dresses.TINY))):
        reason = "a large family, of which a misread threshold loses a part"
        yield Designed(f"6 pairs, {name}", ("family", "values"), reason, "measurements", shapes.groups(6), dress)
    yield Designed(
        "6 pairs, names that end in blanks",
        ("family", "names"),
        "each pair's names are equal once blanks are stripped: its two AXps become one",
        "columns of a spreadsheet",
        shapes.groups(6),
        names=BLANKS,
    )
    yield Designed(
        "6 pairs, classes alike",
        ("family", "names"),
        "the two classes are equal but for case: taken for one, nothing is left to explain",
        "labels typed by hand",
        shapes.groups(6),
        classes=("Approved", "approved"),
    )
    yield Designed(
        "6 pairs among 30 features",
        ("family", "shape"),
        "features that no node tests lie between",
        "a table whose model uses a part of the columns",
        changes.with_spares(shapes.groups(6), 3, 1, 3),
    )
