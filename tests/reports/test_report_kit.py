"""The kit of reports: one word for what everything comes to, tables that do not read markup, documents that are JSON."""

from __future__ import annotations

import io
import json
import re
from typing import Literal

import pytest
from rich.console import Console
from rich.text import Text

from xpgcheck.judging.verdicts import Outcome
from xpgcheck.reports import terminal
from xpgcheck.reports.conclusion import Conclusion
from xpgcheck.reports.documents import document_text
from xpgcheck.reports.junit import junit_text, new_case, new_suite
from xpgcheck.reports.pages import page
from xpgcheck.reports.terminal import new_table, say


@pytest.mark.parametrize(
    ("found", "line", "status", "style"),
    [
        (Conclusion.of(0, 0), "HOLDS: 3 cases, 0 open", 0, "bold green"),
        (Conclusion.of(1, 1), "VIOLATED: 3 cases, 0 open", 1, "bold red"),
        (Conclusion.of(1, 0, asked=False), "VIOLATED: 3 cases, 0 open", 1, "bold red"),
        (Conclusion.of(0, 1), "INCONCLUSIVE: 3 cases, 0 open", 3, "bold yellow"),
        (Conclusion.of(0, 1, asked=False), "INCONCLUSIVE: 3 cases, 0 open", 3, "bold yellow"),
        (Conclusion.of(0, 0, asked=False), "NOTHING CHECKED: 3 cases, 0 open", 3, "bold yellow"),
        (Conclusion(Outcome.HOLDS, read=False), "BAD INPUT: 3 cases, 0 open", 2, "bold yellow"),
        (Conclusion(Outcome.INCONCLUSIVE, False, False), "BAD INPUT: 3 cases, 0 open", 2, "bold yellow"),
        (Conclusion(Outcome.VIOLATED, read=False), "VIOLATED: 3 cases, 0 open", 1, "bold red"),
    ],
)
def test_a_violation_comes_first_and_nothing_is_no_success(
    found: Conclusion, line: str, status: int, style: str
) -> None:
    assert (found.line("3 cases", "0 open"), found.status, found.style) == (line, status, style)


def printed(width: int) -> str:
    written = io.StringIO()
    console = Console(file=written, width=width)
    table = new_table(["name", "of"], ["n"], ["verdict"], narrowest=6)
    table.add_row(Text("[bold]a"), Text("b" * 20), "12,345", "holds")
    console.print(table)
    say(console, "[red]a line that is kept whole, however narrow the terminal is")
    return written.getvalue()


def test_texts_fold_and_numbers_do_not() -> None:
    lines = printed(34).splitlines()
    assert "12,345" in lines[2]
    assert "holds" in lines[2]
    assert len([line for line in lines if "bb" in line]) > 1


def test_nothing_is_read_as_markup_and_a_line_is_kept_whole() -> None:
    text = printed(34)
    assert "[bold]a" in printed(80)
    assert text.splitlines()[-1] == "[red]a line that is kept whole, however narrow the terminal is"


@pytest.mark.parametrize("style", [None, "truecolor"])
@pytest.mark.parametrize(("width", "name"), [(80, "x"), (80, "名" * 3), (24, "a name that does not fit")])
def test_a_long_table_looks_like_a_short_one(
    width: int, name: str, style: Literal["truecolor"] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [[f"{name}{number}", "[red]1", "yes", "–"] for number in range(9)]

    def shown(most: int) -> list[str]:
        monkeypatch.setattr(terminal, "LONG_TABLE", most)
        written = io.StringIO()
        console = Console(file=written, width=width, force_terminal=style is not None, color_system=style)
        terminal.print_table(console, rows, ["feature", "value"], ["some", "every"], 10)
        return written.getvalue().splitlines()

    long, short = shown(3), shown(9)
    # Where there are colours, rich begins and ends the style of each title on its own.
    assert long[1:] == short[1:]
    assert [re.sub("\x1b\\[[0-9;]*m", "", lines[0]) for lines in (long, short)] == [
        re.sub("\x1b\\[[0-9;]*m", "", short[0])
    ] * 2
    assert ("\x1b[1m" in long[0]) is ("\x1b[1m" in short[0]) is (style is not None)


def test_a_document_says_what_it_is_and_has_no_number_that_json_has_not() -> None:
    found = json.loads(document_text("some-format", 2, {"value": 1}))
    assert list(found) == ["format", "version", "xpgcheck", "value"]
    assert (found["format"], found["version"]) == ("some-format", 2)
    with pytest.raises(ValueError, match="JSON"):
        document_text("some-format", 2, {"value": float("nan")})


def test_a_case_fails_or_errs_or_is_skipped() -> None:
    from xml.etree import ElementTree

    cases = [
        new_case("a", "x", failed=True, erred=True, message="m", text="t\x01"),
        new_case("b", "x", erred=True, message="m"),
        new_case("c", "x", skipped="s", failed=True),
        new_case("d", "x", seconds=0.5),
    ]
    root = ElementTree.fromstring(junit_text("all", [new_suite("s", cases, 1.0, {"subject": "me", "version": ""})]))
    assert [[child.tag for child in case] for case in root.iter("testcase")] == [
        ["failure"],
        ["error"],
        ["skipped"],
        [],
    ]
    assert [item.get("name") for item in root.iter("property")] == ["subject"]
    (suite,) = root
    assert tuple(map(suite.get, ("tests", "failures", "errors", "skipped"))) == ("4", "1", "1", "1")


def test_a_page_without_a_value_is_refused() -> None:
    import jinja2

    with pytest.raises(jinja2.UndefinedError):
        page("xpgcheck.paper.reports", "paper.html.j2")
