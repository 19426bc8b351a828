"""The properties of constraints: what can occur, each route by itself, explanations and verdicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp, judge_family
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.duality import dual
from xpgcheck.properties.catalogue import Catalogue
from xpgcheck.properties.constraints.strategies import changed_at
from xpgcheck.properties.constraints.trials import ConstraintTrial, Members, plain_allows, plain_kappa
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, Violation
from xpgcheck.readers.json_constraints import parse_constraint
from xpgcheck.writers.json_constraints import constraint_json
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.ensembles.marco import EnsembleEnumeration
from xpgcheck.xpg.explanation_graph import explanation_graph, mask_of

_constraints = Catalogue(
    "xpgcheck.properties.constraints",
    ("statements",),
    "property of constraints",
    "'xpgcheck properties list --under-constraints' lists them",
)

all_properties = _constraints.all
"""Returns every property of constraints, in the order of reports."""

chosen = _constraints.chosen
"""Returns the properties of constraints that are named; all if none is."""

holds = _constraints.holds
"""Registers a property of constraints."""

SOLVER_SETS = 3
"""Questions that a solver is asked of a case: each takes some milliseconds."""

SOLVER_CASES = 5
"""One case of so many is put to solvers: opening one takes longer than all else of a case."""


@holds("Yu et al., Gorji and Rubin", "allows")
def possible_as_defined(trial: ConstraintTrial) -> None:
    """A point can occur exactly if each clause has a literal that holds, and the graph's path leads to 'allowed'."""
    for point in trial.points:
        right = plain_allows(trial.constraint, point)
        if trial.routes.allows(trial.constraint, point) is not right:
            raise Violation("wrong answer", f"that {point} can occur is {not right}, it is {right}")


@holds("docs/reference/constraints.md", "allows")
def files_hold_constraints(trial: ConstraintTrial) -> None:
    """A constraint that is written and read again allows the same points and has the same digest."""
    again = parse_constraint(constraint_json(trial.constraint).encode(), trial.constraint.features)
    if again.digest != trial.constraint.digest:
        raise Violation("wrong answer", "the digest is another one after writing and reading")
    for point in trial.points:
        if trial.routes.allows(again, point) is not plain_allows(trial.constraint, point):
            raise Violation("wrong answer", f"after writing and reading, {point} is judged otherwise")


@holds("Definition 2, under a constraint", "product")
def product_as_defined(trial: ConstraintTrial) -> None:
    """The product has κ where something can occur and the instance's class elsewhere, and satisfies the assumptions."""
    product = trial.routes.product(trial.graph(), trial.constraint, trial.instance)
    check_assumptions(product)
    for point in trial.points:
        right = plain_kappa(trial.model, point) if plain_allows(trial.constraint, point) else trial.own_class
        if product.kappa(point) != right:
            raise Violation("wrong class", f"the product has class {product.kappa(point)} at {point}, it is {right}")


@holds("Eq. 3, under a constraint", "product")
def product_answers(trial: ConstraintTrial) -> None:
    """σ of the product's explanation graph is Eq. 1 under the constraint, for every set of features."""
    product = trial.routes.product(trial.graph(), trial.constraint, trial.instance)
    xpg = explanation_graph(product, trial.instance)
    for fixed in trial.sets:
        if xpg.sigma(fixed) is trial.changeable(fixed):
            raise Violation("wrong answer", f"product: σ of {sorted(fixed)} is {xpg.sigma(fixed)}")


@holds("Eq. 1, Eq. 2, under a constraint", "questions")
def questions_answer(trial: ConstraintTrial) -> None:
    """The deciders of ensembles answer every question under a constraint, of graphs as ensembles of one too."""
    trial.require_settled()
    explained = trial.routes.questions(trial.model, trial.constraint, trial.instance)
    for fixed in trial.sets:
        found = explained.decide(mask_of(fixed))
        if found.changed is None:
            raise Inconclusive(found.reason)
        witness = explained.point_at(found) if found.changed else None
        _check(trial, "questions", fixed, Answer(found.changed, witness, "questions"))


@holds("Eq. 1, Eq. 2, under a constraint", "cells")
def cells_answer(trial: ConstraintTrial) -> None:
    """Looking at every cell that can occur answers every question, rightly, with a point that replays."""
    _answers(trial, "cells", trial.routes.cells(trial.model, trial.constraint, trial.instance))


@holds("Eq. 1, Eq. 2, under a constraint", "paths")
def paths_answer(trial: ConstraintTrial) -> None:
    """The closed set of what paths leave answers every question about a graph, rightly, with a point that replays."""
    _answers(trial, "paths", trial.routes.paths(trial.graph(), trial.constraint, trial.instance))


