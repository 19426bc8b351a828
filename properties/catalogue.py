"""The table of properties: from a name to a function of a trial, its place in the paper, and the abilities it needs."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.plugins import load_plugins

Check = Callable[[Any], None]
"""The function that judges a property on a trial of its kind of case."""

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
    "inflation",
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


class Catalogue:
    """The properties of one kind of case, each registered by the module that states it."""

    def __init__(self, package: str, modules: Sequence[str], kind: str, listing: str) -> None:
        """*kind* and *listing* say in errors what no property is called so, and what lists those that there are."""
        self._package, self._modules, self._kind, self._listing = package, modules, kind, listing
        self._found: dict[str, Property] = {}

    def holds(self, source: str, *needs: str) -> Callable[[Check], Check]:
        """Register the decorated function as a property under its own name."""

        def register(check: Check) -> Check:
            name = check.__name__
            if name in self._found:
                raise ValueError(f"two properties are called {name}")
            group = check.__module__.rpartition(".")[2]
            self._found[name] = Property(name, check, frozenset(needs), source, group)
            return check

        return register

    def all(self) -> tuple[Property, ...]:
        """Return every property, in the order of reports."""
        for name in self._modules:
            importlib.import_module(f"{self._package}.{name}")
        load_plugins("properties")
        places = {name: place for place, name in enumerate(self._modules)}
        return tuple(sorted(self._found.values(), key=lambda p: places.get(p.group, len(places))))

    def chosen(self, names: Sequence[str]) -> tuple[Property, ...]:
        """Return the properties, or those of a group, that *names* name; all if empty.

        Raises ``InputError`` on an unknown name.
        """
        everything = self.all()
        known = [*self._found, *dict.fromkeys((*self._modules, *(p.group for p in everything)))]
        for name in names:
            if name not in known:
                raise InputError(
                    f"no {self._kind} is called {shown(name)}", mend=did_you_mean(name, known) or self._listing
                )
        return tuple(p for p in everything if not names or p.name in names or p.group in names)


_graphs = Catalogue("xpgcheck.properties.statements", STATEMENTS, "property", "'xpgcheck properties list' lists them")

holds = _graphs.holds
"""Registers a property of decision graphs."""

all_properties = _graphs.all
"""Returns every property of decision graphs, in the order of reports."""


def chosen(names: Sequence[str], *, smt: bool = True) -> tuple[Property, ...]:
    """Return the properties of decision graphs or groups that *names* name (all if empty), without SMT ones if not *smt*.

    Raises ``InputError`` on an unknown name and on a selection that is empty.
    """
    selected = tuple(p for p in _graphs.chosen(names) if smt or not p.smt)
    if not selected:
        raise InputError("no property is selected", mend="drop --no-smt, or name others ('xpgcheck properties list')")
    return selected


def able(properties: Iterable[Property], abilities: frozenset[str]) -> tuple[Property, ...]:
    """Return those of *properties* that say something of a subject with *abilities*."""
    return tuple(p for p in properties if p.needs <= abilities)
