"""Decision graphs themselves: one terminal per point, every terminal reached, and what is predicted."""

from __future__ import annotations

import functools
from collections.abc import Callable

from xpgcheck.properties import asking
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.definitions import cell_points
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Definition 2", "predict")
def the_predicted_class_is_kappa(trial: Trial) -> None:
    """The class that the subject predicts is the class of the terminal that the instance reaches, κ(v)."""
    own, said = trial.graph.kappa(trial.instance), trial.predicted()
    if said != own:
        raise Violation("prediction mismatch", f"class {said} is predicted, κ(v) is {own}")


SOME_POINTS = 2
"""Points next to the instance at which terminals are looked for."""


@holds("Proposition 2", "terminals")
def a_point_reaches_exactly_one_terminal(trial: Trial) -> None:
    """Whatever edges hold at a point, following all of them ends in exactly one terminal, the one of κ."""
    dice = trial.random("points")
    others = [tuple(dice.choice(cells).representative() for cells in trial.graph.cells) for _ in range(SOME_POINTS)]
    for point in (trial.instance, *others):
        reached = trial.asks("terminals", (trial.graph, point), _read(trial))
        try:
            expected = (trial.graph.terminal(point),)
        except ValueError as error:
            raise Violation("no terminal", str(error)) from None
        if reached != expected:
            evidence = f"at {point} the terminals {reached} are reached, expected {expected}"
            raise Violation("prediction mismatch", evidence)


@holds("Proposition 3", "terminals")
def every_terminal_is_reached_by_some_point(trial: Trial) -> None:
    """Each terminal is reached by some point of feature space."""
    missing = {node for node in range(trial.graph.node_count) if trial.graph.is_terminal(node)}
    for point in cell_points(trial.graph):
        missing -= set(trial.asks("terminals", (trial.graph, point), _read(trial)))
        if not missing:
            return
    raise Violation("prediction mismatch", f"no point reaches the terminals {sorted(missing)}")


def _read(trial: Trial) -> Callable[[object], tuple[int, ...]]:
    return functools.partial(asking.numbers, most=trial.graph.node_count)
