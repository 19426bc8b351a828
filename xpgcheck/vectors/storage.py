"""The vector files that come with the package, and handing them out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path

from xpgcheck.deck.storage import NAME as DECK
from xpgcheck.deck.storage import SCHEMA as DECK_SCHEMA
from xpgcheck.deck.storage import stored_deck
from xpgcheck.errors import InputError, shown
from xpgcheck.readers.files import PathLike, place_of
from xpgcheck.vectors.catalogue import FAMILIES
from xpgcheck.writers.atomic import write_atomically

SCHEMA = "test-vectors.schema.json"


def chosen_names(names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return *names*, each once and in the order of the catalogue, the deck last; all of them where none is given.

    Raises ``InputError`` on a name that no file has.
    """
    wanted = set(names)
    known = (*FAMILIES, DECK)
    unknown = sorted(wanted - set(known))
    if unknown:
        raise InputError(f"there is no vector file {shown(unknown[0])}", mend=f"name one of {', '.join(known)}")
    return tuple(name for name in known if name in wanted or not wanted)


def stored(name: str) -> bytes:
    """Return the file *name* as it came with the package.  Raises ``InputError`` where there is none."""
    chosen_names([name])
    if name == DECK:
        return stored_deck()
    return resources.files(__package__).joinpath("data").joinpath(f"{name}.json").read_bytes()


def schemas_of(names: Iterable[str]) -> dict[str, bytes]:
    """Return the JSON Schemas of the files *names*, by the names of their own files."""
    schemas = dict.fromkeys(DECK_SCHEMA if name == DECK else SCHEMA for name in names)
    return {name: resources.files("xpgcheck.schemas").joinpath(name).read_bytes() for name in schemas}


def write_files(folder: PathLike, files: Mapping[str, bytes]) -> list[Path]:
    """Write *files* (content by name) into *folder*, made where it is missing; return their paths.

    Files of the same names are replaced, each whole or not at all; whatever else the folder holds stays.  Raises
    ``InputError`` where *folder* is no folder, or cannot be made or written to.
    """
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError("this is a file", place=place_of(folder), mend="name a folder, or a new one") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the folder cannot be made ({reason})"
        raise InputError(problem, place=place_of(folder), mend="name a folder that may be written to") from None
    taken = [name for name in files if os.path.isdir(place / name)]
    if taken:
        raise InputError("a folder has the name of a file to write", place=str(place / taken[0]), mend="move it away")
    paths = []
    for name, content in files.items():
        write_atomically(place / name, content)
        paths.append(place / name)
    return paths
