"""Explainers that are right on small ordinary graphs, and wrong where users' models are not small or not ordinary.

Each is one of a few classes with a number: where it begins to be wrong.  They derive from :class:`Scalable`, a textbook
explainer that takes large graphs too.  The table :data:`BUGS` is the catalogue; it is tried by ``xpgcheck
properties selftest --gate``, and lists no case of the deck: kinds of bugs, with numbers that differ.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

from xpgcheck.properties.seeded.bugs import SeededBug
from xpgcheck.properties.seeded.scalable import Scalable

Row = tuple[str, type[Scalable], dict[str, Any], str]
"""A name, a class, its parameters, and what is wrong in a line."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the explainer called *name*; can be sent to other processes."""

    name: str

    def __call__(self) -> Scalable:
        """Return a fresh one."""
        _, made_of, parameters, _ = _rows()[self.name]
        made = made_of(**parameters)
        made.name = self.name
        return made


@functools.cache
def _rows() -> dict[str, Row]:
    from xpgcheck.properties.seeded import reach_answers, reach_graphs, reach_memory, reach_readings

    rows = [*reach_answers.rows(), *reach_graphs.rows(), *reach_readings.rows(), *reach_memory.rows()]
    found = {row[0]: row for row in rows}
    assert len(found) == len(rows), "two are called alike"
    return found


def reach_bugs() -> tuple[SeededBug, ...]:
    """Return the catalogue."""
    kinds = {row[0]: kind for kind, names in by_kind().items() for row in [_rows()[name] for name in names]}
    return tuple(
        SeededBug(name, "explainer beyond small graphs", wrong, Maker(name), source=kinds[name])
        for name, _, _, wrong in _rows().values()
    )


def by_kind() -> dict[str, list[str]]:
    """Return the names of the catalogue by what they are wrong about."""
    found: dict[str, list[str]] = {}
    for name, made_of, _, _ in _rows().values():
        found.setdefault(made_of.kind, []).append(name)
    return found


def row(made_of: type[Scalable], wrong: str, **parameters: Any) -> Row:
    """Return a row: its name is the class's and the parameters', *wrong* may name parameters in braces."""
    words = "-".join([made_of.words(), *(str(value).replace(" ", "-").lower() for value in parameters.values())])
    return words, made_of, parameters, wrong.format(**parameters)
