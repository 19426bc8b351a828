"""Files that are either whole or not there."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from pathlib import Path

from xpgcheck.errors import InputError
from xpgcheck.readers.files import PathLike, place_of

_log = logging.getLogger(__name__)


def write_atomically(path: PathLike, content: str | bytes) -> None:
    """Write *content* (text as UTF-8) to *path*: on any failure the file is what it was before, or absent.

    The content goes to a new file in the same folder, which then takes the name.  A link keeps pointing where it does;
    what is no regular file (``/dev/stdout``, a pipe) is written to directly.  Raises ``InputError`` that names the
    file.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    _log.info("%s is written: %s bytes", place_of(path), f"{len(data):,}")
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)
            return
        _replace(target, data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problem = f"the file cannot be written ({reason})"
        raise InputError(problem, place=place_of(path), mend="name a file in a folder that may be written to") from None


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    # Opened with these flags rather than by tempfile, so that the new file gets the permissions that the umask says.
    descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
