"""DIMACS: what users write is read, what is wrong is refused in one line that names the line."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest
from odd_formulas import ODD, odd_formula

from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError
from xpgcheck.oracles.propositional.dimacs import (
    MAX_VARIABLES,
    dnf_text,
    parse_cnf,
)
from xpgcheck.oracles.propositional.formulas import Cnf, Dnf, cnf

SMALL = Cnf(3, ((1, -3), (2, 3, -1)))

READ_AS_SMALL = {
    "plain": b"p cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "no final newline": b"p cnf 3 2\n1 -3 0\n2 3 -1 0",
    "CRLF": b"p cnf 3 2\r\n1 -3 0\r\n2 3 -1 0\r\n",
    "CR": b"p cnf 3 2\r1 -3 0\r2 3 -1 0\r",
    "a comment first": b"c hello\nc\np cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "comments everywhere": b"c a\np cnf 3 2\nc b\n1 -3 0\nc c 0\n2 3\nc inside a clause\n-1 0\nc end",
    "a comment without a blank": b"comment\np cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "a comment that looks like clauses": b"p cnf 3 2\nc 1 2 0\n1 -3 0\n2 3 -1 0\n",
    "an indented comment": b"  c x\np cnf 3 2\n\tc x\n1 -3 0\n2 3 -1 0\n",
    "a clause over lines": b"p cnf 3 2\n1\n-3\n\n0 2\n3 -1 0\n",
    "clauses on one line": b"p cnf 3 2\n1 -3 0 2 3 -1 0\n",
    "half a clause on a line": b"p cnf 3 2\n1 -3 0 2 3\n-1 0\n",
    "0 on its own line": b"p cnf 3 2\n1 -3\n0\n2 3 -1\n0\n",
    "tabs and blanks": b"\tp\tcnf \t3  2 \n  1\t-3  0  \n\t2 3 -1 0\t\n",
    "blank lines": b"\n\np cnf 3 2\n\n1 -3 0\n\n2 3 -1 0\n\n\n",
    "SATLIB's end": b"p cnf 3 2\n1 -3 0\n2 3 -1 0\n%\n0\n\n",
    "SATLIB's end, CRLF": b"p cnf 3 2\r\n1 -3 0\r\n2 3 -1 0\r\n%\r\n0\r\n\r\n",
    "a byte order mark": b"\xef\xbb\xbfp cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "UTF-8 in a comment": "c φ = γ₁ ∧ γ₂\np cnf 3 2\n1 -3 0\n2 3 -1 0\n".encode(),
    "Latin-1 in a comment": b"c caf\xe9\np cnf 3 2\n1 -3 0\n2 3 -1 0\n",
    "leading zeros": b"p cnf 03 002\n01 -03 0\n2 3 -1 00\n",
    "1_000 and +1 in a comment": b"c 1_000 +1\np cnf 3 2\n1 -3 0\n2 3 -1 0\n",
}


@pytest.mark.parametrize("name", READ_AS_SMALL)
def test_what_users_write_is_read(name: str) -> None:
    assert parse_cnf(READ_AS_SMALL[name]) == SMALL


@pytest.mark.parametrize(
    ("data", "formula"),
    [
        (b"p cnf 0 0\n", cnf([])),
        (b"p cnf 7 0", cnf([], 7)),
        (b"p cnf 0 1\n0\n", cnf([()])),
        (b"p cnf 1 3\n0 0 0\n", cnf([(), (), ()], 1)),
        (b"p cnf 2 1\n1 1 -1 0\n", cnf([(1, 1, -1)], 2)),
        (b"p cnf 2 2\n1 2 0\n1 2 0\n", cnf([(1, 2), (1, 2)])),
    ],
)
def test_odd_formulas_are_kept_as_they_are(data: bytes, formula: Cnf) -> None:
    assert parse_cnf(data) == formula


REFUSED = {
    "empty": (b"", "line 1: the file is empty; write the header 'p cnf VARIABLES CLAUSES'"),
    "blank": (b" \n\r\n\t", "line 1: the file is empty; write"),
    "comments alone": (b"c a\nc b\n", "line 2: there is no header; write"),
    "no header": (b"1 2 0\n", "line 1: '1 2 0' stands before the header; write"),
    "a header after a clause": (b"c\n1 0\np cnf 1 1\n", "line 2: '1 0' stands before the header"),
    "wcnf": (b"c\np wcnf 1 1 5\n5 1 0\n", "line 2: the header is of another kind: 'p wcnf 1 1 5'; give a file with"),
    "dnf": (b"p dnf 1 1\n1 0\n", "line 1: the header is of another kind: 'p dnf 1 1'"),
    "CNF": (b"p CNF 1 1\n1 0\n", "line 1: the header is of another kind: 'p CNF 1 1'"),
    "p alone": (b"p\n", "line 1: the header is malformed: 'p'; write the header"),
    "one number": (b"p cnf 3\n", "line 1: the header is malformed: 'p cnf 3'"),
    "three numbers": (b"p cnf 1 1 1\n1 0\n", "line 1: the header is malformed: 'p cnf 1 1 1'"),
    "a negative number": (b"p cnf -1 1\n1 0\n", "line 1: the header is malformed"),
    "words": (b"p cnf three two\n", "line 1: the header is malformed"),
    "a long number": (b"p cnf " + b"9" * 1_000_000 + b" 1\n", "line 1: the header is malformed: 'p cnf 9"),
    "glued": (b"pcnf 1 1\n1 0\n", "line 1: 'pcnf 1 1' stands before the header"),
    "two headers": (b"p cnf 1 1\nc\np cnf 1 1\n1 0\n", "line 3: a second header; take it out"),
    "too many variables": (b"p cnf 10000001 1\n1 0\n", "line 1: the header declares 10000001 variables, the limit is"),
    "over the variables": (b"p cnf 2 1\n1\n3 0\n", "line 3: literal 3 is not over the 2 declared variables; correct"),
    "under them": (b"p cnf 1 1\n-2 0\n", "line 2: literal -2 is not over the 1 declared variable; correct"),
    "no variables": (b"p cnf 0 1\n1 0\n", "line 2: literal 1 is not over the 0 declared variables"),
    "a long literal": (
        b"p cnf 2 1\n1 -" + b"9" * 1_000_000 + b" 0\n",
        "line 2: a literal of 1000000 digits is not over",
    ),
    "a literal of 19 digits": (b"p cnf 2 1\n1234567890123456789 0\n", "line 2: "),
    "a word": (b"p cnf 2 1\n1 two 0\n", "line 2: 'two' is not an integer; write literals, and 0 at the end"),
    "a fraction": (b"p cnf 2 1\n1.0 0\n", "line 2: '1.0' is not an integer"),
    "an underscore": (b"p cnf 20 1\n1_0 0\n", "line 2: '1_0' is not an integer"),
    "a plus": (b"p cnf 2 1\n+1 0\n", "line 2: '+1' is not an integer"),
    "a minus alone": (b"p cnf 2 1\n- 1 0\n", "line 2: '-' is not an integer"),
    "two minuses": (b"p cnf 2 1\n--1 0\n", "line 2: '--1' is not an integer"),
    "another script's digit": ("p cnf 2 1\n١ 0\n".encode(), "line 2: '١' is not an integer"),
    "a comment behind a clause": (b"p cnf 2 1\n1 0 c no\n", "line 2: 'c' is not an integer"),
    "no 0 at the end": (b"p cnf 2 2\n1 0\n1\nc\n2\n\n", "line 3: the clause that begins here has no 0 at its end; end"),
    "no 0 at SATLIB's end": (b"p cnf 2 1\n1 2\n%\n0\n", "line 2: the clause that begins here has no 0 at its end"),
    "no 0 between": (b"p cnf 2 2\n1 0 2\n-1\n", "line 2: the clause that begins here has no 0"),
    "too few": (b"c\np cnf 2 3\n1 0\n2 0\n", "line 2: the header declares 3 clauses, the file has 2; correct"),
    "none of one": (b"p cnf 2 1\n", "line 1: the header declares 1 clause, the file has 0"),
    "too few before %": (b"p cnf 2 2\n1 0\n%\n0\n", "line 1: the header declares 2 clauses, the file has 1"),
    "too many": (b"p cnf 2 1\n1 0\n\n2 0\n", "line 4: over the 1 clause that the header declares; correct"),
    "too many on a line": (b"p cnf 2 2\n1 0 2 0 1 0\n", "line 2: over the 2 clauses that the header declares"),
    "text after %": (b"p cnf 2 1\n1 0\n%\n0\n2 0\n", "line 5: '2 0' follows the line '%', which ends the file"),
    "NUL bytes": (b"p cnf 1 1\n1\0 0\n", "line 2: the file is not text: it holds a NUL byte"),
    "gzip": (b"\x1f\x8b\x08\x00abc", "line 1: this is a gzip file; unpack it first"),
    "xz": (b"\xfd7zXZ\x00", "line 1: this is a xz file"),
    "junk": (bytes(range(128, 256)) * 10, "line 1: '"),
    "UTF-16": ("p cnf 1 1\n1 0\n".encode("utf-16"), "line 1: the file is not text"),
    "a control character": (b"p cnf 1 1\n\x1b[2J 0\n", "line 2: '\\u001b[2J' is not an integer"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused_with_its_line(name: str) -> None:
    data, message = REFUSED[name]
    started = time.process_time()
    with pytest.raises(InputError) as caught:
        parse_cnf(data, "x.cnf")
    assert time.process_time() - started < 60
    text = str(caught.value)
    assert text.startswith(f"x.cnf: {message}")
    assert text.isprintable()
    assert len(text) < 250
    assert caught.value.mend
    assert type(caught.value) is (LimitError if name == "too many variables" else FormatError)
    assert caught.value.exit_status == 2


def test_as_many_variables_as_the_limit() -> None:
    assert parse_cnf(f"p cnf {MAX_VARIABLES} 0\n".encode()).variables == MAX_VARIABLES


def written(formula: Cnf, comments: Sequence[str] = ()) -> str:
    """Return a CNF as a DNF is written, but for its header."""
    return dnf_text(Dnf(formula.variables, formula.clauses), comments).replace("p dnf", "p cnf")


@pytest.mark.parametrize("name", ODD)
def test_what_is_written_is_read_back(name: str) -> None:
    formula = ODD[name]
    assert parse_cnf(written(formula, ["ψ", ""]).encode()) == formula


def test_what_is_written() -> None:
    text = written(SMALL, ["two\nlines", "", "p cnf 9 9"])
    assert text == "c two\nc lines\nc\nc p cnf 9 9\np cnf 3 2\n1 -3 0\n2 3 -1 0\n"
    assert parse_cnf(text.encode()) == SMALL


def test_random_formulas_in_random_layouts_are_read_back() -> None:
    rng = random.Random(1)
    for _ in range(300):
        formula = odd_formula(rng)
        head, _, body = written(formula).partition("\n")
        words = []
        for word in body.split():
            words += [word, rng.choice([" ", "  ", "\t", "\n", "\r\n", "\n\nc 1 0\n", "\nc\r\n "])]
        assert parse_cnf(f"{head}\n{''.join(words)}".encode()) == formula


def refusal(data: bytes) -> XpgcheckError | None:
    try:
        parse_cnf(data)
    except XpgcheckError as error:
        return error
    return None


def test_random_bytes_end_in_a_formula_or_one_line() -> None:
    rng = random.Random(2)
    good = READ_AS_SMALL["comments everywhere"]
    refused = 0
    for _ in range(3_000):
        data = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(data))
            data[place : place + rng.randint(0, 2)] = bytes(rng.choices(b"0123-c p%\n\r\0_+\xff", k=rng.randint(0, 3)))
        error = refusal(bytes(data))
        if error is not None:
            refused += 1
            assert "line " in error.place
            assert str(error).isprintable()
    assert 500 < refused < 2_990


@pytest.mark.slow
@pytest.mark.parametrize("separator", ["\n", " "])
def test_many_clauses_take_seconds(separator: str) -> None:
    rng = random.Random(3)
    clauses = [tuple(rng.choice((1, -1)) * rng.randint(1, 200_000) for _ in range(3)) for _ in range(200_000)]
    body = separator.join(" ".join(map(str, (*clause, 0))) for clause in clauses)
    data = f"p cnf 200000 200000\n{body}\n".encode()
    started = time.process_time()
    assert parse_cnf(data).clauses == tuple(clauses)
    assert time.process_time() - started < 10
