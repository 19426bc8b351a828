"""The report for people who read text: the terminal and GitHub's Markdown."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from gate_report_samples import CLAIMS, full_report, hostile_report, judged_claims, right_report
from rich.console import Console

from xpgcheck.gate.reports import console, finding_texts, markdown, summary
from xpgcheck.gate.results import Report
from xpgcheck.reports import markdown as markdown_text


def printed(report: Report, width: int = 140) -> str:
    stream = io.StringIO()
    console.print_report(report, Console(file=stream, width=width))
    return stream.getvalue()


def test_the_samples_have_the_verdicts_that_they_say() -> None:
    pairs = zip(CLAIMS, judged_claims(), strict=False)
    assert [(judged.verdict, judged.outcome) for _, (_, judged) in pairs] == [(v, v.outcome) for _, _, v in CLAIMS]


def problems_of_text(report: Report, text: str) -> list[str]:
    """Return what a text lacks of what must be said of *report*."""
    expected = [report.subject or report.title, report.again, summary.verdict_line(report)]
    for finding in report.findings:
        expected += [f"{finding.about}: {finding.verdict}", finding.text]
        expected += [f"xpgcheck replay '{finding.file}'"] if finding.file else []
    return [item for item in expected if item not in text]


def problems_of_counts(report: Report, text: str) -> list[str]:
    """Return the counts that a list of counts lacks."""
    rows = [f"{verdict} {count:,}" for (_, verdict), count in report.counts.items()]
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [row for row in rows if not any(line.endswith(row) for line in lines)]


def test_the_terminal_says_everything() -> None:
    report = full_report()
    text = printed(report)
    assert problems_of_text(report, text) == []
    assert text.splitlines()[-1] == (
        "VIOLATED: 231 claims on 1,003 cases, 3 properties, 16 kinds of violation, 22 inconclusive, 2 bad lines, "
        "not judged, as declined: cxp_inside"
    )
    for expected in (
        "my_explainer:Explainer 1.2",
        "Declined as unsupported: cxp_inside 40 times",
        "a separate question",
        "property no_axp_is_missed: failed 2, held 1,100",
        "property every_cxp_is_one: open 1, held 4 (too many cells)",
        "1 property held (9 times), 1 without a case",
        "needless {Income}",
        "right AXp {Age, Credit}",
        "missing CXp {Credit}",
        "at fault {Age, Credit}",
        "open the solver timed out",
        "|--- Student = N",
        "instance: Age=O, Income=L, Student=Y, Credit=P (class T)",
        "Traceback (most recent call last):",
        "claims.jsonl: line 3: there is no feature 'x'; name one",
        "… and 1 more",
    ):
        assert expected in re.sub(" +", " ", text), expected
    assert re.search(r"witness +Age=O, .*Credit=E \(class L\)$", text, re.MULTILINE)


def test_a_narrow_terminal_gets_a_row_for_each_count() -> None:
    report = full_report()
    wide, narrow = printed(report, 240), printed(report, 80)
    assert re.search(r"^asked +AXp +CXp +complete", wide, re.MULTILINE)
    assert re.search(r"^asked +verdict +claims$", narrow, re.MULTILINE)
    assert problems_of_counts(report, narrow) == []


def test_colours_say_what_is_right_and_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = io.StringIO()
    console.print_report(full_report(), Console(file=stream, width=140, force_terminal=True, color_system="standard"))
    text = stream.getvalue()
    assert re.search(r"\x1b\[32mAXp", text)
    assert re.search(r"\x1b\[1;31mredundant", text)
    assert "\x1b[1;31mVIOLATED" in text


def test_nothing_in_a_name_reaches_the_terminal() -> None:
    text = printed(hostile_report())
    assert {c for c in text if not c.isprintable()} == {"\n"}
    assert "\\u001b[31mred" in text


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({}, "HOLDS"),
        ({"bad_count": 1}, "BAD INPUT"),
        ({"counts": {("axp", "inconclusive"): 1}}, "INCONCLUSIVE"),
        ({"counts": {("axp", "inconclusive"): 1}, "bad_count": 1}, "BAD INPUT"),
        ({"counts": {("axp", "redundant"): 1}, "bad_count": 1}, "VIOLATED"),
        ({"counts": {("AXp", "AXp"): 0}}, "NOTHING CHECKED"),
    ],
)
def test_the_verdict_line_is_no_better_than_the_report(change: dict[str, object], word: str) -> None:
    report = right_report()
    for key, value in change.items():
        if isinstance(value, dict):
            report.counts.clear()
            report.counts.update(value)
        else:
            setattr(report, key, value)
    line = summary.verdict_line(report)
    assert line.startswith(f"{word}: ")
    assert (word == "HOLDS") == (report.exit_status() == 0) or word == "NOTHING CHECKED"


def test_a_right_report_is_short() -> None:
    assert summary.verdict_line(right_report()) == ("HOLDS: 2 claims on 2 cases, 0 kinds of violation, 0 inconclusive")
    assert "Findings" not in markdown.markdown_report(right_report())


class Rendered(HTMLParser):
    """The elements and the text outside code of rendered Markdown."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []
        self.code: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("br", "hr", "img"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        (self.code if {"code", "pre"} & set(self._open) else self.text).append(data)


ALLOWED = {
    *("h2", "h3", "p", "strong", "em", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "pre", "code"),
}


def rendered(text: str) -> Rendered:
    markdown_it = pytest.importorskip("markdown_it", reason="rich brings it")
    page = Rendered()
    page.feed(markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text))
    page.close()
    return page


