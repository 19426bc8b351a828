"""A file that is written bit by bit, and is either whole or not there."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from xpgcheck.errors import InputError
from xpgcheck.readers.files import PathLike, place_of

_log = logging.getLogger(__name__)


class StreamedFile:
    """The open file; ``write`` takes bytes.  Raises ``InputError`` that names the file where they cannot be written."""

    def __init__(self, file: BinaryIO, path: PathLike) -> None:
        self._file = file
        self._path = path

    def write(self, data: bytes) -> None:
        """Write *data* at the end."""
        with _named(self._path):
            self._file.write(data)


@contextlib.contextmanager
def streamed(path: PathLike) -> Iterator[StreamedFile]:
    """Give a file whose content takes the name *path* when the block ends well; on any failure *path* is what it was.

    The content goes to a new file in the same folder.  A link keeps pointing where it does; what is no regular file
    (``/dev/stdout``, a pipe) is written to directly.  Raises ``InputError`` that names the file.
    """
    target = Path(os.path.realpath(path))
    named = Path(path)
    _log.info("%s is begun", place_of(path))
    # Asked of the name itself: what /dev/stdout leads to, where that is a pipe, is no path that can be opened.
    if named.exists() and not named.is_file() and not named.is_dir():
        with _named(path):
            direct = named.open("wb")
        with direct:
            yield StreamedFile(direct, path)
        return
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    with _named(path):
        # Opened with these flags rather than by tempfile, so that the new file gets the permissions that the umask says.
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield StreamedFile(file, path)
            with _named(path):
                file.flush()
                os.fsync(file.fileno())
        with _named(path):
            os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def _named(path: PathLike) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the file cannot be written ({reason})"
        raise InputError(problem, place=place_of(path), mend="name a file in a folder that may be written to") from None
