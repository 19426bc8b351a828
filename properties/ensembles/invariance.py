"""Invariance of answers about an ensemble: to the order in which its trees are listed, and to the unit of their weights."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from fractions import Fraction

from xpgcheck.model.combination import Arithmetic, Majority, Row, Sum, Threshold
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.properties.ensembles.statements import holds
from xpgcheck.properties.ensembles.trials import EnsembleTrial
from xpgcheck.properties.verdicts import NotApplicable, Violation

MAX_QUESTIONS = 2

Outputs = Sequence[Sequence[Row]]


def _other(own: Ensemble, trees: Sequence[DecisionGraph], rule: Majority | Sum, outputs: Outputs) -> Ensemble:
    # Trees that are there twice are two objects, as in a file.
    copies = [dataclasses.replace(tree) for tree in trees]
    return ensemble(own.name, own.features, own.classes, copies, rule, outputs)


def _exact(own: Ensemble) -> Ensemble:
    """Return *own*, added without rounding: what is off then does not depend on the number of trees."""
    if isinstance(own.rule, Majority):
        return own
    rule = dataclasses.replace(own.rule, arithmetic=Arithmetic.EXACT, doubt=Fraction(0))
    return ensemble(own.name, own.features, own.classes, own.trees, rule, own.outputs)


def _scaled(rule: Sum, by: Fraction, outputs: Outputs) -> tuple[Sum, Outputs]:
    """Return *rule* and *outputs* where every number is *by* times as large."""
    threshold = rule.threshold and Threshold(rule.threshold.at * by, rule.threshold.inclusive)
    base = tuple([number * by for number in rule.base])
    scaled = dataclasses.replace(rule, base=base, threshold=threshold, doubt=rule.doubt * by)
    return scaled, [[tuple([number * by for number in row]) for row in rows] for rows in outputs]


def _same(trial: EnsembleTrial, own: Ensemble, other: Ensemble, what: str) -> None:
    questions = trial.dice.sample(trial.sets, min(MAX_QUESTIONS, len(trial.sets)))
    routes = ("clauses", "boxes") if isinstance(own.rule, Majority) else ("boxes", "cells")
    if other.kappa(trial.instance) != own.kappa(trial.instance):
        raise Violation("not invariant", f"κ is {own.kappa(trial.instance)}, {what} {other.kappa(trial.instance)}")
    for route in routes:
        first, second = (trial.oracle_of(route, each, trial.instance) for each in (own, other))
        for fixed in questions:
            before, after = first.changeable(fixed), second.changeable(fixed)
            if before.changeable is not after.changeable:
                text = f"{route} of {sorted(fixed)}: {before.changeable}, {what} {after.changeable}"
                raise Violation("not invariant", text)


@holds("majority, sums", "clauses", "boxes", "cells")
def order_of_trees_does_not_matter(trial: EnsembleTrial) -> None:
    """The order of the trees changes no answer, where sums are exact."""
    own = _exact(trial.ensemble)
    if len(own.trees) == 1:
        raise NotApplicable("one tree")
    _same(trial, own, _other(own, own.trees[::-1], own.rule, own.outputs[::-1]), "in another order")


@holds("majority, sums", "clauses", "boxes", "cells")
def having_trees_twice_does_not_matter(trial: EnsembleTrial) -> None:
    """Having each tree twice changes no answer: of sums, with twice the base, and the threshold of a sum twice."""
    own = _exact(trial.ensemble)
    rule = own.rule
    if isinstance(rule, Sum):
        base = tuple([number * 2 for number in rule.base])
        threshold = rule.threshold
        if threshold is not None and not rule.divided:
            threshold = Threshold(threshold.at * 2, threshold.inclusive)
        rule = dataclasses.replace(rule, base=base, threshold=threshold)
    _same(trial, own, _other(own, own.trees * 2, rule, own.outputs * 2), "twice")


@holds("sums", "boxes", "cells")
def splitting_a_tree_does_not_matter(trial: EnsembleTrial) -> None:
    """A tree may be cut into two that add a part of what it adds each."""
    own = _exact(trial.ensemble)
    rule = own.rule
    if not isinstance(rule, Sum):
        raise NotApplicable("no sums")
    number, part = trial.dice.randrange(len(own.trees)), Fraction(trial.dice.randrange(-2, 5), 3)
    rows = own.outputs[number]
    halves = [[tuple([share * x for x in row]) for row in rows] for share in (part, 1 - part)]
    outputs = [*own.outputs[:number], *halves, *own.outputs[number + 1 :]]
    trees = [*own.trees[:number], own.trees[number], *own.trees[number:]]
    if rule.threshold is not None and rule.divided:
        at = rule.threshold.at * len(own.trees) / len(trees)
        rule = dataclasses.replace(rule, threshold=Threshold(at, rule.threshold.inclusive))
    _same(trial, own, _other(own, trees, rule, outputs), f"with tree {number} in two")


@holds("sums", "boxes", "cells")
def the_unit_of_weights_does_not_matter(trial: EnsembleTrial) -> None:
    """Numbers that are all a power of two times as large change no answer, not even to what rounding decides."""
    own = trial.ensemble
    if not isinstance(own.rule, Sum):
        raise NotApplicable("no sums")
    by = Fraction(2) ** trial.dice.choice((-3, 1, 4))
    _same(trial, own, _other(own, own.trees, *_scaled(own.rule, by, own.outputs)), f"{by} times as large")


@holds("majority, sums", "boxes", "cells")
def votes_are_sums(trial: EnsembleTrial) -> None:
    """A majority is the largest sum of ones: boxes and cells answer about both alike."""
    own = trial.ensemble
    if not isinstance(own.rule, Majority):
        raise NotApplicable("no votes")
    count = len(own.classes)
    one = [tuple([Fraction(c == vote) for c in range(count)]) for vote in range(count)]
    other = _other(own, own.trees, Sum((Fraction(0),) * count), [one] * len(own.trees))
    for route in ("boxes", "cells"):
        summed = trial.oracle_of(route, other, trial.instance)
        for fixed in trial.dice.sample(trial.sets, min(MAX_QUESTIONS, len(trial.sets))):
            found, right = summed.changeable(fixed).changeable, trial.oracle(route).changeable(fixed).changeable
            if found is not right:
                raise Violation("not invariant", f"{route} of {sorted(fixed)}: {right} by votes, {found} by sums")
