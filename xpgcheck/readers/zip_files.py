"""The members of a zip file, after its sizes are checked: what would unpack into too much is refused unread."""

from __future__ import annotations

import io
import zipfile
import zlib

from xpgcheck.errors import FormatError, LimitError, shown

MAX_ENTRIES = 100_000
"""Entries of a file: a forest of 10,000 trees has five a tree."""

MAX_RATIO = 100
"""Bytes that one byte may unpack into, beyond a small allowance."""

ALLOWANCE = 1_000_000


class ZipMembers:
    """A zip file in memory.  Opening it raises ``FormatError`` or ``LimitError``; nothing is unpacked to disk."""

    def __init__(self, data: bytes, max_bytes: int) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
            raise FormatError("the zip file is damaged or cut off", mend="write it again") from None
        entries = self._zip.infolist()
        if len(entries) > MAX_ENTRIES:
            raise LimitError(
                f"the zip file has {len(entries):,} entries, the limit is {MAX_ENTRIES:,}", mend="write it again"
            )
        size = sum(entry.file_size for entry in entries)
        limit = min(max_bytes, MAX_RATIO * len(data) + ALLOWANCE)
        if size > limit:
            problem = f"the zip file unpacks into {size} bytes, the limit is {limit}"
            raise LimitError(problem, mend="write it again, without compression")
        self._names = {entry.filename for entry in entries}
        if len(self._names) < len(entries):
            raise FormatError("two entries of the zip file have one name", mend="write it again")

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def read(self, name: str) -> bytes:
        """Return the content of the member *name*, no longer than it is said to be."""
        if name not in self._names:
            raise FormatError(f"the zip file has no entry {shown(name)}", mend="the file is damaged; write it again")
        entry = self._zip.getinfo(name)
        try:
            with self._zip.open(entry) as member:
                # Asked for so many bytes and no more: a member may be longer than the directory says.
                content = member.read(entry.file_size)
                longer = member.read(1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            OSError,
            ValueError,
        ) as error:
            problem = f"the entry {shown(name)} cannot be unpacked ({shown(error)})"
            raise FormatError(problem, mend="the file is damaged; write it again") from None
        if longer or len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
            problem = f"the entry {shown(name)} is not what the directory of the zip file says"
            raise FormatError(problem, mend="the file is damaged; write it again")
        return content
