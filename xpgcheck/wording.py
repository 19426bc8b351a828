"""Names, values, sets and points as people read them: control characters escaped, numbers short where nothing is lost."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

from xpgcheck.errors import did_you_mean, printable, shown
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.domains import Categorical, Domain, Float32, Float64, Integer
from xpgcheck.model.ieee754 import BinaryFormat
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet, number_text, value_text
from xpgcheck.model.values import Point, Value

LONG_NUMBER = 16
"""Characters of an exact number above which a text shows an approximation, marked ≈ (the JSON stays exact)."""


def short_value(domain: Domain, value: Value) -> str:
    """Return *value* for a person.

    A float32 or float64 is shown as the shortest decimal that is read back as the same one; another number in full, or
    marked ≈ where that is long.
    """
    if not isinstance(value, Fraction):
        return printable(value_text(value))
    if isinstance(domain, (Float32, Float64)):
        return _shortest(domain.binary, value)
    return short_number(value)


def short_number(number: Fraction) -> str:
    """Return *number* in full, or marked ≈ where that is long."""
    exact = number_text(number)
    return exact if len(exact) <= LONG_NUMBER else f"≈{_approximate(number)}"


@functools.lru_cache(maxsize=4096)
def _shortest(binary: BinaryFormat, value: Fraction) -> str:
    number = float(value)
    for digits in range(1, 18):
        text = f"{number:.{digits}g}"
        if binary.nearest(float(text)) == value:
            return _plain(text)
    return number_text(value)


def _plain(text: str) -> str:
    """Return 1e+02 as 100: exponents only where the number is long without."""
    exact = number_text(Fraction(text))
    return exact if len(exact) <= LONG_NUMBER else text


def _approximate(value: Fraction) -> str:
    """Return six digits, with a power of ten where a float would be 0 or infinite: ``1.5e-400``."""
    with localcontext(Context(prec=6, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        near = Decimal(value.numerator) / Decimal(value.denominator)
    if abs(near.adjusted()) < LONG_NUMBER:
        return f"{float(near):.6g}"
    digits, _, power = f"{near:e}".partition("e")
    return f"{digits.rstrip('0').rstrip('.') if '.' in digits else digits}e{int(power):+03d}"


MANY_CATEGORIES = 6
"""Categories up to which a set lists them all; of more it says how many they are, and which are left out."""


def condition_text(name: str, domain: Domain, values: ValueSet) -> str:
    """Return that the feature *name* is in *values*: ``2.45 < petal length ≤ 4.95``, ``job = clerk or student``."""
    if isinstance(values, FiniteSet):
        return f"{name} {_one_of(domain, values)}"
    whole = domain.all_values()
    assert isinstance(whole, IntervalSet)
    spans = zip(values.intervals(), values.cuts[::2], values.cuts[1::2], strict=True)
    parts = []
    for span, low, high in spans:
        if span.low is not None and span.low == span.high:
            parts.append(f"{name} = {short_value(domain, _whole(domain, span.low))}")
            continue
        # An end of the domain does not end the set.
        below = "" if low == whole.cuts[0] or span.low is None else _end(domain, span.low, span.low_open, upwards=False)
        above = (
            "" if high == whole.cuts[-1] or span.high is None else _end(domain, span.high, span.high_open, upwards=True)
        )
        if below and above:
            number, _, sign = below.rpartition(" ")
            parts.append(f"{number} {'<' if sign == '>' else '≤'} {name} {above}")
        elif below:
            number, _, sign = below.rpartition(" ")
            parts.append(f"{name} {sign} {number}")
        else:
            parts.append(f"{name} {above}" if above else f"{name} is any number")
    return " or ".join([*parts, *(["missing" if parts else f"{name} is missing"] if values.missing else [])])


def box_texts(space: Classifier, box: Mapping[int, ValueSet]) -> list[str]:
    """Return of each feature of *box*, in the model's order, that it is in its set."""
    pairs = sorted(box.items(), key=lambda pair: pair[0])
    return [condition_text(printable(space.features[i].name), space.features[i].domain, values) for i, values in pairs]


def _end(domain: Domain, number: Fraction, is_open: bool, *, upwards: bool) -> str:
    """Return an end of an interval: ``≤ 4.95`` of an upper one, ``2.45 >`` of a lower one."""
    own = short_value(domain, _whole(domain, number)), is_open
    if isinstance(domain, (Float32, Float64)):
        # Between two neighbours there is nothing, so that either tells the end: the one with fewer digits.
        beside = domain.binary.above(number) if upwards else domain.binary.below(number)
        if beside is not None:
            own = min(own, (short_value(domain, beside), True), key=lambda end: len(end[0]))
    text, is_open = own[0].replace("≈", "about "), own[1]
    return f"{'<' if is_open else '≤'} {text}" if upwards else f"{text} {'>' if is_open else '≥'}"


def _whole(domain: Domain, number: Fraction) -> Value:
    return int(number) if isinstance(domain, Integer) else number


def _one_of(domain: Domain, values: FiniteSet) -> str:
    """Return ``= clerk``, ``= clerk or student``, ``is any of 12 categories but clerk and student``."""
    everything = domain.all_values()
    assert isinstance(everything, FiniteSet)
    order = [value for value in _in_order(domain) if value in values]
    if len(order) <= MANY_CATEGORIES:
        texts = [short_value(domain, value) for value in order]
        return "= " + " or ".join([", ".join(texts[:-1])] * (len(texts) > 1) + texts[-1:])
    rest = [short_value(domain, value) for value in _in_order(domain) if value not in values]
    if len(rest) <= MANY_CATEGORIES:
        return f"is any of {len(everything.values)} categories but {listed(rest)}" if rest else "is any category"
    return f"is one of {len(order)} of {len(everything.values)} categories"


def _in_order(domain: Domain) -> Sequence[Value]:
    return domain.values if isinstance(domain, Categorical) else (False, True)


def listed(parts: Sequence[str]) -> str:
    """Return *parts* as a list in a sentence: ``a, b and c``."""
    return " and ".join(([", ".join(parts[:-1])] if len(parts) > 1 else []) + list(parts[-1:]))


def counted(count: int, word: str, several: str = "") -> str:
    """Return ``1 AXp``, ``2 AXps``; *several* is the plural where it is not *word* with an s."""
    return f"{count:,} {word if count == 1 else several or f'{word}s'}"


def set_text(labels: Sequence[str], members: Iterable[int]) -> str:
    """Return the members of a set by their labels, in order, in braces."""
    return "{" + ", ".join(shown(labels[i], 40)[1:-1] for i in sorted(members)) + "}"


def point_text(space: Classifier, point: Point) -> str:
    """Return the values of a point, each with its feature."""
    pairs = zip(space.features, point, strict=True)
    return ", ".join(f"{shown(f.name, 40)[1:-1]}={shown(value_text(v), 40)[1:-1]}" for f, v in pairs)


def mend_name(name: str, known: Sequence[str]) -> str:
    """Return how to put an unknown feature's *name* right: the nearest names that exist."""
    near = did_you_mean(name, known, 3)
    if near:
        return near
    some = ", ".join(shown(text, 40) for text in known[:5])
    return f"name a feature of the model: {some}{', …' if len(known) > 5 else ''}"
