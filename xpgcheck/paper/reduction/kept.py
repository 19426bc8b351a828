"""Counterexamples to readings of the reduction as DIMACS files: the formula, and in comments what is claimed and fails.

``c reading: B`` names the claim, ``c clause: 2`` the clause (from 1) that is in no MUS though the claim says it is, and
``c point: 0 1`` the x₀, where the claim has one.
"""

from __future__ import annotations

import re
from pathlib import Path

from xpgcheck.errors import FormatError
from xpgcheck.oracles.propositional.dimacs import cnf_text, parse_cnf
from xpgcheck.paper.reduction.counterexamples import Claim, Counterexample, claim, claim_names


def kept_text(refuted: Claim, found: Counterexample) -> str:
    """Return the file of *found*, a counterexample to *refuted*."""
    comments = [f"reading: {refuted.name}", f"clause: {found.clause + 1}"]
    if found.point is not None:
        comments.append(f"point: {' '.join(str(int(value)) for value in found.point)}".rstrip())
    comments += [f"claimed: {refuted.statement}", "expected: the claim fails, as the clause is in no MUS"]
    return cnf_text(found.formula, comments)


def parse_kept(data: bytes, place: str = "<text>") -> tuple[Claim, Counterexample]:
    """Return the claim and the counterexample of a file.  Raises ``FormatError`` on a comment that lacks or is wrong."""
    formula = parse_cnf(data, place)
    noted = dict(re.findall(r"^c (\w+): *(.*?)\s*$", data.decode("utf-8", "replace"), re.MULTILINE))
    if noted.get("reading") not in claim_names():
        raise FormatError(
            "no reading is named", place=place, mend="'c reading: NAME' names one of " + ", ".join(claim_names())
        )
    clause = noted.get("clause", "")
    if not re.fullmatch("[0-9]{1,6}", clause) or not 0 < int(clause) <= len(formula.clauses):
        raise FormatError("no clause of the formula is named", place=place, mend="'c clause: 2' names one, from 1")
    values = noted["point"].split() if "point" in noted else None
    if values is not None and (len(values) != formula.variables or not set(values) <= {"0", "1"}):
        raise FormatError(
            "the point has not a 0 or 1 for each variable", place=place, mend="'c point: 0 1' has one each"
        )
    point = None if values is None else tuple(value == "1" for value in values)
    return claim(noted["reading"]), Counterexample(formula, int(clause) - 1, point)


def read_kept(path: Path) -> tuple[Claim, Counterexample]:
    """Return the claim and the counterexample of the file at *path*.  Raises what ``parse_kept`` does, and ``OSError``."""
    return parse_kept(path.read_bytes(), path.name)
