"""From evidence to verdicts: a row's verdict is what its checks show, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xpgcheck.paper.rows import FAILS, HOLDS, HOLDS_WHEN, INCONCLUSIVE, SKIPPED, Expect, Row, RowCheck
from xpgcheck.paper.sources import Found, Results, source


@dataclass(frozen=True, slots=True)
class JudgedCheck:
    """A check and what was found."""

    check: RowCheck
    found: Found


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row with its checks and its verdict."""

    row: Row
    verdict: str
    checks: tuple[JudgedCheck, ...]

    @property
    def as_known(self) -> bool:
        """Whether the verdict is the one that is known of the row."""
        return self.verdict == self.row.known

    @property
    def words(self) -> str:
        """The verdict in words: "holds when …" with its condition."""
        return f"{self.verdict} {self.row.condition}" if self.verdict == HOLDS_WHEN else self.verdict

    @property
    def counterexample(self) -> JudgedCheck | None:
        """The first check that has a counterexample, those by the letter first."""
        found = [judged for judged in self.checks if judged.found.counterexample]
        return min(found, key=lambda judged: judged.check.expect is not Expect.AS_PRINTED, default=None)


def judge(rows: Sequence[Row], results: Mapping[str, Results]) -> list[JudgedRow]:
    """Judge *rows* by the *results* of each source."""
    return [_judged(row, results) for row in rows]


def verdict_of(checks: Sequence[JudgedCheck]) -> str:
    """Return the verdict that *checks* show.

    A statement that is tried by the letter and fails there fails as printed, if what its other checks say holds.  One that
    holds, and fails where an assumption is left out, holds when that is made.  Whatever else fails makes it fail too; what
    is open or was not run leaves it open; and where nothing could run it is skipped.
    """
    held = [c for c in checks if c.check.expect is Expect.HOLDS]
    printed = [c for c in checks if c.check.expect is Expect.AS_PRINTED]
    without = [c for c in checks if c.check.expect is Expect.WITHOUT]
    if any(c.found.holds is False for c in held):
        return "fails"
    skipped = [c for c in checks if c.found.skipped]
    if skipped and len(skipped) == len(checks):
        return SKIPPED
    if any(c.found.holds is None and not c.found.skipped for c in checks):
        return INCONCLUSIVE
    if any(c.found.holds is False for c in printed):
        return FAILS
    if not any(c.found.holds is True for c in (*held, *printed)):
        return INCONCLUSIVE
    if any(c.found.holds is True for c in without):
        return "fails"  # what should be needed is not: the row says too much
    return HOLDS_WHEN if without else HOLDS


def _judged(row: Row, results: Mapping[str, Results]) -> JudgedRow:
    alone = f"xpgcheck paper --claim {row.id}"
    checks = []
    for check in row.checks:
        finished = results.get(check.source)
        found = source(check.source).look(finished, check.item) if finished else Found(None, "not run")
        checks.append(JudgedCheck(check, replace(found, command=found.command or alone)))
    return JudgedRow(row, verdict_of(checks), tuple(checks))


def exit_status(rows: Sequence[JudgedRow]) -> int:
    """Return 1 if a verdict is another than the known one, else 3 if one is open, else 2 if all were skipped, else 0."""
    if any(not row.as_known and row.verdict not in (INCONCLUSIVE, SKIPPED) for row in rows):
        return 1
    if any(row.verdict == INCONCLUSIVE for row in rows):
        return 3
    return 2 if rows and all(row.verdict == SKIPPED for row in rows) else 0
