"""Data sets: CSV files of numbers with a header and a last column ``target``, as the PMLB has them.

What cannot be used says why in one line that names the file and the place.
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from xpgcheck.errors import FormatError, LimitError, ValueSetError
from xpgcheck.model.domains import exact_number
from xpgcheck.readers.csv_rows import csv_rows
from xpgcheck.readers.files import decode_utf8, read_bytes

MAX_BYTES = 64 << 20
MAX_FEATURES = 1_000
LARGEST = Fraction((1 << 24) - 1) * (1 << 104)
"""The largest number of single precision, in which trees are trained."""

NO_TARGET = frozenset(["", "?", "na", "n/a", "nan", "null"])
"""Texts in tables, in small letters, where a class is missing."""

MANY = 1_000
"""Data sets with more instances are sampled, as the paper does: three in ten."""

Row = tuple[int | Fraction, ...]


@dataclass(frozen=True, slots=True)
class DataSet:
    """Features by name, and of each row the values and the class (a label as text)."""

    name: str
    features: tuple[str, ...]
    rows: tuple[Row, ...]
    targets: tuple[str, ...]

    @property
    def binary(self) -> bool:
        """Whether every value, and every class, is 0 or 1: the data sets of Table 1."""
        return {value for row in self.rows for value in row} <= {0, 1} and set(self.targets) <= {"0", "1"}

    def instances(self) -> tuple[Row, ...]:
        """Return the distinct rows, in their order; of more than a thousand a sample of three in ten."""
        distinct = list(dict.fromkeys(self.rows))
        if len(distinct) <= MANY:
            return tuple(distinct)
        chosen = random.Random(0).sample(range(len(distinct)), 3 * len(distinct) // 10)
        return tuple(distinct[k] for k in sorted(chosen))

    def split(self) -> tuple[list[int], list[int]]:
        """Return the numbers of the rows to train on, seven in ten, and of those to test on."""
        order = list(range(len(self.rows)))
        random.Random(0).shuffle(order)
        cut = max(1, 7 * len(order) // 10)
        return order[:cut], order[cut:] or order


def read_data(path: Path) -> DataSet:
    """Return the data set in the CSV file *path*.

    Raises ``FormatError`` on a file that is not a table of numbers with a target, ``LimitError`` on one that is too large.
    """
    place = str(path)
    try:
        lines = list(csv_rows(io.StringIO(decode_utf8(read_bytes(path, MAX_BYTES))), FormatError))
    except FormatError as error:
        raise error.at(place) from None
    if len(lines) < 2:
        raise FormatError("it has no rows", place=place, mend="write a header, and one row for each instance")
    head = [name.strip() for name in lines[0][1]]
    _check_header(head, place)
    rows, targets = [], []
    for number, (_, line) in enumerate(lines[1:], 2):
        if len(line) != len(head):
            problem = f"row {number} has {len(line)} values of {len(head)}"
            raise FormatError(problem, place=place, mend="give every row a value a column")
        rows.append(tuple(_number(item, head[k], number, place) for k, item in enumerate(line[:-1])))
        targets.append(_target(line[-1], number, place))
    if len(set(targets)) < 2:
        raise FormatError("all rows have one class", place=place, mend="use data with at least two")
    return DataSet(path.stem, tuple(head[:-1]), tuple(rows), tuple(targets))


def _check_header(head: list[str], place: str) -> None:
    if head[-1] != "target":
        mend = "put the class into a last column called target"
        raise FormatError("its last column is not called target", place=place, mend=mend)
    if len(head) < 2:
        raise FormatError("it has no features", place=place, mend="put features before the target")
    twice = next((name for name in head if head.count(name) > 1), None) if len(set(head)) < len(head) else None
    if twice is not None:
        raise FormatError(f"two columns are called {twice[:40]!r}", place=place, mend="give each its own name")
    if len(head) - 1 > MAX_FEATURES:
        problem = f"it has {len(head) - 1} features, the limit is {MAX_FEATURES}"
        raise LimitError(problem, place=place, mend="use fewer features")


def _number(text: str, column: str, row: int, place: str) -> int | Fraction:
    try:
        number = exact_number(text.strip())
    except ValueSetError:
        problem = f"row {row}, column {column[:40]!r}: {text[:20]!r} is no number"
        raise FormatError(problem, place=place, mend="write numbers; code categories by integers") from None
    if abs(number) > LARGEST:
        problem = f"row {row}, column {column[:40]!r}: {text[:20]!r} is too large for single precision"
        raise LimitError(problem, place=place, mend="scale the column")
    return number.numerator if number.denominator == 1 else number


def _target(text: str, row: int, place: str) -> str:
    label = text.strip()
    if label.lower() in NO_TARGET:
        raise FormatError(f"row {row} has no target", place=place, mend="give every row its class")
    try:
        number = exact_number(label)
    except ValueSetError:
        return label
    # Codes of classes are integers, however they are written: 1 and 1.0 are one class.
    return str(number.numerator) if number.denominator == 1 else label


def data_files(folder: Path) -> list[Path]:
    """Return the CSV files of *folder*/pmlb, or else of *folder*, by name."""
    inner = folder / "pmlb"
    return sorted((inner if inner.is_dir() else folder).glob("*.csv"))
