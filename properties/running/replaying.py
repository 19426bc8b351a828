"""Replaying kept cases: each on the property that it was kept for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xpgcheck.errors import XpgcheckError
from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.corpus import read_corpus
from xpgcheck.properties.running.outcomes import Failure, Result
from xpgcheck.properties.running.trying import try_one
from xpgcheck.properties.subjects import subject_name


def replay_corpus(
    folder: Path, properties: Sequence[Property], subject: Any, seconds: float = DEFAULT_SECONDS
) -> tuple[Result, list[XpgcheckError]]:
    """Try each kept case of *folder* whose property is among *properties*; return what was found, and bad files.

    Raises ``FormatError`` where there is no such folder.
    """
    result = Result.of(p.name for p in properties)
    by_name = {p.name: p for p in properties}
    bad: list[XpgcheckError] = []
    for path, kept in read_corpus(folder):
        if isinstance(kept, XpgcheckError):
            bad.append(kept)
            continue
        if kept.property not in by_name:
            continue
        tally, violation = try_one(by_name[kept.property], kept.case, subject, seconds)
        result.tallies[kept.property].add(tally)
        result.cases += 1
        if violation is not None:
            name = subject_name(subject)
            origin = f"kept in {path.name}"
            result.findings.append(
                Failure(kept.property, name, violation.verdict, violation.evidence, kept.case, 0, origin)
            )
    return result, bad
