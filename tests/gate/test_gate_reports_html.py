"""The report as a page: complete, well formed, alone in the world, and safe whatever names it shows."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from typing import Any

import jinja2
import pytest
from gate_report_pages import Page, problems_of_content, problems_of_page
from gate_report_samples import (
    HOSTILE,
    LEGAL,
    conditions_report,
    full_report,
    hostile_report,
    right_report,
)

from xpgcheck.claims.documents import parse_judged_case
from xpgcheck.drawing.colours import luminance
from xpgcheck.errors import MissingPackageError
from xpgcheck.gate.reports import html, html_finding
from xpgcheck.gate.reports.html import html_report
from xpgcheck.gate.results import Report
from xpgcheck.properties.corpus import parse_case
from xpgcheck.reports import pages


def legal_report() -> Report:
    return hostile_report(LEGAL)


@functools.cache
def page_of(make: Callable[[], Report]) -> str:
    return html_report(make())


@pytest.mark.parametrize("make", [full_report, right_report, conditions_report, hostile_report, legal_report])
def test_the_page_is_well_formed_and_alone(make: Any) -> None:
    assert list(problems_of_page(page_of(make))) == []


@pytest.mark.parametrize("make", [full_report, right_report, conditions_report])
def test_the_page_refers_to_nothing(make: Any) -> None:
    text = page_of(make)
    assert re.findall(r"https?:|//\w|\bsrc\b ?=|url\(|<script|<link|<iframe|javascript:", text, re.IGNORECASE) == []


@pytest.mark.parametrize("make", [full_report, right_report])
def test_the_page_says_everything_the_same_each_time(make: Any) -> None:
    report = make()
    text = html_report(report)
    assert problems_of_content(report, text) == []
    assert text == page_of(make)


def article(text: str, verdict: str) -> str:
    """Return the article of the first finding with that verdict."""
    articles = re.findall(r"<article.*?</article>", text, re.DOTALL)
    return next(item for item in articles if f": {verdict} " in item.partition("</h3>")[0])


def test_a_finding_has_its_evidence() -> None:
    text = page_of(full_report)
    redundant = article(text, "redundant")
    assert '<span class="member needless"><bdi>Income</bdi> <small>needless</small></span>' in redundant
    assert "can be reached, and all terminals there have one class" in redundant
    insufficient = article(text, "insufficient")
    words = Page(insufficient).text
    assert "≠ " in words
    assert "class T L" in words  # the instance's, and the witness's
    assert re.search(r"right AXp Age ?Credit", words)
    assert re.search(r"missing CXp (Age|Credit)", Page(article(text, "incomplete")).text)
    assert "Traceback (most recent call last): boom" in Page(article(text, "crash")).text
    assert "claim no answer: ValueError: no path" in Page(article(text, "crash")).text
    assert "stayed open the solver timed out" in Page(article(text, "inconclusive")).text


def test_the_picture_shows_the_claim() -> None:
    text = page_of(full_report)
    insufficient = article(text, "insufficient")
    assert 'data-state="path' in insufficient
    assert "AXp: Age fixed, the other 3 features free; class L is reached" in insufficient
    assert "what the claimed AXp {Age} leaves open" in insufficient
    assert re.search(r"what the missing CXp \{(Age|Credit)\} leaves open", article(text, "incomplete"))
    assert "The decision graph with the path of the instance (thick)." in article(text, "crash")


def test_a_verdict_is_said_in_words_and_signs_too() -> None:
    page = Page(page_of(full_report))
    for words in ("✗ VIOLATED", "✓ right", "✗ wrong", "? open", "✗ violated", "? inconclusive"):
        assert words in page.text


PAIRS = (
    *(("ink", paper) for paper in ("paper", "panel", "chip", "good-paper", "bad-paper", "open-paper")),
    *(("soft", paper) for paper in ("paper", "chip")),
    *(("good", "good-paper"), ("bad", "bad-paper"), ("open", "open-paper"), ("mark-ink", "mark")),
    *((text, "paper") for text in ("good", "bad", "open", "link")),
    ("bad", "chip"),
)
"""Texts and what they stand on, in the style sheet."""


def test_texts_can_be_read_by_day_and_by_night() -> None:
    """WCAG 2, level AA: a contrast of at least 4.5 to 1."""
    style = re.search(r"<style>(.*?)</style>", page_of(right_report), re.DOTALL)
    assert style is not None
    schemes = re.findall(r":root \{(.*?)\}", style[1], re.DOTALL)
    assert len(schemes) == 2
    for scheme in schemes:
        colours = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", scheme))
        for text, paper in PAIRS:
            lights = sorted((luminance(colours[text]), luminance(colours[paper])))
            assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5, (text, paper)


def test_without_the_extra_the_graph_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise MissingPackageError("graphlay is not installed", mend="pip install 'xpgcheck[draw]'")

    monkeypatch.setattr("xpgcheck.drawing.api.draw", missing)
    text = html_report(full_report())
    assert list(problems_of_page(text)) == []
    assert "<svg" not in text
    words = Page(article(text, "redundant")).text
    assert "|--- Student = N" in words
    assert "graphlay is not installed; pip install 'xpgcheck[draw]'" in words


def test_the_json_on_the_page_can_be_replayed() -> None:
    """Copied from the page into a file, it is the saved case."""
    report = legal_report()
    blocks = re.findall(r"<pre[^>]*>(\{.*?)</pre>", html_report(report), re.DOTALL)
    assert len(blocks) == len(report.findings)
    for block, finding in zip(blocks, report.findings, strict=True):
        case = parse_judged_case("".join(data for _, data in Page(f"<pre>{block}</pre>").texts).encode())
        assert case.graph == finding.case.graph
        assert case.claims == tuple(item.claim for item in finding.judged)
    report = full_report()
    report.findings = [finding for finding in report.findings if finding.is_property]
    (block,) = re.findall(r"<pre[^>]*>(\{.*?)</pre>", html_report(report), re.DOTALL)
    document = "".join(data for _, data in Page(f"<pre>{block}</pre>").texts)
    assert json.loads(document)["property"] == "no_axp_is_missed"
    with pytest.raises(Exception, match="no property is called"):
        parse_case(document.encode())


def test_a_page_over_conditions_names_them() -> None:
    page = Page(page_of(conditions_report))
    assert "petal width (cm) <= 1.75 true ≠ false" in page.text
    assert "taken over features (a separate question)" in page.text


def test_hostile_names_are_shown_as_they_are() -> None:
    page = Page(page_of(hostile_report))
    for name in HOSTILE[:4]:
        assert name in page.text
    assert "\\u001b[31mred\\u0007" in page.text
    assert "\\u202egnidaer" in page.text


def test_many_findings_are_cut_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_FINDINGS", 2)
    report = full_report()
    text = html_report(report)
    assert text.count("<article") == 2
    assert f"… and {len(report.findings) - 2} more, in the JSON report." in text


# Seeded bugs: each is caught by a check above.


def test_names_that_are_not_escaped_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    careless = pages.environment("xpgcheck.gate.reports").overlay(autoescape=False)
    monkeypatch.setattr(pages, "environment", lambda package: careless)
    found = set(problems_of_page(html_report(legal_report())))
    assert "<script>" in found
    assert any(item.startswith("img ") for item in found)


def mutated(monkeypatch: pytest.MonkeyPatch, template: str, old: str, new: str) -> None:
    """Change a text of a template."""
    environment = pages.environment("xpgcheck.gate.reports")
    assert environment.loader is not None
    sources = {name: environment.loader.get_source(environment, name)[0] for name in environment.list_templates()}
    assert old in sources[template]
    sources[template] = sources[template].replace(old, new)
    other = environment.overlay(loader=jinja2.DictLoader(sources))
    monkeypatch.setattr(pages, "environment", lambda package: other)


@pytest.mark.parametrize(
    ("template", "old", "new", "problem"),
    [
        ("finding.html.j2", "{{ member.name }}", "{{ member.name | safe }}", "<script>"),
        ("page.html.j2", "default-src 'none'; ", "", "no content security policy"),
        ("report.html.j2", "<caption>{{ caption }}</caption>", "", "a table without a caption"),
        ("style.css.j2", "* {", "@import 'https:'; * {", "@import"),
        ("finding.html.j2", "</article>", "", "</section> closes nothing"),
        ("finding.html.j2", '{{ item.number }}"', '"', "an id is given twice"),
    ],
)
def test_a_bad_page_is_noticed(
    monkeypatch: pytest.MonkeyPatch, template: str, old: str, new: str, problem: str
) -> None:
    mutated(monkeypatch, template, old, new)
    report = legal_report()
    report.findings = report.findings[:2]
    assert problem in set(problems_of_page(html_report(report)))


def test_a_missing_replay_command_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_finding, "replay_command", lambda file: "")
    report = full_report()
    found = problems_of_content(report, html_report(report))
    assert len(found) == sum(1 for finding in report.findings if finding.file)


def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    mutated(monkeypatch, "report.html.j2", "{{ n | number }}", "{{ (n + 1) | number }}")
    report = full_report()
    assert "2 redundant" in problems_of_content(report, html_report(report))
