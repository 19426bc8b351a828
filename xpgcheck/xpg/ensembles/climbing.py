"""Points where a rival wins, by climbing: a feature at a time goes where the rival gets most, with restarts nearby.

It finds points that exist, fast as a rule, and shows nothing where it finds none.
"""

from __future__ import annotations

import random

from xpgcheck.xpg.ensembles.rival_terminals import RivalTerminals

Place = tuple[int, int]
"""A place of a feature, and the terminals that hold there."""


MOVES = 4
"""Trees whose terminals a restart moves into."""

HEAVY = 2
"""The heaviest terminals of a tree, one of which it moves into."""


class Climb:
    """The search among the points of one question."""

    def __init__(self, rival: RivalTerminals) -> None:
        """Note the places of each feature that the terminals tell apart.  Linear in them."""
        cuts: dict[int, set[int]] = {feature: {0} for feature in rival.below}
        for terminals in rival.trees:
            for _, rows in terminals:
                for feature, row in rows.items():
                    cuts[feature].update(row)
        self._rival = rival
        self._features = list(cuts)
        # Behind the last end there may be no place.
        self._places: list[list[Place]] = [
            [(place, rival.at(feature, place)) for place in sorted(own) if place < len(rival.below[feature]) - 1]
            for feature, own in cuts.items()
        ]
        self._number = {feature: which for which, feature in enumerate(self._features)}
        self._dice = random.Random(0)

    def find(self, own: tuple[int, ...], restarts: int) -> dict[int, int] | None:
        """Return places of the features where the rival wins for certain, climbing first from the places *own*."""
        enough = self._rival.enough
        start = [(own[feature], self._rival.at(feature, own[feature])) for feature in self._features]
        best, reached = self._top(start)
        for _ in range(restarts):
            if best <= enough:
                break
            short, places = self._top(self._moved(reached))
            if short <= best:
                best, reached = short, places
        if best > enough:
            return None
        return {feature: place for feature, (place, _) in zip(self._features, reached, strict=True)}

    def _moved(self, places: list[Place]) -> list[Place]:
        """Return *places* moved into a heavy terminal of each of a few trees."""
        found = list(places)
        for _ in range(MOVES):
            terminals = self._dice.choice(self._rival.trees)
            _, rows = terminals[self._dice.randrange(min(len(terminals), HEAVY))]
            for feature, (low, high) in rows.items():
                which = self._number[feature]
                if not low <= found[which][0] < high:
                    found[which] = next(way for way in self._places[which] if low <= way[0] < high)
        return found

    def _top(self, places: list[Place]) -> tuple[int, list[Place]]:
        """Return the shortfall where no feature alone can lessen it any more, and the places there."""
        short, everything = self._rival.short, self._rival.all
        current = list(places)
        best = -1
        while True:
            behind = [everything]
            for _, terminals in reversed(current):
                behind.append(behind[-1] & terminals)
            behind.reverse()
            now = short(behind[0])
            if now == best:
                return best, current
            best = now
            before = everything
            for which, ways in enumerate(self._places):
                rest = before & behind[which + 1]
                for way in ways:
                    there = short(rest & way[1])
                    if there < now:
                        now, current[which] = there, way
                before &= current[which][1]
