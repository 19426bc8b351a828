"""The table of the reduction's properties: from a name to a function of a trial, and the place that it is about."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpgcheck.errors import InputError, shown
from xpgcheck.properties.verdicts import Violation

if TYPE_CHECKING:
    from xpgcheck.properties.reduction.trials import Trial

Check = Callable[["Trial"], None]

STATEMENTS = ("reduced", "families", "readings", "membership", "evidence", "invariance")
"""The modules of :mod:`xpgcheck.properties.reduction.statements`, in the order of reports."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property: it holds of a trial when ``check`` returns.  ``source`` is what it is about, ``group`` its module."""

    name: str
    check: Check
    source: str
    group: str

    @property
    def statement(self) -> str:
        """The first line of its docstring: what it says."""
        return (self.check.__doc__ or "").strip().splitlines()[0]


_found: dict[str, Property] = {}


def holds(source: str) -> Callable[[Check], Check]:
    """Register the decorated function as a property under its own name."""

    def register(check: Check) -> Check:
        name = check.__name__
        if name in _found:
            raise ValueError(f"two properties are called {name}")
        _found[name] = Property(name, check, source, check.__module__.rpartition(".")[2])
        return check

    return register


def all_properties() -> tuple[Property, ...]:
    """Return every property, in the order of reports."""
    for name in STATEMENTS:
        importlib.import_module(f"xpgcheck.properties.reduction.statements.{name}")
    return tuple(sorted(_found.values(), key=lambda p: STATEMENTS.index(p.group)))


def chosen(names: Sequence[str]) -> tuple[Property, ...]:
    """Return the properties called *names*, or of the groups called so; all if empty.  Raises ``InputError`` on others."""
    everything = all_properties()
    for name in names:
        if name not in _found and name not in STATEMENTS:
            raise InputError(f"no property of the reduction is called {shown(name)}")
    return tuple(p for p in everything if not names or p.name in names or p.group in names)


def clause_text(clauses: Iterable[int]) -> str:
    """Return a set of clauses as users count them, from 1."""
    return "{" + ", ".join(str(clause + 1) for clause in sorted(clauses)) + "}"


def require_equal(
    found: Iterable[frozenset[int]], expected: Iterable[frozenset[int]], what: str, whose: str, others: str
) -> None:
    """Raise a ``Violation`` where two families differ: *found* is of *whose*, *expected* of *others*, both of *what*."""
    listed, right = list(found), set(expected)
    if len(set(listed)) < len(listed):
        raise Violation("listed twice", f"{whose} lists a set twice among {len(listed)} {what}")
    for extra in sorted(set(listed) - right, key=sorted):
        raise Violation("not equal", f"{clause_text(extra)} is among the {what} of {whose}, not of {others}")
    for missing in sorted(right.difference(listed), key=sorted):
        raise Violation("not equal", f"{clause_text(missing)} is among the {what} of {others}, not of {whose}")
