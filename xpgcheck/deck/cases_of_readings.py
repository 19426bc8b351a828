"""The cases of the deck about what is read: names of classes, categories and features, thresholds and values."""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.deck import changes, dresses, shapes
from xpgcheck.deck.designs import ALL_LEVELS, CATEGORIES, CONFUSABLE, Designed
from xpgcheck.deck.dresses import Dresser


def class_cases() -> Iterator[Designed]:
    """Yield cases about names of classes."""
    real = "labels typed by hand, merged from several sources, or read by a program that guesses types"
    for what, names in _lists():
        reason = f"classes are told apart by their names, and these are equal {what}: taken for one, a feature is lost"
        shape = changes.with_spares(shapes.pairs_of_classes(len(names)), 0, 0, 1)
        yield Designed(f"classes equal {what}", ("names",), reason, real, shape, ALL_LEVELS, (), names)
    reason = "the instance's class has the name of another class's index"
    shape = shapes.several_terminals(range(len(dresses.NUMBERS)))
    yield Designed(
        "classes that are numbers", ("names",), reason, "labels 0 and 1", shape, CATEGORIES, (), dresses.NUMBERS
    )


def _lists() -> list[tuple[str, tuple[str, ...]]]:
    """Return lists of names that some programs take for equal, with where they do."""
    return [
        ("but for case", dresses.CASE),
        ("but for blanks", dresses.BLANKS),
        ("but for accents", dresses.ACCENTS),
        ("in their first 8 letters", dresses.LONG),
        ("as numbers", dresses.TEXTS_OF_NUMBERS),
        ("as words of a program", dresses.WORDS_OF_CODE),
        ("as truth values", dresses.TRUTHS),
        ("but for marks", dresses.MARKS),
        ("as digits", dresses.DIGITS),
        ("as ligatures", dresses.LIGATURES),
        ("when folded", dresses.SHARP),
        ("up to a comma or the like", dresses.COMMAS),
        ("but for letters beyond ASCII", dresses.BEYOND_ASCII),
        ("in many letters", dresses.VERY_LONG),
        ("at their ends", dresses.ENDINGS),
        ("without markup", dresses.MARKUP),
        ("but for what is not seen", dresses.INVISIBLE),
    ]


def category_cases() -> Iterator[Designed]:
    """Yield cases about names of categories and of features."""
    for what, names in _lists():
        reason = f"categories are equal {what}"
        real = "a column typed by hand, or read by a program that guesses types"
        shape = shapes.several_terminals(range(len(names)))
        dress = dresses.in_turn(dresses.categories(names), dresses.boolean)
        labels = [f"class {k}" for k in range(len(names))]
        shape = changes.asked_everywhere(shape, 8)
        yield Designed(f"categories equal {what}", ("names", "values"), reason, real, shape, dress, (), labels)
        reason = f"features are told apart by their names, and these are equal {what}"
        shape = changes.asked_one_by_one(shapes.conjunction(len(names)))
        yield Designed(
            f"features equal {what}", ("names",), reason, "columns named by several people", shape, names=names
        )
    reason = "the name of a feature is the index of another one, so is that of a category"
    yield Designed(
        "features and categories that are numbers",
        ("names",),
        reason,
        "columns without names, codes as categories",
        changes.asked_one_by_one(shapes.conjunction(5, 5)),
        dresses.in_turn(dresses.categories(dresses.NUMBERS)),
        ("1", "0", "4", "2", "3"),
        ("1", "0"),
    )
    yield Designed(
        "names and values at once",
        ("names", "values"),
        "features, classes and categories alike, and thresholds beyond doubles",
        "a table merged from several sources",
        shapes.majority(5, 3),
        dresses.in_turn(dresses.categories(dresses.CASE), dresses.BEYOND_DOUBLES, dresses.categories(dresses.BLANKS)),
        CONFUSABLE,
        ("1", "1.0"),
    )


