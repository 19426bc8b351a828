"""What changes nothing, or a known thing: other orders, names and signs, and added clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.oracles.propositional.clause_families import Family
from xpgcheck.oracles.propositional.formulas import Cnf, Literals, clashes
from xpgcheck.properties.reduction.catalogue import holds, require_equal
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.verdicts import NotApplicable


@holds("MUSes under permutation")
def permuted_clauses_permute_the_muses(trial: ReductionTrial) -> None:
    """The MUSes of the clauses in another order are the same clauses."""
    order = list(range(trial.count))
    trial.random("order").shuffle(order)
    changed = _with(trial.formula, [trial.formula.clauses[position] for position in order])
    _require(trial, changed, (frozenset(order.index(clause) for clause in mus) for mus in trial.reference))


@holds("MUSes under permutation")
def renamed_variables_change_no_mus(trial: ReductionTrial) -> None:
    """Other names of the variables change no MUS."""
    names = list(range(1, trial.formula.variables + 1))
    trial.random("names").shuffle(names)
    renamed = [
        tuple(names[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in clause)
        for clause in trial.formula.clauses
    ]
    _require(trial, _with(trial.formula, renamed), trial.reference)


@holds("MUSes under permutation")
def flipped_variables_change_no_mus(trial: ReductionTrial) -> None:
    """Variables replaced by their negatives, wherever they stand, change no MUS."""
    dice = trial.random("signs")
    signs = [dice.choice((1, -1)) for _ in range(trial.formula.variables)]
    flipped = [tuple(signs[abs(literal) - 1] * literal for literal in clause) for clause in trial.formula.clauses]
    _require(trial, _with(trial.formula, flipped), trial.reference)


@holds("MUSes, clauses by position")
def a_duplicate_adds_the_muses_of_its_clause(trial: ReductionTrial) -> None:
    """A clause of a MUS given twice adds, for each MUS with it, the one with its duplicate."""
    muses = trial.reference
    if not muses:
        raise NotApplicable("no MUS")
    clause = trial.random("duplicate").choice(sorted(muses[-1]))
    changed = _with(trial.formula, [*trial.formula.clauses, trial.formula.clauses[clause]])
    added = [(mus - {clause}) | {trial.count} for mus in muses if clause in mus]
    _require(trial, changed, [*muses, *added])


@holds("MUSes, clauses by position")
def an_added_tautology_changes_no_mus(trial: ReductionTrial) -> None:
    """A clause with a literal and its negative changes no MUS."""
    literal = trial.random("tautology").randint(1, trial.formula.variables + 1)
    clauses = [*trial.formula.clauses, (literal, -literal)]
    _require(trial, Cnf(max(trial.formula.variables, literal), tuple(clauses)), trial.reference)


@holds("MUSes, clauses by position")
def an_added_clause_keeps_every_mus(trial: ReductionTrial) -> None:
    """The MUSes of a formula are those of it with a clause more that do not have that clause."""
    if not trial.formula.variables:
        raise NotApplicable("no variable")
    dice = trial.random("clause")
    clause = tuple(dice.choice((1, -1)) * dice.randint(1, trial.formula.variables) for _ in range(2))
    more = _muses(trial, _with(trial.formula, [*trial.formula.clauses, clause]))
    if clashes(clause):
        raise NotApplicable("a tautology")
    kept = [mus for mus in more if trial.count not in mus]
    require_equal(kept, trial.reference, "MUSes", "the longer formula", "the formula")


def _require(trial: ReductionTrial, changed: Cnf, expected: Iterable[frozenset[int]]) -> None:
    require_equal(_muses(trial, changed), expected, "MUSes", "the changed formula", "the formula")


def _muses(trial: ReductionTrial, formula: Cnf) -> Family:
    """Return the MUSes by MARCO.  Raises a ``Violation`` where the reduction has others."""
    routes = trial.routes
    marco = trial.ask("MUSes", "marco", lambda: routes.muses("marco", formula), formula)
    psi = trial.ask("reduction", "", lambda: routes.selector_dnf(formula), formula)
    count = len(formula.clauses)
    primes = trial.ask("selector primes", "", lambda: routes.selector_primes(psi, count), formula)
    require_equal(primes, marco, "MUSes", "the reduction", "MARCO")
    return marco


def _with(formula: Cnf, clauses: Sequence[Literals]) -> Cnf:
    return Cnf(formula.variables, tuple(clauses))
