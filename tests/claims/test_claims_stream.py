"""Claims files as bytes: lines, header, and every way in which a line can be wrong."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest

from xpgcheck import embedded
from xpgcheck.claims.stream import MAX_LINE, ClaimLine, decode_line, header_of, raw_lines
from xpgcheck.errors import FormatError, LimitError, XpgcheckError
from xpgcheck.readers.instances import read_point

CLAIM = b'{"instance": [1, 2], "claim": "AXp", "features": ["a", 1]}'


def lines_of(data: bytes, max_line: int = MAX_LINE) -> list[tuple[int, bytes | XpgcheckError]]:
    return list(raw_lines(io.BytesIO(data), max_line))


def test_lines_are_numbered_and_blank_ones_left_out() -> None:
    assert lines_of(b"\xef\xbb\xbfone\r\n\n  \t\r\ntwo\nthree") == [(1, b"one"), (4, b"two"), (5, b"three")]
    assert lines_of(b"") == lines_of(b"\n\r\n") == []
    # A byte order mark is one at the beginning only.
    assert lines_of(b"a\n\xef\xbb\xbfb\n") == [(1, b"a"), (2, b"\xef\xbb\xbfb")]


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_limit_of_a_line(end: bytes) -> None:
    assert lines_of(b"x" * 10 + end + b"y\n" * bool(end), 10)[0] == (1, b"x" * 10)
    for length in (11, 12, 13, 1_000):
        found = lines_of(b"x" * length + end + (b"y\n" if end else b""), 10)
        assert found[0][0] == 1
        assert isinstance(found[0][1], LimitError)
        assert str(found[0][1]) == "the line has over 10 bytes; split the claim, or write it shorter"
        assert found[1:] == ([(2, b"y")] if end else [])


def test_a_line_with_all_its_fields() -> None:
    line = decode_line(
        b'{"model": "m.json", "id": 7, "subject": "s", "instance": {"a": 0.10}, "claim": "CXp", "features": null}'
    )
    assert isinstance(line, ClaimLine)
    assert (line.model, line.id, line.subject, line.instance, line.features) == ("m.json", 7, "s", {"a": "0.10"}, None)


def test_numbers_are_read_exactly() -> None:
    features = embedded.load("iris").graph.features
    digits = "0.100000000000000000000000000000000001"
    line = decode_line(b'{"instance": [%s, 1e-1, 1, "1/10"], "claim": "AXp", "features": []}' % digits.encode())
    assert isinstance(line.instance, list)
    assert line.instance[0] == digits, "no digit is lost before the domain decides"
    assert read_point(features, line.instance)[1] == Fraction(13421773, 134217728), "binary32"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "the JSON breaks off; "),
        (b"claim", "column 1: this is not JSON ("),
        (b'{"a" 1}', "column 6: this is not JSON ("),
        (b"[]", "this is of type array; write a value of type object"),
        (b"3", "this is of type int; write a value of type object"),
        (CLAIM[:-1] + b', "extra": 1}', "the field 'extra' is unknown; remove it or correct its name"),
        (b'{"claim": "AXp", "features": []}', "the field 'instance' is missing; add it"),
        (b'{"instance": []}', "the field 'claim' is missing; add it"),
        (CLAIM.replace(b'"AXp"', b"1"), "claim: this is of type int; write a value of type str"),
        (CLAIM.replace(b"[1, 2]", b'"x"'), "instance: this is of type str; write a value of type object or array"),
        (CLAIM.replace(b'"a"', b"1.5"), "features[0]: this is of type "),
        (CLAIM.replace(b'"a"', b"true"), "features[0]: this is of type bool; write a value of type int or str"),
        (CLAIM.replace(b"[1,", b"[NaN,"), "NaN and infinities are not JSON numbers; "),
        (CLAIM.replace(b"[1,", b"[-Infinity,"), "NaN and infinities are not JSON numbers; "),
        (CLAIM.replace(b'"a"', b'"\xff"'), "the line is not UTF-8 text; save the file as UTF-8"),
        ("{}".encode("utf-16"), "the line is not UTF-8 text; save the file as UTF-8"),
        (CLAIM[:-1] + b', "claim": "CXp"}', "the key 'claim' is written twice; write each key once"),
        (CLAIM.replace(b"[1, 2]", b'{"a": 1, "a": 2}'), "the key 'a' is written twice; write each key once"),
        (CLAIM.replace(b"[1, 2]", b'{"a": 1, "\\u0061": 2}'), "the key 'a' is written twice; write each key once"),
        (CLAIM.replace(b"[1, 2]", b"[" * 100_000), "the JSON is nested too deeply; "),
        (CLAIM.replace(b"[1, 2]", b'{"a":' * 100_000), "the JSON is nested too deeply; "),
        (CLAIM.replace(b"[1, 2]", b"[" + b"9" * 5_000 + b"]"), ""),
        (CLAIM + CLAIM, "column "),
        (b'{"format": "xpgcheck-claims", "version": 1}', "a header after the first line; remove it"),
    ],
)
def test_a_bad_line_is_refused_in_one_line(data: bytes, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        decode_line(data)
    text = str(caught.value)
    assert text.startswith(said)
    assert "\n" not in text
    assert "; " in text, "the remedy"


def test_the_header() -> None:
    header = header_of(b'{"format": "xpgcheck-claims", "version": 1, "subject": "s"}')
    assert header is not None
    assert header.subject == "s"
    assert header_of(CLAIM) is None
    assert header_of(b"nonsense") is None, "the line itself is refused later"
    for data, said in (
        (b'{"format": "decision-graph", "version": 1}', "the format is 'decision-graph'; "),
        (b'{"format": "xpgcheck-claims", "version": 2}', "the version is 2; the version that is read is 1"),
        (b'{"format": "xpgcheck-claims"}', "the field 'version' is missing; add it"),
        (b'{"format": "xpgcheck-claims", "version": 1, "x": 1}', "the field 'x' is unknown"),
    ):
        with pytest.raises(FormatError, match=said):
            header_of(data)
