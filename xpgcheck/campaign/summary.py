"""The sum of a journal: what the status and the report show.

A journal may come from elsewhere: names are cut and counted, so that no journal makes a summary large.
"""

from __future__ import annotations

import functools
import math
import platform
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from xpgcheck.campaign.journal import OLD_OUTCOMES, Cause, Journal, JournalRow, Session
from xpgcheck.campaign.part import WHOLE, Part, goal
from xpgcheck.campaign.units import Counts
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.reports.conclusion import Conclusion
from xpgcheck.reports.lines import line

MAX_NAMES = 400
"""Things that are counted by name: properties, what was asked, workers, labels; others are added up as "others"."""

MAX_CAUSES = 1_000
"""Causes that are kept with their documents; the others are counted."""

MAX_REASONS = 20

MOST = 10**12
"""The largest count, or number of seconds, that one unit is believed to have."""

OTHERS = "others"

RECENT = 300.0
"""Seconds that "lately" means."""

SHOWN = {"stretch": "instances a unit", "unit": "cases a unit", "smt_every": "SMT in one unit of"}
"""Options whose names are no words."""

_OUTCOMES: dict[str, Outcome | None] = {
    **{verdict.value: verdict.outcome for verdict in Verdict},
    **{outcome.value: outcome for outcome in Outcome},
    "held": Outcome.HOLDS,
    "failed": Outcome.VIOLATED,
    **OLD_OUTCOMES,
    "open": Outcome.INCONCLUSIVE,
    "silent": None,
    "unsupported": None,
}


def outcome_of(word: str) -> Outcome | None:
    """Return what a word of the counts means; None where nothing was decided that counts."""
    return _OUTCOMES.get(word)


def is_asked(counts: Counts) -> bool:
    """Tell whether some question of *counts* was answered, or left open."""
    return any(n and outcome_of(word) is not None for row in counts.values() for word, n in row.items())


@dataclass(slots=True)
class Worker:
    """The work of a worker, and when (time of day) it was last heard of."""

    units: int = 0
    cases: int = 0
    last: float = 0.0


@dataclass(slots=True)
class Summary:
    """A journal added up.

    ``identity`` says with what it was written: version, digest of the sources, version of Hypothesis.
    ``of_units`` and ``of_cases`` are None where the plan is endless, else of the ``part`` and what is done next to it.
    ``limit`` are the seconds that it may take, if any.
    ``counts`` are as in ``UnitResult``, ``sizes`` of each label ("features") how many cases have which number,
    ``times`` of each ability how many answers took from 2^k microseconds.  ``ends`` are times of day and cases of the units,
    in the order of time.  ``worked`` is the time of all units together.
    """

    name: str
    kind: str
    identity: str
    options: dict[str, str]
    created: float | None
    units: int = 0
    of_units: int | None = None
    cases: int = 0
    of_cases: int | None = None
    part: Part = WHOLE
    spent: float = 0.0
    limit: float | None = None
    worked: float = 0.0
    undecided: int = 0
    counts: Counts = field(default_factory=dict)
    sizes: dict[str, Counter[int]] = field(default_factory=dict)
    times: dict[str, Counter[int]] = field(default_factory=dict)
    layers: Counter[str] = field(default_factory=Counter)
    reasons: list[str] = field(default_factory=list)
    workers: dict[str, Worker] = field(default_factory=dict)
    ends: list[tuple[float, int]] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    more_causes: int = 0
    findings: int = 0
    sessions: list[Session] = field(default_factory=list)
    passed_over: dict[str, str] = field(default_factory=dict)

    def number(self, outcome: Outcome) -> int:
        """Return how many verdicts have *outcome*."""
        return sum(n for row in self.counts.values() for word, n in row.items() if outcome_of(word) is outcome)

    def conclusion(self) -> Conclusion:
        """Return what the campaign comes to: nothing asked is no success."""
        failed = sum(cause.document.get("outcome") != Outcome.INCONCLUSIVE.value for cause in self.causes)
        return Conclusion.of(failed, self.undecided, asked=is_asked(self.counts))

    def rate(self) -> float:
        """Return the cases per second, of all the time that the campaign took."""
        return _finite(self.cases / self.spent) if self.spent > 0 else 0.0

    def recent_rate(self) -> float:
        """Return the cases per second of the last minutes of work; by the time of day, so only to be shown."""
        if not self.ends:
            return 0.0
        last = self.ends[-1][0]
        late = [cases for ended, cases in self.ends if ended > last - RECENT]
        began = max(last - RECENT, self.sessions[-1].started if self.sessions else self.ends[0][0])
        return sum(late) / (last - began) if last > began else 0.0

    def left(self) -> float | None:
        """Return about how many seconds are left, by the rate of late; None where that cannot be said."""
        found = [self.limit - self.spent] if self.limit is not None else []
        rate = self.recent_rate() or self.rate()
        if self.of_cases is not None and rate > 0:
            found.append((self.of_cases - self.cases) / rate)
        return max(min(found), 0.0) if found else None

    def is_finished(self) -> bool:
        """Tell whether nothing is left to carry out."""
        late = self.limit is not None and self.spent >= self.limit
        return late or (self.of_units is not None and self.units >= self.of_units)

    def state(self) -> str:
        """Return whether a driver is at work, in words; of another machine only its journal can be seen."""
        if self.is_finished():
            return "finished"
        if not self.sessions:
            return "not begun"
        last = self.sessions[-1]
        if last.ended is not None:
            return "stopped"
        where = f"process {last.pid} on {line(last.host, 60)}"
        if last.host == platform.node() and not _is_alive(last.pid):
            return f"killed ({where})"
        return f"running ({where})"


