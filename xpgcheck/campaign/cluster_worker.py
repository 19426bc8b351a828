"""The part that runs inside a worker of a Dask cluster: one unit, in a process of its own, if the worker is one of ours."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xpgcheck.campaign.calls import Foreign, carry_out
from xpgcheck.campaign.identity import identity
from xpgcheck.runs.host import Host
from xpgcheck.runs.replies import Died, Reply

RECYCLED = 25
"""Units after which a process is replaced: cvc5 leaks some kilobytes a graph (1.4.2)."""


@dataclass(frozen=True, slots=True)
class RefusedTask:
    """The worker did not touch the unit: it is of another version, ``identity``."""

    identity: str


@dataclass(frozen=True, slots=True)
class Call:
    """Unpickled, this is what ``function(*arguments)`` gives.

    A task that names a function of a module that a worker does not have ends the whole worker, and the next one that takes
    it.  But ``pickle.loads`` is everywhere, and what it raises is the task's error.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, self.arguments

    def __bytes__(self) -> bytes:
        return pickle.dumps(self)


@dataclass(slots=True)
class _Place:
    """A thread of the worker, with its process and the campaign that it worked for last."""

    host: Host
    token: str
    done: int = 0


_here = threading.local()
_places: list[_Place] = []


def greet() -> str:
    """Return this worker's identity."""
    return identity()


def work(token: str, wanted: str, seconds: float, call: bytes) -> tuple[str, Reply | RefusedTask]:
    """Return who this worker is and what *call* (a pickled call) gives, unless its identity is not *wanted*.

    After *seconds* its process is ended.  *token* names the run of the campaign, for :func:`dismiss`.
    """
    who = f"{_address()} (pid {os.getpid()})"
    if greet() != wanted:
        return who, RefusedTask(greet())
    place: _Place | None = getattr(_here, "place", None)
    if place is None:
        place = _here.place = _Place(Host(), token)
        _places.append(place)
    if place.done >= RECYCLED:
        place.host.kill()
        place.done = 0
    place.done += 1
    place.token = token
    # An SMT solver may hang where no signal reaches it.
    over = threading.Event()

    calls = place.host.calls + 1

    def end() -> None:
        over.set()
        place.host.kill(calls)

    late = threading.Timer(seconds, end)
    late.daemon = True
    late.start()
    try:
        reply = carry_out(place.host, call)
    finally:
        late.cancel()
    if isinstance(reply, Foreign):
        return who, RefusedTask(reply.identity)
    if over.is_set() and isinstance(reply, Died):
        reply = Died(f"was ended after {seconds:g} s", late=True)
    return who, reply


def dismiss(token: str) -> int:
    """End this worker's processes that work or worked last for the run *token*; return their number."""
    ours = [place for place in _places if place.token == token and place.host.pid is not None]
    for place in ours:
        place.host.kill()
    return len(ours)


def _address() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return "no worker"