def problems_of_markdown(text: str) -> Iterator[str]:
    """Yield what a Markdown text holds that is not ours: elements, cells, mentions, links, emoji; and too many bytes."""
    if len(text.encode()) > markdown.MAX_BYTES:
        yield "too long"
    page = rendered(text)
    yield from sorted(set(page.tags) - ALLOWED)
    plain = "".join(page.text)
    yield from re.findall(r"@\w+|#\d+|\w+://\S+|www\.\w+|(?<!\S):\w+:", plain)
    for table in re.findall(r"^\|.*\n\| ---.*\n(?:\|.*\n)*", text, re.MULTILINE):
        cells = {line.count("|") for line in table.splitlines()}
        if len(cells) > 1:
            yield "a table with rows of different lengths"


def test_markdown_says_everything() -> None:
    report = full_report()
    text = markdown.markdown_report(report)
    assert list(problems_of_markdown(text)) == []
    page = rendered(text)
    words = "".join([*page.text, *page.code]).replace("\u200b", "")
    everything = re.sub(r"\s+", " ", "".join(words)) + " ".join(page.code)
    for expected in (f"{finding.about}: {finding.verdict}" for finding in report.findings):
        assert expected in everything
    assert page.tags.count("details") == len(report.findings) + 1
    assert all(f"xpgcheck replay '{finding.file}'" in page.code for finding in report.findings if finding.file)
    assert summary.verdict_line(report) in everything


def test_markdown_shows_hostile_names_as_they_are() -> None:
    text = markdown.markdown_report(hostile_report())
    assert list(problems_of_markdown(text)) == []
    shown = "".join(rendered(text).text).replace("\u200b", "")
    for name in (
        "<script>alert(1)</script>",
        "a|b`c``d*e_f[g](h)~~i~~$j$\\",
        "@octocat #1 https://evil.example",
        "&amp;",
    ):
        assert name in shown


def test_markdown_leaves_out_findings_rather_than_cutting_them() -> None:
    report = full_report()
    report.findings = report.findings * 20
    text = markdown.markdown_report(report)
    assert list(problems_of_markdown(text)) == []
    assert text.count("<details>") == text.count("</details>") > 20
    assert re.search(r"\*\d+ more parts are left out here", text)


@pytest.mark.parametrize(
    "text", ["`", "``", "a`b", "```", " ", "", "`a", "x" * 5_000, "~~~", "````text"], ids=lambda text: text[:8]
)
def test_code_is_shown_as_it_is(text: str) -> None:
    if text.strip():
        (shown,) = rendered(f"before {markdown_text.code(text)} after\n").code
        assert shown == text[:4_000] or shown.startswith(text[:3_000])
    block = rendered(f"{markdown_text.code_block([text, 'last'])}\n")
    assert "".join(block.code).endswith("last\n")
    assert block.tags == ["pre", "code"]


# Seeded bugs: each is caught by a check above.


def test_a_missing_replay_command_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = full_report()
    monkeypatch.setattr(finding_texts, "replay_command", lambda file: "")
    assert any("xpgcheck replay" in problem for problem in problems_of_text(report, printed(report)))


def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    report = full_report()
    right = summary.grid
    monkeypatch.setattr(console, "grid", lambda counts: right(dict.fromkeys(counts, 1)))
    assert "redundant 2" in problems_of_counts(report, printed(report, 80))


def test_names_that_are_not_escaped_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "escaped", lambda text, limit=400: text)
    assert {"script", "img"} <= set(problems_of_markdown(markdown.markdown_report(hostile_report())))


@pytest.mark.parametrize(("mutant", "problem"), [(r"[&<>\\`*_\[\]~$#@!^]", "rows"), (r"[|`]", "script")])
def test_a_character_that_is_not_escaped_is_noticed(monkeypatch: pytest.MonkeyPatch, mutant: str, problem: str) -> None:
    monkeypatch.setattr(markdown_text, "_SPECIAL", re.compile(mutant))
    found = list(problems_of_markdown(markdown.markdown_report(hostile_report())))
    assert any(problem in item for item in found), found


def test_mentions_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown_text, "_GAP", "")
    found = list(problems_of_markdown(markdown.markdown_report(hostile_report())))
    assert {"@octocat", "#1", "https://evil.example", "www.evil"} <= {*found}
