"""PyXAI's forests by its own definitions and by Eq. 1 and Eq. 2 side by side: ``python tools/pyxai_forests.py [EXAMPLES]``.

Small forests are drawn (1 to 6 trees over 1 to 4 features, at most 9 conditions), and each kind of reason at an instance is
judged twice, without PyXAI: over its conditions by looking at every assignment of them, and, as the set of its features, by
the judges of this project.  ``python tools/pyxai_forests.py DATA NAME …`` asks about the instances of forests of a data
folder instead (NAME=25: the first 25; numbers rounded to binary64, as PyXAI has them), over features alone.  PyXAI has to
be installed.
"""

from __future__ import annotations

import contextlib
import functools
import io
import itertools
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from xpgcheck.judging.claim import Claim, ClaimKind
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.vote_forest import parse_vote_forest
from xpgcheck.subjects.adapters.pyxai import Opened, floats_of
from xpgcheck.subjects.adapters.pyxai_forest import (
    CONTRASTIVE,
    DIRECT,
    MAJORITARY,
    REASONS,
    SMALLEST_MAJORITARY,
    SMALLEST_SUFFICIENT,
    SUFFICIENT,
    PyXAIForestProjected,
    PyXAIForestWithTheory,
    literals,
    members_of,
)

MAX_CONDITIONS = 9
FEW_TREES = 4
MOST_SECONDS = 120
"""Seconds of one forest and kind of reason after which its other instances are left out."""
MAJORITIES = (MAJORITARY, SMALLEST_MAJORITARY)

Tree = dict[str, Any]
Literals = frozenset[int]

RIGHT, FOLLOWS, REDUNDANT = "right", "lists what follows", "not minimal"
NOT_SMALLEST, WRONG, NONE = "not smallest", "does not hold", "no answer"
OWN = (RIGHT, FOLLOWS, REDUNDANT, NOT_SMALLEST, WRONG, NONE)
FEATURES = ("AXp", "CXp", "redundant", "insufficient", "ineffective")


def drawn_tree(draw: random.Random, classes: int, features: int, thresholds: list[str], *, constant: bool) -> Tree:
    """Return a tree of at most three tests on a path; one with a single class where *constant* allows it."""

    def grown(depth: int, used: tuple[tuple[int, str], ...]) -> Tree:
        test = draw.randrange(features), draw.choice(thresholds)
        if depth == 0 or draw.random() < 0.2 or test in used:
            return {"class": draw.randrange(classes)}
        yes, no = (grown(depth - 1, (*used, test)) for _ in range(2))
        return {"feature": test[0], "at_most": test[1], "yes": yes, "no": no}

    while True:
        tree = grown(draw.randint(0, 3), ())
        if constant or len(set(_classes(tree))) > 1:
            return tree


def _classes(tree: Tree) -> Iterator[int]:
    if "class" in tree:
        yield tree["class"]
    else:
        yield from itertools.chain(_classes(tree["yes"]), _classes(tree["no"]))


def drawn_forest(draw: random.Random, classes: int, *, constant: bool) -> Ensemble:
    """Return a small forest."""
    features = draw.randint(1, 4)
    thresholds = ["0.5", "1.5", "2.5"][: draw.randint(1, 3)]
    trees = [
        drawn_tree(draw, classes, features, thresholds, constant=constant and number == 0)
        for number in range(draw.randint(1, 6))
    ]
    if constant:
        trees[0] = {"class": draw.randrange(classes)}
    return forest_of(trees, [f"f{i}" for i in range(features)], list(range(classes)))


def forest_of(trees: list[Tree], features: list[str], classes: list[Any]) -> Ensemble:
    """Return the forest of *trees* that vote."""
    combine = f"majority vote, ties to class {classes[0]}"
    document = {"name": "forest", "features": features, "classes": classes, "combine": combine, "trees": trees}
    return parse_vote_forest(json.dumps(document).encode(), "forest")


@dataclass(frozen=True, slots=True)
class Assignment:
    """Values of all conditions, the class that the forest then gives, and the votes of its trees."""

    bits: tuple[bool, ...]
    label: int
    votes: tuple[int, ...]


