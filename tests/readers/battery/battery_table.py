"""The table of the document: what each reader does with each case, and why a format cannot have one."""

from __future__ import annotations

from collections.abc import Sequence

from battery_cases import Case
from battery_reader import Reader


def table(readers: Sequence[Reader], cases: Sequence[Case]) -> str:
    """Return the table and the reasons as Markdown."""
    numbers: dict[str, int] = {}
    rows = []
    for case in cases:
        cells = []
        for reader in readers:
            reason = reader.cannot.get(case.name)
            if reason is not None:
                cells.append(f"– ({numbers.setdefault(reason, len(numbers) + 1)})")
            else:
                cells.append("refused" if case.name in reader.refused else "read")
        rows.append(f"| {case.name} | {' | '.join(cells)} |")
    head = f"| case | {' | '.join(reader.name for reader in readers)} |"
    reasons = [f"{number}. {reason[0].upper()}{reason[1:]}." for reason, number in numbers.items()]
    return "\n".join([head, "| --- " * (len(readers) + 1) + "|", *rows, "", *reasons, ""])
