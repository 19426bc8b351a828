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


PAGE = """# Edge cases of the readers

Every reader passes one battery of edge cases, in `tests/readers/battery`.
A little abstract tree is written in the format by hand, without the library where that is possible, and read back.
At every point κ must be what a plain evaluation of the tree says, by the comparison that the source documents.

* **read**: the model is read, and κ is right at every point asked.
  A file that is cut off, or says something twice, is not read.
* **refused**: one line names the place, the problem and the fix.
  An infinite, a missing or an unknown cell is refused when an instance is read.
* **–**: the format cannot have the case; the number is that of the reason below the table.

"""


def page(readers: Sequence[Reader], cases: Sequence[Case]) -> str:
    """Return the page of the site on the edge cases."""
    return PAGE + table(readers, cases)