@holds("Eq. 1, Eq. 2, under a constraint", "boxes")
def boxes_answer(trial: ConstraintTrial) -> None:
    """Boxes answer every question about an ensemble, rightly, with a point that replays."""
    _answers(trial, "boxes", trial.routes.boxes(trial.ensemble(), trial.constraint, trial.instance))


@holds("Eq. 1, Eq. 2, under a constraint", "solver")
def solver_answers(trial: ConstraintTrial) -> None:
    """Z3 answers over the original domains, with the constraint next to the class, in either formulation."""
    if trial.dice.randrange(SOLVER_CASES):
        raise NotApplicable("left out of most cases: it takes longer than all others")
    for formulation in ("ite",) if isinstance(trial.model, Ensemble) else ("ite", "activation"):
        session = trial.entered(trial.routes.solver(trial.model, trial.constraint, formulation))
        questions = trial.dice.sample(trial.sets, min(SOLVER_SETS, len(trial.sets)))
        _answers(trial, formulation, session.at(trial.instance), questions)


def _answers(trial: ConstraintTrial, route: str, oracle: Any, questions: list[Members] | None = None) -> None:
    trial.require_settled()
    for fixed in trial.sets if questions is None else questions:
        _check(trial, route, fixed, oracle.changeable(fixed))


def _check(trial: ConstraintTrial, route: str, fixed: Members, answer: Answer) -> None:
    right = trial.changeable(fixed)
    if answer.changeable is None:
        raise Inconclusive(answer.reason)
    if answer.changeable is not right:
        raise Violation("wrong answer", f"{route} of {sorted(fixed)}: {answer.changeable}, it is {right}")
    if not right:
        return
    if answer.witness is None:
        raise Violation("oracle fault", f"{route} of {sorted(fixed)}: no witness")
    if changed_at(answer.witness, trial.instance) & fixed or not trial.changes(answer.witness):
        raise Violation("oracle fault", f"{route} of {sorted(fixed)}: {answer.witness} shows no change")
    if not plain_allows(trial.constraint, answer.witness):
        raise Violation("oracle fault", f"{route} of {sorted(fixed)}: {answer.witness} cannot occur")


@holds("Definitions of AXp and CXp, under a constraint", "product", "questions")
def explanations_are_all(trial: ConstraintTrial) -> None:
    """The explainer lists exactly the AXps and CXps under the constraint: weak and minimal ones, each once, all of them."""
    axps, cxps = trial.families
    if isinstance(trial.model, Ensemble):
        explained = trial.routes.questions(trial.model, trial.constraint, trial.instance)
        listed = [(kind.value, found.features) for kind, found in EnsembleEnumeration(explained)]
    else:
        product = trial.routes.product(trial.model, trial.constraint, trial.instance)
        xps = enumerate_xps(explanation_graph(product, trial.instance))
        listed = [(xp.kind.value, xp.features) for xp in xps]
    if len(set(listed)) < len(listed):
        raise Violation("duplicate", "an XP is listed twice")
    for word, right in (("AXp", axps), ("CXp", cxps)):
        found = {members for own, members in listed if own == word}
        for members in found - right:
            raise Violation("wrong XP", f"{word} {sorted(members)} is none under the constraint")
        for members in right - found:
            raise Violation("incomplete", f"{word} {sorted(members)} is missing")


@holds("duality, under a constraint", "product", "questions")
def explanations_are_dual(trial: ConstraintTrial) -> None:
    """The AXps and CXps that the explainer lists are each other's minimal hitting sets."""
    trial.require_settled()
    if isinstance(trial.model, Ensemble):
        explained = trial.routes.questions(trial.model, trial.constraint, trial.instance)
        listed = [(kind.value, found.features) for kind, found in EnsembleEnumeration(explained)]
    else:
        product = trial.routes.product(trial.model, trial.constraint, trial.instance)
        listed = [(xp.kind.value, xp.features) for xp in enumerate_xps(explanation_graph(product, trial.instance))]
    sides = [[members for own, members in listed if own == word] for word in ("AXp", "CXp")]
    fault = dual(sides[0], sides[1], len(trial.instance))
    if fault is not None or any(trial.changeable(axp) for axp in sides[0]):
        raise Violation("not dual", "a listed AXp does not suffice" if fault is None else fault.kind.value)


