"""The readings of ψ: which sets of selectors and variables its prime implicants and AXps are."""

from __future__ import annotations

from xpgcheck.oracles.propositional.formulas import Literals, Point, clashes, dnf_holds
from xpgcheck.oracles.propositional.formulas import holds as literal_holds
from xpgcheck.oracles.propositional.reduction import selector
from xpgcheck.properties.reduction.catalogue import clauses_text, holds, require_equal
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import NotApplicable, Violation

POINTS = 3
"""Points x₀ that reading C is looked at for, of each formula."""

FEATURES = 20
"""Selectors and variables up to which every AXp is looked for by the definition."""


@holds("Σ₂ᵖ-hardness, reading A")
def muses_are_the_prime_implicants_over_the_selectors(trial: ReductionTrial) -> None:
    """The prime implicants of ∀x. ψ(s, x) are exactly the MUSes."""
    require_equal(trial.selector_primes, trial.reference, "prime implicants", "∀x. ψ", "the MUSes")


@holds("Definition of a prime implicant")
def every_prime_implicant_is_one(trial: ReductionTrial) -> None:
    """ψ is 1 wherever a listed prime implicant holds, and no longer so without any one of its literals."""
    for term in trial.primes:
        if not _implies(trial, term):
            raise Violation("no implicant", f"{term}")
        for literal in term:
            if _implies(trial, tuple(other for other in term if other != literal)):
                raise Violation("not prime", f"{term} does not need {literal}")


@holds("Σ₂ᵖ-hardness, reading B")
def a_selector_is_in_a_prime_implicant_exactly_if_its_clause_is_no_tautology(trial: ReductionTrial) -> None:
    """Over selectors and x, s_j is in some prime implicant of ψ exactly if γ_j is no tautology."""
    listed = {literal for term in trial.primes for literal in term}
    for position, clause in enumerate(trial.formula.clauses):
        if (selector(position) in listed) == clashes(clause):
            raise Violation("wrong membership", f"selector {position + 1} of {clause}")


@holds("Prime implicant membership is in NP")
def one_sat_call_finds_every_literal_of_a_prime_implicant(trial: ReductionTrial) -> None:
    """A literal is in a listed prime implicant exactly if the SAT route hands one out that has it."""
    primes = set(map(frozenset, trial.primes))
    psi = trial.psi
    for variable in range(1, psi.variables + 1):
        for literal in (variable, -variable):
            found = trial.ask("literal membership", lambda of=literal: trial.routes.prime_with(psi, of), literal)  # type: ignore[misc]
            expected = any(literal in term for term in primes)
            if (found is not None) != expected:
                raise Violation(
                    "wrong membership", f"literal {literal} is{'' if expected else ' not'} in a prime implicant"
                )
            if found is not None and (literal not in found or frozenset(found) not in primes):
                raise Violation("wrong witness", f"{found} is no prime implicant with {literal}")


@holds("AXps are prime implicants consistent with the instance")
def axps_are_the_prime_implicants_consistent_with_the_instance(trial: ReductionTrial) -> None:
    """At (1, …, 1, x₀) of class 1, the AXps are the prime implicants of ψ that hold there, as sets of features."""
    for instance in _instances(trial):
        if dnf_holds(trial.psi, instance):
            held = [
                frozenset(abs(literal) - 1 for literal in term)
                for term in trial.primes
                if all(literal_holds(literal, instance) for literal in term)
            ]
            require_equal(trial.axps(instance), held, "AXps", "the classifier", "the prime implicants")


@holds("Σ₂ᵖ-hardness, reading C")
def every_mus_is_an_axp_at_every_instance(trial: ReductionTrial) -> None:
    """The selectors of a MUS are an AXp of the classifier ψ at (1, …, 1, x₀), whatever x₀ is."""
    for instance in _instances(trial):
        missing = set(trial.reference).difference(trial.axps(instance))
        if missing:
            raise Violation("no AXp", f"{clauses_text(min(missing, key=sorted))} at {instance}")


@holds("Σ₂ᵖ-hardness, reading C")
def feature_membership_by_cegar_is_what_the_axps_say(trial: ReductionTrial) -> None:
    """Asked of each feature, CEGAR hands out an AXp of the list that has it, and none where none has; class 0 too."""
    psi = trial.psi
    for instance in _instances(trial):
        axps = trial.axps(instance)
        for feature in range(psi.variables):
            found = trial.ask(
                "AXp membership",
                lambda at=instance, of=feature: trial.routes.axp_with(psi, at, of),  # type: ignore[misc]
                instance,
                feature,
            )
            expected = any(feature in axp for axp in axps)
            if (found is not None) != expected:
                raise Violation(
                    "wrong membership", f"feature {feature} is{'' if expected else ' not'} in an AXp at {instance}"
                )
            if found is not None and (feature not in found or found not in axps):
                raise Violation("wrong witness", f"{sorted(found)} is no AXp with feature {feature} at {instance}")


@holds("Σ₂ᵖ-hardness, reading D (ours)")
def the_starred_axps_are_the_variables_and_the_muses(trial: ReductionTrial) -> None:
    """The AXps of reading D are {x_v} for each variable, and the MUSes."""
    if not trial.formula.variables and not trial.unsatisfiable:
        raise NotApplicable("without variables there is no ∗")
    shift = trial.count
    expected = [frozenset({shift + v}) for v in range(trial.formula.variables)]
    found = trial.ask("starred AXps", lambda: trial.routes.starred_axps(trial.formula))
    require_equal(found, [*expected, *trial.reference], "AXps", "reading D", "the variables and the MUSes")


def _instances(trial: ReductionTrial) -> list[Point]:
    """Return some instances (1, …, 1, x₀), each once."""
    if trial.psi.variables > FEATURES:
        raise NotApplicable(f"over {FEATURES} features")
    return list(dict.fromkeys(((True,) * trial.count + x) for x in trial.some_points("x₀", POINTS)))


def _implies(trial: ReductionTrial, term: Literals) -> bool:
    """Tell whether ψ is 1 wherever *term* holds.

    A selector that the term leaves open may be 0: so at every point where its literals over x hold, one of the clauses that
    it selects has to be false.
    """
    tables = trial.tables
    models = tables.models(literal - 1 for literal in term if 0 < literal <= trial.count)
    for literal in term:
        if abs(literal) > trial.count:
            models &= tables.literal(literal - trial.count if literal > 0 else literal + trial.count)
    return models == 0
