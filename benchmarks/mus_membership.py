"""Which clauses are in some MUS?  By CEGAR, without listing MUSes, and by listing them until all is settled."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.measure import Report, Target, cpu_seconds
from xpgcheck.oracles.propositional.formulas import Cnf, Literals, cnf
from xpgcheck.oracles.propositional.limits import Deadline
from xpgcheck.oracles.propositional.marco import Muses
from xpgcheck.oracles.propositional.membership_cegar import MusMembership, MusWith, no_evidence, no_fault
from xpgcheck.oracles.propositional.refutations import mus_evidence, mus_fault

METHOD = """\
CPU s (medians over the formulas of a row) to say of all clauses of an unsatisfiable formula whether they are in some MUS: \
by MusMembership (CEGAR), and by MARCO, stopped once each clause is in a listed MUS (looked at every ten), or all MUSes \
are listed, or at the cap. Where the cap stopped it, its time and the ratio are lower bounds, and "settled" is the share \
of the answers that it has. All answers that are known of a clause are equal, and CEGAR's were checked by their evidence: \
all MUSes, and some refutations."""

COLUMNS = (
    "formulas",
    "number",
    "clauses",
    "variables",
    "in a MUS",
    "CEGAR s",
    "most",
    "MARCO s",
    "MUSes listed",
    "settled %",
    "× MARCO",
)

SECONDS = 10.0
"""The time that CEGAR is to answer all questions about a formula of a hundred clauses in."""


@dataclass(frozen=True)
class Family:
    """Formulas of a kind: ``make(clauses, seed)``."""

    name: str
    make: Callable[[int, int], Cnf]


@dataclass(frozen=True)
class Listed:
    """The sets that MARCO had when it stopped."""

    seconds: float
    muses: Sequence[frozenset[int]]
    complete: bool

    def says(self, clause: int) -> bool | None:
        """Tell whether *clause* is in some MUS; None: not settled."""
        return True if any(clause in mus for mus in self.muses) else (False if self.complete else None)


def alternatives(pairs: int, clauses: int, seed: int) -> Cnf:
    """Return a chain of *pairs* implications with two ways at each, so at least 2^*pairs* MUSes, among other clauses.

    The two ways are equal clauses, or one clause and two by way of a new variable.  Others make up *clauses* clauses; they
    speak of the chain, half of them with a new variable, and most are in no MUS.
    """
    rng = random.Random(f"alternatives {pairs} {seed}")
    made: list[Literals] = [(1,)]
    here = highest = 1
    for link in range(pairs):
        there = highest + 1
        between = there + 1
        made.append((-here, there))
        made += [(-here, between), (-between, there)] if link % 2 else [(-here, there)]
        here, highest = there, between if link % 2 else there
    made.append((-here,))
    chain = highest
    while len(made) < clauses:
        others = tuple(rng.choice((v, -v)) for v in rng.sample(range(1, chain + 1), 2))
        if rng.random() < 0.5:
            highest += 1
            made.append((highest, *others))
        else:
            made.append((rng.choice((1, -1)) * rng.randint(1, highest), *others))
    rng.shuffle(made)
    return cnf(made, highest)


def random_3cnf(variables: int, clauses: int, seed: int) -> Cnf:
    """Return an unsatisfiable random 3-CNF, the first that comes."""
    rng = random.Random(f"unsatisfiable 3-CNF {variables} {clauses} {seed}")
    while True:
        chosen = (rng.sample(range(1, variables + 1), 3) for _ in range(clauses))
        formula = cnf([tuple(rng.choice((v, -v)) for v in clause) for clause in chosen], variables)
        with MusMembership(formula) as asked:
            if asked.model() is None:
                return formula


def among_others(core: Cnf, clauses: int, seed: int) -> Cnf:
    """Return *core* with others up to *clauses*, each of which has a new variable: they are in no MUS."""
    rng = random.Random(f"among others {seed}")
    made = list(core.clauses)
    new = range(core.variables + 1, core.variables + 1 + clauses - len(made))
    made += [(v, *(rng.choice((u, -u)) for u in rng.sample(range(1, core.variables + 1), 2))) for v in new]
    rng.shuffle(made)
    return cnf(made, new.stop - 1)


