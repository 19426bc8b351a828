"""The forests of a data folder, each with the logs of what was claimed about it.

``forests/NAME.json`` is a forest, ``NAME.axp.jsonl`` and ``NAME.cxp.jsonl`` hold a line for each claim
(:mod:`xpgcheck.claims.logged`).  The first of several lines about one instance counts, as in the publication.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xpgcheck.claims.stream import decode_line, opened, raw_lines
from xpgcheck.errors import InputError, NothingCheckedError, XpgcheckError, shown
from xpgcheck.paper.data import DATA_VARIABLE, named_folder
from xpgcheck.paper.ensembles.published import PUBLISHED
from xpgcheck.readers.files import place_of

FOLDER = "forests"

KINDS = {"axp": "AXp", "cxp": "CXp"}
"""The kinds of claims in the logs of a forest, by the part of their names that says so."""

MODEL = ".json"


@dataclass(frozen=True, slots=True)
class ForestLog:
    """A log about a forest.

    ``lines`` are the numbers of the lines that count, ``repeated`` those of lines about an instance of an earlier line.
    """

    forest: str
    kind: str
    model: Path
    path: Path
    lines: tuple[int, ...]
    repeated: tuple[int, ...]


def forest_logs(data: str | None, names: Sequence[str] = ()) -> list[ForestLog]:
    """Return the logs of the forests in the folder *data*, or else that of ``XPGCHECK_DATA``; of *names* alone, if any.

    Forests that the publication has come first, in its order.  Raises ``InputError`` that names the file where one is
    missing or cannot be read, and the line where that is no claim; ``NothingCheckedError`` where there is no forest.
    """
    folder = _folder(data)
    there = _names(folder)
    for name in names:
        if name not in there:
            raise InputError("there is no such file", place=place_of(folder / f"{name}{MODEL}"), mend=_mend(there))
    if not there:
        mend = f"name a folder with {FOLDER}/NAME.json, NAME.axp.jsonl and NAME.cxp.jsonl"
        raise NothingCheckedError("there are no forests", place=place_of(folder), mend=mend)
    found = []
    for name in dict.fromkeys(names) or there:
        model = folder / f"{name}{MODEL}"
        paths = {kind: folder / f"{name}.{kind}.jsonl" for kind in KINDS}
        for path in (model, *paths.values()):
            if not path.is_file():
                mend = f"a forest has three files, {name}.json, {name}.axp.jsonl and {name}.cxp.jsonl: add it"
                raise InputError("there is no such file", place=place_of(path), mend=mend)
        found += [ForestLog(name, kind, model, path, *_counted(path)) for kind, path in paths.items()]
    return found


def _folder(data: str | None) -> Path:
    named = named_folder(data)
    if named is None:
        mend = f"name the folder with {FOLDER}/ by --data or {DATA_VARIABLE}"
        raise InputError("there is no data", place="--data", mend=mend)
    if not named.is_dir():
        raise InputError("there is no such folder", place=place_of(named), mend=f"name a folder with {FOLDER}/")
    inside = named / FOLDER
    return inside if inside.is_dir() else named


def _names(folder: Path) -> list[str]:
    """Return the names of the forests of which *folder* has some log, the published ones first."""
    found = {path.name.removesuffix(f".{kind}.jsonl") for kind in KINDS for path in folder.glob(f"*.{kind}.jsonl")}
    return [name for name in PUBLISHED if name in found] + sorted(found.difference(PUBLISHED))


def _mend(there: Sequence[str]) -> str:
    return f"name one of {', '.join(map(shown, there))}" if there else "add the files of the forest"


def _counted(path: Path) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the lines that count, and of those about an instance of an earlier line.  Linear."""
    seen: set[str] = set()
    counted: list[int] = []
    repeated: list[int] = []
    with opened(path) as file:
        for number, data in raw_lines(file):
            try:
                if not isinstance(data, bytes):
                    raise data
                instance = decode_line(data).instance
            except XpgcheckError as error:
                raise error.at(f"line {number}").at(place_of(path)) from None
            key = _key(instance)
            (repeated if key in seen else counted).append(number)
            seen.add(key)
    if not counted:
        raise NothingCheckedError("there are no claims", place=place_of(path), mend="write one JSON object a line")
    return tuple(counted), tuple(repeated)


def _key(instance: dict[str, Any] | list[Any]) -> str:
    """Return what tells instances apart: numbers as floats, as the publication compares them."""
    cells = sorted(instance.items()) if isinstance(instance, dict) else list(enumerate(instance))
    return repr([(name, _number(value)) for name, value in cells])


def _number(value: object) -> object:
    try:
        return float(str(value))
    except ValueError:
        return value
