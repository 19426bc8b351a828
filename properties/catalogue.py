"""The table of properties: from a name to a function of a trial, its place in the paper, and the abilities it needs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xpgcheck.errors import InputError, did_you_mean, shown

if TYPE_CHECKING:
    from xpgcheck.properties.trials import Trial

Check = Callable[["Trial"], None]

STATEMENTS = (
    "graphs",
    "soundness",
    "minimality",
    "seeds",
    "sigma",
    "duality",
    "enumeration",
    "trees",
    "membership",
    "states",
    "invariance",
    "solvers",
    "judges",
)
"""The modules of :mod:`xpgcheck.properties.statements`, in the order of reports."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property: it holds of a trial when ``check`` returns.

    ``needs`` are the abilities of a subject without which it says nothing, ``source`` its place in the paper, ``group``
    the module that it stands in.
    """

    name: str
    check: Check
    needs: frozenset[str]
    source: str
    group: str

    @property
    def statement(self) -> str:
        """The first line of its docstring: what it says."""
        return (self.check.__doc__ or "").strip().splitlines()[0]

    @property
    def smt(self) -> bool:
        """Whether it asks an SMT solver."""
        return self.group == "solvers"


_found: dict[str, Property] = {}


def holds(source: str, *needs: str) -> Callable[[Check], Check]:
    """Register the decorated function as a property under its own name."""

    def register(check: Check) -> Check:
        name = check.__name__
        if name in _found:
            raise ValueError(f"two properties are called {name}")
        group = check.__module__.rpartition(".")[2]
        _found[name] = Property(name, check, frozenset(needs), source, group)
        return check

    return register


def all_properties() -> tuple[Property, ...]:
    """Return every property, in the order of reports."""
    for name in STATEMENTS:
        importlib.import_module(f"xpgcheck.properties.statements.{name}")
    order = {name: position for position, name in enumerate(STATEMENTS)}
    return tuple(sorted(_found.values(), key=lambda p: order[p.group]))


def chosen(names: Sequence[str], *, smt: bool = True) -> tuple[Property, ...]:
    """Return the properties, or those of a group, that *names* name (all if empty), without SMT ones if not *smt*.

    Raises ``InputError`` on an unknown name and on a selection that is empty.
    """
    everything = all_properties()
    for name in names:
        if name not in _found and name not in STATEMENTS:
            close = did_you_mean(name, [*_found, *STATEMENTS])
            raise InputError(f"no property is called {shown(name)}", mend=close or "'xpgcheck run --list' lists them")
    selected = tuple(p for p in everything if (not names or p.name in names or p.group in names) and (smt or not p.smt))
    if not selected:
        raise InputError("no property is selected", mend="drop --no-smt, or name others ('xpgcheck run --list')")
    return selected


def able(properties: Iterable[Property], abilities: frozenset[str]) -> tuple[Property, ...]:
    """Return those of *properties* that say something of a subject with *abilities*."""
    return tuple(p for p in properties if p.needs <= abilities)
