"""Wrong explainers: names that are taken for equal, and numbers that are not kept as they are."""

from __future__ import annotations

import math
import re
import struct
import unicodedata
from collections.abc import Callable, Iterator
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain
from xpgcheck.model.value_sets import FiniteSet, IntervalSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.properties.seeded.reach import Row, row
from xpgcheck.properties.seeded.scalable import Scalable
from xpgcheck.properties.seeded.textbook import Features, Xpg


def _as_number(name: str) -> str:
    try:
        return repr(float(name))
    except ValueError:
        return name


def _as_truth(name: str) -> str:
    return {"true": "1", "false": "0", "yes": "1", "no": "0"}.get(name.lower(), name)


def _as_nothing(name: str) -> str:
    return "" if name.lower() in ("nan", "none", "null", "na", "") else name


def _without_accents(name: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFD", name) if not unicodedata.combining(mark))


FOLDS: dict[str, Callable[[str], str]] = {
    "case": str.lower,
    "folded case": str.casefold,
    "blanks at the ends": str.strip,
    "blanks on the right": str.rstrip,
    "all blanks": lambda name: name.replace(" ", ""),
    "accents": _without_accents,
    "compositions": lambda name: unicodedata.normalize("NFC", name),
    "compatible letters": lambda name: unicodedata.normalize("NFKC", name),
    "all but ascii": lambda name: name.encode("ascii", "ignore").decode(),
    "numbers": _as_number,
    "truths": _as_truth,
    "missing words": _as_nothing,
    "marks": lambda name: "".join(c for c in name if c.isalnum() or c == " "),
    "what follows a comma": lambda name: name.split(",")[0],
    "joiners": lambda name: name.replace("\u200d", "").replace("\u200c", ""),
    "markup": lambda name: re.sub("<[^>]*>", "", name),
    "the last s": lambda name: name.removesuffix("s"),
    "digits at the ends": lambda name: name.rstrip("0123456789"),
    "the order of letters": lambda name: "".join(sorted(name)),
    "all but 8 letters": lambda name: name[:8],
    "all but 10 letters": lambda name: name[:10],
}
"""Ways in which parts of names are lost, by what the part is called."""


class _OfNames(Scalable):
    kind = "names"

    def __init__(self, lost: str) -> None:
        super().__init__()
        self.fold = FOLDS[lost]

    def firsts(self, names: list[str]) -> list[int]:
        """Return of each name the place of the first one that is equal to it."""
        folded = [self.fold(name) for name in names]
        return [folded.index(name) for name in folded]


class _ClassesWithout(_OfNames):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        first = self.firsts(list(graph.classes))
        xpg = super().mapped(graph, instance)
        own = graph.class_of[graph.terminal(instance)]
        labels = [None if c < 0 else first[c] == first[own] for c in graph.class_of]
        return xpg._replace(label_of=labels)


class _PredictsWithout(_OfNames):
    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        return self.firsts(list(graph.classes))[super().predict(graph, instance)]


class _FeaturesWithout(_OfNames):
    def axp(self, graph: DecisionGraph, instance: Point) -> Features:
        first = self.firsts([feature.name for feature in graph.features])
        return frozenset(first[i] for i in super().axp(graph, instance))


class _InstancesWithout(_OfNames):
    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        # A dict from names to values, where the last of equal names stays.
        names = [self.fold(feature.name) for feature in graph.features]
        values = dict(zip(names, instance, strict=True))
        domains = [type(feature.domain) for feature in graph.features]
        same = [domains[i] is domains[len(names) - 1 - names[::-1].index(name)] for i, name in enumerate(names)]
        point = [values[name] if same[i] else instance[i] for i, name in enumerate(names)]
        return super().mapped(graph, tuple(point))


class _CategoriesWithout(_OfNames):
    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        if isinstance(domain, Boolean):
            return super().is_listed(domain, value, literal)
        return self.fold(str(value)) in {self.fold(str(own)) for own in literal.values}


class _MissingCategories(Scalable):
    kind = "names"

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        return value != self.word and super().is_listed(domain, value, literal)


class _ClassNamesAsIndices(Scalable):
    kind = "names"

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        found = super().predict(graph, instance)
        name = graph.classes[found]
        return int(name) if name.isdigit() and name.isascii() and int(name) < len(graph.classes) else found


def _int(bits: int) -> Callable[[Fraction], Fraction]:
    half = 1 << (bits - 1)

    def wrapped(number: Fraction) -> Fraction:
        return (number + half) % (2 * half) - half

    return wrapped


def _clip(low: int, high: int) -> Callable[[Fraction], Fraction]:
    return lambda number: min(max(number, Fraction(low)), Fraction(high))


def _double(number: Fraction) -> Fraction:
    return Fraction(float(number)) if abs(number) < Fraction(10) ** 308 else number


def _single(number: Fraction) -> Fraction:
    return (
        Fraction(struct.unpack("f", struct.pack("f", float(number)))[0]) if abs(number) < Fraction(10) ** 38 else number
    )


def _digits(count: int) -> Callable[[Fraction], Fraction]:
    def rounded(number: Fraction) -> Fraction:
        return Fraction(Context(prec=count).divide(Decimal(number.numerator), Decimal(number.denominator)))

    return rounded


READINGS: dict[str, Callable[[Fraction], Fraction]] = {
    "binary64": _double,
    "binary32": _single,
    "16 bits": _int(16),
    "32 bits": _int(32),
    "64 bits": _int(64),
    "int16 ends": _clip(-(1 << 15), (1 << 15) - 1),
    "int32 ends": _clip(-(1 << 31), (1 << 31) - 1),
    "int64 ends": _clip(-(1 << 63), (1 << 63) - 1),
    "uint32 ends": _clip(0, (1 << 32) - 1),
    "0 to 255": _clip(0, 255),
    "at most a million": _clip(-(10**6), 10**6),
    "6 digits": _digits(6),
    "15 digits": _digits(15),
    "6 decimals": lambda number: Fraction(round(number, 6)),
    "9 decimals": lambda number: Fraction(round(number, 9)),
    "12 decimals": lambda number: Fraction(round(number, 12)),
    "no sign": abs,
    "not below zero": lambda number: max(number, Fraction(0)),
    "denominators up to 1000": lambda number: number.limit_denominator(1000),
    "denominators up to a billion": lambda number: number.limit_denominator(10**9),
    "normal doubles": lambda number: number if abs(number) >= Fraction(2) ** -1022 else Fraction(0),
    "a zero with a sign": lambda number: number or Fraction(-1, 1 << 1074),
    "a tolerance of 1e-9": lambda number: Fraction(math.floor(number * 10**9 + Fraction(1, 2)), 10**9),
}
"""Ways in which numbers are changed, by what the result is called."""


class _NumbersIn(Scalable):
    kind = "values"

    def __init__(self, read: str) -> None:
        super().__init__()
        self.read = READINGS[read]

    def number(self, value: Value) -> Any:
        return self.read(Fraction(value)) if isinstance(value, (int, Fraction)) else value

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return super().is_above(number, self.read(low), is_open)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return super().is_below(number, self.read(high), is_open)


class _ValuesOfLargeGraphs(Scalable):
    """Two things meet: many nodes, and numbers that are not kept."""

    kind = "values"

    def __init__(self, nodes: int) -> None:
        super().__init__()
        self.nodes, self.large = nodes, False

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        self.large = graph.node_count > self.nodes
        return super().mapped(graph, instance)

    def number(self, value: Value) -> Any:
        return _double(Fraction(value)) if self.large and isinstance(value, (int, Fraction)) else value


class _ListEndsWhereClassesAreAlike(_OfNames):
    """Two things meet: many XPs, and names that are taken for equal."""

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterator[tuple[str, Features]]:
        found = list(super().enumerate(graph, instance))
        alike = len(set(self.firsts(list(graph.classes)))) < len(graph.classes)
        return iter(found[:50] if alike else found)


class _ValuesAloneIn(_NumbersIn):
    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return Scalable.is_above(self, number, low, is_open)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return Scalable.is_below(self, number, high, is_open)


class _ThresholdsAloneIn(_NumbersIn):
    def number(self, value: Value) -> Any:
        return value


class _EqualWithin(Scalable):
    kind = "values"

    def __init__(self, width: float) -> None:
        super().__init__()
        self.width = Fraction(width)

    def is_above(self, number: Any, low: Fraction, is_open: bool) -> bool:
        return bool(number > low + self.width) if is_open else bool(number >= low - self.width)

    def is_below(self, number: Any, high: Fraction, is_open: bool) -> bool:
        return bool(number < high - self.width) if is_open else bool(number <= high + self.width)


class _CategoriesUpTo(Scalable):
    kind = "values"

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        if not isinstance(domain, Categorical):
            return super().is_listed(domain, value, literal)
        known = domain.values[: self.most]
        return (value if value in known else known[-1]) in literal.values


class _CategoriesInOrder(_CategoriesUpTo):
    def is_listed(self, domain: Domain, value: Value, literal: FiniteSet) -> bool:
        if isinstance(domain, Categorical) and len(domain.values) > self.most:
            value = domain.values[sorted(domain.values).index(str(value))]
        return value in literal.values


class _MissingIs(Scalable):
    kind = "values"

    def __init__(self, number: int) -> None:
        super().__init__()
        self.as_number = Fraction(number)

    def holds(self, domain: Domain, value: Value, literal: Any) -> bool:
        if value is MISSING and isinstance(literal, IntervalSet):
            value = self.as_number
        return super().holds(domain, value, literal)


def rows() -> Iterator[Row]:
    """Yield the rows of this module."""
    for lost in FOLDS:
        yield row(_ClassesWithout, "classes that differ in {lost} alone are one", lost=lost)
        yield row(_CategoriesWithout, "categories that differ in {lost} alone are one", lost=lost)
    for lost in ("case", "blanks at the ends", "accents", "numbers", "all but 8 letters"):
        yield row(_FeaturesWithout, "features whose names differ in {lost} alone are one", lost=lost)
    for lost in ("case", "all blanks", "compatible letters"):
        yield row(_PredictsWithout, "the class predicted is the first that differs in {lost} alone", lost=lost)
    for lost in ("folded case", "blanks on the right"):
        yield row(
            _InstancesWithout,
            "of features whose names differ in {lost} alone, the last one's value is taken",
            lost=lost,
        )
    for word in ("nan", "None"):
        yield row(
            _MissingCategories, "the category {word} is taken for a missing value, which no edge lists", word=word
        )
    yield row(_ListEndsWhereClassesAreAlike, "50 XPs are listed where classes differ in {lost} alone", lost="case")
    yield row(_ValuesOfLargeGraphs, "values are read in binary64 on more than {nodes} nodes", nodes=110)
    yield row(_ClassNamesAsIndices, "the class predicted is its name, where that is a number")
    yield row(_ValuesAloneIn, "values are read in {read}", read="a zero with a sign")
    for read in [read for read in READINGS if read != "a zero with a sign"]:
        yield row(_NumbersIn, "values and thresholds are read in {read}", read=read)
    for read in ("binary64", "binary32", "32 bits", "int32 ends", "6 decimals", "15 digits"):
        yield row(_ValuesAloneIn, "values are read in {read}", read=read)
        yield row(_ThresholdsAloneIn, "thresholds are read in {read}", read=read)
    for width in (1e-9, 1e-12, 1e-16):
        yield row(_EqualWithin, "numbers are equal within {width}", width=width)
    for most in (50, 128, 255):
        yield row(_CategoriesUpTo, "categories after the first {most} are taken for the last of these", most=most)
    yield row(_CategoriesInOrder, "more than {most} categories are taken in alphabetical order", most=10)
    for number in (0, -1):
        yield row(_MissingIs, "a missing value is read as {number}", number=number)