@holds("Yu et al., Gorji and Rubin", "product", "questions")
def constraints_only_help(trial: ConstraintTrial) -> None:
    """Features that suffice without the constraint suffice under it: no AXp under it needs more than some AXp without."""
    trial.require_settled()
    decide = _decider(trial)
    for fixed in trial.sets:
        free = any(trial.changes(point) and not changed_at(point, trial.instance) & fixed for point in trial.points)
        if not free and decide(fixed):
            raise Violation("wrong answer", f"{sorted(fixed)} suffices without the constraint, and not under it")


def _decider(trial: ConstraintTrial) -> Callable[[Members], bool]:
    if isinstance(trial.model, Ensemble):
        explained = trial.routes.questions(trial.model, trial.constraint, trial.instance)
        return lambda fixed: bool(explained.decide(mask_of(fixed)).changed)
    xpg = explanation_graph(trial.routes.product(trial.model, trial.constraint, trial.instance), trial.instance)
    return lambda fixed: not xpg.sigma(fixed)


@holds("docs/explanation/verdicts.md", "replayed")
def only_possible_witnesses_count(trial: ConstraintTrial) -> None:
    """A witness is believed exactly if it can occur, agrees with the instance where it has to, and has another class."""
    trial.require_settled()
    for fixed in trial.sets[:4]:
        for point in trial.points:
            right = plain_allows(trial.constraint, point) and trial.changes(point)
            right = right and not changed_at(point, trial.instance) & fixed
            problem = trial.routes.replayed(trial.model, trial.constraint, trial.instance, fixed, point)
            if (problem is None) is not right:
                raise Violation("oracle fault", f"{point} as evidence for {sorted(fixed)}: {problem}, it is {right}")


@holds("docs/explanation/verdicts.md", "judges")
def judged_by_definition(trial: ConstraintTrial) -> None:
    """Every set is judged as the definitions under the constraint have it, and every "no" by two routes."""
    axps, cxps = trial.families
    consensus = trial.entered(trial.routes.judges(trial.model, trial.constraint)).at(trial.instance)
    for members in trial.sets:
        for judge, word, right in (
            (judge_axp, "AXp", _axp_verdict(trial, axps, members)),
            (judge_cxp, "CXp", _cxp_verdict(trial, cxps, members)),
        ):
            found = judge(consensus, members)
            if found.verdict is not right:
                said = f"{found.verdict.value}, it is {right.value}"
                raise Violation("wrong verdict", f"{word} {sorted(members)}: {said}")
        belief = consensus.ask(members)
        if belief.changeable is False and len(belief.confirmed_by) < 2:
            raise Violation("one route", f"{sorted(members)}: {belief.confirmed_by}")
    if judge_family(consensus, axps, cxps).verdict is not Verdict.COMPLETE:
        raise Violation("wrong verdict", "all AXps and all CXps are not judged to be all")


def _axp_verdict(trial: ConstraintTrial, axps: set[Members], members: Members) -> Verdict:
    if members in axps:
        return Verdict.AXP
    return Verdict.INSUFFICIENT if trial.changeable(members) else Verdict.REDUNDANT


def _cxp_verdict(trial: ConstraintTrial, cxps: set[Members], members: Members) -> Verdict:
    if members in cxps:
        return Verdict.CXP
    return Verdict.REDUNDANT if trial.changeable(trial.features - members) else Verdict.INEFFECTIVE


@holds("docs/reference/constraints.md", "judges")
def notions_are_kept_apart(trial: ConstraintTrial) -> None:
    """A claim under the constraint and the same claim without it are judged each by its own definition."""
    axps, _ = trial.families
    free = [changed_at(point, trial.instance) for point in trial.points if trial.changes(point)]
    judges = trial.entered(open_panel(trial.model, solver_last=True, constraint=trial.constraint))
    judge = judges.claims_at(trial.instance)
    under = trial.entered(trial.routes.judges(trial.model, trial.constraint)).at(trial.instance)
    for members in trial.sets[:6]:
        found = judge.judge(Claim(ClaimKind.AXP, Notion.CONSTRAINTS, members), evidence=False).verdict
        right = _axp_verdict(trial, axps, members)
        if found is not right or judge_axp(under, members).verdict is not right:
            raise Violation("wrong verdict", f"AXp {sorted(members)} under the constraint: {found.value}")
        alone = judge.judge(Claim(ClaimKind.AXP, members=members), evidence=False).verdict
        weak = all(members & own for own in free)
        least = weak and not any(all((members - {i}) & own for own in free) for i in members)
        right = Verdict.AXP if least else Verdict.REDUNDANT if weak else Verdict.INSUFFICIENT
        if alone is not right:
            raise Violation("wrong verdict", f"AXp {sorted(members)} without the constraint: {alone.value}")
