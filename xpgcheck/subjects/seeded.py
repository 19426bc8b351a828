"""The seeded bugs as subjects in processes of their own."""

from __future__ import annotations

from xpgcheck.properties.seeded import SeededBug
from xpgcheck.subjects.limits import Limits
from xpgcheck.subjects.remote import RemoteSubject


def over_the_protocol(bug: SeededBug) -> RemoteSubject:
    """Return a subject that has *bug*, asked over the line protocol."""
    return RemoteSubject.of_python(f"seeded:{bug.name}", limits=Limits(seconds=bug.seconds))
