"""The rows at which the stored models are held to the stored classes: the same on every machine and version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

COUNT = 2000


def rows(values: Sequence[Sequence[float]], count: int) -> Iterator[list[float]]:
    """Yield *count* rows, each value drawn from its feature's candidates by a linear congruential generator."""
    state = 1
    for _ in range(count):
        row = []
        for column in values:
            state = (6364136223846793005 * state + 1442695040888963407) % 2**64
            row.append(column[(state >> 33) % len(column)])
        yield row