FAMILIES = (
    Family("2^10 alternatives", lambda clauses, seed: alternatives(10, clauses, seed)),
    Family("2^12 alternatives", lambda clauses, seed: alternatives(12, clauses, seed)),
    Family("2^25 alternatives", lambda clauses, seed: alternatives(25, clauses, seed)),
    Family("3-CNF, ratio 5", lambda clauses, seed: random_3cnf(clauses // 5, clauses, seed)),
    Family(
        "3-CNF, ratio 5, and others",
        lambda clauses, seed: among_others(random_3cnf(clauses * 3 // 20, clauses * 3 // 4, seed), clauses, seed),
    ),
)


def run(
    clauses: int = 100,
    formulas: int = 3,
    cap: float = 10.0,
    families: Sequence[Family] = FAMILIES,
) -> Report:
    """Measure *formulas* formulas of each family; MARCO stops after *cap* CPU s."""
    report = Report("mus_membership", METHOD, COLUMNS)
    most = 0.0
    for family in families:
        rows = [_measured(family.make(clauses, seed), cap) for seed in range(formulas)]
        slowest = max(row.cegar for row in rows)
        ratio = statistics.median(row.listed.seconds / row.cegar for row in rows)
        report.rows.append(
            (
                family.name,
                formulas,
                clauses,
                statistics.median([row.formula.variables for row in rows]),
                statistics.median([sum(row.answers) for row in rows]),
                statistics.median([row.cegar for row in rows]),
                slowest,
                statistics.median([row.listed.seconds for row in rows]),
                statistics.median([len(row.listed.muses) for row in rows]),
                statistics.median([row.settled for row in rows]),
                ratio,
            )
        )
        most = max(most, slowest)
    report.notes.append(f"cap: MARCO {cap:g} CPU s a formula")
    report.targets.append(Target(f"all {clauses} answers by CEGAR without enumeration, most s", most, "<", SECONDS))
    return report


@dataclass(frozen=True)
class _Row:
    formula: Cnf
    answers: Sequence[bool]
    cegar: float
    listed: Listed

    @property
    def settled(self) -> float:
        """The share of answers that MARCO has, in %."""
        known = [self.listed.says(clause) is not None for clause in range(len(self.formula.clauses))]
        return 100 * sum(known) / len(known)


def _measured(formula: Cnf, cap: float) -> _Row:
    count = len(formula.clauses)
    said: list[MusWith] = []

    def by_cegar() -> None:
        with MusMembership(formula) as asked:
            said.extend(asked.mus_with(clause) for clause in range(count))

    cegar = cpu_seconds(by_cegar)
    answers = [each.mus is not None for each in said]
    _check(formula, said)
    listed = by_listing(formula, cap)
    for clause, answer in enumerate(answers):
        if listed.says(clause) not in (None, answer):
            raise AssertionError(f"clause {clause}: CEGAR and MARCO differ, so there is nothing to time")
    return _Row(formula, answers, cegar, listed)


class CpuDeadline(Deadline):
    """A moment in the CPU time of this process, so that others on the machine do not shorten what is compared."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._cpu_end = time.process_time() + seconds

    def passed(self) -> bool:
        return time.process_time() >= self._cpu_end


def by_listing(formula: Cnf, cap: float, step: int = 10) -> Listed:
    """List MUSes until each clause is in one, or there are no more, or for *cap* CPU s; looked at every *step* MUSes."""
    deadline = CpuDeadline(cap)
    complete = False
    with Muses(formula) as muses:

        def explore() -> None:
            nonlocal complete
            covered: set[int] = set()
            limit = 0
            while not (complete or deadline.passed() or len(covered) == len(formula.clauses)):
                limit += step
                before = len(muses.muses)
                complete = muses.explore(limit, deadline)
                covered.update(*muses.muses[before:])

        return Listed(cpu_seconds(explore), tuple(muses.muses), complete)


def _check(formula: Cnf, said: Sequence[MusWith], refutations: int = 3) -> None:
    """Check the MUSes of all yeses, and the refutations of some noes."""
    for mus in {each.mus for each in said if each.mus is not None}:
        if mus_fault(formula, mus_evidence(formula, mus)) is not None:
            raise AssertionError("CEGAR's MUS is none")
    for clause in [clause for clause, each in enumerate(said) if each.mus is None][:refutations]:
        if no_fault(formula, clause, no_evidence(formula, clause, said[clause].counterexamples)) is not None:
            raise AssertionError("CEGAR's counterexamples show nothing")
