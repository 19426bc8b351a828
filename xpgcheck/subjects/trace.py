"""A trace of the line protocol: every question and answer with its time, a record per message, as JSON lines."""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

from xpgcheck.errors import InputError
from xpgcheck.version import __version__

FORMAT = "xpgcheck-protocol-trace"
VERSION = 1

MOST_TEXT = 4_000
"""Bytes of a message that a record has; its whole size is always there."""

MOST_BYTES = 64 * 1024 * 1024
"""Bytes of a trace: from there on one last record, and no more."""

Message = Literal["question", "answer", "fault"]


@dataclass(frozen=True, slots=True)
class ProtocolTrace:
    """A file that all processes of a run add their messages to, each record whole and at once, so that no crash loses any.

    ``started`` is when the run was, by the clock that all processes of a machine share (``time.monotonic``).
    """

    path: Path
    started: float
    most_bytes: int = MOST_BYTES

    @classmethod
    def begun(cls, path: Path, most_bytes: int = MOST_BYTES) -> ProtocolTrace:
        """Return the trace in the file *path*, which replaces what was there.  Raises ``InputError`` where it cannot be."""
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        head = {"format": FORMAT, "version": VERSION, "xpgcheck": __version__, "started": now}
        try:
            path.write_text(json.dumps(head) + "\n", encoding="utf-8")
        except OSError as error:
            problem = f"the trace cannot be written ({error.strerror})"
            raise InputError(problem, place=str(path), mend="name another file") from None
        return cls(path, time.monotonic(), most_bytes)

    def note(self, what: Message, process: int, message: bytes) -> None:
        """Add *message* of the subject's *process*; O(its size).

        A trace that cannot be written any more (a full disk) does not end the run.
        """
        record = {
            "seconds": round(time.monotonic() - self.started, 6),
            "process": process,
            "message": what,
            "bytes": len(message),
            "text": message[:MOST_TEXT].decode(errors="replace"),
        }
        with contextlib.suppress(OSError):
            self._add(json.dumps(record).encode() + b"\n")

    def _add(self, line: bytes) -> None:
        # POSIX only, as are processes that are judged.
        import fcntl

        end = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            fcntl.flock(end, fcntl.LOCK_EX)
            before = os.fstat(end).st_size
            if before >= self.most_bytes:
                return
            os.write(end, line)
            if before + len(line) >= self.most_bytes:
                os.write(end, json.dumps({"full": f"no record after {self.most_bytes:,} bytes"}).encode() + b"\n")
        finally:
            os.close(end)
