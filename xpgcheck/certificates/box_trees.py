"""Trees of boxes, and points of another class, of ensembles: what a set of free features shows.

Free some features and fix the others at their values in v.  The *box* of all points that are left is cut in two, again and
again, until the bound of the checker decides each part: of each tree the terminal that some point may reach and that is best
for a rival, added up.  Where no rival can win, the tree of these boxes shows that what is fixed is a weak AXp.  Where each
tree has one terminal left and a rival wins, any point of the box is of another class.

Everything here is about the checker's own reading of the model (:class:`xpgcheck.check_certificate.Ensemble`): its places,
its weights in whole units, its slack.  So a part that is decided here is decided there: terminals are kept here that the
checker may leave out, never the other way round.

Terminals, more exactly the paths to them, are the bits of one number.  Where a box is cut, terminals go; in each tree that
loses its best one, the next best is looked up.  Among the cuts that hit the best terminals of most trees, the one is taken
that leaves rivals least in the half that is worse.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xpgcheck import check_certificate as checker
from xpgcheck.errors import LimitError, UndecidedError

MAX_PATHS = 200_000
"""Paths from roots to terminals, of all trees, up to which boxes are tried."""

MAX_BOXES = 50_000
"""Boxes that one question may take."""

CUTS = 128
"""Cuts that are compared before a box is cut.  With 24, half as much again of boxes are needed on the public corpus."""

Range = tuple[int, int]
"""Places of one feature, from the first to the one behind the last."""

Box = dict[int, Range]
"""The places of each free feature."""


class _Path(NamedTuple):
    """A path from the root of a tree to a terminal: its answer, and the literals on it by feature."""

    answer: str
    literals: dict[int, list[int]]


class _View(NamedTuple):
    """The order of each tree's terminals for one rival of a class: the best for the rival first."""

    rival: int
    enough: int
    """By how much the rival has to lead to win perhaps."""
    order: list[list[int]]
    """The numbers of each tree's terminals."""
    place: list[int]
    """The place of each terminal in the order of its tree."""
    weight: list[int]
    """The weight that each terminal adds to the lead."""


class LiveBox(NamedTuple):
    """A box with what can still happen in it."""

    box: Box
    alive: int
    """Terminals that some point may reach."""
    best: tuple[int, ...]
    """The best terminals of all trees, for each rival that can still win."""
    margins: tuple[int, ...]
    """By how much the lead of such a rival may be more than enough."""
    views: tuple[_View, ...]


