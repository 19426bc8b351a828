"""The published verdict tables made again: a unit judges some lines of a log, the outcome compares the counts of all.

A row is a forest and a kind of claim.  Its verdicts are those of the judges alone; the published counts stand next to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from xpgcheck.claims.documents import instance_document
from xpgcheck.claims.models import NamedModels
from xpgcheck.claims.stream import LoggedLine, decode_line, opened, raw_lines
from xpgcheck.claims.verification import JudgedLine, LineJudge
from xpgcheck.errors import XpgcheckError
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.paper.ensembles.corpus import KINDS, forest_logs
from xpgcheck.paper.ensembles.documents import PublishedClaimRecord
from xpgcheck.paper.ensembles.evidence import evidence_of
from xpgcheck.paper.ensembles.published import PUBLISHED
from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.readers.files import place_of
from xpgcheck.readers.instances import read_point
from xpgcheck.wording import counted

UNIT_LINES = 50
"""Lines that a unit judges."""

MAX_FAULTS = 20
"""Verdicts without evidence that are listed."""

KINDS_OF_VERDICTS = {
    "axp": (Verdict.AXP, Verdict.REDUNDANT, Verdict.INSUFFICIENT),
    "cxp": (Verdict.CXP, Verdict.REDUNDANT, Verdict.INEFFECTIVE),
}
"""The verdicts that the publication counts, in its order, of each kind of claim."""

IDLE, ASTRAY = "has the class of the instance", "differs from the instance outside the CXp"
"""Faults of a witness: the publication looks for the first alone."""


def units(data: str | None, names: Sequence[str] = (), *, full: bool = False) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the units, by name with their arguments: some lines of a log each.  *full*: with the evidence of each claim.

    Raises what :func:`~xpgcheck.paper.ensembles.corpus.forest_logs` raises.
    """
    for log in forest_logs(data, names):
        for start in range(0, len(log.lines), UNIT_LINES):
            lines = log.lines[start : start + UNIT_LINES]
            arguments = {
                "forest": log.forest,
                "kind": log.kind,
                "model": str(log.model),
                "log": str(log.path),
                "lines": list(lines),
                "repeated": list(log.repeated) if start == 0 else [],
                "full": full,
            }
            yield f"{log.forest} {KINDS[log.kind]} from line {lines[0]}", arguments


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Judge the lines that *arguments* name, and look at the evidence of each verdict.

    Raises ``InputError`` with the line that cannot be judged.
    """
    wanted = set(arguments["lines"])
    models = NamedModels([arguments["model"]])
    part = _Part()
    with opened(arguments["log"]) as file, LineJudge(models) as judge:
        for number, data in raw_lines(file):
            if number not in wanted:
                continue
            try:
                if not isinstance(data, bytes):
                    raise data
                part.take(number, judge, judge.judge(decode_line(data)), full=arguments["full"])
            except XpgcheckError as error:
                raise error.at(f"line {number}").at(place_of(arguments["log"])) from None
    return {
        "forest": arguments["forest"],
        "kind": arguments["kind"],
        "repeated": len(arguments["repeated"]),
        "verdicts": dict(part.verdicts),
        "witnesses": dict(part.witnesses),
        "points": part.points,
        "routes": dict(part.routes),
        "faults": part.faults,
        "documents": [{**document, "forest": arguments["forest"]} for document in part.documents],
    }


@dataclass(slots=True)
class _Part:
    """Results of the lines of a unit."""

    verdicts: Counter[str] = field(default_factory=Counter)
    witnesses: Counter[str] = field(default_factory=Counter)
    points: int = 0
    routes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    documents: list[dict[str, Any]] = field(default_factory=list)

    def take(self, number: int, judge: LineJudge, line: JudgedLine, *, full: bool) -> None:
        """Count a judged line, and its evidence."""
        judged, graph = line.judged, line.graph
        self.verdicts[judged.verdict.value] += 1
        found = evidence_of(judged, graph, line.instance, judge.consensus(line))
        self.points += found.points
        self.routes += found.routes
        if found.faults:
            self.faults.append(f"line {number}: {found.faults[0]}")
        elif judged.verdict is Verdict.INCONCLUSIVE:
            self.faults.append(f"line {number}: {judged.evidence.reason or 'open'}")
        for what in _witness_faults(line):
            self.witnesses[what] += 1
        if full:
            document = PublishedClaimRecord(
                forest=graph.name,
                line=number,
                claim=judged.claim.kind.value,
                features=[graph.features[i].name for i in sorted(judged.claim.members or ())],
                instance=instance_document(graph, line.instance),
                class_name=graph.classes[graph.kappa(line.instance)],
                verdict=judged.verdict,
                text=judged.evidence.text,
                evidence=found.answers,
            )
            self.documents.append(msgspec.to_builtins(document))


def _witness_faults(line: JudgedLine) -> Iterator[str]:
    """Yield what to count of the witness that came with a CXp: that it came, and what is wrong with it."""
    record, members = line.record, line.judged.claim.members
    if not isinstance(record, LoggedLine) or record.witness is None or members is None:
        return
    yield "given"
    witness = read_point(line.graph.features, record.witness)
    if line.graph.kappa(witness) == line.graph.kappa(line.instance):
        yield IDLE
        if line.judged.verdict is Verdict.INEFFECTIVE:
            yield "none possible"
    if any(line.instance[i] != value for i, value in enumerate(witness) if i not in members):
        yield ASTRAY


@dataclass(slots=True)
class VerdictRow:
    """Results of a log: counts of the lines that count, and of the evidence of their verdicts."""

    forest: str
    kind: str
    repeated: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    witnesses: Counter[str] = field(default_factory=Counter)
    points: int = 0
    routes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def counts(self) -> tuple[int, int, int]:
        """The claims that are right, redundant, and not even weak XPs."""
        right, redundant, wrong = (self.verdicts[verdict.value] for verdict in KINDS_OF_VERDICTS[self.kind])
        return right, redundant, wrong

    @property
    def published(self) -> tuple[int, int, int] | None:
        """The published counts, None where there are none."""
        known = PUBLISHED.get(self.forest)
        return None if known is None else known.axps if self.kind == "axp" else known.cxps

    @property
    def published_idle(self) -> int | None:
        """The published number of idle witnesses, None where there is none."""
        known = PUBLISHED.get(self.forest)
        return None if known is None or self.kind == "axp" else known.idle_witnesses

    @property
    def open(self) -> int:
        """The number of claims without a verdict, or without its evidence."""
        return len(self.faults)

    @property
    def as_published(self) -> bool | None:
        """Whether all counts are the published ones; None where there are none."""
        if self.published is None:
            return None
        idle = self.published_idle
        others = self.verdicts.total() - sum(self.counts)
        return self.counts == self.published and not others and idle in (None, self.witnesses[IDLE])

    def detail(self) -> dict[str, Any]:
        """Return the row of the table, as JSON."""
        idle = self.published_idle
        return {
            "table": "verdicts",
            "forest": self.forest,
            "claims": KINDS[self.kind],
            "counted": self.verdicts.total(),
            **dict(zip(("right", "redundant", "not even weak"), self.counts, strict=True)),
            "other": self.verdicts.total() - sum(self.counts) - self.verdicts[Verdict.INCONCLUSIVE.value],
            "open": self.open,
            "published": None if self.published is None else " / ".join(map(str, self.published)),
            "witnesses": self.witnesses["given"],
            "idle": self.witnesses[IDLE],
            "published idle": idle,
            "astray": self.witnesses[ASTRAY],
            "as published": None if self.as_published is None else "yes" if self.as_published else "no",
            "points": self.points,
            "two routes": self.routes.total(),
            "repeated": self.repeated,
        }

    def explained(self) -> Iterator[str]:
        """Yield what is not as a reader of the log alone would count it, and what differs from the publication."""
        if self.repeated:
            lines = counted(self.repeated, "line")
            yield f"{lines} about an instance of an earlier line: left out, as the publication counts each instance once"
        if idle := self.witnesses[IDLE]:
            none = self.witnesses["none possible"]
            beside = [(none, "of ineffective CXps, which can have none")]
            beside.append((idle - none, "of sets that other points show to be weak CXps"))
            said = ", ".join(f"{count} {what}" for count, what in beside if count)
            yield f"{counted(idle, 'witness', 'witnesses')} with the class of the instance: {said}; no verdict rests on one"
        if astray := self.witnesses[ASTRAY]:
            said = counted(astray, "witness", "witnesses")
            yield f"{said} with changes outside the CXp, which the publication does not look for"
        if self.published is not None and self.counts != self.published:
            pairs = zip(KINDS_OF_VERDICTS[self.kind], self.published, self.counts, strict=True)
            changed = [f"{verdict.value} {then} published, {now} found" for verdict, then, now in pairs if then != now]
            yield f"not the published counts: {', '.join(changed)} (xpgcheck verify lists each claim)"
        if self.published_idle not in (None, self.witnesses[IDLE]):
            yield f"{self.published_idle} witnesses with the class of the instance are published"
        for verdict, count in self.verdicts.items():
            if Verdict(verdict) not in (*KINDS_OF_VERDICTS[self.kind], Verdict.INCONCLUSIVE):
                yield f"{count} with a verdict that the publication does not have: {verdict}"


def rows(results: Mapping[str, dict[str, Any]]) -> list[VerdictRow]:
    """Return the rows that the finished units make, in the order of the units."""
    found: dict[tuple[str, str], VerdictRow] = {}
    for result in results.values():
        key = result["forest"], result["kind"]
        row = found.setdefault(key, VerdictRow(*key))
        row.repeated += result["repeated"]
        row.verdicts.update(result["verdicts"])
        row.witnesses.update(result["witnesses"])
        row.points += result["points"]
        row.routes.update(result["routes"])
        row.faults += result["faults"]
    return list(found.values())


def outcome(results: Mapping[str, dict[str, Any]]) -> EvidenceSummary:
    """Return what the units show together: the rows, whether they are as published, what is open, what is explained."""
    found = rows(results)
    compared = [row for row in found if row.as_published is not None]
    # What is open may still come out as published.
    other = next((row for row in compared if not row.as_published and not row.open), None)
    faults = [f"{row.forest} {KINDS[row.kind]}: {fault}" for row in found for fault in row.faults]
    if not compared:
        faults.append("none of the forests is in the publication: no counts to compare with")
    routes: Counter[str] = Counter()
    for row in found:
        routes.update(row.routes)
    claims = sum(row.verdicts.total() for row in found)
    counts = {
        "claims": claims,
        "claims without a verdict and its evidence": sum(row.open for row in found),
        "points of another class, replayed": sum(row.points for row in found),
        **{f"'no point' by {names}": count for names, count in sorted(routes.items())},
    }
    equal = sum(row.as_published is True for row in compared)
    absent = len(PUBLISHED.keys() - {row.forest for row in compared})
    limits = f"{equal} of {counted(len(compared), 'published row')} as published, {counted(claims, 'claim')}"
    limits += f"; {absent} of the {len(PUBLISHED)} published forests are not looked at" if absent else ""
    details = [row.detail() for row in found]
    for row in found:
        details += [
            {"table": "explained", "log": f"{row.forest} {KINDS[row.kind]}", "what": t} for t in row.explained()
        ]
    example = None
    if other is not None:
        example = {"log": f"{other.forest} {KINDS[other.kind]}", "published": other.published, "found": other.counts}
    shown = faults[:MAX_FAULTS] + ([f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else [])
    holds = False if other is not None else None if faults else True
    return EvidenceSummary(holds, counts, limits, example, details, shown)
