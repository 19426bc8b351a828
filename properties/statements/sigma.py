"""The evaluation function σ of explanation graphs, and Algorithm 1 that decides it."""

from __future__ import annotations

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation


@holds("Proposition 4", "sigma")
def sigma_is_monotone(trial: Trial) -> None:
    """σ(s) = 1 stays 1 when one more feature is fixed."""
    for fixed in trial.subsets:
        if trial.says("sigma", fixed):
            for feature in trial.everything - fixed:
                larger = fixed | {feature}
                if not trial.says("sigma", larger):
                    evidence = f"σ is 1 with {trial.text(fixed)} fixed and 0 with {trial.text(larger)}"
                    raise Violation("not monotone", evidence)


@holds("Eq. 4", "sigma")
def sigma_is_right_at_its_ends(trial: Trial) -> None:
    """σ(1, …, 1) = 1, and σ(0, …, 0) = 0 unless the classifier is constant."""
    if not trial.says("sigma", trial.everything):
        raise Violation("wrong σ", "σ(1, …, 1) is 0")
    free = trial.says("sigma", frozenset())
    if free != trial.constant:
        raise Violation("wrong σ", f"σ(0, …, 0) is {int(free)}, constant is {trial.constant}")


@holds("Definition 3, Proposition 5", "sigma")
def sigma_is_one_exactly_for_weak_axps(trial: Trial) -> None:
    """σ(s) = 1 exactly where fixing the features with s_i = 1 suffices for the prediction."""
    for fixed in trial.subsets:
        weak = trial.is_weak_axp(fixed)
        if trial.says("sigma", fixed) != weak:
            evidence = (
                f"with {trial.text(fixed)} fixed σ is {int(not weak)}, and Eq. 1 is {'true' if weak else 'false'}"
            )
            raise Violation("wrong σ", evidence)


@holds("Algorithm 1", "path_to_zero")
def a_path_to_zero_exists_exactly_for_weak_cxps(trial: Trial) -> None:
    """A path to a terminal labelled 0 is found exactly where freeing the features can change the class."""
    for free in trial.subsets:
        weak = trial.is_weak_cxp(free)
        found = trial.says("path_to_zero", free)
        if found != weak:
            evidence = (
                f"with {trial.text(free)} free a path is{'' if found else ' not'} found, Eq. 2 is {str(weak).lower()}"
            )
            raise Violation("wrong path", evidence)


@holds("Algorithm 1", "path_steps")
def a_traversal_takes_each_node_once(trial: Trial) -> None:
    """Algorithm 1 is linear as it is to take up each node at most once."""
    for free in trial.subsets:
        steps, nodes = trial.counts("path_steps", free), trial.graph.node_count
        if not 0 <= steps <= nodes:
            raise Violation("not linear", f"{steps} nodes are taken up on a graph of {nodes}")
