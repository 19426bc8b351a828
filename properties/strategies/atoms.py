"""Domains split into atoms, from which the literals of generated graphs are put together.

All there is to know of them is found once a process: which literals the atoms give, and in which ways a node can part
the atoms that its path leaves.  A generated graph then costs a few choices of an index and no set operation.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from hypothesis import strategies as st

from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.value_sets import FiniteSet, Interval, IntervalSet, ValueSet, interval_set

MAX_PARTS = 8
"""Atoms of one domain at most; a node has at most as many children.  Sets of atoms are masks of one byte."""

Groups = tuple[int, ...]
"""A partition of some atoms: one mask a group."""


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """A domain and a partition of it into ``parts``, none of them empty.

    What is derived from it is kept, so that equal literals of one process are the same object.
    """

    domain: Domain
    parts: tuple[ValueSet, ...]
    _unions: dict[int, ValueSet] = field(default_factory=dict, repr=False)
    _features: dict[int, Feature] = field(default_factory=dict, repr=False)

    @property
    def full(self) -> int:
        """The mask of all atoms."""
        return (1 << len(self.parts)) - 1

    def union(self, mask: int) -> ValueSet:
        """Return the union of the atoms in *mask*, which is not 0."""
        found = self._unions.get(mask)
        if found is None:
            members = [part for position, part in enumerate(self.parts) if mask >> position & 1]
            found = self._unions[mask] = functools.reduce(_united, members)
        return found

    def feature(self, index: int) -> Feature:
        """Return feature *index* over this domain, called ``f<index>``."""
        found = self._features.get(index)
        if found is None:
            found = self._features[index] = Feature(f"f{index}", self.domain)
        return found


def _united(first: ValueSet, second: ValueSet) -> ValueSet:
    return first.union(second)


def split_at(domain: Domain, cuts: Sequence[tuple[Fraction | int, bool]]) -> Atoms:
    """Split an ordered domain at *cuts*, increasing pairs (number, whether it belongs to the part below).

    The missing value, where there is one, is an atom of its own.  Cuts outside the domain are of no effect.
    """
    whole = domain.all_values()
    assert isinstance(whole, IntervalSet)
    rest: ValueSet = whole.difference(IntervalSet(whole.grid, (), missing=True))
    parts: list[ValueSet] = []
    for number, closed in cuts:
        below = interval_set(whole.grid, [Interval(None, True, Fraction(number), not closed)])
        parts.append(rest.intersection(below))
        rest = rest.difference(below)
    parts.append(rest)
    if whole.missing:
        parts.append(IntervalSet(whole.grid, (), missing=True))
    return Atoms(domain, tuple(part for part in parts if not part.is_empty()))


def _singles(domain: Boolean | Categorical) -> Atoms:
    values = (False, True) if isinstance(domain, Boolean) else domain.values
    return Atoms(domain, tuple(FiniteSet(frozenset([value])) for value in values))


def _categories(count: int) -> Atoms:
    return _singles(Categorical(tuple("abcdefgh"[:count])))


def _integers(low: int, high: int) -> Atoms:
    return split_at(Integer(low, high), [(number, True) for number in range(low, high)])


@functools.cache
def boolean_atoms() -> tuple[Atoms, ...]:
    """Return the atoms for OBDDs."""
    return (_singles(Boolean()),)


@functools.cache
def finite_atoms() -> tuple[Atoms, ...]:
    """Return atoms of finite domains, simplest first, for OMDDs."""
    return (
        *boolean_atoms(),
        _categories(3),
        _integers(0, 2),
        _categories(4),
        split_at(Integer(-1, 3), [(-1, True), (1, True), (2, True)]),
        _categories(5),
        _integers(0, 7),
        _categories(8),
        _categories(2),
        _categories(1),
        _integers(2, 2),
    )


@functools.cache
def number_atoms() -> tuple[Atoms, ...]:
    """Return atoms of infinite domains and of domains of floats, simplest first."""
    half, third, tenth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 10)
    big = 1 << 53
    return (
        split_at(Integer(), [(0, False)]),
        split_at(Integer(), [(-2, True), (0, False), (3, True)]),
        split_at(Integer(low=0), [(0, True), (1, True), (5, True)]),
        split_at(Integer(high=0), [(-3, False), (-1, True)]),
        split_at(Integer(low=big), [(big, True), (big + 1, True)]),
        split_at(Real(), [(0, True)]),
        split_at(Real(), [(0, False), (0, True), (1, False)]),
        split_at(Real(Fraction(0), Fraction(1)), [(third, True), (half, False), (half, True)]),
        split_at(Real(Fraction(0), Fraction(1), True, True), [(half, False), (2 * third, True)]),
        split_at(Real(Fraction(-1), Fraction(2), False, True), [(-half, True), (0, True), (third, True), (1, True)]),
        split_at(Real(low=Fraction(0)), [(0, True), (third, False)]),
        split_at(Real(high=Fraction(1), high_open=True), [(-3, True), (half, False), (half, True)]),
        split_at(Real(third, third), []),
        # 0.1 is no float, and between the two neighbours of 1 + 2⁻²³ lies one number alone.
        split_at(Float32(), [(tenth, True)]),
        split_at(Float32(missing=True), [(0, True)]),
        split_at(Float32(), [(0, False), (1, True), (1 + Fraction(1, 1 << 23), True)]),
        split_at(Float32(missing=True), [(-2, False), (tenth, True), (3, True)]),
        split_at(Float64(), [(tenth, True)]),
        split_at(Float64(missing=True), [(0, True)]),
        split_at(Float64(), [(tenth, True), (half, False), (half, True)]),
        split_at(Float64(missing=True), [(0, False), (1, True), (1 + Fraction(1, 1 << 52), True)]),
    )


@functools.cache
def threshold_atoms() -> tuple[Atoms, ...]:
    """Return atoms, simplest first, whose bounds are binary64 numbers and none of which is the missing value."""
    half = Fraction(1, 2)
    return (
        *boolean_atoms() * 2,
        _integers(0, 2),
        split_at(Integer(), [(-2, True), (0, False), (3, True)]),
        split_at(Real(), [(0, False), (0, True), (1, False)]),
        split_at(Real(Fraction(-1), Fraction(2), False, True), [(-half, True), (0, True), (half, False), (1, True)]),
        split_at(Float32(), [(0, False), (1, True), (1 + Fraction(1, 1 << 23), True)]),
        split_at(Float64(), [(0, True), (half, False), (half, True), (1, True), (1 + Fraction(1, 1 << 52), True)]),
        _integers(0, 7),
    )


@functools.cache
def all_atoms() -> tuple[Atoms, ...]:
    """Return atoms of every kind of domain, simplest first and the plain ones several times."""
    boolean, finite = boolean_atoms(), finite_atoms()
    return (*boolean * 5, *finite[1:], *number_atoms(), *finite[1:8])


@functools.cache
def coarser(atoms: Atoms, count: int) -> Atoms:
    """Return *atoms* with some of its last ones united so that at most *count* (≥ 2) are left.

    The missing value stays an atom of its own, as it is a cell of its own in every graph: so there are as many atoms as a
    graph has cells, at most.
    """
    parts = atoms.parts
    if len(parts) <= count:
        return atoms
    alone = isinstance(parts[-1], IntervalSet) and parts[-1].missing
    first = count - 1 - alone
    united = atoms.union((1 << len(parts) - alone) - (1 << first))
    return Atoms(atoms.domain, (*parts[:first], united, *parts[len(parts) - alone :]))


@functools.cache
def partitions(left: int, width: int) -> tuple[Groups, ...]:
    """Return ways to part the atoms of *left* (a mask of two or more) into 2 … *width* groups, the simplest first.

    The first groups hold the lowest atoms.  Two groups come first, thresholds before all others; of up to six atoms every
    partition is there, of more a choice.  The results are kept: at most 2^8 masks times 8 widths.
    """
    atoms = [1 << position for position in range(MAX_PARTS) if left >> position & 1]
    found: list[list[int]] = _all_partitions(atoms) if len(atoms) <= 6 else _some_partitions(atoms)
    proper = [tuple(groups) for groups in found if 2 <= len(groups) <= width]
    # Stable sorting keeps thresholds, which are runs of neighbours, ahead of their like.
    proper.sort(key=lambda groups: (len(groups), not all(map(_is_run, groups))))
    # The most usual nodes of models count more often: those of two children, and of one child per value.
    pairs = [groups for groups in proper if len(groups) == 2] if len(atoms) > 4 else []
    widest = proper[-1:] if len(proper[-1]) > 3 else []
    return (*pairs, *proper, *widest * (len(proper) // (2 if len(atoms) > 5 else 5)))


@functools.cache
def thresholds(left: int) -> tuple[Groups, ...]:
    """Return the ways to part the atoms of *left* (a mask of two or more) at a threshold, lower atoms first."""
    bits = [1 << position for position in range(MAX_PARTS) if left >> position & 1]
    return tuple((left & (bit - 1), left & ~(bit - 1)) for bit in bits[1:])


def _all_partitions(atoms: list[int]) -> list[list[int]]:
    if not atoms:
        return [[]]
    *rest, last = atoms
    found = []
    for groups in _all_partitions(rest):
        joined = ([*groups[:p], groups[p] | last, *groups[p + 1 :]] for p in range(len(groups)))
        found += [*joined, [*groups, last]]
    return found


def _some_partitions(atoms: list[int]) -> list[list[int]]:
    """Return every partition into two groups, some of each run length, and the partition into single atoms."""
    first, *rest = atoms
    found = []
    for choice in range(1, 1 << len(rest)):
        second = sum(atom for position, atom in enumerate(rest) if choice >> position & 1)
        found.append([first + sum(rest) - second, second])
    for size in (1, 2, 3):
        runs = [sum(atoms[start : start + size]) for start in range(0, len(atoms), size)]
        found += [runs, [runs[0], *runs[2:-1], runs[1] | runs[-1]]]
    return found


def _is_run(mask: int) -> bool:
    lowest = mask & -mask
    return (mask + lowest) & mask == 0


@functools.cache
def domains() -> st.SearchStrategy[Domain]:
    """Every kind of domain: with one value, bounded and unbounded, open and closed, with missing values."""
    return st.sampled_from(list(dict.fromkeys(atoms.domain for atoms in all_atoms())))


@functools.cache
def below(count: int) -> st.SearchStrategy[int]:
    """Return the strategy for 0 … *count* − 1, always the same object: building one costs as much as many draws.

    Sampled, not ``integers``: those favour low numbers, and Hypothesis would copy them between choices of unlike kinds.
    """
    return st.sampled_from(range(count))