class ForestPaths:
    """The paths of an ensemble, for every instance."""

    def __init__(self, model: checker.Ensemble) -> None:
        """Raises ``LimitError`` where there are too many paths."""
        self.model = model
        self.tree_of: list[int] = []
        self.answers: list[str] = []
        self.hulls: list[dict[int, Range]] = []
        self.segments: list[int] = []
        self._literals: list[dict[int, list[int]]] = []
        for number, tree in enumerate(model.trees):
            first = len(self.answers)
            for path in _paths(tree, MAX_PATHS - first):
                self.tree_of.append(number)
                self.answers.append(path.answer)
                self._literals.append(path.literals)
                self.hulls.append({i: self._hull(ids) for i, ids in path.literals.items()})
            self.segments.append((1 << len(self.answers)) - (1 << first))
        self.everything = (1 << len(self.answers)) - 1
        self._views: dict[tuple[int, int], _View] = {}
        self._masks: dict[tuple[int, int, int], int] = {}
        # For each feature, whether some literal is more than one run of places.
        self._gaps = [False] * len(model.domains)
        for literals in self._literals:
            for feature, ids in literals.items():
                self._gaps[feature] |= any(len(model.spans[literal]) != 1 for literal in ids)
        self._with: list[list[int]] = [[] for _ in model.domains]
        for leaf, hulls in enumerate(self.hulls):
            for feature in hulls:
                self._with[feature].append(leaf)

    def _hull(self, ids: Sequence[int]) -> Range:
        """Return from where to where literals have places; one behind the other if no place is in all of them."""
        spans = [self.model.spans[literal] for literal in ids]
        if not all(spans):
            return 0, 0
        return max(min(a for a, _ in each) for each in spans), min(max(b for _, b in each) for each in spans)

    def within(self, feature: int, low: int, high: int) -> int:
        """Return the terminals that points with the places from *low* to *high* may reach.  Kept; linear at first."""
        if self._gaps[feature]:
            return self._known(feature, low, high)
        # One literal is one run of places here: so two sides tell all, and there are fewer of them than pairs.
        return self._known(feature, 0, high) & self._known(feature, low, -1)

    def _known(self, feature: int, low: int, high: int) -> int:
        key = feature, low, high
        mask = self._masks.get(key)
        if mask is None:
            lost = bytearray(len(self.answers) // 8 + 1)
            for leaf in self._with[feature]:
                start, end = self.hulls[leaf][feature]
                if self._gaps[feature]:
                    spans = [self.model.spans[literal] for literal in self._literals[leaf][feature]]
                    kept = all(any(a < high and low < b for a, b in each) for each in spans)
                else:
                    kept = start < high if high >= 0 else low < end
                if not kept:
                    lost[leaf >> 3] |= 1 << (leaf & 7)
            mask = self._masks[key] = self.everything & ~int.from_bytes(lost, "little")
        return mask

    def views(self, own: int) -> tuple[_View, ...]:
        """Return the orders of terminals for each rival of class *own*."""
        return tuple([self._view(own, rival) for rival in range(len(self.model.classes)) if rival != own])

    def _view(self, own: int, rival: int) -> _View:
        view = self._views.get((own, rival))
        if view is None:
            model = self.model
            rows = [model.rows[tree][answer] for tree, answer in zip(self.tree_of, self.answers, strict=True)]
            weight = [row[rival] - row[own] for row in rows]
            order: list[list[int]] = [[] for _ in model.trees]
            for leaf, tree in enumerate(self.tree_of):
                order[tree].append(leaf)
            place = [0] * len(weight)
            for leaves in order:
                leaves.sort(key=lambda leaf: -weight[leaf])
                for position, leaf in enumerate(leaves):
                    place[leaf] = position
            enough = -model.slack if model.slack >= 0 else int((rival > own) != model.last)
            view = self._views[own, rival] = _View(rival, enough, order, place, weight)
        return view


def _paths(tree: checker.Graph, most: int) -> Iterator[_Path]:
    """Yield the paths of *tree*.  Raises ``LimitError`` beyond *most* of them, or where they meet a node twice."""
    count = 0
    pending: list[tuple[int, dict[int, list[int]], int]] = [(tree.root, {}, 0)]
    while pending:
        node, literals, depth = pending.pop()
        feature, answer, edges = tree.nodes[node]
        if feature < 0:
            count += 1
            if count > most:
                problem = f"the trees have over {MAX_PATHS:,} paths, so that there is no certificate"
                raise LimitError(problem, mend="certify a smaller ensemble")
            yield _Path(answer, literals)
        elif depth > len(tree.nodes):
            raise LimitError("a tree has a cycle", mend="give trees, or graphs without cycles")
        for child, literal in edges:
            pending.append((child, {**literals, feature: [*literals.get(feature, ()), literal]}, depth + 1))


class SearchResult(NamedTuple):
    """The result of a search: a tree of boxes as the checker reads it, or a box in whose points another class wins."""

    boxes: list[int] | None
    other: Box | None


class Search:
    """Searches at one instance: at *first*, its box where everything is fixed, whose class is *own*."""

    def __init__(self, forest: ForestPaths, first: Sequence[Range], own: int) -> None:
        self._forest = forest
        self._first = first
        self._views = forest.views(own)
        self._own = own

    def boxes(self, whole: Box) -> SearchResult:
        """Return what the box *whole* shows, all features that it leaves out fixed.

        Raises ``UndecidedError`` where it takes too many boxes, or where a point is left that rounding decides.
        """
        # For each box the cut and its halves; None where it is decided.
        tree: list[tuple[int, int, int, int] | None] = []
        stack = [(self._start(whole), 0)]
        tree.append(None)
        while stack:
            part, number = stack.pop()
            if not part.views:
                continue
            if part.alive.bit_count() == len(self._forest.segments):
                return self._settled(part)
            if (len(tree) + 3) // 2 > MAX_BOXES:  # of those that are decided in the end
                raise UndecidedError(
                    f"over {MAX_BOXES:,} boxes are needed, so that there is no certificate",
                    mend="ask for another explanation, or of a smaller ensemble",
                )
            feature, cut, low, high = self._halves(part)
            tree[number] = feature, cut, len(tree), len(tree) + 1
            halves = [(low, len(tree)), (high, len(tree) + 1)]
            tree += [None, None]
            # A half that may hold a point of another class is looked at first.
            halves.sort(key=lambda half: max(half[0].margins, default=-1))
            stack += halves
        return SearchResult(preorder(tree), None)

    def _settled(self, part: LiveBox) -> SearchResult:
        """Return the box of *part*, in which each tree has one answer."""
        slack = self._forest.model.slack
        for view, margin in zip(part.views, part.margins, strict=True):
            if margin + view.enough > slack:
                return SearchResult(None, part.box)
        raise UndecidedError(
            "whether the class changes lies within rounding, so that there is no certificate",
            mend="ask for another explanation",
        )

    def _start(self, whole: Box) -> LiveBox:
        forest = self._forest
        alive = forest.everything
        for feature, places in enumerate(self._first):
            low, high = whole.get(feature, places)
            alive &= forest.within(feature, low, high)
        base = forest.model.base
        best, margins = [], []
        for view in self._views:
            bits, total = 0, base[view.rival] - base[self._own] - view.enough
            for order in view.order:
                leaf = next((leaf for leaf in order if alive >> leaf & 1), None)
                if leaf is None:
                    raise UndecidedError("a tree has no terminal where the instance is", mend="correct its literals")
                bits |= 1 << leaf
                total += view.weight[leaf]
            best.append(bits)
            margins.append(total)
        return _open(LiveBox(whole, alive, tuple(best), tuple(margins), self._views))

    def _half(self, part: LiveBox, feature: int, places: Range) -> LiveBox | None:
        """Return the half of *part* with these places of *feature*; None where no point is in it."""
        forest = self._forest
        alive = part.alive & forest.within(feature, *places)
        if alive == part.alive:
            return part._replace(box={**part.box, feature: places})
        best, margins = [], []
        for view, bits, margin in zip(part.views, part.best, part.margins, strict=True):
            lost = bits & ~alive
            while lost:
                bit = lost & -lost
                lost ^= bit
                leaf = bit.bit_length() - 1
                order = view.order[forest.tree_of[leaf]]
                margin -= view.weight[leaf]
                bits ^= bit
                for position in range(view.place[leaf] + 1, len(order)):
                    leaf = order[position]
                    if alive >> leaf & 1:
                        break
                else:
                    return None
                bits |= 1 << leaf
                margin += view.weight[leaf]
            best.append(bits)
            margins.append(margin)
        return _open(LiveBox({**part.box, feature: places}, alive, tuple(best), tuple(margins), part.views))

    def _halves(self, part: LiveBox) -> tuple[int, int, LiveBox, LiveBox]:
        """Return the best cut of *part*, its feature first, and what it leaves on either side."""
        found: tuple[tuple[int, int], int, int, LiveBox, LiveBox] | None = None
        for feature, cut in itertools.chain(self._hitting(part), self._any(part)):
            low, high = part.box[feature]
            below, above = self._half(part, feature, (low, cut)), self._half(part, feature, (cut, high))
            if below is None or above is None:
                continue
            one, other = max(below.margins, default=-1), max(above.margins, default=-1)
            score = (one, other) if one > other else (other, one)
            if found is None or score < found[0]:
                found = score, feature, cut, below, above
        if found is None:
            raise UndecidedError("a box cannot be cut any further", mend="report it")
        return found[1:]

    def _hitting(self, part: LiveBox) -> list[tuple[int, int]]:
        """Return the cuts that part the best terminals of most trees from the others that are left."""
        forest, box = self._forest, part.box
        bits = part.best[part.margins.index(max(part.margins))]
        counts: Counter[tuple[int, int]] = Counter()
        for segment in forest.segments:
            rest = part.alive & segment
            if not rest & (rest - 1):
                continue
            leaf = (bits & segment).bit_length() - 1
            for feature, ends in forest.hulls[leaf].items():
                low, high = box.get(feature, (0, 0))
                for end in ends:
                    if low < end < high:
                        counts[feature, end] += 1
        return [cut for cut, _ in counts.most_common(CUTS)]

    def _any(self, part: LiveBox) -> Iterator[tuple[int, int]]:
        """Yield every cut, but none where some cut hits a best terminal."""
        if not self._hitting(part):
            for feature, (low, high) in part.box.items():
                yield from ((feature, cut) for cut in range(low + 1, high))


def _open(part: LiveBox) -> LiveBox:
    """Return *part* without the rivals that cannot win in it."""
    if min(part.margins, default=0) >= 0:
        return part
    kept = [k for k, margin in enumerate(part.margins) if margin >= 0]
    return part._replace(
        best=tuple([part.best[k] for k in kept]),
        margins=tuple([part.margins[k] for k in kept]),
        views=tuple([part.views[k] for k in kept]),
    )


def preorder(tree: Sequence[tuple[int, int, int, int] | None]) -> list[int]:
    """Return a tree as the checker reads it: (feature, place) of a cut and its halves, −1 for a box that is decided."""
    numbers: list[int] = []
    pending = [0]
    while pending:
        node = tree[pending.pop()]
        if node is None:
            numbers.append(-1)
        else:
            feature, cut, low, high = node
            numbers += (feature, cut)
            pending += (high, low)
    return numbers
