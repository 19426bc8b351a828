"""The head of all reports for people: the verdict line, the facts of the run, and questions against verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from xpgcheck.gate.questions import ASKED
from xpgcheck.gate.results import DECK_FLOOR, Report, Row
from xpgcheck.judging.claim import ClaimKind
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.properties.running.outcomes import PropertyTally
from xpgcheck.properties.subjects import GRAPH_KIND, MODEL_KINDS, passed_over_words
from xpgcheck.reports.conclusion import Conclusion
from xpgcheck.wording import counted

ASKED_WORDS = {
    "predict": "the class",
    "axp": "an AXp",
    "cxp": "a CXp",
    "axp_inside": "an AXp inside a seed",
    "inflate": "the values of an AXp",
    "inflate_cxp": "the values of a CXp",
    "cxp_inside": "a CXp inside a seed",
    "enumerate": "all AXps and CXps",
    "tree_cxps": "all CXps of a tree",
    "member": "feature membership",
}
"""The questions that the abilities of a subject answer, in words."""

NOTION_WORDS = {
    "features": "sets of features (Eq. 1 and Eq. 2)",
    "conditions": "sets of conditions, each an independent Boolean variable",
    "conditions-with-theory": "sets of conditions, at points of feature space",
    "constraints": "sets of features, over the points that can occur under a constraint",
}
"""The notions of claims, in words."""


def other_notion(notion: str) -> str:
    """Return how claims of *notion* are judged as a separate question."""
    return "taken without the constraint" if notion == "constraints" else "taken over features"


OUTCOME_WORDS = {Outcome.HOLDS: "right", Outcome.VIOLATED: "wrong", Outcome.INCONCLUSIVE: "open"}

_ORDER = {name: place for place, name in enumerate([*ASKED, *(kind.value for kind in ClaimKind)])}


@dataclass(frozen=True, slots=True)
class CountGrid:
    """Counts as a table: a column a verdict, a row for each thing asked; only those that occur."""

    columns: tuple[Verdict, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


def grid(counts: Mapping[Row, int]) -> CountGrid:
    """Return *counts* in the order of questions and of verdicts."""
    present = {(about, Verdict(verdict)): n for (about, verdict), n in counts.items() if n}
    columns = tuple(verdict for verdict in Verdict if any(verdict is own for _, own in present))
    rows = tuple(
        (about, tuple(present.get((about, verdict), 0) for verdict in columns))
        for about in in_order({about for about, _ in present})
    )
    return CountGrid(columns, rows)


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One thing asked: of each outcome, the verdicts that were given and how often."""

    about: str
    counts: Mapping[Outcome, tuple[tuple[Verdict, int], ...]]


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """The grid folded to a column an outcome; as narrow with many verdicts as with few."""

    outcomes: tuple[Outcome, ...]
    rows: tuple[OutcomeRow, ...]


def by_outcome(counts: Mapping[Row, int]) -> OutcomeTable:
    """Return *counts* with a column for each outcome that occurs."""
    cells = grid(counts)
    outcomes = tuple(outcome for outcome in Outcome if any(v.outcome is outcome for v in cells.columns))
    rows = []
    for about, numbers in cells.rows:
        pairs = [(verdict, n) for verdict, n in zip(cells.columns, numbers, strict=True) if n]
        own = {outcome: tuple(pair for pair in pairs if pair[0].outcome is outcome) for outcome in outcomes}
        rows.append(OutcomeRow(about, own))
    return OutcomeTable(outcomes, tuple(rows))


def in_order(asked: set[str]) -> list[str]:
    """Return what was asked: abilities in the order of the questions, kinds of claims, and then the rest by name."""
    return sorted(asked, key=lambda name: (_ORDER.get(name, len(_ORDER)), name))


def conclusion(report: Report) -> Conclusion:
    """Return what the report comes to; bad lines and a run that judged nothing are no success."""
    asked = any(map(report.number, Outcome))
    return Conclusion(report.outcome(), asked, not report.bad_count)


def verdict_line(report: Report) -> str:
    """Return the last line: what the report comes to, of how many claims, cases and properties."""
    parts = [f"{counted(report.claims, 'claim')} on {counted(sum(report.cases.values()), 'case')}"]
    if report.properties:
        count = len(report.properties) - properties_of(report).silent
        parts.append(counted(count, "property", "properties"))
    parts.append(counted(kinds_of_violation(report), "kind of violation", "kinds of violation"))
    parts.append(f"{report.number(Outcome.INCONCLUSIVE):,} inconclusive")
    if report.bad_count:
        parts.append(counted(report.bad_count, "bad line"))
    if report.little_of_the_deck:
        parts.append(f"{report.deck[0]} cases of the deck judged and {_deck_floor(report)} needed")
    unjudged = [
        about for about in in_order(set(report.unsupported)) if not any(own == about for own, _ in report.counts)
    ]
    if unjudged:
        parts.append(f"not judged, as declined: {', '.join(unjudged)}")
    return conclusion(report).line(*parts)


def kinds_of_violation(report: Report) -> int:
    """Return how many (thing asked, wrong verdict) occur, and properties that failed."""
    wrong = sum(1 for (_, v), n in report.counts.items() if n and Verdict(v).outcome is Outcome.VIOLATED)
    return wrong + sum(1 for tally in report.properties.values() if tally.failed)


