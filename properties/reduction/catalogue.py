"""The table of the reduction's properties, and how two families are compared."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.properties.catalogue import Catalogue
from xpgcheck.properties.verdicts import Violation

STATEMENTS = ("reduced", "families", "readings", "membership", "evidence")
"""The modules of :mod:`xpgcheck.properties.reduction.statements`, in the order of reports; each is a group of properties."""

_formulas = Catalogue(
    "xpgcheck.properties.reduction.statements",
    STATEMENTS,
    "property of the reduction",
    "'xpgcheck paper reduction' lists them",
)

holds = _formulas.holds
"""Registers a property of the reduction."""

all_properties = _formulas.all
"""Returns every property of the reduction, in the order of reports."""

chosen = _formulas.chosen
"""Returns the properties of the reduction that names name, or their groups; all if there are no names."""


def clauses_text(clauses: Iterable[int]) -> str:
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
        raise Violation("not equal", f"{clauses_text(extra)} is among the {what} of {whose}, not of {others}")
    for missing in sorted(right.difference(listed), key=sorted):
        raise Violation("not equal", f"{clauses_text(missing)} is among the {what} of {others}, not of {whose}")
