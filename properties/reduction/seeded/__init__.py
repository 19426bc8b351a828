"""Seeded bugs of the reduction and of its solvers: routes that are wrong on purpose, each by a step of one method."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from xpgcheck.errors import InputError, shown
from xpgcheck.properties.reduction.routes import HonestRoutes

MODULES = ("reductions", "solvers", "answers")
"""The modules of seeded bugs, in the order of reports."""

C = TypeVar("C", bound=type[HonestRoutes])


@dataclass(frozen=True, slots=True)
class SeededBug:
    """Routes with a bug: ``wrong`` says in one line what is wrong, ``make`` makes them."""

    name: str
    wrong: str
    make: Callable[[], HonestRoutes]
    module: str


_registered: dict[str, SeededBug] = {}


def bug(routes: C) -> C:
    """Register wrong routes: the class's name, in words, and the first line of its docstring are the bug's."""
    name = "-".join(re.findall("[A-Z][a-z]*", routes.__name__)).lower()
    if name in _registered:
        raise ValueError(f"two seeded bugs are called {name}")
    routes.name = name
    wrong = (routes.__doc__ or "").strip().splitlines()[0]
    _registered[name] = SeededBug(name, wrong, routes, routes.__module__.rpartition(".")[2])
    return routes


def seeded_bugs() -> tuple[SeededBug, ...]:
    """Return every seeded bug of the reduction."""
    for name in MODULES:
        importlib.import_module(f"{__name__}.{name}")
    return tuple(sorted(_registered.values(), key=lambda found: MODULES.index(found.module)))


def seeded_bug(name: str) -> SeededBug:
    """Return the seeded bug called *name*.  Raises ``InputError`` where there is none."""
    for found in seeded_bugs():
        if found.name == name:
            return found
    raise InputError(f"no seeded bug of the reduction is called {shown(name)}")
