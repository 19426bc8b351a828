"""Bytes from files, with one clear error for every way in which a path can fail."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError, did_you_mean, is_plain, shown

DEFAULT_MAX_BYTES = 256 * 1024 * 1024
"""Files over this many bytes are refused before they are read, unless the caller raises the limit."""

BLOCK = 1024 * 1024
"""Bytes that are read at once."""

MOST_NAMES = 1_000
"""Files of a folder among which one is looked for that is called nearly as one that is not there."""

PathLike = str | os.PathLike[str]


def place_of(path: PathLike) -> str:
    """Return *path* as the place in a one-line message, quoted where it has characters that do not print."""
    text = str(path)
    return text if text and is_plain(text) else shown(text)


@contextlib.contextmanager
def opened_file(path: PathLike) -> Iterator[BinaryIO]:
    """Give the open file at *path*.  Raises ``InputError`` that names it where it is absent, a folder or unreadable."""
    place = place_of(path)
    try:
        with Path(path).open("rb") as file:
            yield file
    except IsADirectoryError:
        raise InputError("this is a folder, not a file", place=place, mend="name a file in it") from None
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("there is no such file", place=place, mend=_other_name(Path(path))) from None
    except PermissionError:
        raise InputError("the file may not be read", place=place, mend="change its permissions") from None
    except XpgcheckError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the file cannot be read ({reason})"
        raise InputError(problem, place=place, mend="name a readable file") from None


def _other_name(path: Path) -> str:
    """Return what to do where no file is called *path*: the file next to it that is called nearly so."""
    near: list[str] = []
    with contextlib.suppress(OSError):
        near = [entry.name for entry in itertools.islice(os.scandir(path.parent), MOST_NAMES)]
    return did_you_mean(path.name, near) or "correct the path"


def read_bytes(path: PathLike, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes:
    """Return the content of the file at *path*.

    Raises ``InputError`` where it is absent, a folder or unreadable, ``LimitError`` where it has over *max_bytes*
    bytes; both name the file.  At most ``max_bytes + 1`` bytes are read, so a pipe that never ends is refused too.
    """
    place = place_of(path)
    with opened_file(path) as file:
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode) and status.st_size > max_bytes:
            raise _too_large(f"{status.st_size} bytes", max_bytes).at(place)
        data = _at_most(file, max_bytes + 1)
    if len(data) > max_bytes:
        raise _too_large(f"over {max_bytes} bytes", max_bytes).at(place)
    return data


def _at_most(file: BinaryIO, count: int) -> bytes:
    """Return up to *count* bytes; in blocks, as one large read takes the memory of the limit whatever the file's size."""
    blocks: list[bytes] = []
    while count > 0 and (block := file.read(min(count, BLOCK))):
        blocks.append(block)
        count -= len(block)
    return b"".join(blocks)


def _too_large(size: str, limit: int) -> LimitError:
    return LimitError(
        f"the file has {size}, the limit is {limit}", mend="raise the limit (--max-bytes) or split the file"
    )


def line_at(data: bytes, offset: int) -> str:
    """Return the place of the byte at *offset* as a line and a column, both counted from 1."""
    line, start = data.count(b"\n", 0, offset) + 1, data.rfind(b"\n", 0, offset)
    return f"line {line}, column {offset - start}"


def decode_utf8(data: bytes) -> str:
    """Return *data* as text; a byte order mark is dropped.  Raises ``FormatError`` with the line that is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = error.start
    raise FormatError("the file is not UTF-8 text", place=line_at(data, offset), mend="save it as UTF-8")
