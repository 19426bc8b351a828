"""CNFs under construction: variables with readable names, clauses in named groups.

The groups are what a reader of an exported formula sees as headings, and what the mutation tests leave out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Clause = tuple[int, ...]


@dataclass(slots=True)
class Formula:
    """A CNF: ``names[v - 1]`` is the name of variable v, ``clauses`` pairs of a group and a clause as in DIMACS."""

    names: list[str] = field(default_factory=list)
    clauses: list[tuple[str, Clause]] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()
    _heading: str = ""
    _true: int = 0

    def variable(self, name: str) -> int:
        """Return a new variable called *name*."""
        self.names.append(name)
        return len(self.names)

    def heading(self, group: str, comment: str) -> None:
        """Let the clauses that follow belong to *group*; *comment* says what they state."""
        self._heading = group
        self.comments.setdefault(group, comment)

    def add(self, *literals: int) -> None:
        """Add a clause, unless its group is left out (which only the mutation tests do)."""
        if self._heading.split(",")[0] not in self.left_out:
            self.clauses.append((self._heading, literals))

    def implies(self, conditions: Sequence[int], *literals: int) -> None:
        """Add "where all *conditions* hold, some of *literals* holds"."""
        self.add(*[-condition for condition in conditions], *literals)

    def conjunction(self, name: str, parts: Sequence[int]) -> int:
        """Return a new variable that is the conjunction of *parts*."""
        whole = self.variable(name)
        for part in parts:
            self.add(-whole, part)
        self.implies(parts, whole)
        return whole

    def disjunction(self, name: str, parts: Sequence[int]) -> int:
        """Return a new variable that is the disjunction of *parts*; without parts it is 0."""
        whole = self.variable(name)
        for part in parts:
            self.add(-part, whole)
        self.add(-whole, *parts)
        return whole

    def at_most_one(self, literals: Iterable[int]) -> None:
        """Add a clause for each pair of *literals*."""
        for first, second in itertools.combinations(literals, 2):
            self.add(-first, -second)

    def true(self) -> int:
        """Return a variable that is true, the same one each time."""
        if not self._true:
            self._true = self.variable("always")
            self.clauses.append(("constant", (self._true,)))
            self.comments["constant"] = "always is true"
        return self._true

    def bare(self) -> list[Clause]:
        """Return the clauses alone."""
        return [clause for _, clause in self.clauses]