class OwnDefinition:
    """PyXAI's definitions at one instance, by every assignment of conditions; with *theory* those of points alone."""

    def __init__(self, opened: Opened, classes: int, own_class: int, *, theory: bool) -> None:
        self.tests = opened.tests[1:]
        self.theory = theory
        self.classes = classes
        self.label = own_class
        values = [opened.instance[test[0] - 1] > test[2] for test in self.tests]
        self.own = tuple(values)
        self.instance = frozenset(i if value else -i for i, value in enumerate(values, 1))
        every = itertools.product((False, True), repeat=len(self.tests))
        trees = opened.explainer.random_forest.forest
        self.assignments = [self._assignment(trees, bits) for bits in every if not theory or self._consistent(bits)]
        if classes == 2 and len(trees) % 2 == 0 and own_class == 0:
            self.needed = len(trees) // 2
        else:
            self.needed = len(trees) // 2 + 1

    def _consistent(self, bits: tuple[bool, ...]) -> bool:
        held = sorted((test[0], test[2], bit) for test, bit in zip(self.tests, bits, strict=True))
        return all(a[0] != b[0] or a[2] or not b[2] for a, b in itertools.pairwise(held))

    def _assignment(self, trees: Any, bits: tuple[bool, ...]) -> Assignment:
        held = {(test[0], test[2]): bit for test, bit in zip(self.tests, bits, strict=True)}
        votes = tuple(_vote(tree._root, held) for tree in trees)
        counts = [votes.count(label) for label in range(self.classes)]
        return Assignment(bits, counts.index(max(counts)), votes)

    def _under(self, reason: Literals) -> list[Assignment]:
        return [a for a in self.assignments if all(a.bits[abs(i) - 1] is (i > 0) for i in reason)]

    def implies(self, reason: Literals) -> bool:
        """Tell whether *reason* leaves the class alone."""
        return all(a.label == self.label for a in self._under(reason))

    def majority(self, reason: Literals) -> bool:
        """Tell whether *reason* leaves the class alone in a majority of trees, each by itself (two classes)."""
        kept = [
            all(vote == self.label for vote in votes)
            for votes in zip(*(a.votes for a in self._under(reason)), strict=True)
        ]
        return sum(kept) >= self.needed

    def judge(self, method: str, reason: Literals | None) -> str:
        """Return the verdict on the *reason* that *method* returned."""
        if method == CONTRASTIVE:
            return self._contrastive(reason)
        if reason is None or not reason <= self.instance:
            return NONE if reason is None else WRONG
        # With three classes, it is not settled what a majority is: a reason that implies the class is let pass.
        holds = self.majority if method in MAJORITIES and self.classes == 2 else self.implies
        if not holds(reason):
            return WRONG
        if method == DIRECT or (method in MAJORITIES and self.classes > 2):
            return RIGHT
        less = [i for i in reason if holds(reason - {i})]
        if less:
            follow = all(all(a.bits[abs(i) - 1] is (i > 0) for a in self._under(reason - {i})) for i in less)
            return FOLLOWS if follow else REDUNDANT
        if method in (SMALLEST_SUFFICIENT, SMALLEST_MAJORITARY):
            smaller = itertools.combinations(self.instance, len(reason) - 1) if reason else ()
            return NOT_SMALLEST if any(holds(frozenset(each)) for each in smaller) else RIGHT
        return RIGHT

    def _contrastive(self, reason: Literals | None) -> str:
        """Judge a smallest change: of conditions, or with theory, whose solver counts them so, of features."""
        others = [a.bits for a in self.assignments if a.label != self.label]
        if reason is None:
            return WRONG if others else RIGHT
        changed = {abs(i) for i in reason}
        inside = [bits for bits in others if all(i in changed for i in self._changes(bits))]
        if not reason <= self.instance or not inside:
            return WRONG
        return RIGHT if self._cost(changed) == min(self._cost(self._changes(bits)) for bits in others) else NOT_SMALLEST

    def _changes(self, bits: tuple[bool, ...]) -> set[int]:
        return {i for i, (own, bit) in enumerate(zip(self.own, bits, strict=True), 1) if own is not bit}

    def _cost(self, changed: set[int]) -> int:
        return len({self.tests[i - 1][0] for i in changed}) if self.theory else len(changed)


def _vote(node: Any, held: dict[tuple[int, float], bool]) -> int:
    while not node.is_leaf():
        node = node.right if held[node.id_feature, node.threshold] else node.left
    return int(node.value)