def value_cases() -> Iterator[Designed]:
    """Yield cases about thresholds and values."""
    real = "identifiers, time stamps, amounts in cents"
    listed: list[tuple[str, str, Dresser]] = [
        ("beyond 2^31", real, dresses.BEYOND_INT32),
        ("beyond 2^32", real, dresses.BEYOND_UINT32),
        ("beyond 2^53", real, dresses.BEYOND_DOUBLES),
        ("beyond 2^63", real, dresses.BEYOND_INT64),
        ("beyond 10^40", real, dresses.BEYOND_FLOATS),
        ("small and beyond 2^31", real, dresses.SMALL_AND_BEYOND_INT32),
        ("small and beyond 2^63", real, dresses.SMALL_AND_BEYOND_INT64),
        ("of both signs", "balances", dresses.BOTH_SIGNS),
        ("below −2^53", real, dresses.VERY_NEGATIVE),
        ("negative", "temperatures", dresses.NEGATIVE),
        ("from −1 to 0", "temperatures", dresses.NEGATIVE_TO_ZERO),
        ("around 255", "bytes", dresses.CLIPPED),
        ("around 2^15", "short integers", dresses.SHORTS),
        ("above 2^24", "counters in binary32", dresses.ODD_BEYOND_2_24),
        ("of 10^-12", "probabilities, concentrations", dresses.SMALL),
        ("of 10^-30", "probabilities, concentrations", dresses.TINY),
        ("next to 1", "ratios", dresses.NEAR_ONE),
        ("next to 1/3", "ratios", dresses.THIRDS),
        ("equal when rounded", "ratios", dresses.SAME_WHEN_ROUNDED),
        ("of six decimals", "coordinates", dresses.MANY_DIGITS),
        ("one binary32 number apart", "features that scikit-learn casts", dresses.BINARY32_NEIGHBOURS),
        ("one binary64 number apart", "measurements", dresses.BINARY64_NEIGHBOURS),
        ("around zero in binary64", "differences", dresses.AROUND_ZERO),
        ("subnormal", "underflow", dresses.SUBNORMAL),
        ("of 10^300", "overflow", dresses.GREAT),
        ("missing", "tables with gaps", dresses.with_missing),
        ("missing, with the last", "tables with gaps", dresses.floats("1/2", missing=True)),
        ("x < t", "XGBoost's comparison", dresses.strict("5/2")),
        ("x < 0", "balances", dresses.strict(0)),
        ("x < 0 of floats", "balances", dresses.strict(0, "float64")),
        ("x < t of integers", "XGBoost's comparison", dresses.strict(3, "integer")),
        ("x >= t first", "comparisons written the other way", dresses.backwards),
    ]
    for number, (what, stands_for, dress) in enumerate(listed):
        reason = "thresholds or values are rounded, cut, clipped, or compared by the wrong relation"
        shape = [shapes.majority(3, 2), shapes.conjunction(3), shapes.staircase(3)][number % 3]
        every = dresses.in_turn(dress)
        yield Designed(f"values {what}", ("values",), reason, stands_for, changes.asked_everywhere(shape, 4), every)


def set_cases() -> Iterator[Designed]:
    """Yield cases about sets of values, as inflated AXps and CXps have them."""
    listed: list[tuple[str, Dresser]] = [
        ("integers", dresses.steps(7)),
        ("categories", dresses.plain),
        ("with missing values", dresses.with_missing),
    ]
    for what, dress in listed:
        every = dresses.in_turn(dress)
        yield Designed(
            f"tested twice, {what}",
            ("values", "shape"),
            "values that went another way at the first test count at the second: sets are too small",
            "a tree that comes back to a column",
            shapes.tested_twice(),
            every,
        )
        yield Designed(
            f"combinations, {what}",
            ("values", "shape"),
            "sets of changed values have those of one change, or of one class, or what lies between",
            "two columns that matter together",
            shapes.combinations(),
            every,
            (),
            ("no", "yes", "perhaps"),
        )
