"""Evidence that anyone can check: of a MUS, and of a family of MUSes that lacks none.

A MUS has a refutation of its clauses and, for each of them, a point that satisfies the others.

That a family is complete takes correction sets, each with a point that satisfies all that it leaves, and a refutation
of "S holds a clause of each correction set, and contains no listed MUS" over one variable per clause of the formula.  An
unsatisfiable S holds a clause of each correction set, or one of those points would satisfy it; so S contains a listed
MUS, and if S is a MUS it is listed.  In the same way every correction set contains a listed one; where those are
minimal they are all the MCSes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xpgcheck.oracles.propositional.clause_families import family
from xpgcheck.oracles.propositional.formulas import Cnf, Literals, Point, clause_holds
from xpgcheck.oracles.propositional.limits import Deadline, solved
from xpgcheck.oracles.propositional.rup import refutation, rup_fault


@dataclass(frozen=True, slots=True)
class MusEvidence:
    """A MUS: ``clauses`` (ascending, from 0), their ``refutation``, and ``models[t]`` for all but ``clauses[t]``."""

    clauses: tuple[int, ...]
    refutation: tuple[Literals, ...]
    models: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class FamilyEvidence:
    """All MUSes and MCSes: ``models[t]`` satisfies all but ``mcses[t]``, ``refutation`` refutes ``family_clauses``."""

    muses: tuple[MusEvidence, ...]
    mcses: tuple[frozenset[int], ...]
    models: tuple[Point, ...]
    refutation: tuple[Literals, ...]


def mus_evidence(formula: Cnf, mus: Iterable[int], *, deadline: Deadline | None = None) -> MusEvidence:
    """Return the evidence that *mus* is a MUS of *formula*.

    Raises ``ValueError`` where it is none, ``OutOfTime`` as ``refutation`` does.  A proof and a question per clause to a SAT
    solver.
    """
    with _models(formula, deadline) as model:
        return _mus_evidence(formula, mus, model, deadline)


def mus_fault(formula: Cnf, evidence: MusEvidence, *, deadline: Deadline | None = None) -> str | None:
    """Return None where *evidence* shows a MUS of *formula*, else what is wrong.

    O(members · literals) and ``rup_fault``.  Raises ``OutOfTime`` once *deadline* has passed.
    """
    members = evidence.clauses
    if list(members) != sorted(set(members)) or not _within(members, formula):
        return f"the clauses {list(members)} are not ascending positions of the formula"
    if len(evidence.models) != len(members):
        return f"{len(members)} clauses, but {len(evidence.models)} models"
    for left_out, model in zip(members, evidence.models, strict=True):
        if len(model) != formula.variables:
            return f"the model without clause {left_out} has {len(model)} values, not {formula.variables}"
        for member in members:
            if member != left_out and not clause_holds(formula.clauses[member], model):
                return f"the model without clause {left_out} does not satisfy clause {member}"
    fault = rup_fault([formula.clauses[member] for member in members], evidence.refutation, deadline=deadline)
    return None if fault is None else f"the refutation: {fault}"


def family_clauses(muses: Iterable[Iterable[int]], mcses: Iterable[Iterable[int]]) -> tuple[Literals, ...]:
    """Return "S holds a clause of each MCS and contains no MUS"; variable j + 1 says that clause j is in S."""
    hit = [tuple(clause + 1 for clause in sorted(mcs)) for mcs in mcses]
    missed = [tuple(-clause - 1 for clause in sorted(mus)) for mus in muses]
    return (*hit, *missed)


def family_refutation(
    formula: Cnf,
    muses: Iterable[Iterable[int]],
    mcses: Iterable[Iterable[int]],
    *,
    deadline: Deadline | None = None,
) -> FamilyEvidence:
    """Return the evidence that *muses* and *mcses* are all those of *formula*.

    Raises ``ValueError`` where they are not: a set is no MUS or no correction set, or one lacks; ``OutOfTime`` as
    ``refutation`` does.  That ``mcses`` are minimal is left to ``family_fault``.  A question to a SAT solver a member of
    each MUS and an MCS, a proof a MUS, and one of ``family_clauses``, exponential at worst: with thousands of MUSes give it
    a deadline.
    """
    all_muses, all_mcses = family(muses), family(mcses)
    with _models(formula, deadline) as model:
        shown = tuple(_mus_evidence(formula, mus, model, deadline) for mus in all_muses)
        points = []
        for mcs in all_mcses:
            point = model([clause for clause in range(len(formula.clauses)) if clause not in mcs])
            if point is None:
                raise ValueError(f"{sorted(mcs)} is no correction set: what it leaves is unsatisfiable")
            points.append(point)
    try:
        lines = refutation(family_clauses(all_muses, all_mcses), deadline=deadline)
    except ValueError:
        raise ValueError("the families lack a MUS or an MCS") from None
    return FamilyEvidence(shown, all_mcses, tuple(points), lines)


def family_fault(formula: Cnf, evidence: FamilyEvidence, *, deadline: Deadline | None = None) -> str | None:
    """Return None where *evidence* shows all MUSes and all MCSes of *formula*, else what is wrong.

    Costs ``mus_fault`` a MUS, O(literals) and at most one look at each MUS a MCS, and ``rup_fault``.  Raises
    ``OutOfTime`` once *deadline* has passed.
    """
    for number, shown in enumerate(evidence.muses):
        fault = mus_fault(formula, shown, deadline=deadline)
        if fault is not None:
            return f"MUS {number}: {fault}"
    muses = [frozenset(shown.clauses) for shown in evidence.muses]
    fault = _mcses_fault(formula, evidence, muses)
    if fault is not None:
        return fault
    fault = rup_fault(family_clauses(muses, evidence.mcses), evidence.refutation, deadline=deadline)
    return None if fault is None else f"the refutation that no other exists: {fault}"


def _mcses_fault(formula: Cnf, evidence: FamilyEvidence, muses: Sequence[frozenset[int]]) -> str | None:
    if len(set(muses)) < len(muses) or len(set(evidence.mcses)) < len(evidence.mcses):
        return "a set is listed twice"
    if len(evidence.models) != len(evidence.mcses):
        return f"{len(evidence.mcses)} MCSes, but {len(evidence.models)} models"
    for number, (mcs, model) in enumerate(zip(evidence.mcses, evidence.models, strict=True)):
        if not _within(mcs, formula):
            return f"MCS {number}: {sorted(mcs)} are not positions of the formula"
        if len(model) != formula.variables:
            return f"MCS {number}: the model has {len(model)} values, not {formula.variables}"
        for position, clause in enumerate(formula.clauses):
            if position not in mcs and not clause_holds(clause, model):
                return f"MCS {number}: the model does not satisfy clause {position}"
        needed: set[int] = set()
        for mus in muses:
            if len(needed) == len(mcs):
                break
            common = mcs & mus
            if len(common) == 1:
                needed |= common
        if len(needed) < len(mcs):
            return f"MCS {number}: it is not minimal: no MUS needs clause {min(mcs - needed)} in it"
    return None


def _mus_evidence(
    formula: Cnf, mus: Iterable[int], model: Callable[[Iterable[int]], Point | None], deadline: Deadline | None
) -> MusEvidence:
    members = tuple(sorted(set(mus)))
    if not _within(members, formula):
        raise ValueError(f"{list(members)} are not positions of the formula")
    models = []
    for left_out in members:
        point = model(member for member in members if member != left_out)
        if point is None:
            raise ValueError(f"{list(members)} is no MUS: it stays unsatisfiable without clause {left_out}")
        models.append(point)
    try:
        lines = refutation([formula.clauses[member] for member in members], deadline=deadline)
    except ValueError:
        raise ValueError(f"{list(members)} is no MUS: it is satisfiable") from None
    return MusEvidence(members, lines, tuple(models))


@contextmanager
def _models(formula: Cnf, deadline: Deadline | None) -> Iterator[Callable[[Iterable[int]], Point | None]]:
    """Give a function from a subset of the clauses to a point that satisfies it, or None."""
    from pysat.solvers import Solver

    first = formula.variables + 1
    with Solver(name="glucose4") as solver:
        for position, clause in enumerate(formula.clauses):
            solver.add_clause([-(first + position), *clause])

        def model(subset: Iterable[int]) -> Point | None:
            if not solved(solver, deadline, [first + position for position in subset]):
                return None
            true = {literal for literal in solver.get_model() if literal > 0}
            return tuple(variable in true for variable in range(1, first))

        yield model


def _within(positions: Iterable[int], formula: Cnf) -> bool:
    return all(0 <= position < len(formula.clauses) for position in positions)
