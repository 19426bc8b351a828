"""Units as calls that a process of this process's identity alone carries out.

Sources may change while a campaign runs, and processes that are started later read them again.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xpgcheck.campaign.identity import identity
from xpgcheck.runs import host
from xpgcheck.runs.host import Host
from xpgcheck.runs.replies import Died, Done, Reply

UNIT_SECONDS = 3600.0
"""Seconds that a unit may take before its process is ended: an SMT solver may hang where no signal reaches it."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """The process did not touch the unit: it began with other sources, ``identity``."""

    identity: str


def identified(execute: Callable[..., Any], plan: Any) -> Callable[[Any], Any]:
    """Return ``execute(plan, unit)`` as a function of the unit, which gives ``Foreign`` in a process of other sources.

    *execute* has to be a function of a module.
    """
    return functools.partial(_identified, identity(), pickle.dumps((execute, plan)))


def as_bytes(execute: Callable[..., Any], plan: Any, unit: Any) -> bytes:
    """Return the call ``execute(plan, unit)`` as what :func:`carry_out` takes."""
    return host.as_bytes(identified(execute, plan), unit)


def how_it_died(died: Died) -> str:
    """Return what ended a process, and by which option of a campaign."""
    return f"{died.how} (--unit-timeout)" if died.late else died.how


def carry_out(place: Host, call: bytes) -> Reply | Foreign:
    """Return what *call* gives in the process of *place*."""
    reply = place.do(call)
    return reply.result if isinstance(reply, Done) and isinstance(reply.result, Foreign) else reply


def _identified(wanted: str, call: bytes, unit: Any) -> Any:
    if identity() != wanted:
        return Foreign(identity())
    execute, plan = pickle.loads(call)
    return execute(plan, unit)
