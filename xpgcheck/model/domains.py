"""Domains of features (the paper's 𝔻_i) and the exact reading and writing of their values and literals."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import ClassVar

from xpgcheck.errors import DomainError, InstanceError, ValueSetError, shown
from xpgcheck.model.encodings import Encoding
from xpgcheck.model.ieee754 import BINARY32, BINARY64, BinaryFormat
from xpgcheck.model.value_sets import (
    FiniteSet,
    Grid,
    Interval,
    IntervalSet,
    interval_set,
)
from xpgcheck.model.values import MISSING, Missing, Value

MAX_NUMBER_LENGTH = 400
"""Characters in a number: enough for every binary64 in full, too few to make exact arithmetic slow."""

MAX_EXPONENT = 400


Cell = str | Fraction | bool | Missing
"""A category as a table has it."""

_BOTH = FiniteSet(frozenset((False, True)))


@functools.lru_cache(maxsize=1024)
def _whole(
    grid: Grid,
    low: int | Fraction | None,
    low_open: bool,
    high: int | Fraction | None,
    high_open: bool,
    missing: bool = False,
) -> IntervalSet:
    """Return a domain as a set; kept, as it is asked for with every value that is looked at."""
    ends = [None if end is None else Fraction(end) for end in (low, high)]
    return interval_set(grid, [Interval(ends[0], low_open, ends[1], high_open)], missing)


@dataclass(frozen=True, slots=True)
class Boolean:
    """The domain {0, 1}; its values are ``False`` and ``True``."""

    def all_values(self) -> FiniteSet:
        """Return the whole domain as a set."""
        return _BOTH

    def __str__(self) -> str:
        return "{0, 1}"


@dataclass(frozen=True, slots=True)
class Categorical:
    """A finite domain of named values, in the order given.

    ``cells`` says what a table has for each value where that is not its name alone: a text, a number, a Boolean, or the
    missing value.  ``unseen`` is the value that stands for every cell of another kind, if there is one.
    """

    values: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    unseen: str | None = None

    def __post_init__(self) -> None:
        if not self.values:
            raise DomainError("the domain is empty", mend="list at least one category in 'values'")
        if len(set(self.values)) != len(self.values):
            twice = next(v for i, v in enumerate(self.values) if v in self.values[:i])
            raise DomainError(f"category {shown(twice)} is listed twice", mend="list each category once")
        if self.cells and len(self.cells) != len(self.values):
            problem = f"there are {len(self.cells)} cells for {len(self.values)} categories"
            raise DomainError(problem, mend="give one cell for each category, in their order")
        if self.unseen is not None and self.unseen not in self.values:
            raise DomainError(f"{shown(self.unseen)} is not one of the categories", mend="correct 'unseen'")

    def all_values(self) -> FiniteSet:
        """Return the whole domain as a set."""
        return FiniteSet(frozenset(self.values))

    def __str__(self) -> str:
        return shown("{" + ", ".join(self.values) + "}")


@dataclass(frozen=True, slots=True)
class Integer:
    """The integers from ``low`` to ``high``, both included; an end that is None is unbounded.

    And the missing value where ``missing``: of a column whose model takes it.
    """

    low: int | None = None
    high: int | None = None
    missing: bool = False

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise DomainError(f"the domain is empty: no integer from {self.low} to {self.high}", mend="swap the bounds")

    def all_values(self) -> IntervalSet:
        """Return the whole domain as a set."""
        return _whole(Grid.INTEGERS, self.low, self.low is None, self.high, self.high is None, self.missing)

    def __str__(self) -> str:
        numbers = _whole(Grid.INTEGERS, self.low, self.low is None, self.high, self.high is None)
        return f"integers {numbers}{' or missing' if self.missing else ''}"


@dataclass(frozen=True, slots=True)
class Real:
    """The reals between ``low`` and ``high``; an end that is None is unbounded, an end may be open."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False

    def __post_init__(self) -> None:
        if self.all_values().is_empty():
            interval = Interval(self.low, self.low_open, self.high, self.high_open)
            raise DomainError(f"the domain is empty: no real in {interval}", mend="correct the bounds")

    def all_values(self) -> IntervalSet:
        """Return the whole domain as a set."""
        return _whole(Grid.DENSE, self.low, self.low_open, self.high, self.high_open)

    def __str__(self) -> str:
        return f"reals {self.all_values()}"


