"""One driver at a time: a lock of the operating system, which ends with the process that holds it, however that ends."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import IO

from xpgcheck.errors import InputError


class DriverLock:
    """A lock on the file *path*, which is made if need be and stays.  ``made`` tells whether it was.

    *what* is what a driver works on, and ``mend`` says what to do while another one does.

    Raises ``InputError`` where another process holds it, or the file cannot be made.
    """

    def __init__(self, path: Path, what: str, mend: str) -> None:
        self._path = path
        self.made = not path.exists()
        while True:
            try:
                # Appending: what the holder wrote stays readable.
                self._file: IO[str] = open(path, "a+", encoding="ascii", errors="replace")  # noqa: SIM115
            except OSError as error:
                problem = f"the file cannot be made ({error.strerror})"
                raise InputError(problem, place=str(path), mend="make room, or go where it can be written") from None
            try:
                _lock(self._file)
            except OSError:
                holder = self._holder()
                self._file.close()
                problem = f"another driver{holder} is at work on {what}"
                raise InputError(problem, place=str(path), mend=mend) from None
            if self._is_there():
                break
            # The process that held it meanwhile has removed it: a lock on a file that nobody else finds is none.
            self._file.close()
        # It is of use only in the message above, so a full disk does not matter; nobody else's file is touched.
        with contextlib.suppress(OSError):
            self._file.seek(0)
            if not self._file.read(20).strip("0123456789\n"):
                self._file.truncate(0)
                self._file.write(f"{os.getpid()}\n")
                self._file.flush()

    def _holder(self) -> str:
        with contextlib.suppress(OSError):
            self._file.seek(0)
            text = self._file.read(20).strip()
            if text.isdigit():
                return f" (process {text})"
        return ""

    def _is_there(self) -> bool:
        with contextlib.suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), os.stat(self._path))
        return False

    def release(self, *, remove: bool = False) -> None:
        """Let others in; with *remove*, take the file away before."""
        if remove and self._is_there():
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        # Closing may want to write what a full disk did not take.
        with contextlib.suppress(OSError):
            self._file.close()


try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    import msvcrt

    def _lock(file: IO[str]) -> None:
        # A byte far beyond the text, which stays readable so.
        file.seek(1 << 30)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        file.seek(0)

else:

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
