"""Unit propagation by going over all clauses until nothing changes: what checkers of refutations are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def first_fault(clauses: Iterable[Iterable[int]], lines: Sequence[Sequence[int]]) -> int | None:
    """Return the first of *lines*, from 1, whose negation does not propagate to a conflict with what stands before it."""
    known = [set(clause) for clause in clauses]
    for number, line in enumerate(lines, 1):
        false = set(line)
        while not any(clause <= false for clause in known) and not any(-literal in false for literal in false):
            units = {literal for clause in known for literal in clause if clause - false == {literal}}
            if all(-literal in false for literal in units):
                return number
            false |= {-literal for literal in units}
        known.append(set(line))
    return None
