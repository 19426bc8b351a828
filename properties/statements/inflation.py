"""Inflated AXps and CXps (Izza et al., AAAI 2024): the values that would do, and those of changes, and no more or fewer."""

from __future__ import annotations

from typing import NamedTuple

from xpgcheck.judging.box_judge import BoxJudgement
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import shrink_axp, shrink_cxp
from xpgcheck.model.boxes import Box
from xpgcheck.model.value_sets import IntervalSet, ValueSet
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

_SOURCE = "Inflated AXps (Izza et al. 2024)"
_SOURCE_OF_CXPS = "Inflated CXps (Izza et al. 2024)"


class _Inflated(NamedTuple):
    """The question, and the sets that were the answer."""

    axp: frozenset[int]
    order: tuple[int, ...]
    box: dict[int, ValueSet]


@holds(_SOURCE, "inflate")
def an_inflated_axp_holds_the_instance(trial: Trial) -> None:
    """Each set has the value of the instance in it, and of an ordered feature it is one interval, missing apart."""
    for feature, values in _inflated(trial).box.items():
        name = trial.graph.features[feature].name
        if trial.instance[feature] not in values:
            raise Violation("insufficient", f"the set {values} of {name} lacks the value of the instance")
        if isinstance(values, IntervalSet) and len(values.cuts) > 2:
            raise Violation("malformed answer", f"the set {values} of {name} is not one interval")


@holds(_SOURCE, "inflate")
def an_inflated_axp_suffices(trial: Trial) -> None:
    """No point with values in the sets has another class."""
    judged = _judged(trial, _inflated(trial).box)
    if judged.verdict is Verdict.INSUFFICIENT:
        raise Violation("insufficient", f"{_text(trial, judged.box)}: {judged.witness} has another class")


@holds(_SOURCE, "inflate")
def an_inflated_axp_is_maximal(trial: Trial) -> None:
    """No piece next to a set can join it."""
    judged = _judged(trial, _inflated(trial).box)
    if judged.verdict is Verdict.NOT_MAXIMAL:
        joining = " and ".join(f"{trial.graph.features[i].name} {v}" for i, v in judged.joining.items())
        raise Violation("not maximal", f"{_text(trial, judged.box)}: {joining} can join")


@holds(_SOURCE, "inflate")
def sets_grow_in_the_order_that_was_given(trial: Trial) -> None:
    """The set of each feature is as large as can be while those behind it in the order have the instance's value alone.

    Of all features, which are a weak AXp: the more there are, the more the order decides.
    """
    asked = _asked(trial, trial.everything)
    box: dict[int, ValueSet] = {
        i: next(cell for cell in trial.graph.cells[i] if trial.instance[i] in cell) for i in asked.axp
    }
    for feature in asked.order[:-1]:
        box[feature] = asked.box[feature]
        judged = _judged(trial, box, feature)
        if judged.verdict is Verdict.NOT_MAXIMAL and feature in judged.joining:
            piece = judged.joining[feature]
            name = trial.graph.features[feature].name
            raise Violation("order ignored", f"{piece} could join {name} before others grew: {_text(trial, asked.box)}")


@holds(_SOURCE_OF_CXPS, "inflate_cxp")
def every_value_of_an_inflated_cxp_is_one_of_a_change(trial: Trial) -> None:
    """For each value in the sets there is a point of another class that differs from the instance on the CXp alone."""
    judged = _judged_changes(trial)
    if judged.verdict is Verdict.INEFFECTIVE:
        idle = " and ".join(f"{trial.graph.features[i].name} {v}" for i, v in judged.idle.items())
        raise Violation("ineffective", f"{_text(trial, judged.box)}: no change has {idle}")


@holds(_SOURCE_OF_CXPS, "inflate_cxp")
def an_inflated_cxp_has_every_value_of_a_change(trial: Trial) -> None:
    """No point of another class that differs from the instance on the CXp alone has values outside the sets."""
    judged = _judged_changes(trial)
    if judged.verdict is Verdict.NOT_MAXIMAL:
        joining = " and ".join(f"{trial.graph.features[i].name} {v}" for i, v in judged.joining.items())
        raise Violation("not maximal", f"{_text(trial, judged.box)}: {joining} changes the class as well")


def _judged_changes(trial: Trial) -> BoxJudgement:
    """Ask for the sets of a CXp that the oracles found, and judge them."""
    if not trial.consensus.ask(()).changeable:
        raise NotApplicable("no change is known")
    cxp = shrink_cxp(trial.consensus, trial.everything)
    if cxp is None:
        raise Inconclusive("no CXp is known")
    judged = trial.boxes.inflated_cxp(trial.instance, trial.changing(cxp), trial.consensus)
    if judged.verdict is Verdict.INCONCLUSIVE:
        raise Inconclusive(judged.reason)
    return judged


def _inflated(trial: Trial) -> _Inflated:
    """Ask for the sets of an AXp that the oracles found, in an order by the dice."""
    axp = shrink_axp(trial.consensus, trial.everything)
    if axp is None:
        raise Inconclusive("no AXp is known")
    return _asked(trial, axp)


def _asked(trial: Trial, features: frozenset[int]) -> _Inflated:
    order = sorted(features)
    trial.random("order of inflation").shuffle(order)
    return _Inflated(features, tuple(order), trial.inflated(features, tuple(order)))


def _judged(trial: Trial, box: Box, feature: int | None = None) -> BoxJudgement:
    """Judge the sets, whether that of *feature* alone can be larger if it is given."""
    if any(trial.instance[i] not in values for i, values in box.items()):
        # A property of its own says so.
        raise NotApplicable("a set lacks the value of the instance")
    judged = trial.boxes.maximal(trial.instance, box, box if feature is None else [feature])
    if judged.verdict is Verdict.INCONCLUSIVE:
        raise Inconclusive(judged.reason)
    return judged


def _text(trial: Trial, box: Box) -> str:
    return " and ".join(f"{trial.graph.features[i].name} ∈ {values}" for i, values in sorted(box.items())) or "always"
