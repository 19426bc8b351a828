"""The properties of the judges of ensembles."""

from __future__ import annotations

import dataclasses
import itertools

from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.ensemble import ensemble
from xpgcheck.oracles.answers import replay
from xpgcheck.properties.catalogue import Catalogue
from xpgcheck.properties.ensembles.trials import EnsembleTrial, Members, plain_class
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

_judges = Catalogue(
    "xpgcheck.properties.ensembles", ("statements",), "property of ensembles", "docs/forests.md lists them"
)

all_properties = _judges.all
"""Returns every property of the judges of ensembles, in the order of reports."""

MAX_SUMS = 4
"""Questions that the sums of votes are asked of a case: each takes a solver some milliseconds."""


@_judges.holds("majority")
def kappa_counts_votes(trial: EnsembleTrial) -> None:
    """κ is the class with the most votes, the lowest one among equals."""
    own = trial.ensemble
    for cells in itertools.islice(itertools.product(*own.cells), 200):
        point = tuple(cell.representative() for cell in cells)
        if own.kappa(point) != plain_class(own, point):
            raise Violation("wrong class", f"κ is {own.kappa(point)}, by the votes it is {plain_class(own, point)}")


@_judges.holds("Eq. 1, Eq. 2")
def clauses_answer(trial: EnsembleTrial) -> None:
    """Clauses answer every question, rightly, with a point that replays."""
    _answers(trial, "clauses", trial.sets)


@_judges.holds("Eq. 1, Eq. 2")
def boxes_answer(trial: EnsembleTrial) -> None:
    """Boxes answer every question, rightly, with a point that replays."""
    _answers(trial, "boxes", trial.sets)


@_judges.holds("Eq. 1, Eq. 2")
def cells_answer(trial: EnsembleTrial) -> None:
    """Looking at every cell answers every question, rightly, with a point that replays."""
    _answers(trial, "cells", trial.sets)


@_judges.holds("Eq. 1, Eq. 2")
def sums_answer(trial: EnsembleTrial) -> None:
    """Sums of votes answer every question, rightly, with a point that replays."""
    _answers(trial, "sums", trial.dice.sample(trial.sets, min(MAX_SUMS, len(trial.sets))))


def _answers(trial: EnsembleTrial, route: str, questions: list[Members]) -> None:
    truth = [trial.changeable(fixed) for fixed in questions]
    oracle = trial.oracle(route)
    for fixed, right in zip(questions, truth, strict=True):
        answer = oracle.changeable(fixed)
        if answer.changeable is None:
            raise Inconclusive(answer.reason)
        if answer.changeable is not right:
            raise Violation("wrong answer", f"{route} of {sorted(fixed)}: {answer.changeable}, it is {right}")
        if right and answer.witness is None:
            raise Violation("oracle fault", f"{route} of {sorted(fixed)}: no witness")
        if answer.witness is not None and right:
            problem = replay(trial.ensemble, trial.instance, fixed, answer.witness)
            if problem is not None:
                raise Violation("oracle fault", f"{route} of {sorted(fixed)}: {problem}")


@_judges.holds("Eq. 1, Eq. 2")
def judged_by_definition(trial: EnsembleTrial) -> None:
    """Every set of features is judged as Eq. 1 and Eq. 2 and minimality have it, and every "no" by two routes."""
    consensus = _consensus(trial)
    for members in trial.sets:
        for judge, word, right in (
            (judge_axp, "AXp", _axp_verdict(trial, members)),
            (judge_cxp, "CXp", _cxp_verdict(trial, members)),
        ):
            found = judge(consensus, members).verdict
            if found is not right:
                raise Violation("wrong verdict", f"{word} {sorted(members)}: {found.value}, it is {right.value}")
        belief = consensus.ask(members)
        if belief.changeable is False and len(belief.confirmed_by) < 2:
            raise Violation("one route", f"{sorted(members)}: {belief.confirmed_by}")


def _consensus(trial: EnsembleTrial) -> Consensus:
    oracles = [trial.oracle(route) for route in ("clauses", "boxes", "cells")]
    return Consensus.of_graph(trial.ensemble, trial.instance, oracles)


def _axp_verdict(trial: EnsembleTrial, members: Members) -> Verdict:
    if trial.changeable(members):
        return Verdict.INSUFFICIENT
    needless = any(not trial.changeable(members - {i}) for i in members)
    return Verdict.REDUNDANT if needless else Verdict.AXP


def _cxp_verdict(trial: EnsembleTrial, members: Members) -> Verdict:
    rest = trial.features - members
    if not trial.changeable(rest):
        return Verdict.INEFFECTIVE
    needless = any(trial.changeable(rest | {j}) for j in members)
    return Verdict.REDUNDANT if needless else Verdict.CXP


@_judges.holds("duality")
def families_are_complete(trial: EnsembleTrial) -> None:
    """All AXps and all CXps by the definitions are judged to be all."""
    axps = [members for members in trial.sets if _axp_verdict(trial, members) is Verdict.AXP]
    cxps = [members for members in trial.sets if _cxp_verdict(trial, members) is Verdict.CXP]
    found = judge_family(_consensus(trial), axps, cxps).verdict
    if found is not Verdict.COMPLETE:
        raise Violation("wrong verdict", f"{len(axps)} AXps and {len(cxps)} CXps: {found.value}")


@_judges.holds("majority")
def order_and_number_of_trees_do_not_matter(trial: EnsembleTrial) -> None:
    """Neither the order of the trees nor having each twice changes an answer."""
    own = trial.ensemble
    if len(own.trees) == 1:
        raise NotApplicable("one tree")
    parts = own.features, own.classes
    others = (
        ensemble(own.name, *parts, own.trees[::-1]),
        ensemble(own.name, *parts, [dataclasses.replace(tree) for tree in own.trees * 2]),
    )
    questions = trial.dice.sample(trial.sets, min(4, len(trial.sets)))
    for route in ("clauses", "boxes"):
        for other in others:
            oracle = trial.oracle_of(route, other, trial.instance)
            for fixed in questions:
                found, same = oracle.changeable(fixed).changeable, trial.oracle(route).changeable(fixed).changeable
                if found is not same:
                    raise Violation("not invariant", f"{route} of {sorted(fixed)}: {same}, then {found}")
