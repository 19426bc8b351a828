"""The staff of a cluster: the workers that are there, and which of them are of this version of the project."""

from __future__ import annotations

import asyncio
import pickle
import time
from collections.abc import Callable
from typing import Any

from xpgcheck.campaign.cluster_worker import Call, greet
from xpgcheck.campaign.identity import identity
from xpgcheck.errors import InputError, shown

LOOK_SECONDS = 1.0
"""Seconds between two looks at who is there."""


class Staff:
    """The workers of a cluster.  Each is asked once who it is; one of another version is given no unit.

    A worker that does not answer is neither admitted nor refused: units say themselves where they are refused.
    """

    def __init__(self, client: Any, seconds: float, say: Callable[[str], None]) -> None:
        self._client = client
        self._seconds = seconds
        self._say = say
        self._threads: dict[str, int] = {}
        self._known: set[str] = set()
        self._refused: set[str] = set()
        self._looked = float("-inf")
        self._waiting = False

    @property
    def due(self) -> bool:
        """Whether it is time to look again."""
        return time.monotonic() - self._looked > LOOK_SECONDS

    @property
    def present(self) -> frozenset[str]:
        """The workers that are there."""
        return frozenset(self._threads)

    @property
    def allowed(self) -> frozenset[str] | None:
        """The workers that may take a unit; None where nobody has to be left out."""
        return frozenset(self._known & self.present - self._refused) if self._refused else None

    @property
    def threads(self) -> int:
        """The threads of all workers that may take a unit."""
        allowed = self.allowed
        return sum(count for who, count in self._threads.items() if allowed is None or who in allowed)

    def hurry(self) -> None:
        """Look again at once."""
        self._looked = float("-inf")

    async def look(self, *, first: bool = False) -> None:
        """See who is there, and ask those who are new who they are.

        Raises ``InputError`` if this is the *first* look and one of them is of another version.
        """
        try:
            self._threads = dict(await asyncio.wait_for(self._client.nthreads(), self._seconds))
        except (OSError, asyncio.TimeoutError):
            # A lost scheduler is noticed elsewhere.
            return
        finally:
            self._looked = time.monotonic()
        self._known &= self.present
        self._refused &= self.present
        if not self._threads and not self._waiting:
            self._say("no worker is there; waiting for some (dask worker SCHEDULER --nthreads 1)")
        self._waiting = not self._threads
        wrong = await self._greeted(sorted(self.present - self._known))
        for who, what in wrong.items():
            if first:
                others = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
                raise InputError(
                    f"worker {who}{others} has {what}, this is {identity()}",
                    mend="install the same version on all machines",
                )
            self.refuse(who, what)

    def refuse(self, who: str, what: str) -> None:
        """Give the worker *who* no unit from now on: it has *what*."""
        self._known.add(who)
        if who not in self._refused:
            self._refused.add(who)
            self._say(f"worker {who} has {what}, this is {identity()}; it is left out")

    async def _greeted(self, new: list[str]) -> dict[str, str]:
        """Ask the *new* workers; return what those have that are of another version."""
        if not new:
            return {}
        # One by one: a worker that hangs keeps nobody else waiting.
        answers = await asyncio.gather(*map(self._answer, new), return_exceptions=True)
        wrong: dict[str, str] = {}
        for who, answer in zip(new, answers, strict=True):
            if isinstance(answer, OSError | asyncio.TimeoutError | KeyError):
                # It left, or it hangs.
                continue
            self._known.add(who)
            if isinstance(answer, Exception):
                wrong[who] = f"no xpgcheck that can do this ({_text(answer)})"
            elif answer != identity():
                wrong[who] = str(answer)
        return wrong

    async def _answer(self, who: str) -> Any:
        asked = self._client.run(pickle.loads, bytes(Call(greet)), workers=[who])
        return (await asyncio.wait_for(asked, self._seconds))[who]


def _text(error: Exception) -> str:
    return shown(f"{type(error).__name__}: {error}".replace('"', "'"), 100)[1:-1]
