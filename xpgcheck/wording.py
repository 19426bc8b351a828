"""Names, values, sets and points as people read them: control characters escaped, numbers short where nothing is lost."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from fractions import Fraction

from xpgcheck.errors import did_you_mean, printable, shown
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.domains import Domain, Float32, Float64
from xpgcheck.model.ieee754 import BinaryFormat
from xpgcheck.model.value_sets import number_text, value_text
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
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return f"{len(str(abs(value.numerator) // value.denominator))}-digit number"


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