def name_of(report: Report) -> str:
    """Return the subject with its version, or the title where there is none."""
    return " ".join(part for part in (report.subject or report.title, report.version) if part)


def facts(report: Report) -> list[tuple[str, str]]:
    """Return what else there is to know of the run, each fact with its name."""
    cases = ", ".join(f"{count:,} {origin}" for origin, count in report.cases.items() if count)
    found = [
        ("run", report.title if report.subject else ""),
        ("notion", NOTION_WORDS.get(report.notion, report.notion)),
        ("can", ", ".join(report.abilities)),
        ("passed over", "; ".join(passed_over_words(report.passed_over))),
        ("takes", _taken(report)),
        (
            "not asked",
            ", ".join(f"{counted(n, 'case')} of {MODEL_KINDS[kind]}" for kind, n in report.not_asked.items()),
        ),
        ("heard too", ", ".join(f"the judge {name} (a plug-in)" for name in report.judges)),
        ("last run", report.last_run),
        ("cases", cases),
        ("deck", _deck(report)),
        ("questions", f"{report.questions:,}" if report.questions else ""),
        ("restarts", f"{report.restarts:,}" if report.restarts else ""),
        ("certified", _certified(report)),
        ("witnesses", _witnesses(report)),
        ("said again", _repeated(report)),
        ("time", f"{report.seconds:.1f} s" if report.seconds else ""),
    ]
    return [(name, text) for name, text in found if text]


def _taken(report: Report) -> str:
    """Return the kinds of models that the subject takes; "" where these are decision graphs alone, as usual."""
    usual = report.models in ((), (GRAPH_KIND,)) and not report.not_asked
    return "" if usual else ", ".join(MODEL_KINDS[kind] for kind in report.models)


def _deck(report: Report) -> str:
    """Return how much of the deck was judged, and what took too long there; "" where it was not asked."""
    judged, cases = report.deck
    if not cases:
        return ""
    late = ", ".join(f"{about} {counted(n, 'time')}" for about, n in report.late.items())
    little = f"; a run holds from {_deck_floor(report)} on" if report.little_of_the_deck else ""
    return f"{judged} of {counted(cases, 'case')} judged{little}" + (f"; not in time: {late}" if late else "")


def _deck_floor(report: Report) -> int:
    return math.ceil(report.deck[1] * DECK_FLOOR)


def _certified(report: Report) -> str:
    """Return how many claims came with a certificate, and what it is that has none; "" where nobody asked."""
    if not report.certified and not report.without:
        return ""
    rest = sum(report.without.values())
    why = ", ".join(f"{reason} ({count:,})" for reason, count in sorted(report.without.items()))
    return counted(report.certified, "claim") + (f"; not {rest:,}: {why}" if rest else "")


def _witnesses(report: Report) -> str:
    """Return how many witnesses came with the claims, and what is wrong with some; "" where none came."""
    count = sum(report.witnesses.values())
    if not count:
        return ""
    wrong = [f"{number:,}: {fault}" for fault, number in sorted(report.witnesses.items()) if fault]
    good = report.witnesses[""]
    return f"{good:,} of {count:,} that came with claims show them" + "".join(f"; {text}" for text in wrong)


def _repeated(report: Report) -> str:
    """Return what was claimed again, and counted again; "" where nothing was."""
    count = sum(report.repeated.values())
    if not count:
        return ""
    cells = grid(report.repeated)
    parts = [
        f"{number:,} {verdict.value}"
        for _, numbers in cells.rows
        for verdict, number in zip(cells.columns, numbers, strict=True)
        if number
    ]
    return f"{counted(count, 'claim')} of an earlier line, counted each time ({', '.join(parts)})"


def unsupported_words(report: Report) -> list[str]:
    """Return how many questions were declined, by what was asked."""
    declined = {about for about, count in report.unsupported.items() if count}
    return [f"{about} {counted(report.unsupported[about], 'time')}" for about in in_order(declined)]


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties tried: those that failed and those that stayed open by name, and how many others there were."""

    failed: tuple[tuple[str, PropertyTally], ...]
    open: tuple[tuple[str, PropertyTally], ...]
    held: int
    cases: int
    silent: int


def properties_of(report: Report) -> Properties:
    """Return the properties of *report* by what became of them; one that failed and is open has failed."""
    failed = tuple((name, tally) for name, tally in report.properties.items() if tally.failed)
    still_open = tuple((name, tally) for name, tally in report.properties.items() if tally.open and not tally.failed)
    rest = [tally for tally in report.properties.values() if not tally.failed and not tally.open]
    held = [tally for tally in rest if tally.held]
    return Properties(failed, still_open, len(held), sum(tally.held for tally in held), len(rest) - len(held))


def held_words(properties: Properties) -> str:
    """Return how many properties held, and how many had no case, in one line."""
    held = f"{counted(properties.held, 'property', 'properties')} held"
    tries = f" ({counted(properties.cases, 'time')})" if properties.held else ""
    return held + tries + (f", {properties.silent:,} without a case" if properties.silent else "")