@dataclass(frozen=True, slots=True)
class Float32:
    """The finite IEEE 754 binary32 numbers, and the missing value (a NaN of the source) where ``missing``.

    The domain of a classifier that casts its inputs to float32 before it compares (scikit-learn, XGBoost).
    """

    missing: bool = False
    binary: ClassVar[BinaryFormat] = BINARY32

    def all_values(self) -> IntervalSet:
        """Return the whole domain as a set."""
        return _whole(Grid.FLOAT32, None, True, None, True, self.missing)

    def __str__(self) -> str:
        return "float32 numbers or missing" if self.missing else "float32 numbers"


@dataclass(frozen=True, slots=True)
class Float64:
    """The finite IEEE 754 binary64 numbers, and the missing value (a NaN of the source) where ``missing``.

    The domain of a classifier that compares doubles as they come (LightGBM, Orange).
    """

    missing: bool = False
    binary: ClassVar[BinaryFormat] = BINARY64

    def all_values(self) -> IntervalSet:
        """Return the whole domain as a set."""
        return _whole(Grid.FLOAT64, None, True, None, True, self.missing)

    def __str__(self) -> str:
        return "float64 numbers or missing" if self.missing else "float64 numbers"


Domain = Boolean | Categorical | Integer | Real | Float32 | Float64


