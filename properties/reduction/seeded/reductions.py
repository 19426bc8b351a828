"""Reductions that are wrong: another ψ."""

from __future__ import annotations

from collections.abc import Iterable

from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals, clashes
from xpgcheck.oracles.propositional.reduction import lifted, selector
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.seeded.bugs import reduction as bug


class _Reduction(HonestRoutes):
    """A reduction in small steps."""

    def selector_dnf(self, formula: Cnf) -> Dnf:
        terms = [
            (*self.selected(formula, position), *self.negated(formula, clause))
            for position, clause in enumerate(formula.clauses)
            if self.kept(formula, position)
        ]
        return Dnf(len(formula.clauses) + formula.variables, tuple(terms))

    def selected(self, formula: Cnf, position: int) -> Literals:
        return (selector(position),)

    def negated(self, formula: Cnf, clause: Literals) -> Iterable[int]:
        return (-lifted(formula, literal) for literal in clause)

    def kept(self, formula: Cnf, position: int) -> bool:
        return True


@bug
class _ClausesNotNegated(_Reduction):
    """A term of ψ has the literals of its clause as they are, not their negatives."""

    def negated(self, formula: Cnf, clause: Literals) -> Iterable[int]:
        return (lifted(formula, literal) for literal in clause)


@bug
class _LastLiteralNotNegated(_Reduction):
    """The last literal of a clause of three or more keeps its sign in ψ."""

    def negated(self, formula: Cnf, clause: Literals) -> Iterable[int]:
        right = [-lifted(formula, literal) for literal in clause]
        return [*right[:-1], -right[-1]] if len(right) > 2 else right


@bug
class _SelectorOfTheNextClause(_Reduction):
    """A term of ψ has the selector of the next clause; the last one that of the first."""

    def selected(self, formula: Cnf, position: int) -> Literals:
        return (selector((position + 1) % len(formula.clauses)),)


@bug
class _SelectorsNegated(_Reduction):
    """A clause is selected by the selector's 0."""

    def selected(self, formula: Cnf, position: int) -> Literals:
        return (-selector(position),)


@bug
class _VariablesMeetSelectors(_Reduction):
    """The variables of ψ are numbered as those of φ, and so share their numbers with the selectors."""

    def negated(self, formula: Cnf, clause: Literals) -> Iterable[int]:
        return (-literal for literal in clause)


@bug
class _DuplicatesMerged(_Reduction):
    """Equal clauses have one term in ψ, that of the first."""

    def kept(self, formula: Cnf, position: int) -> bool:
        return formula.clauses[position] not in formula.clauses[:position]


@bug
class _EmptyClauseDropped(_Reduction):
    """The empty clause has no term in ψ."""

    def kept(self, formula: Cnf, position: int) -> bool:
        return bool(formula.clauses[position])


@bug
class _EmptyClauseAlwaysSelected(_Reduction):
    """The term of the empty clause lacks its selector, so ψ is constant 1."""

    def selected(self, formula: Cnf, position: int) -> Literals:
        return super().selected(formula, position) if formula.clauses[position] else ()


@bug
class _TautologyKept(_Reduction):
    """The term of a tautology has one of each pair of opposite literals, and so is not 0."""

    def negated(self, formula: Cnf, clause: Literals) -> Iterable[int]:
        return (-lifted(formula, literal) for literal in clause if not (literal < 0 and -literal in clause))


@bug
class _TautologyDropped(_Reduction):
    """Tautologies have no term in ψ: the same function, but terms and clauses no longer go together."""

    def kept(self, formula: Cnf, position: int) -> bool:
        return not clashes(formula.clauses[position])
