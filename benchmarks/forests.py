"""``xpgcheck verify`` on the public corpus of forests: the published counts, and the time of a claim and of a question."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import Report, SkippedError, Target
from xpgcheck.claims.models import NamedModels
from xpgcheck.claims.stream import decode_line, opened, raw_lines
from xpgcheck.claims.verification import LineJudge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.paper.ensembles.published import PUBLISHED

METHOD = """\
Each log of forests/ in the folder that XPGCHECK_DATA names, one process, wall time without reading the model: every line \
is read, judged by clauses and boxes, and what is wrong comes with a right explanation. Counts are of lines that differ, as \
the publication (arXiv 2511.03169) counts; a question is one set of features, whether an oracle was asked or an earlier \
witness answered it. Witnesses: how many of those in the log are no points that show the claim."""

COLUMNS = (
    "log",
    "claims",
    "right",
    "redundant",
    "not even weak",
    "open",
    "bad witnesses",
    "s",
    "ms/claim",
    "ms/question",
)


CORPUS = (
    *("21_Lymphography.50", "29_Pima.3", "29_Pima.50", "33_skin.50", "heart-c.50", "ionosphere.50"),
    *("mofn-3-7-10.50", "sonar.50", "spectf.50", "twonorm.50", "xd6.4", "xd6.50"),
)
"""The forests of the corpus; the publication has more."""


class Judged(NamedTuple):
    """Results of one log."""

    counts: tuple[int, int, int]
    open: int
    bad_witnesses: int
    claims: int
    questions: int
    seconds: float


def run(forests: tuple[str, ...] = CORPUS, data: str | None = None) -> Report:
    """Judge the logs of *forests* in the folder *data* (else of ``XPGCHECK_DATA``) and compare with the publication."""
    folder = data or os.environ.get("XPGCHECK_DATA")
    if not folder or not Path(folder, "forests").is_dir():
        raise SkippedError("XPGCHECK_DATA does not name the folder of research data")
    report = Report("forests", METHOD, COLUMNS)
    logs: list[Judged] = []
    equal = 0
    for name in forests:
        for kind, published in zip(("axp", "cxp"), PUBLISHED[name][:2], strict=True):
            found = judged(Path(folder, "forests"), name, kind)
            logs.append(found)
            equal += found.counts == published
            row = f"{name}.{kind}", found.claims, *found.counts, found.open, found.bad_witnesses, found.seconds
            report.rows.append((*row, 1e3 * found.seconds / found.claims, 1e3 * found.seconds / found.questions))
    seconds, claims = sum(log.seconds for log in logs), sum(log.claims for log in logs)
    questions = sum(log.questions for log in logs)
    counts = [sum(column) for column in zip(*(log.counts for log in logs), strict=True)]
    row = "all", claims, *counts, sum(log.open for log in logs), sum(log.bad_witnesses for log in logs), seconds
    report.rows.append((*row, 1e3 * seconds / claims, 1e3 * seconds / questions))
    report.targets = [
        Target("logs with the published counts", equal, "≥", 2 * len(forests)),
        Target("seconds for all of them, one process", seconds, "<", 180),
        Target("ms a question, mean", 1e3 * seconds / questions, "<", 1),
    ]
    return report


def judged(folder: Path, name: str, kind: str) -> Judged:
    """Judge the lines of one log that differ from each other."""
    models = NamedModels([str(folder / f"{name}.json")])
    verdicts: Counter[str] = Counter()
    bad = questions = 0
    asked = Consensus.ask

    def counted(consensus: Consensus, fixed: object) -> object:
        nonlocal questions
        questions += 1
        return asked(consensus, fixed)  # type: ignore[arg-type]

    with opened(folder / f"{name}.{kind}.jsonl") as file, LineJudge(models, evidence=False) as judge:
        lines = list({line: decode_line(line) for _, line in raw_lines(file) if isinstance(line, bytes)}.values())
        Consensus.ask = counted  # type: ignore[method-assign,assignment]
        started = time.perf_counter()
        try:
            for line in lines:
                found = judge.judge(line)
                verdicts[found.judged.verdict.value] += 1
                bad += bool(found.witness)
        finally:
            Consensus.ask = asked  # type: ignore[method-assign]
        seconds = time.perf_counter() - started
    kinds = ("AXp", "redundant", "insufficient") if kind == "axp" else ("CXp", "redundant", "ineffective")
    counts = verdicts[kinds[0]], verdicts[kinds[1]], verdicts[kinds[2]]
    return Judged(counts, len(lines) - sum(counts), bad, len(lines), questions, seconds)
