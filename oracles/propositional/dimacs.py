"""CNFs in DIMACS files, read; DNFs are written alike.

::

    c a comment
    p cnf 3 2          variables, clauses
    1 -3 0             a clause ends with 0
    2 3
    -1 0

A line whose first character other than a blank is ``c`` is a comment, wherever it stands; its text may be in any
encoding. Clauses may span lines and share them.  Lines end with LF, CRLF or CR.  SATLIB's files end with a line ``%``
and a line ``0``: what follows ``%`` has to be blank, a comment or that 0.  A DNF has ``p dnf`` and terms.

PySAT (1.9) reads CNFs too, but takes files without a header and with two, does not compare it with what follows, takes
no clause over two lines nor two on one, and names no line; so this reader is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from xpgcheck.errors import FormatError, LimitError, XpgcheckError, shown
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, Literals

MAX_VARIABLES = 10_000_000
"""Headers that declare more variables are refused: points and solvers take room for each."""

MAX_DIGITS = 18

_MEND = "write the header 'p cnf VARIABLES CLAUSES'"

_HEADER = re.compile(rb"p[ \t]+([a-z]+)[ \t]+([0-9]{1,18})[ \t]+([0-9]{1,18})")
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"PK\x03\x04": "zip"}
_MARK = b"\xef\xbb\xbf"


def parse_cnf(data: bytes, place: str = "<text>") -> Cnf:
    """Return the CNF that *data* holds; *place* goes in front of the line in errors.

    Raises ``FormatError`` with the line where *data* breaks the format, ``LimitError`` over ``MAX_VARIABLES``.  Linear.
    """
    try:
        return Cnf(*_formula(data))
    except XpgcheckError as error:
        raise error.at(place) from None


def dnf_text(formula: Dnf, comments: Sequence[str] = ()) -> str:
    """Return *formula* as a DNF in DIMACS' manner, *comments* first.  Linear."""
    lines = [f"c {line}".rstrip() for comment in comments for line in comment.splitlines() or [""]]
    lines.append(f"p dnf {formula.variables} {len(formula.terms)}")
    lines += [" ".join(map(str, (*term, 0))) for term in formula.terms]
    return "\n".join(lines) + "\n"


def _formula(data: bytes) -> tuple[int, tuple[Literals, ...]]:
    data = data.removeprefix(_MARK)
    if not data.strip():
        raise FormatError("the file is empty", place="line 1", mend=_MEND)
    for magic, packer in _PACKED.items():
        if data.startswith(magic):
            raise FormatError(f"this is a {packer} file", place="line 1", mend="unpack it first")
    zero = data.find(b"\0")
    if zero >= 0:
        line = len(data[: zero + 1].splitlines())
        raise FormatError("the file is not text: it holds a NUL byte", place=f"line {line}", mend="name a DIMACS file")
    lines = iter(enumerate(data.splitlines(), 1))
    header, variables, count = _header(lines)
    try:
        members = _clauses(lines, variables, count)
    except _BadLineError as error:
        raise FormatError(error.problem, place=f"line {error.line}", mend=error.mend) from None
    if len(members) < count:
        problem = f"the header declares {_counted(count, 'clause')}, the file has {len(members)}"
        raise FormatError(problem, place=f"line {header}", mend="correct the number or add the missing clauses")
    return variables, tuple(members)


def _header(lines: Iterator[tuple[int, bytes]]) -> tuple[int, int, int]:
    """Take *lines* up to the header; return its line, the variables and the number of clauses."""
    number = 0
    for number, raw in lines:
        line = raw.strip()
        if not line or line.startswith(b"c"):
            continue
        place = f"line {number}"
        if not re.match(rb"p\s", line + b" "):
            problem = f"{_quoted(line)} stands before the header"
            raise FormatError(problem, place=place, mend=_MEND)
        match = _HEADER.fullmatch(line)
        found = line.split()[1:2]
        if found and found[0] != b"cnf" and found[0].isalpha():
            problem = f"the header is of another kind: {_quoted(line)}"
            raise FormatError(problem, place=place, mend="give a file with the header 'p cnf …'")
        if not match:
            raise FormatError(f"the header is malformed: {_quoted(line)}", place=place, mend=_MEND)
        variables, count = int(match[2]), int(match[3])
        if variables > MAX_VARIABLES:
            problem = f"the header declares {variables} variables, the limit is {MAX_VARIABLES}"
            raise LimitError(problem, place=place, mend="number the variables without gaps")
        return number, variables, count
    raise FormatError("there is no header", place=f"line {number}", mend=_MEND)


def _clauses(lines: Iterator[tuple[int, bytes]], variables: int, count: int) -> list[Literals]:
    """Return the clauses on the lines after the header."""
    members: list[Literals] = []
    begun: list[int] = []
    start = line = 0
    try:
        for line, raw in lines:
            fields = raw.split()
            if not fields or fields[0].startswith(b"c"):
                continue
            if fields[0] == b"%":
                _check_end(lines)
                break
            values = _values(raw, fields, variables)
            # The common case: one clause, and its 0, a line.
            if not begun and values[-1] == 0 and values.count(0) == 1:
                members.append(tuple(values[:-1]))
            else:
                for value in values:
                    if value:
                        start = start if begun else line
                        begun.append(value)
                    else:
                        members.append(tuple(begun))
                        begun.clear()
            if len(members) > count:
                problem = f"over the {_counted(count, 'clause')} that the header declares"
                raise _BadLineError(problem, "correct the number or take the clause out")
    except _BadLineError as error:
        error.line = error.line or line
        raise
    if begun:
        raise _BadLineError("the clause that begins here has no 0 at its end", "end it with 0", start)
    return members


class _BadLineError(Exception):
    """A fault, and the line that it is at where that is known."""

    def __init__(self, problem: str, mend: str, line: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.mend = mend
        self.line = line


def _values(raw: bytes, fields: list[bytes], variables: int) -> list[int]:
    """Return the integers that *fields*, those of the line *raw*, stand for."""
    # int() is the fastest, but takes 1_000 and +1, and long numbers take it long.
    if b"_" in raw or b"+" in raw or (len(raw) > MAX_DIGITS and max(map(len, fields)) > MAX_DIGITS):
        return [_value(field, variables) for field in fields]
    try:
        values = list(map(int, fields))
    except ValueError:
        return [_value(field, variables) for field in fields]
    if max(values) > variables or min(values) < -variables:
        return [_value(field, variables) for field in fields]
    return values


def _value(text: bytes, variables: int) -> int:
    """Return the literal, or 0, that *text* stands for; say what is wrong with it otherwise."""
    if text == b"p":
        raise _BadLineError("a second header", "take it out")
    digits = text.removeprefix(b"-")
    if not digits.isdigit():
        raise _BadLineError(f"{_quoted(text)} is not an integer", "write literals, and 0 at the end")
    over = f"is not over the {_counted(variables, 'declared variable')}"
    if len(digits) > MAX_DIGITS:
        raise _BadLineError(f"a literal of {len(digits)} digits {over}", "correct it or the header")
    if int(digits) > variables:
        raise _BadLineError(f"literal {int(text)} {over}", "correct it or the header")
    return int(text)


def _check_end(lines: Iterator[tuple[int, bytes]]) -> None:
    for line, raw in lines:
        text = raw.strip()
        if text not in (b"", b"0") and not text.startswith(b"c"):
            raise _BadLineError(
                f"{_quoted(text)} follows the line '%', which ends the file", "take one of them out", line
            )


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _quoted(text: bytes) -> str:
    return shown(text[:200].decode("utf-8", "replace"), 40)
