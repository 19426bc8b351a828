"""Invariance: what does not change the function of the graph changes no explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.properties import transformations
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation
from xpgcheck.readers.json_model import parse_json
from xpgcheck.wording import counted
from xpgcheck.writers.json_model import model_json

SOURCE = "Definitions 2 and 3, Eq. 1, Eq. 2"


@holds(SOURCE, "enumerate")
def permuted_features_permute_the_xps(trial: Trial) -> None:
    """Other names and another order of the features: the same XPs in them."""
    order = list(range(trial.count))
    trial.random("features").shuffle(order)
    changed = transformations.with_features_permuted(trial.graph, order)
    require_same(trial, changed, tuple(trial.instance[i] for i in order), order)


@holds(SOURCE, "enumerate")
def permuted_classes_change_no_xp(trial: Trial) -> None:
    """Another order of the classes: the same XPs."""
    order = list(range(len(trial.graph.classes)))
    trial.random("classes").shuffle(order)
    require_same(trial, transformations.with_classes_permuted(trial.graph, order))


@holds(SOURCE, "enumerate")
def permuted_nodes_change_no_xp(trial: Trial) -> None:
    """Other names of the nodes, and nodes and edges in another order: the same XPs."""
    require_same(trial, transformations.with_nodes_permuted(trial.graph, trial.random("nodes")))


@holds(SOURCE, "enumerate")
def merged_nodes_change_no_xp(trial: Trial) -> None:
    """Equal sub-graphs made one: the same XPs."""
    require_same(trial, transformations.with_equal_nodes_merged(trial.graph))


@holds(SOURCE, "enumerate")
def a_split_node_changes_no_xp(trial: Trial) -> None:
    """A node with several parents made two: the same XPs."""
    require_same(trial, transformations.with_a_node_split(trial.graph, trial.random("split")))


@holds(SOURCE, "enumerate")
def an_added_feature_is_in_no_xp(trial: Trial) -> None:
    """One more feature that no node tests: the same XPs, none of them with it."""
    dice = trial.random("added")
    place = dice.randrange(trial.count + 1)
    changed = transformations.with_a_feature_added(trial.graph, place)
    instance = (*trial.instance[:place], dice.random() < 0.5, *trial.instance[place:])
    order = [*range(place), -1, *range(place, trial.count)]
    require_same(trial, changed, instance, order)


@holds(SOURCE, "enumerate")
def a_refined_literal_changes_no_xp(trial: Trial) -> None:
    """A literal shared between two edges: the same XPs."""
    require_same(trial, transformations.with_a_literal_refined(trial.graph, trial.random("refined")))


@holds(SOURCE, "enumerate")
def an_unfolded_graph_has_the_same_xps(trial: Trial) -> None:
    """A graph and the tree of its paths: the same XPs."""
    require_same(trial, transformations.unfolded(trial.graph))


@holds(SOURCE, "enumerate")
def a_written_and_read_graph_has_the_same_xps(trial: Trial) -> None:
    """A graph written as JSON and read back: the same XPs."""
    require_same(trial, parse_json(model_json(trial.graph).encode()))


def require_same(
    trial: Trial, changed: DecisionGraph, instance: Point | None = None, order: Sequence[int] | None = None
) -> None:
    """Raise a ``Violation`` unless *changed* has the same XPs at *instance*; its feature k is feature ``order[k]`` here."""
    other = trial.elsewhere(changed, trial.instance if instance is None else instance)
    own = Counter(trial.xps())
    there = Counter(
        (kind, members if order is None else frozenset(order[i] for i in members)) for kind, members in other.xps()
    )
    for kind, members in sorted(own.keys() | there.keys(), key=lambda xp: (xp[0], sorted(xp[1]))):
        times = own[kind, members], there[kind, members]
        if times[0] != times[1]:
            names = trial.text(i for i in members if i >= 0) + (" with the added feature" if -1 in members else "")
            here, at = (counted(count, "time") for count in times)
            raise Violation("not invariant", f"{kind} {names}: listed {here} here, {at} there")
    if trial.predicts:
        here, at = trial.graph.classes[trial.predicted()], changed.classes[other.predicted()]
        if here != at:
            raise Violation("not invariant", f"class {here} is predicted here, {at} there")
