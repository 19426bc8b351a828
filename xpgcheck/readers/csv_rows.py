"""The rows of CSV text, strictly."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from xpgcheck.errors import InputError


def csv_rows(lines: Iterable[str], error: type[InputError]) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row of *lines* that has any.

    Blanks around a cell are part of it, but for those before a quoted one.  Raises *error* naming the line where the text
    is not CSV, or not UTF-8.  One row is held at a time.
    """
    rows = csv.reader(_quotes_first(lines), strict=True)
    while True:
        line = rows.line_num + 1
        try:
            cells = next(rows, None)
        except csv.Error as problem:
            place = f"line {max(line, rows.line_num)}"
            raise error(f"this is not CSV ({problem})", place=place, mend="correct the quotes") from None
        except UnicodeDecodeError:
            raise error("the file is not UTF-8 text", place=f"line {line}", mend="save it as UTF-8") from None
        if cells is None:
            return
        if cells:
            yield line, cells


def _quotes_first(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* without the blanks between a comma, or the start of a line, and a quote, for the quote to count."""
    inside = False
    for line in lines:
        if '"' not in line:
            yield line
            continue
        parts = line.split('"')
        for i in range(int(inside), len(parts) - 1, 2):
            bare = parts[i].rstrip(" ")
            if bare.endswith(",") or not (bare or i):
                parts[i] = bare
        inside ^= len(parts) % 2 == 0
        yield '"'.join(parts)
