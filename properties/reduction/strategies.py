"""Hypothesis strategies for the reduction's formulas: at most 12 clauses over at most 8 variables, mostly unsatisfiable.

A formula grows from a *base*, whose clauses are refuted by construction, and from a few *extras* of the kinds that break
solvers and reductions.  Everything shrinks to fewer clauses, fewer literals, fewer variables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hypothesis import strategies as st

from xpgcheck.oracles.propositional.formulas import Cnf, Literals, clashes
from xpgcheck.properties.reduction.cases import FormulaCase

MAX_CLAUSES = 12
MAX_VARIABLES = 8
MAX_EXTRAS = 4


def formula_cases(clauses: int = MAX_CLAUSES, variables: int = MAX_VARIABLES) -> st.SearchStrategy[FormulaCase]:
    """Return cases of at most *clauses* clauses over at most *variables* variables."""
    return st.builds(FormulaCase, formulas(clauses, variables), st.integers(0, 1 << 32))


@st.composite
def formulas(draw: st.DrawFn, clauses: int = MAX_CLAUSES, variables: int = MAX_VARIABLES) -> Cnf:
    """Draw a base, then extras that fit, and variables of which no clause speaks."""
    tested = draw(_counts(1, max(variables - 1, 1)))
    base = draw(st.sampled_from((planted, planted, planted, loose)))
    members = list(draw(base(min(tested, variables), clauses)))
    for make in draw(st.lists(st.sampled_from(EXTRAS), max_size=MAX_EXTRAS)):
        if len(members) < clauses:
            members.insert(draw(st.integers(0, len(members))), draw(make(members, max(tested, 1))))
    highest = max((abs(literal) for clause in members for literal in clause), default=0)
    unused = draw(st.sampled_from((0, 0, 0, 1, 2)))
    return Cnf(min(highest + unused, max(variables, highest)), tuple(members[:clauses]))


def _counts(least: int, most: int) -> st.SearchStrategy[int]:
    """Return numbers from *least* to *most*, small ones more often."""
    return st.one_of(*(st.integers(least, max(least, top)) for top in (min(2, most), min(4, most), most)))


def clauses_over(variables: int, most: int = 4) -> st.SearchStrategy[Literals]:
    """Return clauses of at least one literal; a literal may repeat, and clash."""
    return st.lists(_literals(variables), min_size=1, max_size=most).map(tuple)


def _literals(variables: int) -> st.SearchStrategy[int]:
    return st.sampled_from([literal for v in range(1, variables + 1) for literal in (v, -v)])


@st.composite
def loose(draw: st.DrawFn, variables: int, clauses: int) -> tuple[Literals, ...]:
    """Draw any clauses, uniformly: often satisfiable."""
    return tuple(draw(st.lists(clauses_over(variables), max_size=clauses)))


@st.composite
def planted(draw: st.DrawFn, variables: int, clauses: int) -> tuple[Literals, ...]:
    """Draw one to three decision trees, and at each leaf a clause that its path falsifies: every point meets one.

    A leaf may take a clause that another tree has, so that MUSes overlap.
    """
    members: list[Literals] = []
    trees = draw(st.integers(1, 3))
    for _ in range(trees):
        room = clauses - len(members)
        if members and room < 2:
            break
        members += _leaves(draw, variables, room if trees == 1 else min(room, max(2, clauses // 2)), members)
    return tuple(members)


def _leaves(draw: st.DrawFn, variables: int, room: int, shared: Sequence[Literals]) -> list[Literals]:
    """Return the clauses of the leaves of a drawn tree: *room* at most, none of *shared* among them."""
    made: list[Literals] = []
    flips = st.booleans()
    open_paths: list[tuple[int, ...]] = [()]
    while open_paths:
        path = open_paths.pop(0)
        untested = [v for v in range(1, variables + 1) if v not in path and -v not in path]
        fits = len(made) + len(open_paths) + 2 <= room
        if untested and fits and (not path or draw(flips)):
            variable = draw(st.sampled_from(untested))
            # A path says what holds; a clause of its leaf says the opposite.
            open_paths += [(*path, variable), (*path, -variable)]
            continue
        usable = [c for c in (*shared, *made) if c and all(-literal in path for literal in c)]
        if bool(usable) and draw(flips):
            continue
        keep: set[int] = draw(st.sets(st.sampled_from(path), min_size=1)) if path else set()
        made.append(tuple(-literal for literal in path if literal in keep))
    return made


@st.composite
def _duplicate(draw: st.DrawFn, members: Sequence[Literals], variables: int) -> Literals:
    """Draw a clause that is there."""
    return draw(st.sampled_from(members)) if members else draw(clauses_over(variables))


@st.composite
def _subsumed(draw: st.DrawFn, members: Sequence[Literals], variables: int) -> Literals:
    """Draw a clause that is there, and a literal more."""
    return (*draw(_duplicate(members, variables)), draw(_literals(variables)))


@st.composite
def _repeated(draw: st.DrawFn, members: Sequence[Literals], variables: int) -> Literals:
    """Draw a clause with a literal twice."""
    clause = draw(clauses_over(variables, 2))
    return (*clause, clause[0])


@st.composite
def _tautology(draw: st.DrawFn, members: Sequence[Literals], variables: int) -> Literals:
    """Draw a clause with a literal and its negative."""
    literal = draw(_literals(variables))
    return (literal, -literal, *draw(st.lists(_literals(variables), max_size=1)))


def _unit(members: Sequence[Literals], variables: int) -> st.SearchStrategy[Literals]:
    return _literals(variables).map(lambda literal: (literal,))


def _empty(members: Sequence[Literals], variables: int) -> st.SearchStrategy[Literals]:
    return st.just(())


def _any(members: Sequence[Literals], variables: int) -> st.SearchStrategy[Literals]:
    return clauses_over(variables)


def _beside(members: Sequence[Literals], variables: int) -> st.SearchStrategy[Literals]:
    """Return clauses with a literal of a variable of their own, which no refutation needs."""
    return clauses_over(variables, 2).map(lambda clause: (*clause, variables + 1))


EXTRAS = (_any, _unit, _duplicate, _subsumed, _beside, _tautology, _repeated, _empty)


def labels(formula: Cnf) -> tuple[str, ...]:
    """Return what kinds of clauses *formula* has, in words: what the floors under the distribution are laid under."""
    counts = Counter(tuple(sorted(set(clause))) for clause in formula.clauses)
    kinds = [set(clause) for clause in formula.clauses]
    used = {abs(literal) for clause in formula.clauses for literal in clause}
    found = {
        "no clause": not formula.clauses,
        "empty clause": () in formula.clauses,
        "unit clause": any(len(clause) == 1 for clause in formula.clauses),
        "duplicates": any(count > 1 for count in counts.values()),
        "subsumed": any(a < b for a in kinds for b in kinds),
        "tautology": any(clashes(clause) for clause in formula.clauses),
        "repeated literal": any(len(set(clause)) < len(clause) for clause in formula.clauses),
        "unused variable": len(used) < formula.variables,
    }
    return tuple(label for label, has in found.items() if has)
