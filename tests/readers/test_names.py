"""Names: which are valid, how one is shown, and which one a text means."""

from __future__ import annotations

import pytest

from xpgcheck.errors import FormatError, InputError, is_plain, printable, shown
from xpgcheck.readers.names import NameLookup, check_name
from xpgcheck.reports.xml_text import xml_text

PERSIAN, RESEARCHER = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f52c"


@pytest.mark.parametrize("name", [PERSIAN, RESEARCHER, "PC\u200c\u0647\u0627", "a\u200db"])
def test_joiners_are_part_of_names(name: str) -> None:
    check_name("feature", name)


@pytest.mark.parametrize("text", [PERSIAN, RESEARCHER, "PC\u200c\u0647\u0627"])
def test_joiners_of_words_and_emoji_are_shown_as_they_are(text: str) -> None:
    assert is_plain(text)
    assert printable(text) == xml_text(text) == text
    assert shown(text) == f"'{text}'"


def test_joiners_that_nobody_would_see_are_escaped() -> None:
    assert not is_plain("age\u200d")
    assert printable("a\u200cge\u200d") == r"a\u200cge\u200d"
    assert xml_text("a\u200dge\n") == "a\ufffdge\n"


@pytest.mark.parametrize(
    "control", ["\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2069", "\u061c"]
)
def test_controls_of_the_direction_stay_refused(control: str) -> None:
    for name in (f"a{control}b", f"\u0645{control}\u200c\u062e"):
        with pytest.raises(FormatError, match="has a control character"):
            check_name("feature", name)
        assert not is_plain(name)
        assert control not in printable(name)


@pytest.mark.parametrize("name", ["\u200c", " \u200d\u200c "])
def test_joiners_alone_are_no_name(name: str) -> None:
    with pytest.raises(FormatError, match="is empty"):
        check_name("feature", name)


@pytest.mark.parametrize(
    ("names", "text", "position"),
    [
        (["a", " a"], " a", 1),
        (["a", " a"], "a", 0),
        ([" a"], "a  ", 0),
        (["a_b", "a b"], "a b", 1),
        (["_work_class"], " work class", 0),
        (["work_class"], " work class ", 0),
        (["work class"], "work_class", 0),
        (["a"], "A", None),
        (["a", "b"], "", None),
    ],
)
def test_the_nearest_name_is_meant(names: list[str], text: str, position: int | None) -> None:
    assert NameLookup(names).position(text) == position


def test_a_text_that_could_be_several_names() -> None:
    with pytest.raises(InputError, match=r"^'a' could be any of ' a', 'a '; write the name as one of them"):
        NameLookup([" a", "a "]).position("a")
    with pytest.raises(InputError, match=r"^'a b c' could be any of 'a_b c', 'a b_c'"):
        NameLookup(["a_b c", "a b_c"]).position("a b c")
