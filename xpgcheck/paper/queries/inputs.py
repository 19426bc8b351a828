"""The OBDDs of a data folder, with their instances and queried features.

``obdd/NAME.json`` is a dump of `dd` with one root, ``NAME.instances.csv`` has one instance per row (0 or 1 a feature) and
``NAME.queries.csv`` one queried feature per row (counted from 0).  Row k of the two files belong together.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from xpgcheck.errors import FormatError, InputError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.paper.data import DATA_VARIABLE, named_folder
from xpgcheck.readers.csv_rows import csv_rows
from xpgcheck.readers.dd_bdd import read_dd_json
from xpgcheck.readers.files import decode_utf8, place_of, read_bytes
from xpgcheck.wording import counted

FOLDER = "obdd"
BOTH = ".instances.csv", ".queries.csv"

ORDER = "flat30-58", "flat30-3", "flat30-88"
"""The OBDDs that the paper's authors published, smallest first; others follow by name."""


@dataclass(frozen=True, slots=True)
class ObddQueries:
    """An OBDD and its queries: is feature ``features[k]`` in some XP at ``points[k]``?"""

    graph: DecisionGraph
    points: tuple[Point, ...]
    features: tuple[int, ...]


def data_folder(data: str | None) -> Path:
    """Return the folder *data*, or the one that ``XPGCHECK_DATA`` names.  Raises ``InputError`` where there is none."""
    named = named_folder(data)
    if named is None:
        raise InputError("no data folder is named", mend=f"name one, or set {DATA_VARIABLE}")
    folder = named / FOLDER
    if not folder.is_dir():
        raise InputError("there is no such folder", place=place_of(folder), mend="put OBDDs and their queries there")
    return folder


def obdds_in(folder: Path) -> list[str]:
    """Return the names of the OBDDs in *folder*, those of ``ORDER`` first."""
    names = sorted(path.stem for path in folder.glob("*.json"))
    return [name for name in ORDER if name in names] + [name for name in names if name not in ORDER]


def query_count(folder: Path, name: str) -> int:
    """Return the number of queries of the OBDD *name*.  Raises ``InputError`` where its list cannot be read."""
    return len(_rows(folder / f"{name}{BOTH[1]}"))


def read_queries(folder: Path, name: str) -> ObddQueries:
    """Return the OBDD *name* with all its queries.

    Raises ``InputError``, naming file and row, where a file is absent or not what it has to be.  Linear.
    """
    graph = read_dd_json(folder / f"{name}.json")
    m = len(graph.features)
    instances, queries = (folder / f"{name}{ending}" for ending in BOTH)
    points = [_point(row, m, f"{place_of(instances)}, row {k}") for k, row in enumerate(_rows(instances), 1)]
    features = [_feature(row, m, f"{place_of(queries)}, row {k}") for k, row in enumerate(_rows(queries), 1)]
    if len(points) < len(features):
        problem = f"{counted(len(features), 'query', 'queries')} but {counted(len(points), 'instance')}"
        raise FormatError(problem, place=place_of(queries), mend="give each query its instance")
    return ObddQueries(graph, tuple(points), tuple(features))


def _rows(path: Path) -> list[list[str]]:
    try:
        return [cells for _, cells in csv_rows(io.StringIO(decode_utf8(read_bytes(path))), FormatError)]
    except FormatError as error:
        raise error.at(place_of(path)) from None


def _point(row: list[str], m: int, place: str) -> Point:
    if len(row) != m:
        raise FormatError(f"{len(row)} values for {m} features", place=place, mend="give one value for each feature")
    wrong = next((cell for cell in row if cell.strip() not in ("0", "1")), None)
    if wrong is not None:
        raise FormatError(f"{shown(wrong)} is neither 0 nor 1", place=place, mend="write Boolean values so")
    return tuple(cell.strip() == "1" for cell in row)


def _feature(row: list[str], m: int, place: str) -> int:
    text = row[0].strip()
    if len(row) != 1 or not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) < m):
        problem = f"{shown(','.join(row))} is no feature"
        raise FormatError(problem, place=place, mend=f"give one number from 0 to {m - 1}")
    return int(text)
