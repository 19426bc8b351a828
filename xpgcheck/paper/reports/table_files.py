"""The tables of a run as files: CSV for programs, and LaTeX (with ``booktabs``) for a paper."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.paper.judging import JudgedRow
from xpgcheck.writers.atomic import write_atomically

CLAIMS = ("id", "place", "verdict", "checks")

LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "×": r"$\times$",
    "Σ₂ᵖ": r"$\Sigma_2^p$",
    "≠": r"$\neq$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
}
"""The characters that LaTeX reads as something else, and those that its fonts lack."""


def write_tables(folder: Path, rows: Sequence[JudgedRow]) -> list[Path]:
    """Write ``claims`` and the table of each check that has one into *folder*, each as CSV and as LaTeX; return the files.

    A table is called by its row, as ``table-1``; further tables of the row have a number.  Raises ``InputError`` where the
    folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"it cannot be made ({error.strerror})", place=str(folder), mend="name another") from None
    claims = [[row.row.id, row.row.place, row.words, _checks(row)] for row in rows]
    files = _write(folder / "claims", CLAIMS, claims)
    for row in rows:
        shown = [check.found.details for check in row.checks if _heads(check.found.details)]
        for number, details in enumerate(shown, 1):
            heads = _heads(details)
            name = row.row.id if number == 1 else f"{row.row.id}-{number}"
            files += _write(folder / name, heads, [[_cell(line.get(head)) for head in heads] for line in details])
    return files


def csv_text(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([heads, *lines])
    return text.getvalue()


def latex_text(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    r"""Return a table as a ``tabular`` with the rules of ``booktabs``; columns of numbers stand to the right."""
    columns = [[line[k] for line in lines] for k in range(len(heads))]
    aligned = "".join("r" if all(map(_is_number, column)) else "l" for column in columns)
    body = [" & ".join(map(_latex, line)) + r" \\" for line in (heads, *lines)]
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{aligned}}}",
            r"\toprule",
            body[0],
            r"\midrule",
            *body[1:],
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _write(path: Path, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> list[Path]:
    files = [path.with_name(f"{path.name}{ending}") for ending in (".csv", ".tex")]
    for file, text in zip(files, (csv_text(heads, lines), latex_text(heads, lines)), strict=True):
        write_atomically(file, text)
    return files


def _heads(details: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the columns of *details* whose values are plain."""
    first = details[0] if details else {}
    return [head for head, value in first.items() if not isinstance(value, (dict, list))]


def _checks(row: JudgedRow) -> str:
    return ", ".join(dict.fromkeys(check.check.source for check in row.checks))


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def _latex(text: str) -> str:
    return re.sub("|".join(map(re.escape, LATEX)), lambda found: LATEX[found[0]], text)