def has_missing(domain: Domain) -> bool:
    """Tell whether the missing value is one of numbers in *domain*."""
    return isinstance(domain, (Integer, Float32, Float64)) and domain.missing


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name and its domain; ``encoding`` is how tables may have it instead, as several columns."""

    name: str
    domain: Domain
    encoding: Encoding | None = field(default=None, compare=False, repr=False)


_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_RATIO = re.compile(r"[+-]?\d+/\d+", re.ASCII)


def exact_number(text: str) -> Fraction:
    """Return the number that *text* writes (``-3``, ``2.45``, ``1e-3``, ``5/2``), exactly.

    Raises ``ValueSetError`` on anything else, NaN and infinities among them.
    """
    return Fraction(written_number(text))


def written_number(text: str) -> Decimal | Fraction:
    """Return what :func:`exact_number` does, a decimal as it is."""
    if len(text) > MAX_NUMBER_LENGTH:
        raise ValueSetError(f"a number of {len(text)} characters", mend=f"write at most {MAX_NUMBER_LENGTH}")
    stripped = text.strip()
    if _DECIMAL.fullmatch(stripped):
        try:
            decimal = Decimal(stripped)
            if abs(decimal.adjusted()) <= MAX_EXPONENT or not decimal:
                return decimal
        except (InvalidOperation, OverflowError):
            pass
    elif _RATIO.fullmatch(stripped):
        numerator, denominator = stripped.split("/")
        if int(denominator):
            return Fraction(int(numerator), int(denominator))
    raise ValueSetError(f"{shown(text)} is not a number", mend="write an integer, a finite decimal or a fraction p/q")


def read_value(domain: Domain, raw: object) -> Value:
    """Return the value of *domain* that *raw* stands for: a JSON or CSV cell, or a Python number.

    A Python ``float`` is taken at its exact value.  A float domain rounds to its nearest number, as its source does.
    Raises ``InstanceError`` when *raw* is not a value of the domain.
    """
    if isinstance(domain, Boolean):
        try:
            value = _BOOLEANS.get(raw.strip().lower() if isinstance(raw, str) else raw)
        except TypeError:
            # A list, say, has no hash.
            value = None
        if value is None:
            said = "the value is missing" if raw is None or _says_missing(raw) else f"{said_text(raw)} is not Boolean"
            raise InstanceError(said, mend=_BOOLEAN_MEND)
        return bool(value)
    if isinstance(domain, Categorical):
        return _read_category(domain, raw)
    if raw is MISSING or raw is None or _says_missing(raw):
        if has_missing(domain):
            return MISSING
        mend = f"write a value of {domain}"
        if isinstance(domain, (Float32, Float64)):
            mend += ", or have the model read with missing values (--missing; missing=True in Python)"
        raise InstanceError("the value is missing", mend=mend)
    return _read_number(domain, raw)


def _read_category(domain: Categorical, raw: object) -> str:
    text = str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else raw
    if isinstance(text, str) and text in domain.values:
        return text
    found = [name for name, cell in zip(domain.values, domain.cells, strict=False) if _is_cell(cell, raw)]
    if len(found) == 1:
        return found[0]
    if found:
        alike = " or ".join(map(shown, found))
        raise InstanceError(f"{said_text(raw)} may be category {alike}", mend="write the one that is meant")
    if domain.unseen is not None and isinstance(raw, (str, int, float, Fraction, Decimal)):
        equal = _of_equal_number(domain, raw)
        if equal is not None:
            problem = f"{said_text(raw)} may be category {shown(equal)} or one that training did not see"
            raise InstanceError(problem, mend=f"write {shown(equal)}, or {shown(domain.unseen)}")
        return domain.unseen
    raise InstanceError(f"{said_text(raw)} is not a category", mend=f"write one of {domain}")


def _of_equal_number(domain: Categorical, raw: object) -> str | None:
    """Return the category that is 1 where *raw* is ``True``, and so on; None where there is none.

    Sources differ: scikit-learn casts Booleans to 1 and 0, or has them equal to those; pandas keeps them apart.
    """
    word = _WORDS.get(raw.strip().lower()) if isinstance(raw, str) else raw if isinstance(raw, bool) else None
    number = _number_in(raw) if word is None else Fraction(word)
    if number not in (0, 1):
        return None
    pairs = zip(domain.values, domain.cells, strict=False)
    found = [
        name
        for name, cell in pairs
        if isinstance(cell, (bool, Fraction)) and isinstance(cell, bool) is (word is None) and cell == number
    ]
    return found[0] if found else None


def _is_cell(cell: Cell, raw: object) -> bool:
    """Tell whether *raw* is what a table has where it has *cell*: numbers are compared as numbers, texts as texts."""
    if isinstance(cell, Missing):
        return raw is MISSING or raw is None or _says_missing(raw)
    if isinstance(cell, bool):
        return raw is cell or (isinstance(raw, str) and raw.strip().lower() == str(cell).lower())
    if isinstance(cell, str):
        return raw == cell
    if isinstance(raw, bool) or not isinstance(raw, (str, int, float, Fraction, Decimal)):
        return False
    try:
        number = exact_number(raw) if isinstance(raw, str) else Fraction(raw)
        # A number with a point is the float64 next to it, also in the file that the category comes from.
        return number == cell or (number.denominator != 1 and Fraction(float(number)) == cell)
    except (ValueError, OverflowError):
        return False


def read_cell(domain: Domain, raw: object) -> Value:
    """Return the value of *domain* that *raw* stands for: a cell of a table, a text that is typed, or a Python value.

    As :func:`read_value`, and besides what tables of other programs have, where it can mean one value only: for a Boolean,
    any way to write the number 0 or 1, ``yes`` and ``no``; for a number, ``True`` and ``False`` (1 and 0); for the missing
    value, ``NA`` and its like; for a category, blanks at either end, or another way to write the same number or Boolean.
    Raises ``InstanceError``.
    """
    try:
        return read_value(domain, raw)
    except InstanceError:
        meant = _meant(domain, raw)
        if meant is None:
            raise
    return read_value(domain, meant)


_WORDS = {"false": False, "true": True}
_ANSWERS = {**_WORDS, "no": False, "yes": True}
_NOT_AVAILABLE = frozenset(("na", "n/a", "<na>", "null", "none"))
_BOOLEAN_MEND = "write 0 or 1 (or 0.0 or 1.0, false or true, no or yes)"


def _meant(domain: Domain, raw: object) -> object:
    """Return what *raw*, which is not a value of *domain*, can only mean there; None where it means nothing or several."""
    word = raw.strip().lower() if isinstance(raw, str) else raw if isinstance(raw, bool) else None
    if isinstance(domain, Categorical):
        return _category(domain, raw)
    if isinstance(domain, Boolean):
        if isinstance(word, str) and word in _ANSWERS:
            return _ANSWERS[word]
        number = _number_in(raw)
        return None if number is None or number not in (0, 1) else bool(number)
    if not isinstance(word, str):
        return None
    if word in _NOT_AVAILABLE:
        return MISSING
    return int(_WORDS[word]) if word in _WORDS else None


def _category(domain: Categorical, raw: object) -> str | None:
    if domain.unseen is not None:
        # What is no category has a value of its own there.
        return None
    text = raw.strip() if isinstance(raw, str) else str(raw) if isinstance(raw, bool) else ""
    number = _number_in(raw)
    alike = (
        [value for value in domain.values if text and value.strip() == text],
        [value for value in domain.values if text.lower() in _WORDS and value.strip().lower() == text.lower()],
        [value for value in domain.values if number is not None and _number_in(value) == number],
    )
    found = next(filter(None, alike), [])
    return found[0] if len(found) == 1 else None


def _number_in(raw: object) -> Fraction | None:
    """Return the number that *raw* is or writes, None if there is none."""
    try:
        if isinstance(raw, str):
            return exact_number(raw)
        return Fraction(raw) if isinstance(raw, (int, float, Fraction, Decimal)) else None
    except (ValueError, OverflowError):
        return None


def _says_missing(raw: object) -> bool:
    if isinstance(raw, str):
        return raw.strip().lower() in _MISSING_TEXTS
    return isinstance(raw, float) and raw != raw


_BOOLEANS = {"0": False, "1": True, "false": False, "true": True, 0: False, 1: True}
_MISSING_TEXTS = frozenset(("", "nan", "missing"))


def said_text(raw: object) -> str:
    """Return *raw* for a message."""
    return shown(raw) if isinstance(raw, (str, bytes)) else shown(repr(raw))


def _float_written(raw: str) -> float | None:
    """Return the float64 nearest to the decimal that *raw* writes; None where it writes none, or a very large one.

    The same as by way of the exact number: both round once.  A third of the time, of tables of floats.
    """
    if len(raw) > MAX_NUMBER_LENGTH or not _DECIMAL.fullmatch(raw):
        return None
    number = float(raw)
    return number if number - number == 0 and (number or "e" not in raw.lower()) else None


def _read_number(domain: Integer | Real | Float32 | Float64, raw: object) -> Value:
    if isinstance(raw, str) and isinstance(domain, (Float32, Float64)):
        near = _float_written(raw)
        rounded = None if near is None else domain.binary.nearest(near)
        if rounded is not None:
            return rounded
    try:
        if isinstance(raw, str):
            number = exact_number(raw)
        elif isinstance(raw, (int, float, Fraction, Decimal)):
            number = Fraction(raw)
        else:
            raise TypeError
    except (ValueError, OverflowError, TypeError):
        mend = f"write a value of {domain}"
        if str(raw).strip().lower().lstrip("+-") in ("inf", "infinity"):
            mend += ", or leave the row out"
        elif isinstance(raw, str) and re.fullmatch(r"\s*[+-]?\d+,\d+\s*", raw):
            mend = "write decimals after a point, not a comma"
        raise InstanceError(f"{said_text(raw)} is not a finite number", mend=mend) from None
    if isinstance(domain, (Float32, Float64)):
        # The source reads a binary64 first, then casts: the same two roundings.
        try:
            rounded = domain.binary.nearest(float(number))
        except OverflowError:
            rounded = None
        if rounded is None:
            raise InstanceError(
                f"{said_text(raw)} is beyond the {domain.binary.name} numbers", mend="scale the feature"
            )
        return rounded
    if isinstance(domain, Integer) and number.denominator != 1:
        raise InstanceError(f"{said_text(raw)} is not an integer", mend=f"write a value of {domain}")
    if number not in domain.all_values():
        raise InstanceError(f"{said_text(raw)} is outside the domain", mend=f"write a value of {domain}")
    return int(number) if isinstance(domain, Integer) else number


def contains(domain: Domain, value: Value) -> bool:
    """Tell whether *value* is a value of *domain*, of the right type and on its grid."""
    if isinstance(domain, Boolean):
        return isinstance(value, bool)
    if isinstance(domain, Categorical):
        return isinstance(value, str) and value in domain.values
    if value is MISSING:
        return has_missing(domain)
    if isinstance(domain, Integer):
        return isinstance(value, int) and not isinstance(value, bool) and value in domain.all_values()
    if not isinstance(value, Fraction):
        return False
    return value in domain.all_values() if isinstance(domain, Real) else domain.binary.holds(value)
