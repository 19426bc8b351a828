"""Points of feature space from CSV files and from Python values."""

from __future__ import annotations

import io
import logging
import shlex
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xpgcheck.arguments import PATH, TEXTS, Rule, count_from, features_of_a_model, takes
from xpgcheck.errors import InputError, InstanceError, XpgcheckError, shown
from xpgcheck.model.domains import Feature, read_cell
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.csv_rows import csv_rows
from xpgcheck.readers.encoded_rows import decoded_rows, encoded_names, without_encodings
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, opened_file, place_of, read_bytes
from xpgcheck.readers.names import NameLookup
from xpgcheck.readers.pauses import no_cycle_collection

FEATURES = features_of_a_model(Feature)
MAX_KEPT = 10_000
"""Texts of a column that are kept with their values."""

MAX_LISTED = 300
"""Characters that a message spends on a list of columns, or of the options to type."""


_RAW = Rule(
    lambda raw: isinstance(raw, Iterable),
    "an instance",
    "pass a dict, a row or a sequence with one value for each feature",
)


@takes(path=PATH, features=FEATURES, drop_columns=TEXTS, max_bytes=count_from(1))
def read_instances(
    path: PathLike,
    features: Sequence[Feature],
    *,
    drop_columns: Collection[str] = (),
    ignore_extra_columns: bool = False,
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> list[Point]:
    r"""Return the points in a CSV file, in its order.

    Parameters
    ----------
    path, max_bytes
        The CSV file, whose first line is a header if it names every feature, and the largest size that is read.
    features, drop_columns, ignore_extra_columns
        The features of the model; the columns that are left out, by name or all that are no features.

    Returns
    -------
    list of tuple, one for each row

    Raises
    ------
    InputError
        The file cannot be read, or a row is no point; the message names file, row and column.

    Examples
    --------
    >>> import pathlib, tempfile; from xpgcheck import embedded
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "rows.csv")
    ...     _ = path.write_text("x1,x2,x3,row\n0,1,2,a\n1,0,0,b\n")
    ...     len(read_instances(path, embedded.load("omdd").graph.features, drop_columns=["row"]))
    2
    """
    data = read_bytes(path, max_bytes)
    try:
        found = parse_instances(data, features, drop_columns=drop_columns, ignore_extra_columns=ignore_extra_columns)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None
    logging.getLogger(__name__).info("%s has %s rows", place_of(path), f"{len(found):,}")
    return found


def parse_instances(
    data: bytes,
    features: Sequence[Feature],
    *,
    drop_columns: Collection[str] = (),
    ignore_extra_columns: bool = False,
) -> list[Point]:
    """Return the points in *data*: CSV in UTF-8, cells separated by commas, quoted with ``"`` where needed.

    The first line is a header when it names every feature (see :class:`xpgcheck.readers.names.NameLookup`); columns then
    come in any order, and those named in *drop_columns* are left out, or with *ignore_extra_columns* all that are not
    features.  Without a header the columns are the features in order.  Empty lines are skipped.

    Raises ``InstanceError`` naming line, column and fix.  Linear: a text that a column repeats is read once.
    """
    try:
        text = decode_utf8(data)
    except InputError as error:
        raise InstanceError(error.problem, place=error.place, mend=error.mend) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InstanceError("there is a NUL byte", place=f"line {line}", mend="save the file as CSV text")
    with no_cycle_collection():
        rows = csv_rows(io.StringIO(text, newline=""), InstanceError)
        return [point for _, point in _points(rows, features, drop_columns, ignore_extra_columns)]


def instance_rows(
    path: PathLike,
    features: Sequence[Feature],
    *,
    drop_columns: Collection[str] = (),
    ignore_extra_columns: bool = False,
) -> Iterator[tuple[int, Point]]:
    """Yield the line and the point of each row of the CSV file at *path*, which may be larger than memory.

    What is read, and what is raised, is as :func:`read_instances` has it; one row is held at a time.
    """
    with opened_file(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        try:
            rows = csv_rows(_without_nul(text), InstanceError)
            yield from _points(rows, features, drop_columns, ignore_extra_columns)
        except XpgcheckError as error:
            raise error.at(place_of(path)) from None
        finally:
            # The file is closed by the one who opened it.
            text.detach()


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            raise InstanceError("there is a NUL byte", place=f"line {number}", mend="save the file as CSV text")
        yield line


def _points(
    rows: Iterator[tuple[int, list[str]]], features: Sequence[Feature], drop: Collection[str], ignore_extra: bool
) -> Iterator[tuple[int, Point]]:
    """Yield the line and the point of each of *rows*, the first of which may be a header."""
    first = next(rows, None)
    if first is None:
        raise InstanceError("the file is empty", mend="write a header and one line for each instance")
    first, rows, numbers = decoded_rows(first, rows, features)
    columns = _columns(first[1], features, drop, ignore_extra)
    if columns is None:
        reader = _Rows(features, range(len(features)), len(features), numbers)
        yield first[0], reader.point(*first)
    else:
        reader = _Rows(features, columns, len(first[1]), numbers)
        first = next(rows, None)
        if first is None:
            raise InstanceError("there is a header and no instance", mend="write one line for each instance")
        yield first[0], reader.point(*first)
    for row in rows:
        yield row[0], reader.point(*row)


@takes(features=FEATURES, raw=_RAW)
def read_point(features: Sequence[Feature], raw: Mapping[str, object] | Sequence[object]) -> Point:
    """Return the point that *raw* gives.

    Parameters
    ----------
    features, raw
        The features of the model, and a mapping from their names (see :class:`xpgcheck.readers.names.NameLookup`) to
        values, or the values in order.

    Returns
    -------
    tuple of values

    Raises
    ------
    InstanceError
        A value is missing or not in the domain of its feature, which is named.

    Examples
    --------
    >>> from xpgcheck import embedded
    >>> read_point(embedded.load("hardware").graph.features, ["O", "L", "Y", "P"])
    ('O', 'L', 'Y', 'P')
    """
    if isinstance(raw, Mapping):
        raw = without_encodings(raw, features)
        names = list(raw)
        found = _assigned(tuple(names), features)
        found.refuse_ambiguous("key")
        if found.extra:
            extra = [names[i] for i in found.extra]
            problem = f"there {'is no feature' if len(extra) == 1 else 'are no features'} {_listed(extra)}"
            raise InstanceError(problem, mend=f"remove {'it' if len(extra) == 1 else 'them'}, or correct the name")
        if found.missing:
            one = len(found.missing) == 1
            problem = f"feature{'' if one else 's'} {_listed(found.missing)} {'has' if one else 'have'} no value"
            raise InstanceError(problem, mend=f"give {'it' if one else 'each'} one")
        values = [raw[names[place]] for place in found.places()]
    elif isinstance(raw, (str, bytes)):
        raise InstanceError(f"{shown(raw)} is no instance", mend="give one value for each feature")
    else:
        values = list(raw)
        if len(values) != len(features) and len(values) == len(own := encoded_names(features)):
            return read_point(features, dict(zip(own, values, strict=True)))
        if len(values) != len(features):
            problem = f"the instance has {len(values)} values, there are {len(features)} features"
            raise InstanceError(problem, mend="give one value for each feature")
    return tuple(value_of(feature, value) for feature, value in zip(features, values, strict=True))


class _Last(threading.local):
    """Which name was meant for which feature: instances of one model mostly come with the same names."""

    features: Sequence[Feature] | None = None
    names: tuple[str, ...] = ()
    found: Assignment | None = None


_last = _Last()


def _assigned(names: tuple[str, ...], features: Sequence[Feature]) -> Assignment:
    """Return which of *names* is meant for which of *features*, which are not changed."""
    if _last.found is None or _last.features is not features or _last.names != names or not isinstance(features, tuple):
        _last.features, _last.names, _last.found = features, names, Assignment.of(names, features)
    return _last.found


def value_of(feature: Feature, raw: Any) -> Value:
    """Return the value of *feature* that *raw* stands for.  Raises ``InstanceError`` that names the feature."""
    # NumPy and pandas are not imported: their scalars are known by their methods, what is missing by its type.
    if type(raw).__name__ in ("NAType", "NaTType"):
        raw = None
    elif hasattr(raw, "dtype") and hasattr(raw, "item"):
        raw = raw.item()
    try:
        return read_cell(feature.domain, raw)
    except InputError as error:
        raise InstanceError(error.problem, place=f"feature {shown(feature.name)}", mend=error.mend) from None
    except TypeError:
        problem = f"{shown(repr(raw))} is not a value"
        place = f"feature {shown(feature.name)}"
        raise InstanceError(problem, place=place, mend=f"write a value of {feature.domain}") from None


@dataclass(slots=True)
class Assignment:
    """Which of some names (the cells of a header, the keys of a mapping) is meant for which feature.

    ``candidates[i]`` are the positions of the names that are equally close to feature i, and nearer than any other; one
    where all is well.  ``ambiguous`` are those that could be several features, ``extra`` all others.
    """

    names: Sequence[str]
    features: Sequence[Feature]
    lookup: NameLookup
    candidates: dict[int, list[int]] = field(default_factory=dict)
    ambiguous: dict[int, list[int]] = field(default_factory=dict)
    extra: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, names: Sequence[str], features: Sequence[Feature], without: Collection[int] = ()) -> Assignment:
        """Return which of *names*, but for the positions *without*, is meant for which of *features*.  Linear."""
        found = cls(names, features, NameLookup([feature.name for feature in features]))
        nearest: dict[int, int] = {}
        for position, name in enumerate(names):
            if position in without:
                continue
            degree, meant = found.lookup.matches(name)
            if len(meant) != 1:
                if meant:
                    found.ambiguous[position] = meant
                else:
                    found.extra.append(position)
                continue
            feature = meant[0]
            rivals = found.candidates.get(feature, [])
            if degree < nearest.get(feature, degree + 1):
                found.extra += rivals
                found.candidates[feature], nearest[feature] = [position], degree
            elif degree == nearest[feature]:
                rivals.append(position)
            else:
                found.extra.append(position)
        if len(found.candidates) == len(features):
            # Nothing is left that they could be.
            found.extra += found.ambiguous
            found.ambiguous = {}
        found.extra.sort()
        return found

    @property
    def missing(self) -> list[str]:
        """The names of the features that no name is meant for."""
        return [feature.name for i, feature in enumerate(self.features) if i not in self.candidates]

    def places(self) -> list[int]:
        """Return the position of the name of each feature; there is one."""
        return [self.candidates[i][0] for i in range(len(self.features))]

    def refuse_ambiguous(self, what: str, place: str = "") -> None:
        """Raise ``InstanceError`` where a name could be several features, or a feature be meant by several names."""
        for position, meant in self.ambiguous.items():
            error = self.lookup.ambiguous(self.names[position], meant)
            where = place and f"{place}, {what} {position + 1}"
            raise InstanceError(f"the {what} {error.problem}", place=where, mend=error.mend)
        for feature, positions in self.candidates.items():
            if len(positions) > 1:
                texts = list(dict.fromkeys(self.names[i] for i in positions))
                name = shown(self.features[feature].name)
                if len(texts) == 1:
                    problem = f"the {what} {shown(texts[0])} is there twice"
                    raise InstanceError(problem, place=place, mend=f"give each feature one {what}")
                problem = f"the {what}s {_listed(texts)} could all be the feature {name}"
                mend = f"call one of them exactly {name}, or remove the others"
                raise InstanceError(problem, place=place, mend=mend)


def _listed(names: Sequence[str]) -> str:
    """Return *names*, quoted, as a list that ends with how many more there are."""
    texts: list[str] = []
    for name in names:
        text = shown(name, 60)
        if texts and sum(map(len, texts)) + len(text) > MAX_LISTED:
            return f"{', '.join(texts)} and {len(names) - len(texts):,} more"
        texts.append(text)
    return ", ".join(texts)


NUMBERED = 4
"""Columns from which on a first line 0, 1, 2, … is not taken for an instance."""


def _columns(
    first: list[str], features: Sequence[Feature], drop: Collection[str], ignore_extra: bool
) -> list[int] | None:
    """Return where the header *first* has each feature; None where *first* is no header but a point."""
    known = Assignment.of(first, features)
    if not known.candidates and not known.ambiguous and len(first) == len(features) and _is_point(first, features):
        if drop:
            mend = "add a header, or leave --drop-column out"
            raise InstanceError("without a header no column has a name to drop", place="line 1", mend=mend)
        if len(first) >= NUMBERED and first == [str(i) for i in range(len(first))]:
            # pandas writes numbers above columns that have no names.
            problem = f"0, 1, … {len(first) - 1} may be a header of columns without names, or an instance"
            raise InstanceError(problem, place="line 1", mend="write the names of the features there, or above it")
        return None
    dropped = _dropped(first, drop) if known.candidates or not features else set()
    found = Assignment.of(first, features, dropped) if dropped else known
    found.refuse_ambiguous("column", "line 1")
    if found.missing:
        if gone := known.candidates.keys() - found.candidates.keys():
            mend = "leave that --drop-column out: every feature needs its column"
            raise InstanceError(f"the column {shown(features[min(gone)].name)} is a feature", place="line 1", mend=mend)
        _refuse_header(first, found, features)
    if found.extra and not ignore_extra:
        raise _extra([first[i] for i in found.extra])
    return found.places()


def _dropped(header: Sequence[str], drop: Collection[str]) -> set[int]:
    """Return the positions of the columns to *drop*; one that is there twice is dropped twice."""
    lookup = NameLookup(header)
    dropped: set[int] = set()
    for name in drop:
        _, found = lookup.matches(name)
        if not found:
            mend = f"correct --drop-column; the columns are {_listed(header)}"
            raise InstanceError(f"there is no column {shown(name)} to drop", place="line 1", mend=mend)
        if len({header[i] for i in found}) > 1:
            error = lookup.ambiguous(name, found)
            raise InstanceError(f"--drop-column {error.problem}", place="line 1", mend=error.mend)
        dropped.update(found)
    return dropped


def _extra(names: Sequence[str]) -> InstanceError:
    """Return the error of columns that are not features: it lists them, and says what to type."""
    many = f"{len(names):,} columns are not features: {_listed(names)}"
    problem = many if len(names) > 1 else f"the column {_listed(names)} is not a feature"
    options = " ".join(f"--drop-column {shlex.quote(name)}" for name in dict.fromkeys(names))
    typed = f"{options}, or " if options.isprintable() and len(options) <= MAX_LISTED else ""
    return InstanceError(problem, place="line 1", mend=f"add {typed}--ignore-extra-columns")


def _is_point(cells: list[str], features: Sequence[Feature]) -> bool:
    try:
        read_point(features, cells)
    except InstanceError:
        return False
    return True


def _refuse_header(cells: Sequence[str], found: Assignment, features: Sequence[Feature]) -> None:
    """Raise ``InstanceError`` for a first line that does not name all features."""
    if (missing := found.missing) and found.candidates:
        problem = f"there is no column for {len(missing)} feature(s): {_listed(missing)}"
        raise InstanceError(problem, place="line 1", mend="add the column, or correct the header")
    problem = f"this is neither a header nor an instance of the {len(features)} feature(s)"
    if len(cells) != len(features):
        problem += f": it has {len(cells)} cell(s)"
        mend = f"separate cells by commas and start with the header: {_listed(missing)}"
    else:
        mend = f"start with the header ({_listed(missing)}), or correct the values"
        try:
            read_point(features, cells)
        except InstanceError as error:
            problem += f" ({error.place}: {error.problem})"
    if all(feature.name.endswith(str(i)) for i, feature in enumerate(features)):
        # Names that nobody gave.
        mend += ", or give the model the names of your table with --names FILE"
    raise InstanceError(problem, place="line 1", mend=mend)


class _Rows:
    """Reads rows whose cell ``columns[i]`` is the value of feature i; each text of a column is read once.

    ``numbers`` are those that columns have in messages, from 0.
    """

    def __init__(self, features: Sequence[Feature], columns: Sequence[int], width: int, numbers: Sequence[int]) -> None:
        self._features = features
        self._columns = columns
        self._width = width
        self._numbers = numbers
        self._known: list[dict[str, Value]] = [{} for _ in features]

    def point(self, line: int, cells: list[str]) -> Point:
        if len(cells) != self._width:
            problem = f"there are {len(cells)} cells, the first line has {self._width}"
            raise InstanceError(problem, place=f"line {line}", mend="write one cell for each column")
        point: list[Value] = []
        for feature, column, known in zip(self._features, self._columns, self._known, strict=True):
            text = cells[column]
            value = known.get(text)
            if value is None:
                if len(known) >= MAX_KEPT:
                    known.clear()
                value = known[text] = self._read(feature, column, text, line)
            point.append(value)
        return tuple(point)

    def _read(self, feature: Feature, column: int, text: str, line: int) -> Value:
        try:
            return read_cell(feature.domain, text)
        except InputError as error:
            place = f"line {line}, column {self._numbers[column] + 1} ({shown(feature.name)})"
            raise InstanceError(error.problem, place=place, mend=error.mend) from None