def answered(work: Callable[[], Any]) -> Any:
    """Return what *work* returns, None where it raises; what it prints is dropped."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        return work()
    return None


def study(examples: int, classes: int, *, constant: bool, theory: bool) -> dict[str, Counter[str]]:
    """Return of each kind of reason how often which verdict came out, by its own definition and over features."""
    draw = random.Random(f"{classes} {constant} {theory}")
    subject = PyXAIForestWithTheory() if theory else PyXAIForestProjected()
    counts: dict[str, Counter[str]] = {method: Counter() for method in REASONS}
    done = 0
    while done < examples:
        forest = drawn_forest(draw, classes, constant=constant)
        instance: Point = tuple(Fraction(draw.randrange(4)) for _ in forest.features)
        opened = subject.opened(forest, instance)
        # In a forest without conditions, majoritary_reason ends the process.
        if not 0 < len(opened.tests) - 1 <= MAX_CONDITIONS:
            continue
        done += 1
        own = OwnDefinition(opened, classes, forest.kappa(instance), theory=theory)
        with EnsemblePanel(forest) as panel:
            judge = panel.claims_at(instance)
            for method in REASONS if classes == 2 else REASONS[:-1]:
                reason = answered(functools.partial(literals, opened, method))
                counts[method]["asked"] += 1
                counts[method][own.judge(method, None if reason is None else frozenset(reason))] += 1
                if reason is not None:
                    kind = ClaimKind.CXP if method == CONTRASTIVE else ClaimKind.AXP
                    claim = Claim(kind, members=opened.members(reason))
                    counts[method][judge.judge(claim, evidence=False).verdict.value] += 1
    return counts


def print_study(examples: int) -> None:
    """Print a table for two classes, with theory, three classes, and three with a constant tree."""
    for title, classes, constant, theory in (
        ("two classes", 2, False, False),
        ("two classes, with theory", 2, False, True),
        ("three classes", 3, False, False),
        ("three classes, one tree constant", 3, True, False),
    ):
        counts = study(examples, classes, constant=constant, theory=theory)
        print(f"\n{title}\n\n| reason | {' | '.join(OWN)} | {' | '.join(FEATURES)} |")
        print("| --- " * (1 + len(OWN) + len(FEATURES)) + "|")
        for method, found in counts.items():
            if found["asked"]:
                print(f"| `{method}` | {' | '.join(str(found[word] or '') for word in (*OWN, *FEATURES))} |")


def rounded(text: object) -> str:
    """Return the decimal of the binary64 number that *text* is read as."""
    return format(Decimal(float(str(text))), "f")


def rounded_tree(tree: Tree) -> Tree:
    """Return *tree* with thresholds that are binary64 numbers."""
    if "class" in tree:
        return tree
    sides = {side: rounded_tree(tree[side]) for side in ("yes", "no")}
    return {**tree, "at_most": rounded(tree["at_most"]), **sides}


def print_corpus(folder: Path, names: list[str]) -> None:
    """Print what PyXAI answers at the instances of forests, over features, without and with theory, and its time."""
    print("| forest | reason | theory | asked | AXp | CXp | redundant | insufficient | ineffective | ms a reason |")
    print("| --- " * 10 + "|")
    for named, theory, method in itertools.product(names, (False, True), (SUFFICIENT, CONTRASTIVE)):
        name, _, most = named.partition("=")
        document = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        trees = [rounded_tree(tree) for tree in document["trees"]]
        if method == CONTRASTIVE and not theory and len(trees) > FEW_TREES:
            # One may take many minutes.
            continue
        forest = forest_of(trees, document["features"], document["classes"])
        rows = [json.loads(line)["instance"] for line in (folder / f"{name}.axp.jsonl").open(encoding="utf-8")]
        points = list(dict.fromkeys(read_point(forest.features, list(map(rounded, row))) for row in rows))
        points = points[: int(most)] if most else points
        subject = PyXAIForestWithTheory() if theory else PyXAIForestProjected()
        opened = subject.opened(forest, points[0])
        counts: Counter[str] = Counter()
        seconds = 0.0
        kind = ClaimKind.CXP if method == CONTRASTIVE else ClaimKind.AXP
        with EnsemblePanel(forest) as panel:
            asked = 0
            for point in points:
                if seconds > MOST_SECONDS:
                    break
                asked += 1
                opened.explainer.set_instance(floats_of(point))
                opened.instance[:] = floats_of(point)
                started = time.perf_counter()
                members = answered(functools.partial(members_of, opened, method))
                seconds += time.perf_counter() - started
                if members is None:
                    counts["none"] += 1
                    continue
                claim = Claim(kind, members=members)
                counts[panel.claims_at(point).judge(claim, evidence=False).verdict.value] += 1
        cells = " | ".join(str(counts[word] or "") for word in FEATURES)
        print(f"| {name} | {method} | {theory} | {asked} | {cells} | {1e3 * seconds / asked:.0f} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print_corpus(Path(sys.argv[1]) / "forests", sys.argv[2:])
    else:
        print_study(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
