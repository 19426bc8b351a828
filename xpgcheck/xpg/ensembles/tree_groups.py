"""Trees taken together: terminals of several trees that meet, as those of one, so that a bound over trees is nearer.

The heaviest terminals of two trees often need different places of a feature that both test: the bound that adds them up
counts on what cannot be.  The pairs of terminals that meet are the terminals of a tree that does what the two do, and the
heaviest of them weighs less.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.xpg.ensembles.places import Rows
from xpgcheck.xpg.ensembles.rival_terminals import Weighed

ROUNDS = 6
"""Rounds in which each group is joined with another one at most."""

Groups = tuple[tuple[int, ...], ...]
"""Trees that are taken together, by their numbers; a tree alone need not be listed."""


def meet(first: Rows, second: Rows) -> bool:
    """Tell whether two boxes have a point in common."""
    for feature, (low, high) in first.items():
        other = second.get(feature)
        if other is not None and (low >= other[1] or other[0] >= high):
            return False
    return True


def joined(first: Sequence[Weighed], second: Sequence[Weighed], most: int) -> list[Weighed] | None:
    """Return the pairs of terminals that meet, as terminals; None where they are over *most*."""
    if len(first) * len(second) > 8 * most:
        return None
    found: list[Weighed] = []
    for weight, rows in first:
        for other_weight, other_rows in second:
            if not meet(other_rows, rows):
                continue
            both = dict(rows)
            for feature, (low, high) in other_rows.items():
                own = both.get(feature)
                both[feature] = (low, high) if own is None else (max(low, own[0]), min(high, own[1]))
            found.append((weight + other_weight, both))
            if len(found) > most:
                return None
    return found


def in_groups(trees: Sequence[list[Weighed]], groups: Groups, most: int) -> list[list[Weighed]]:
    """Return *trees* with those of a group as one, as far as that has at most *most* terminals."""
    found: list[list[Weighed]] = []
    grouped: set[int] = set()
    for group in groups:
        grouped.update(group)
        current: list[Weighed] = [(0, {})]
        for tree in group:
            more = joined(current, trees[tree], most) if trees[tree] else current
            if more is None:
                found.append(current)
                more = trees[tree]
            current = more
        found.append(current)
    return found + [tree for number, tree in enumerate(trees) if tree and number not in grouped]


def better_groups(trees: Sequence[list[Weighed]], groups: Groups, most: int) -> Groups:
    """Return larger groups that tell more: in rounds, those two are joined first whose heaviest terminals lose most."""
    listed = {number for group in groups for number in group}
    members = [*groups, *((number,) for number in range(len(trees)) if number not in listed)]
    lists = {}
    for group in members:
        own = in_groups([trees[number] for number in group], (tuple(range(len(group))),), most)
        if len(own) == 1 and len(own[0]) > 1:
            lists[group] = sorted(own[0], key=_heaviest_first)
    for _ in range(ROUNDS):
        pairs = _losses(lists)
        if not pairs:
            break
        used: set[tuple[int, ...]] = set()
        for _, first, second in pairs:
            if first in used or second in used:
                continue
            both = joined(lists[first], lists[second], most)
            if both is not None:
                used |= {first, second}
                lists[first + second] = sorted(both, key=_heaviest_first)
        if not used:
            break
        for group in used:
            del lists[group]
    return tuple(group for group in lists if len(group) > 1)


def _losses(lists: dict[tuple[int, ...], list[Weighed]]) -> list[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Return the pairs of groups whose heaviest terminals do not meet, those first that lose most by it."""
    by_feature: dict[int, list[tuple[int, int, tuple[int, ...]]]] = {}
    for group, terminals in lists.items():
        for feature, (low, high) in terminals[0][1].items():
            by_feature.setdefault(feature, []).append((low, high, group))
    seen: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    found = []
    for needs in by_feature.values():
        needs.sort()
        for place, (_, high, group) in enumerate(needs):
            for low, _, other in reversed(needs[place + 1 :]):
                if low < high:
                    break
                if (group, other) not in seen:
                    seen |= {(group, other), (other, group)}
                    found.append((_loss(lists[group], lists[other]), group, other))
    found.sort(key=lambda pair: -pair[0])
    return found


def _loss(first: Sequence[Weighed], second: Sequence[Weighed]) -> int:
    """Return by how much less the heaviest pair that meets weighs than the heaviest of either."""
    heaviest = second[0][0]
    best: int | None = None
    for weight, rows in first:
        if best is not None and weight + heaviest <= best:
            break
        for other_weight, other_rows in second:
            if best is not None and weight + other_weight <= best:
                break
            if meet(rows, other_rows):
                best = weight + other_weight
                break
    return 0 if best is None else first[0][0] + heaviest - best


def _heaviest_first(terminal: Weighed) -> int:
    return -terminal[0]
