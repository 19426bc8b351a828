"""The part of UBJSON that XGBoost writes: values, typed arrays, and damage."""

from __future__ import annotations

from typing import Any

import pytest

from xpgcheck.errors import FormatError
from xpgcheck.readers.ubjson import MAX_DEPTH, decode


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"i\xff", -1),
        (b"U\xff", 255),
        (b"I\xff\xfe", -2),
        (b"l\0\0\1\0", 256),
        (b"L\0\0\0\1\0\0\0\0", 2**32),
        (b"d\x3f\x80\0\0", 1.0),
        (b"D\x3f\xf0\0\0\0\0\0\0", 1.0),
        (b"SU\x02\xc3\xa9", "é"),
        (b"Z", None),
        (b"T", True),
        (b"F", False),
        (b"[]", []),
        (b"[U\x01[T]]", [1, [True]]),
        (b"[$U#U\x03\1\2\3", [1, 2, 3]),
        (b"[$d#L\0\0\0\0\0\0\0\1\x3f\x80\0\0", [1.0]),
        (b"[#U\x02TF", [True, False]),
        (b"{}", {}),
        (b"{U\x01aU\x05i\x01bZ}", {"a": 5, "b": None}),
    ],
)
def test_values(data: bytes, value: Any) -> None:
    found = decode(data)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"?",
        b"i",
        b"L\0\0",
        b"SU\x05abc",
        b"SL\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"Si\xffa",
        b"SU\x01\xff",
        b"[U\x01",
        b"[$U#U\x09\1",
        b"[$U#L\x7f\xff\xff\xff\xff\xff\xff\xff",
        b"[$?#U\x01a",
        b"[$UU\x01a",
        b"{U\x01a",
        b"{U\x01aZU\x01aZ}",
        b"{ZZ}",
        b"TT",
        b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2),
        b"[" * 100_000,
        b"[#L\x7f\xff\xff\xff\xff\xff\xff\xffT",
    ],
)
def test_damage_is_one_error_with_its_place(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"the UBJSON is damaged or cut off here") as caught:
        decode(data)
    assert caught.value.place.startswith("byte ")
