"""Messages over the pipes between a driver and a process that carries out units."""

from __future__ import annotations

import os
import selectors
import struct
import subprocess
from typing import IO

LOOK_SECONDS = 1.0
"""Seconds between looks whether a process that says nothing, or takes nothing, is still there."""

_MOST = 1 << 20

_HEAD = struct.Struct(">Q")


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write the message *data* to *process*.  Raises ``EOFError`` or ``OSError`` where it has ended.

    The end of a pipe alone would not do, here as in :func:`receive`: what a subject forked may hold it open for ever.
    """
    pipe = pipe_of(process.stdin).fileno()
    os.set_blocking(pipe, False)
    left = memoryview(_HEAD.pack(len(data)) + data)
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_WRITE)
        while left:
            if not selector.select(LOOK_SECONDS):
                if process.poll() is not None:
                    raise EOFError
                continue
            try:
                left = left[os.write(pipe, left[:_MOST]) :]
            except BlockingIOError:
                # There was room, but not for this.
                continue


def receive(process: subprocess.Popen[bytes]) -> bytes:
    """Return the next message of *process*.  Raises ``EOFError`` or ``OSError`` where it has ended."""
    pipe = pipe_of(process.stdout).fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)

        def taken(size: int) -> bytes:
            parts: list[bytes] = []
            while size:
                while not selector.select(LOOK_SECONDS):
                    if process.poll() is not None and not selector.select(0):
                        raise EOFError
                part = os.read(pipe, min(size, _MOST))
                if not part:
                    raise EOFError
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

        (size,) = _HEAD.unpack(taken(_HEAD.size))
        return taken(size)


def write(pipe: IO[bytes], data: bytes) -> None:
    """Write the message *data*, at the far end.  Raises ``OSError`` where nobody reads any more."""
    pipe.write(_HEAD.pack(len(data)) + data)
    pipe.flush()


def read(pipe: IO[bytes]) -> bytes:
    """Return the next message, at the far end.  Raises ``EOFError`` where nobody writes any more."""
    (size,) = _HEAD.unpack(_exactly(pipe, _HEAD.size))
    return _exactly(pipe, size)


def pipe_of(pipe: IO[bytes] | None) -> IO[bytes]:
    """Return *pipe*, which was asked for."""
    if pipe is None:  # pragma: no cover
        raise EOFError
    return pipe


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
