"""Points of feature space from CSV files and from Python values."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from xpgcheck.arguments import PATH, TEXTS, Rule, count_from, features_of_a_model, takes
from xpgcheck.errors import InputError, InstanceError, XpgcheckError, shown
from xpgcheck.model.domains import Feature, read_value
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, place_of, read_bytes
from xpgcheck.readers.pauses import no_cycle_collection

FEATURES = features_of_a_model(Feature)

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
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> list[Point]:
    """Return the points in the CSV file at *path*, in its order.

    Raises the errors of :func:`xpgcheck.readers.files.read_bytes` and of :func:`parse_instances`, each naming the file.
    """
    data = read_bytes(path, max_bytes)
    try:
        return parse_instances(data, features, drop_columns=drop_columns)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_instances(data: bytes, features: Sequence[Feature], *, drop_columns: Collection[str] = ()) -> list[Point]:
    """Return the points in *data*: CSV in UTF-8, cells separated by commas, quoted with ``"`` where needed.

    The first line is a header when it holds the name of every feature; columns then come in any order, and those named
    in *drop_columns* are left out.  Without a header the columns are the features in order.  Empty lines are skipped.

    Raises ``InstanceError`` naming line, column and mend.  Linear: a text that a column repeats is read once.
    """
    try:
        text = decode_utf8(data)
    except InputError as error:
        raise InstanceError(error.problem, place=error.place, mend=error.mend) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InstanceError("there is a NUL byte", place=f"line {line}", mend="save the file as CSV text")
    rows = _rows(text)
    first = next(rows, None)
    if first is None:
        raise InstanceError("the file is empty", mend="write a header and one line an instance")
    with no_cycle_collection():
        columns = _columns(first[1], features, drop_columns)
        if columns is None:
            reader = _Rows(features, range(len(features)), len(features))
            return [reader.point(*first), *(reader.point(*row) for row in rows)]
        reader = _Rows(features, columns, len(first[1]))
        points = [reader.point(*row) for row in rows]
    if not points:
        raise InstanceError("there is a header and no instance", mend="write one line an instance")
    return points


@takes(features=FEATURES, raw=_RAW)
def read_point(features: Sequence[Feature], raw: Mapping[str, object] | Sequence[object]) -> Point:
    """Return the point that *raw* gives: a mapping from the features' names to values, or the values in order.

    Values are read as :func:`xpgcheck.model.domains.read_value` does.  Raises ``InstanceError`` that names the feature.
    """
    if isinstance(raw, Mapping):
        known = {feature.name for feature in features}
        for name in raw:
            if name not in known:
                raise InstanceError(f"there is no feature {shown(name)}", mend="remove it or correct its name")
        for feature in features:
            if feature.name not in raw:
                raise InstanceError(f"feature {shown(feature.name)} has no value", mend="give it one")
        values = [raw[feature.name] for feature in features]
    elif isinstance(raw, (str, bytes)):
        raise InstanceError(f"{shown(raw)} is no instance", mend="give one value a feature")
    else:
        values = list(raw)
        if len(values) != len(features):
            problem = f"the instance has {len(values)} values, there are {len(features)} features"
            raise InstanceError(problem, mend="give one value a feature")
    return tuple(_value(feature, value) for feature, value in zip(features, values, strict=True))


def _value(feature: Feature, raw: object) -> Value:
    try:
        return read_value(feature.domain, raw)
    except InputError as error:
        raise InstanceError(error.problem, place=f"feature {shown(feature.name)}", mend=error.mend) from None
    except TypeError:
        problem = f"{shown(repr(raw))} is not a value"
        place = f"feature {shown(feature.name)}"
        raise InstanceError(problem, place=place, mend=f"write a value of {feature.domain}") from None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row that has any."""
    rows = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            place = f"line {max(line, rows.line_num)}"
            raise InstanceError(f"this is not CSV ({error})", place=place, mend="correct the quotes") from None
        if row is None:
            return
        if row:
            yield line, row


def _columns(first: list[str], features: Sequence[Feature], drop: Collection[str]) -> list[int] | None:
    """Return where the header *first* has each feature; None where *first* is no header but a point."""
    names = [cell.strip() for cell in first]
    wanted = {feature.name: position for position, feature in enumerate(features)}
    present = [name for name in names if name in wanted]
    if len(set(present)) < len(wanted):
        if not present and len(first) == len(features) and _is_point(first, features):
            if drop:
                mend = "add a header, or leave --drop-column out"
                raise InstanceError("without a header no column has a name to drop", place="line 1", mend=mend)
            return None
        _refuse_header(names, present, features)
    repeated = next((name for position, name in enumerate(names) if name in wanted and name in names[:position]), None)
    if repeated is not None:
        mend = "give each feature one column"
        raise InstanceError(f"the column {shown(repeated)} is there twice", place="line 1", mend=mend)
    dropped = set(drop)
    absent = sorted(dropped.difference(names))
    if absent:
        mend = "correct --drop-column"
        raise InstanceError(f"there is no column {shown(absent[0])} to drop", place="line 1", mend=mend)
    for name in names:
        if name not in wanted and name not in dropped:
            mend = "remove the column, or leave it out with --drop-column"
            raise InstanceError(f"the column {shown(name)} is no feature", place="line 1", mend=mend)
    place_in_row = {name: position for position, name in enumerate(names)}
    return [place_in_row[feature.name] for feature in features]


def _is_point(cells: list[str], features: Sequence[Feature]) -> bool:
    try:
        read_point(features, cells)
    except InstanceError:
        return False
    return True


def _refuse_header(names: list[str], present: list[str], features: Sequence[Feature]) -> None:
    missing = [feature.name for feature in features if feature.name not in present]
    if present:
        text = ", ".join(map(shown, missing[:5]))
        problem = f"there is no column for {len(missing)} feature(s): {text}"
        raise InstanceError(problem, place="line 1", mend="add the column, correct the header, or leave it out")
    problem = f"this is neither a header nor an instance of the {len(features)} feature(s)"
    if len(names) != len(features):
        problem += f": it has {len(names)} cell(s)"
        mend = f"separate cells by commas and start with the header: {', '.join(map(shown, missing[:5]))}"
    else:
        mend = f"start with the header ({', '.join(map(shown, missing[:5]))}) or correct the values"
        try:
            read_point(features, names)
        except InstanceError as error:
            problem += f" ({error.place}: {error.problem})"
    raise InstanceError(problem, place="line 1", mend=mend)


class _Rows:
    """Reads rows whose cell ``columns[i]`` is the value of feature i; each text of a column is read once."""

    def __init__(self, features: Sequence[Feature], columns: Sequence[int], width: int) -> None:
        self._features = features
        self._columns = columns
        self._width = width
        self._known: list[dict[str, Value]] = [{} for _ in features]

    def point(self, line: int, cells: list[str]) -> Point:
        if len(cells) != self._width:
            problem = f"there are {len(cells)} cells, the first line has {self._width}"
            raise InstanceError(problem, place=f"line {line}", mend="write one cell a column")
        point: list[Value] = []
        for feature, column, known in zip(self._features, self._columns, self._known, strict=True):
            text = cells[column]
            value = known.get(text)
            if value is None:
                value = known[text] = self._read(feature, column, text, line)
            point.append(value)
        return tuple(point)

    def _read(self, feature: Feature, column: int, text: str, line: int) -> Value:
        try:
            return read_value(feature.domain, text)
        except InputError as error:
            place = f"line {line}, column {column + 1} ({shown(feature.name)})"
            raise InstanceError(error.problem, place=place, mend=error.mend) from None
