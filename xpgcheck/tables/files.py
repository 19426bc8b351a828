"""Explained rows as files: CSV, JSON Lines, Parquet.  A file is written row by row, and is whole or not there."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from xpgcheck.errors import InputError, MissingPackageError
from xpgcheck.extras import install
from xpgcheck.readers.files import place_of
from xpgcheck.tables.asked import RowPart, TableAsked
from xpgcheck.tables.documents import ExplainedRowRecord
from xpgcheck.writers.streamed import StreamedFile, streamed

PAGE = ".html"

PARQUET_ROWS = 10_000
"""Rows that one group of a Parquet file has."""

WriteRow = Callable[[ExplainedRowRecord], None]


def check_ending(path: Path) -> str:
    """Return the ending of *path*, which says the format.

    Raises ``InputError`` where it is none of those that are written, ``MissingPackageError`` where its package is missing.
    """
    ending = path.suffix.lower()
    if ending not in (*_WRITERS, PAGE):
        known = ", ".join(_WRITERS)
        raise InputError("the ending says no format of rows", place=place_of(path), mend=f"end it in {known} or {PAGE}")
    if ending == ".parquet":
        _pyarrow()
    return ending


@contextlib.contextmanager
def row_file(path: Path, asked: TableAsked) -> Iterator[WriteRow]:
    """Give a function that writes a row to *path*, by its ending; the file takes its name when the block ends well."""
    with streamed(path) as file, _WRITERS[check_ending(path)](file, asked) as write:
        yield write


_COLUMNS = {
    RowPart.AXP: ("axp", "axp_size"),
    RowPart.VALUES: ("because",),
    RowPart.AXPS: ("axps",),
    RowPart.CXPS: ("cxps",),
    RowPart.CHANGE: ("change", "change_class"),
}


def columns_of(asked: TableAsked) -> list[str]:
    """Return the columns of the rows, of a table."""
    parts = [column for part, columns in _COLUMNS.items() if part in asked.parts for column in columns]
    return ["row", "prediction", *parts, "left_open"]


def cells_of(record: ExplainedRowRecord) -> dict[str, Any]:
    """Return *record* by column, lists and objects as they are; None where there is nothing."""
    fields = {field: getattr(record, field) for field in ExplainedRowRecord.__struct_fields__}
    cells = {name: None if value is UNSET else value for name, value in fields.items()}
    cells["axp_size"] = None if record.axp is UNSET else len(record.axp)
    change = None if record.change is UNSET else record.change
    cells["change"] = None if change is None else change.values
    cells["change_class"] = None if change is None else change.class_name
    return cells


@contextlib.contextmanager
def _csv(file: StreamedFile, asked: TableAsked) -> Iterator[WriteRow]:
    """Sets of features are lists of JSON in their cells, as names may hold any separator."""
    columns = columns_of(asked)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")

    def line(values: list[Any]) -> None:
        writer.writerow(values)
        file.write(buffer.getvalue().encode())
        buffer.seek(0)
        buffer.truncate()

    def write(record: ExplainedRowRecord) -> None:
        cells = cells_of(record)
        line([_text(cells[column]) for column in columns])

    line(list(columns))
    yield write


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


@contextlib.contextmanager
def _json_lines(file: StreamedFile, asked: TableAsked) -> Iterator[WriteRow]:
    encoder = msgspec.json.Encoder()
    yield lambda record: file.write(encoder.encode(record) + b"\n")


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        mend = f"write .csv or .jsonl, or {install('tables')}"
        raise MissingPackageError("writing Parquet needs the package 'pyarrow'", mend=mend) from None
    return pyarrow


class _ParquetSink(io.RawIOBase):
    """A streamed file as pyarrow wants one."""

    def __init__(self, file: StreamedFile) -> None:
        self._file = file
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        content = bytes(data)
        self._file.write(content)
        self._size += len(content)
        return len(content)

    def tell(self) -> int:
        return self._size


@contextlib.contextmanager
def _parquet(file: StreamedFile, asked: TableAsked) -> Iterator[WriteRow]:
    pyarrow = _pyarrow()
    text = pyarrow.string()
    names = pyarrow.list_(text)
    kinds = {
        "row": pyarrow.int64(),
        "axp": names,
        "axp_size": pyarrow.int64(),
        "axps": pyarrow.list_(names),
        "cxps": pyarrow.list_(names),
        "change": pyarrow.map_(text, text),
    }
    columns = columns_of(asked)
    schema = pyarrow.schema([(column, kinds.get(column, text)) for column in columns])
    waiting: list[dict[str, Any]] = []
    with pyarrow.parquet.ParquetWriter(_ParquetSink(file), schema) as writer:

        def flush() -> None:
            if waiting:
                writer.write_table(pyarrow.Table.from_pylist(waiting, schema=schema))
                waiting.clear()

        def write(record: ExplainedRowRecord) -> None:
            cells = cells_of(record)
            if cells["change"] is not None:
                cells["change"] = list(cells["change"].items())
            waiting.append({column: cells[column] for column in columns})
            if len(waiting) >= PARQUET_ROWS:
                flush()

        yield write
        flush()


_WRITERS = {".csv": _csv, ".jsonl": _json_lines, ".parquet": _parquet}
