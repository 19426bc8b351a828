"""The properties of the judges of ensembles: κ, each route by itself, and the verdicts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import Judgement, judge_axp, judge_cxp, judge_family
from xpgcheck.model.combination import Arithmetic, Majority, Sum
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, replay
from xpgcheck.oracles.ensembles.integer_sums import TOO_FINE, is_available
from xpgcheck.properties.catalogue import Catalogue
from xpgcheck.properties.ensembles.trials import EnsembleTrial, Members, is_settled, plain_class, plain_sums
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation

_judges = Catalogue(
    "xpgcheck.properties.ensembles",
    ("statements", "invariance"),
    "property of ensembles",
    "'xpgcheck properties list --ensembles' lists them",
)

all_properties = _judges.all
"""Returns every property of the judges of ensembles, in the order of reports."""

chosen = _judges.chosen
"""Returns the properties of ensembles or groups that are named; all if none is."""

holds = _judges.holds
"""Registers a property of the judges of ensembles."""

MAX_SUMS = 3
"""Questions that solvers are asked of a case: each takes some milliseconds."""

MAX_POINTS = 200
"""Points, times the trees of the case, at which its class is compared."""


def _points(trial: EnsembleTrial) -> Iterator[Point]:
    most = max(5, MAX_POINTS // len(trial.ensemble.trees))
    for cells in itertools.islice(itertools.product(*trial.ensemble.cells), most):
        yield tuple(cell.representative() for cell in cells)


@holds("majority, sums")
def kappa_is_as_defined(trial: EnsembleTrial) -> None:
    """κ is the class with the most votes or the largest sum, the lowest one among equals; thresholds as they say."""
    own = trial.ensemble
    for point in _points(trial):
        right = plain_class(own, point)
        if is_settled(own, point) and own.kappa(point) != right:
            raise Violation("wrong class", f"κ is {own.kappa(point)}, by the definition it is {right}")
        if own.is_settled(point) is not is_settled(own, point):
            raise Violation("wrong class", f"that rounding decides at {point} is {own.is_settled(point)}")


@holds("sums")
def machines_agree_beyond_rounding(trial: EnsembleTrial) -> None:
    """Beyond the slack, sums of floats, in any order, elect the class that the exact sums do."""
    own, rule = trial.ensemble, trial.ensemble.rule
    if not isinstance(rule, Sum) or rule.arithmetic is Arithmetic.EXACT:
        raise NotApplicable("exact arithmetic")
    dice = trial.dice
    rounded = rule.arithmetic.format.rounded  # type: ignore[union-attr]
    for point in itertools.islice(_points(trial), 20):
        if not is_settled(own, point):
            continue
        rows = [rows[vote] for rows, vote in zip(own.outputs, own.votes(point), strict=True)]
        dice.shuffle(rows)
        sums = []
        for base, column in zip(rule.base, zip(*rows, strict=True), strict=True):
            total = float(base)
            for term in column:
                total = rounded(total + float(term))
            sums.append(rounded(total / len(rows)) if rule.divided else total)
        if rule.threshold is None:
            found = sums.index(max(sums))
        else:
            at = rule.threshold.at
            found = int(sums[0] >= at if rule.threshold.inclusive else sums[0] > at)
        if found != own.kappa(point):
            raise Violation("wrong class", f"κ is {own.kappa(point)}, a machine says {found}: {plain_sums(own, point)}")


@holds("Eq. 1, Eq. 2", "clauses")
def clauses_answer(trial: EnsembleTrial) -> None:
    """Clauses answer every question about votes, rightly, with a point that replays."""
    if not isinstance(trial.ensemble.rule, Majority):
        raise NotApplicable("no votes")
    _answers(trial, "clauses", trial.sets)


@holds("Eq. 1, Eq. 2", "boxes")
def boxes_answer(trial: EnsembleTrial) -> None:
    """Boxes answer every question, rightly, with a point that replays."""
    _answers(trial, "boxes", trial.sets)


@holds("Eq. 1, Eq. 2", "integers")
def integers_answer(trial: EnsembleTrial) -> None:
    """Whole numbers answer every question about sums, rightly, with a point that replays."""
    if isinstance(trial.ensemble.rule, Majority):
        raise NotApplicable("no sums")
    if not is_available():
        raise NotApplicable("ortools is not installed")
    _solver_answers(trial, "integers")


@holds("Eq. 1, Eq. 2", "cells")
def cells_answer(trial: EnsembleTrial) -> None:
    """Looking at every cell answers every question, rightly, with a point that replays."""
    _answers(trial, "cells", trial.sets)


@holds("Eq. 1, Eq. 2", "sums")
def sums_answer(trial: EnsembleTrial) -> None:
    """Sums over the original domains answer every question, rightly, with a point that replays."""
    _solver_answers(trial, "sums")


def _solver_answers(trial: EnsembleTrial, route: str) -> None:
    if not trial.for_solvers:
        raise NotApplicable("left out of most cases: it takes longer than all others")
    _answers(trial, route, trial.dice.sample(trial.sets, min(MAX_SUMS, len(trial.sets))))


def _answers(trial: EnsembleTrial, route: str, questions: Sequence[Members]) -> None:
    truth = [trial.changeable(fixed) for fixed in questions]
    oracle = trial.oracle(route)
    for fixed, right in zip(questions, truth, strict=True):
        answer = oracle.changeable(fixed)
        what = f"{route} of {sorted(fixed)}"
        if answer.changeable is not right and answer.changeable is not None:
            raise Violation(
                "wrong answer", f"{what}: {answer.changeable}, it is {WITHIN_ROUNDING if right is None else right}"
            )
        if answer.changeable is None and right is None:
            continue
        if answer.changeable is None:
            if answer.reason == WITHIN_ROUNDING:
                raise Violation("wrong answer", f"{what}: {WITHIN_ROUNDING}, it is {right}")
            if answer.reason == TOO_FINE:
                raise NotApplicable(answer.reason)
            raise Inconclusive(answer.reason)
        if right and answer.witness is None:
            raise Violation("oracle fault", f"{what}: no witness")
        if answer.witness is not None and right:
            problem = replay(trial.ensemble, trial.instance, fixed, answer.witness)
            if problem is not None:
                raise Violation("oracle fault", f"{what}: {problem}")


@holds("Eq. 1, Eq. 2", "clauses", "boxes", "cells")
def judged_by_definition(trial: EnsembleTrial) -> None:
    """Every set of features is judged as Eq. 1 and Eq. 2 and minimality have it, and every "no" by two routes."""
    consensus = consensus_of(trial)
    for members in trial.sets:
        for judge, word, right in (
            (judge_axp, "AXp", _axp_verdict(trial, members)),
            (judge_cxp, "CXp", _cxp_verdict(trial, members)),
        ):
            judgement = judge(consensus, members)
            found = judgement.verdict
            if found is not right:
                raise Violation("wrong verdict", f"{word} {sorted(members)}: {found.value}, it is {right.value}")
            if found is Verdict.INCONCLUSIVE and judgement.reason != WITHIN_ROUNDING:
                raise Violation("wrong verdict", f"{word} {sorted(members)}: {judgement.reason}")
            _inside_is_right(trial, judgement, word)
        belief = consensus.ask(members)
        if belief.changeable is False and len(belief.confirmed_by) < 2:
            raise Violation("one route", f"{sorted(members)}: {belief.confirmed_by}")


def _inside_is_right(trial: EnsembleTrial, judgement: Judgement, word: str) -> None:
    """Refuse an XP next to a redundant one that is none, or not inside it."""
    inside = judgement.inside
    if inside is None:
        return
    right = _axp_verdict(trial, inside) if word == "AXp" else _cxp_verdict(trial, inside)
    if right.value != word or not inside <= judgement.claim:
        raise Violation("wrong verdict", f"{word} {sorted(inside)} inside {sorted(judgement.claim)}: {right.value}")


def consensus_of(trial: EnsembleTrial) -> Consensus:
    """Return the consensus of the routes that take no solver of SMT."""
    routes = ("clauses" if isinstance(trial.ensemble.rule, Majority) else "boxes", "boxes", "cells")
    oracles = [trial.oracle(route) for route in dict.fromkeys(routes)]
    return Consensus.of_graph(trial.ensemble, trial.instance, oracles)


def _axp_verdict(trial: EnsembleTrial, members: Members) -> Verdict:
    whole = trial.changeable(members)
    if whole is not False:
        return Verdict.INCONCLUSIVE if whole is None else Verdict.INSUFFICIENT
    without = [trial.changeable(members - {i}) for i in members]
    return Verdict.REDUNDANT if False in without else Verdict.INCONCLUSIVE if None in without else Verdict.AXP


def _cxp_verdict(trial: EnsembleTrial, members: Members) -> Verdict:
    rest = trial.features - members
    whole = trial.changeable(rest)
    if whole is not True:
        return Verdict.INCONCLUSIVE if whole is None else Verdict.INEFFECTIVE
    without = [trial.changeable(rest | {j}) for j in members]
    return Verdict.REDUNDANT if True in without else Verdict.INCONCLUSIVE if None in without else Verdict.CXP


@holds("duality", "clauses", "boxes", "cells")
def families_are_complete(trial: EnsembleTrial) -> None:
    """All AXps and all CXps by the definitions are judged to be all; of those that lack one, a right one is shown."""
    if any(trial.changeable(members) is None for members in trial.sets):
        raise NotApplicable(WITHIN_ROUNDING)
    axps = [members for members in trial.sets if _axp_verdict(trial, members) is Verdict.AXP]
    cxps = [members for members in trial.sets if _cxp_verdict(trial, members) is Verdict.CXP]
    consensus = consensus_of(trial)
    found = judge_family(consensus, axps, cxps).verdict
    if found is not Verdict.COMPLETE:
        raise Violation("wrong verdict", f"{len(axps)} AXps and {len(cxps)} CXps: {found.value}")
    if len(axps) > 1:
        judgement = judge_family(consensus, axps[1:], cxps)
        if judgement.missing not in (axps if judgement.missing_kind == "AXp" else cxps):
            raise Violation(
                "wrong verdict", f"without {sorted(axps[0])}: {judgement.verdict.value}, {judgement.missing}"
            )


@holds("Eq. 1, Eq. 2", "boxes")
def fixing_more_changes_less(trial: EnsembleTrial) -> None:
    """A route that finds no other class with some features fixed finds none with more of them fixed."""
    oracle = trial.oracle("boxes")
    for fixed in trial.dice.sample(trial.sets, min(MAX_SUMS, len(trial.sets))):
        if oracle.changeable(fixed).changeable is False:
            for more in trial.features - fixed:
                if oracle.changeable(fixed | {more}).changeable is not False:
                    raise Violation("wrong answer", f"boxes: no with {sorted(fixed)}, but not with {more} too")
