"""Units as calls that a process of this process's identity alone carries out.

Sources may change while a campaign runs, and processes that are started later read them anew.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xpgcheck.campaign.identity import identity
from xpgcheck.runs import host
from xpgcheck.runs.host import Host
from xpgcheck.runs.replies import Done, Reply

UNIT_SECONDS = 3600.0
"""How long a unit may take before its process is ended: an SMT solver may hang where no signal reaches it."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """The process did not touch the unit: it began with other sources, ``identity``."""

    identity: str


def as_bytes(execute: Callable[..., Any], *arguments: Any) -> bytes:
    """Return the call ``execute(*arguments)`` as what :func:`carry_out` takes: the function has to be one of a module."""
    return host.as_bytes(_identified, identity(), pickle.dumps((execute, arguments)))


def carry_out(place: Host, call: bytes) -> Reply | Foreign:
    """Return what *call* gives in the process of *place*."""
    reply = place.do(call)
    return reply.result if isinstance(reply, Done) and isinstance(reply.result, Foreign) else reply


def _identified(wanted: str, call: bytes) -> Any:
    if identity() != wanted:
        return Foreign(identity())
    execute, arguments = pickle.loads(call)
    return execute(*arguments)
