"""A study on the terminal: the clauses, the MUSes, the verdict on each reading, and the last line."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.paper.reduction.answers import ClauseStudy, Reading, ReadingVerdict, Study
from xpgcheck.paper.reduction.clause_texts import clause_text
from xpgcheck.paper.reduction.verdicts import WORDS, outcome_of
from xpgcheck.properties.reduction.catalogue import clauses_text
from xpgcheck.reports import terminal
from xpgcheck.reports.conclusion import STYLES, Conclusion
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

MAX_CLAUSES = 60
MAX_MUSES = 20
MAX_NAMED = 8


def print_study(study: Study, console: Console) -> None:
    """Print all of *study* that a person reads; the JSON report has the rest."""
    say = functools.partial(terminal.say, console)
    say(headline(study), "bold")
    if study.clauses:
        console.print()
        console.print(_clauses(study))
    if len(study.clauses) > MAX_CLAUSES:
        say(f"… and {len(study.clauses) - MAX_CLAUSES:,} more clauses (see --json)")
    console.print()
    for line in muses_lines(study):
        say(line)
    console.print()
    for verdict in study.readings:
        say(f"{verdict.reading.value:<8} {WORDS[verdict.outcome]:<13} {_where(verdict)}", STYLES[verdict.outcome])
        say(f"         {verdict.reading.statement}", "dim")
    for note in study.notes:
        say(f"left out: {note}", "dim")
    for line in study.disagreements:
        say(f"disagreement: {line}", STYLES[Outcome.VIOLATED])


def headline(study: Study) -> str:
    """Return the line on the formula and its ψ."""
    formula = study.formula
    psi = selector_dnf(formula)
    kinds = {True: "satisfiable: no MUS, and ∀x.ψ is constantly 0", False: "unsatisfiable", None: "perhaps satisfiable"}
    return (
        f"{study.name}: {counted(len(formula.clauses), 'clause')} over {counted(formula.variables, 'variable')}, "
        f"{kinds[study.satisfiable]}; "
        f"ψ: {counted(len(psi.terms), 'term')} over {counted(psi.variables, 'variable')}, "
        f"{counted(sum(map(len, psi.terms)), 'literal')}"
    )


def muses_lines(study: Study) -> list[str]:
    """Return the lines that list the MUSes."""
    if study.satisfiable:
        return ["MUSes: none"]
    count = counted(len(study.muses), "MUS", "MUSes")
    if not study.complete:
        how = "not all"
    elif study.family is not None:
        how = f"all: refuted in {counted(len(study.family.refutation), 'line')}"
    else:
        how = "all by MARCO's word"
    lines = [f"{count}, {how}; {counted(len(study.mcses), 'MCS', 'MCSes')}"]
    lines += [f"  {clauses_text(mus)}" for mus in study.muses[:MAX_MUSES]]
    if len(study.muses) > MAX_MUSES:
        lines.append(f"  … and {len(study.muses) - MAX_MUSES:,} more (see --json)")
    return lines


def verdict_line(study: Study, required: Sequence[Reading]) -> str:
    """Return the last line, in the words of the exit status."""
    outcome = outcome_of(study, required)
    comes_to = Conclusion.of(outcome is Outcome.VIOLATED, outcome is Outcome.INCONCLUSIVE)
    names = ", ".join(reading.value for reading in required)
    members = sum(clause.in_mus.answer is True for clause in study.clauses)
    unknown = sum(clause.in_mus.answer is None for clause in study.clauses)
    opened = f", {unknown:,} open" if unknown else ""
    return comes_to.line(
        f"reading{'s' if len(required) > 1 else ''} {names}; {members} of {counted(len(study.clauses), 'clause')} "
        f"in some MUS{opened}; {study.seconds:.1f} s"
    )


def _clauses(study: Study) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("clause", justify="right")
    table.add_column("", overflow="fold", max_width=50)
    for name in ("in some MUS", "in MUSes", "A", "B", _title_of_c(study), "D"):
        table.add_column(name, justify="right" if name == "in MUSes" else "left")
    for clause in study.clauses[:MAX_CLAUSES]:
        cells: list[str | Text] = [
            _answer(clause, clause.in_mus.answer),
            _holding(study, clause.clause),
            *(_answer(clause, _selected(clause, reading)) for reading in (Reading.A, Reading.B)),
            _at_points(clause),
            _answer(clause, _selected(clause, Reading.D)),
        ]
        own = clause_text(study.formula.clauses[clause.clause])
        table.add_row(str(clause.clause + 1), Text(own), *cells)
    return table


def _answer(clause: ClauseStudy, answer: bool | None) -> Text:
    from rich.text import Text

    text = {True: "yes", False: "no", None: "?"}[answer]
    member = clause.in_mus.answer
    return Text(text, style="red" if None not in (answer, member) and answer != member else "")


def _selected(clause: ClauseStudy, reading: Reading) -> bool | None:
    said = clause.selected.get(reading)
    return None if said is None else said.answer


def _holding(study: Study, clause: int) -> str:
    count = sum(clause in mus for mus in study.muses)
    return f"{count:,}" if study.complete else f"≥ {count:,}"


def _title_of_c(study: Study) -> str:
    return f"C (of {1 << study.formula.variables:,} x₀)" if any(clause.at_points for clause in study.clauses) else "C"


def _at_points(clause: ClauseStudy) -> Text:
    from rich.text import Text

    if not clause.at_points:
        return Text("not asked", style="dim")
    count = sum(answer is True for answer in clause.at_points)
    opened = sum(answer is None for answer in clause.at_points)
    member = clause.in_mus.answer
    wrong = member is not None and any(answer is not None and answer != member for answer in clause.at_points)
    return Text(f"{count:,}{f' (+ {opened} open)' if opened else ''}", style="red" if wrong else "")


def _where(verdict: ReadingVerdict) -> str:
    if not verdict.asked:
        return "there is no clause"
    if verdict.outcome is Outcome.HOLDS:
        return f"at {'all ' if verdict.asked > 1 else ''}{counted(verdict.asked, 'clause')}"
    if verdict.outcome is Outcome.INCONCLUSIVE:
        if verdict.evidence == "not asked":
            return verdict.evidence
        return f"open at {_listed(verdict.open_at, verdict.asked)}: {verdict.evidence}"
    return f"at {_listed(verdict.fails_at, verdict.asked)}: {verdict.evidence}"


def _listed(clauses: Sequence[int], asked: int) -> str:
    numbers = ", ".join(str(clause + 1) for clause in clauses[:MAX_NAMED])
    more = ", …" if len(clauses) > MAX_NAMED else ""
    return f"{counted(len(clauses), 'clause')} of {asked:,} ({numbers}{more})"
