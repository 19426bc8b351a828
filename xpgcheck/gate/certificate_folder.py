"""A folder of certificates: one file for each model that was judged, and an index that says which line is whose.

The files grow line by line and take their names together when all is done; on any failure none of them is there.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.checked import TOO_LONG, CertifiedLine
from xpgcheck.check_certificate import FIRST_STEPS, STEPS_PER_BYTE
from xpgcheck.errors import InputError
from xpgcheck.gate.saving import make_folder

SUFFIX, INDEX = ".certificate.jsonl", "index.jsonl"

OPEN = 16
"""Files that are open at a time."""

MAX_STEM = 60


@dataclass(frozen=True, slots=True)
class CertificateNote:
    """The record of one claim: its entry in the index, and its line, or why there is none."""

    about: Mapping[str, Any]
    found: CertifiedLine | str


@dataclass(slots=True)
class _File:
    name: str
    temporary: Path
    left: int
    """Steps that checking may still take, as the checker counts."""
    lines: int = 1


class CertificateFolder:
    """Writes certificates into a folder.  A context manager: leaving it well gives the files their names.

    Memory grows with the number of models only.  ``lines`` counts the lines, ``without`` the claims that have none, by why.
    """

    def __init__(self, folder: Path) -> None:
        """Make *folder* if need be.  Raises ``FormatError`` where that cannot be."""
        make_folder(folder)
        self.lines = 0
        self.without: Counter[str] = Counter()
        self._folder = folder
        self._files: dict[str, _File] = {}
        self._names: set[str] = {INDEX}
        self._open: OrderedDict[Path, BinaryIO] = OrderedDict()
        self._mark = secrets.token_hex(6)
        self._index = folder / f".{INDEX}.{self._mark}.tmp"

    def __enter__(self) -> CertificateFolder:
        self._write(self._index, b"")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            for file in self._open.values():
                with contextlib.suppress(OSError):
                    file.close()
            for path in [self._index, *(file.temporary for file in self._files.values())]:
                with contextlib.suppress(OSError):
                    path.unlink()

    def add_all(self, notes: Iterable[CertificateNote]) -> None:
        """Write what became of each claim, in this order.  Raises ``InputError`` where that cannot be written."""
        for note in notes:
            self.add(note)

    def add(self, note: CertificateNote) -> None:
        """Write what became of a claim, and its line.  Raises ``InputError`` where that cannot be written."""
        found = note.found
        place: dict[str, Any] = {"without": found}
        if isinstance(found, CertifiedLine):
            file = self._files.get(found.digest) or self._new(found)
            data = found.text.encode()
            left = file.left + STEPS_PER_BYTE * len(data) - found.steps
            if left < 0:
                place = {"without": TOO_LONG}
            else:
                file.left = left
                file.lines += 1
                self._write(file.temporary, data)
                place = {"file": file.name, "at": file.lines}
        if "without" in place:
            self.without[place["without"]] += 1
        else:
            self.lines += 1
        self._write(self._index, json.dumps({**note.about, **place}, ensure_ascii=False).encode() + b"\n")

    def _new(self, found: CertifiedLine) -> _File:
        stem = re.sub(r"[^A-Za-z0-9._]+", "-", found.name).strip("-.")[:MAX_STEM] or "model"
        if f"{stem}{SUFFIX}".lower() in self._names:  # some file systems do not tell cases apart
            stem += "-" + found.digest.removeprefix("sha256:")[:16]
        name = f"{stem}{SUFFIX}"
        self._names.add(name.lower())
        data = found.header.encode()
        left = FIRST_STEPS + STEPS_PER_BYTE * len(data)
        file = self._files[found.digest] = _File(name, self._folder / f".{name}.{self._mark}.tmp", left)
        self._write(file.temporary, data)
        return file

    def _write(self, path: Path, data: bytes) -> None:
        with _named(path):
            file = self._open.pop(path, None) or path.open("ab")
            self._open[path] = file
            file.write(data)
            if len(self._open) > OPEN:
                self._open.popitem(last=False)[1].close()

    def _finish(self) -> None:
        kept = [file for file in self._files.values() if file.lines > 1]
        for file in kept:
            self._write(file.temporary, end_text(file.lines - 1).encode())
        with _named(self._folder):
            while self._open:
                self._open.popitem()[1].close()
            for file in kept:
                os.replace(file.temporary, self._folder / file.name)
            os.replace(self._index, self._folder / INDEX)


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = f"the file cannot be written ({error.strerror or error})"
        raise InputError(problem, place=str(path), mend="name a folder that may be written to") from None