def read_summary(journal: Journal) -> Summary:
    """Return what *journal* says.  Linear in its units; raises ``FormatError`` where it is not what it has to be."""
    with journal.snapshot():
        return _read(journal)


def _read(journal: Journal) -> Summary:
    plan, part = journal.plan, journal.part
    wanted = goal(plan, part, journal.finished()) or (None, None)
    options = {
        SHOWN.get(key, key): line(_said(value), 200)
        for key, value in sorted(plan.options.items())
        if value not in (None, [], "") and (key != "stretch" or plan.options["models"])
    }
    found = Summary(
        journal.name,
        plan.kind,
        journal.noted("identity") or f"xpgcheck {journal.version}",
        dict(list(options.items())[:40]),
        journal.seconds_noted("created"),
        of_units=wanted[0],
        of_cases=wanted[1],
        part=part,
        spent=journal.spent,
        limit=journal.seconds_noted("limit"),
        sessions=journal.sessions(),
    )
    for row in journal.rows():
        _add(found, row)
    found.ends.sort()
    for cause in journal.causes():
        found.findings += cause.times
        if len(found.causes) < MAX_CAUSES:
            found.causes.append(cause)
        else:
            found.more_causes += 1
    found.causes.sort(key=lambda cause: (cause.document.get("outcome") == Outcome.INCONCLUSIVE.value, cause.unit))
    return found


def _said(value: object) -> str:
    if isinstance(value, list):
        names = [str(item.get("name", "")) if isinstance(item, dict) else str(item) for item in value[:20]]
        return ", ".join(names) + (f" and {len(value) - 20} more" if len(value) > 20 else "")
    return str(value)


def _add(found: Summary, row: JournalRow) -> None:
    result = row.result
    found.units += 1
    found.cases += result.cases
    found.worked += _duration(result.seconds)
    found.undecided += result.open
    found.ends.append((_finite(row.ended), result.cases))
    for name, counts in result.counts.items():
        tally = found.counts.setdefault(_named(found.counts, name), {})
        for word, number in counts.items():
            own = _named(tally, word)
            tally[own] = tally.get(own, 0) + _count(number)
    for label, number in result.sizes.items():
        kind, _, size = label.rpartition(": ")
        if size.isascii() and size.isdigit() and len(size) < 10:
            found.sizes.setdefault(_named(found.sizes, kind), Counter())[int(size)] += _count(number)
    for ability, buckets in result.query_seconds.items():
        times = found.times.setdefault(_named(found.times, ability), Counter())
        for bucket, number in buckets.items():
            if bucket.isascii() and bucket.isdigit() and len(bucket) < 3:
                times[int(bucket)] += _count(number)
    for layer, seconds in result.layers.items():
        found.layers[_named(found.layers, layer)] += _duration(seconds)  # type: ignore[assignment]
    for name, reason in result.passed_over.items():
        found.passed_over[_named(found.passed_over, name)] = line(reason)
    found.reasons += [line(reason) for reason in result.reasons[: MAX_REASONS - len(found.reasons)]]
    worker = found.workers.setdefault(_named(found.workers, row.worker), Worker())
    worker.units += 1
    worker.cases += result.cases
    worker.last = max(worker.last, _finite(row.ended))


def _named(known: object, name: str) -> str:
    """Return *name* on one line; "others" where too many are known already."""
    short = _short(name)
    assert isinstance(known, dict)
    return short if short in known or len(known) < MAX_NAMES else OTHERS


@functools.lru_cache(maxsize=4096)
def _short(name: str) -> str:
    return line(name, 120)


def _count(number: int) -> int:
    return min(max(number, 0), MOST)


def _duration(seconds: float) -> float:
    return min(max(_finite(seconds), 0.0), float(MOST))


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0


def _is_alive(pid: int) -> bool:
    import psutil

    return 0 < pid < 2**31 and psutil.pid_exists(pid)


def clock(moment: float) -> str:
    """Return a time of day for people, of this machine's zone."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(moment))
    except (ValueError, OverflowError, OSError):
        return "no time"


def grouped(counts: Counts) -> Iterator[tuple[str, dict[Outcome | None, list[tuple[str, int]]]]]:
    """Yield each name of *counts* with its words by outcome; words that nothing has are left out."""
    for name, row in counts.items():
        parts: dict[Outcome | None, list[tuple[str, int]]] = {}
        for word, number in row.items():
            if number:
                parts.setdefault(outcome_of(word), []).append((word, number))
        yield name, parts
