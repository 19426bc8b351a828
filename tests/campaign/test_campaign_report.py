"""The page of a campaign: well formed, nothing but itself, all that was found, with and without plots and pictures."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from campaign_samples import FULL, HOSTILE, PROPERTY, claim_finding, hostile, property_finding, result, written
from campaign_units import plan_of

from xpgcheck.campaign import plots, report
from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.report import html_report, write_report
from xpgcheck.errors import InputError, MissingPackageError

sys.path.append(str(Path(__file__).parents[1] / "gate"))
from gate_report_pages import ALLOWED, CSP, SVG_EMPTY, Page, problems_of_page

MEGABYTE = 1_000_000

# Tried with plots and without.
pytestmark = pytest.mark.extra

PLOTS = importlib.util.find_spec("matplotlib") is not None

needs_plots = pytest.mark.skipif(not PLOTS, reason="matplotlib is not installed")


def page_of(path: Path) -> str:
    with Journal.open(path, read_only=True) as journal:
        return html_report(journal)


def problems_of(text: str) -> list[str]:
    """Return what the page has that it must not have; drawings may have styles of their own, and refer to themselves."""
    known = ("<defs>", "<use>", "<clippath>", "<pattern>")
    found = [problem for problem in problems_of_page(text) if problem not in known]
    inside = re.compile(
        r"href (#plot-\d+-[\w.-]+)|(svg|path|text|use|rect|g) style=[^<>]*|<(path|use|rect)/>|<g/>|<text/>"
    )
    rest = [problem for problem in found if not inside.fullmatch(problem)]
    page = Page(text)
    ids = {attributes.get("id") for _, attributes in page.elements}
    for _, attributes in page.elements:
        for value in attributes.values():
            rest += [
                f"no element {name}"
                for name in re.findall(r"(?:url\()?#((?:plot|finding)-[\w.-]+)", value or "")
                if name not in ids
            ]
            rest += [value or "" for part in re.findall(r"url\(([^)]*)", value or "") if not part.startswith("#plot-")]
    return rest


@pytest.fixture
def without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise MissingPackageError("matplotlib is not installed", mend="pip install 'xpgcheck[report]'")

    monkeypatch.setattr(plots, "require_matplotlib", missing)


def test_it_shows_all_that_was_found(tmp_path: Path) -> None:
    text = page_of(written(tmp_path / "full.campaign.sqlite", FULL))
    assert problems_of(text) == []
    assert len(text) < MEGABYTE
    shown = Page(text).text
    for part in (
        "VIOLATED 40 cases in 4 units; 3 causes of 4 findings; 1 inconclusive",
        "Cases over time",
        "Sizes: non-terminals",
        "Explanations of an instance",
        "Times of answers",
        "Where the time goes",
        "35 held",
        "an_axp_suffices: out of time",
        f"1. {PROPERTY}: insufficient ✗ violated",
        "2 times, first in unit 1",
        "Try it again, after xpgcheck campaign export -o cases: xpgcheck properties run --subject ours",
        '"format": "property-case"',
    ):
        assert part in shown, part
    assert text.count("<article") == 3


def test_tables_stand_in_for_plots_and_say_why(tmp_path: Path, without_plots: None) -> None:
    text = page_of(written(tmp_path / "full.campaign.sqlite", FULL))
    assert problems_of(text) == []
    shown = Page(text).text
    assert "As tables: matplotlib is not installed; pip install 'xpgcheck[report]'." in shown
    assert "<details><summary>The numbers" not in text
    # Times of answers: nine of ten took less than 16 µs, one less than 33 ms.
    assert re.search(r"axp 40 16 µs 16 µs 32.8 ms", shown)
    assert "30–31 16 " in shown


@needs_plots
def test_plots_take_the_colours_of_the_page(tmp_path: Path) -> None:
    text = page_of(written(tmp_path / "full.campaign.sqlite", FULL))
    drawings = re.findall(r"<svg viewBox.*?</svg>", text, re.DOTALL)
    assert len(drawings) == 7
    for drawing in drawings:
        assert "var(--ink)" in drawing
        assert not re.search(r"#0[1-7]0|font-family|<style|<metadata", drawing)
    assert not any(name in text for name in plots.COLOURS)
    assert page_of(tmp_path / "full.campaign.sqlite") == text


@needs_plots
def test_a_name_in_a_plot_is_text_and_no_formula() -> None:
    from xpgcheck.campaign.figures import Bars, Figure

    bars = Bars((HOSTILE[:30], "$x^2$"), (1.0, 2.0), (None, None), "times", wide=True)
    drawing = plots.svg_of(Figure("t", "c", (), (), bars), 1)
    assert "&lt;/script&gt;&lt;img" in drawing
    assert "$x^2$" in drawing
    assert "<img" not in drawing


def test_pictures_are_those_of_the_extra_or_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_plots: None
) -> None:
    path = written(tmp_path / "full.campaign.sqlite", [result(0, (claim_finding(),)), result(1)])
    if importlib.util.find_spec("graphlay") is not None:
        assert '<div class="picture' in page_of(path)

    def missing(*_: object, **__: object) -> None:
        raise MissingPackageError("graphlay is not installed", mend="pip install 'xpgcheck[draw]'")

    from xpgcheck.drawing import api

    monkeypatch.setattr(api, "draw", missing)
    text = page_of(path)
    assert '<div class="picture' not in text
    assert "as text: graphlay is not installed; pip install" in Page(text).text
    assert problems_of(text) == []


def test_a_hostile_journal_is_only_text(tmp_path: Path) -> None:
    text = page_of(hostile(tmp_path / "hostile.campaign.sqlite"))
    assert problems_of(text) == []
    assert len(text) < MEGABYTE
    tags = {tag for tag, _ in Page(text).elements}
    assert tags <= ALLOWED | SVG_EMPTY | {"defs", "use", "clippath", "pattern"}
    assert not {"script", "img"} & tags
    assert "{{ 7*7 }}" in Page(text).text


def test_the_checks_above_can_fail(tmp_path: Path) -> None:
    text = page_of(written(tmp_path / "full.campaign.sqlite", FULL))
    for old, new in (
        ("<main>", "<main><script>alert(1)</script>"),
        ("<main>", '<main><p style="color: red">x</p>'),
        ("<main>", '<main><a href="https://example.org">x</a>'),
        ("<main>", "<main><g style='fill: url(https://example.org)'></g>"),
        (CSP, ""),
        ('href="#finding-1"', 'href="#finding-99"'),
        ("</main>", ""),
    ):
        assert problems_of(text.replace(old, new, 1)), new


def test_many_findings_stay_below_a_megabyte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, without_plots: None
) -> None:
    findings = [property_finding(way=f"way {i}", evidence="e" * 5_000) for i in range(80)]
    path = written(tmp_path / "many.campaign.sqlite", [result(0, tuple(findings)), result(1)])
    text = page_of(path)
    assert len(text) < MEGABYTE
    assert text.count("<article") == report.MAX_FINDINGS
    assert "… and 20 more, in the journal." in Page(text).text
    monkeypatch.setattr(report, "MAX_PICTURES", 20_000)
    text = page_of(path)
    assert "the page would grow too large; 'xpgcheck campaign export' writes the cases" in Page(text).text
    pictures = re.findall(r'<svg width="[^<]*<.*?</svg>', text, re.DOTALL)
    assert 0 < sum(map(len, pictures)) < 20_000
    assert problems_of(text) == []


def test_a_campaign_that_has_just_begun(tmp_path: Path) -> None:
    text = page_of(written(tmp_path / "new.campaign.sqlite", [], plan_of(None)))
    assert problems_of(text) == []
    assert "NOTHING CHECKED 0 cases in 0 units" in Page(text).text
    assert "None." in Page(text).text


def test_results_that_say_nothing_or_too_much(tmp_path: Path) -> None:
    odd = [
        result(0, counts={}, sizes={}, query_seconds={}, layers={}),
        result(1, sizes={"features: 999999999": 1, "AXps: 999999999": 1}, query_seconds={"axp": {"63": 1, "0": -5}}),
        result(2, counts={"p": {"held": -7}}, layers={"l": -1.0, "m": 1e308, "n": 1e308}),
    ]
    assert problems_of(page_of(written(tmp_path / "odd.campaign.sqlite", odd))) == []


def test_it_is_written_whole_or_not_at_all(tmp_path: Path, without_plots: None) -> None:
    path = written(tmp_path / "full.campaign.sqlite", [replace(FULL[0])])
    with Journal.open(path, read_only=True) as journal:
        write_report(journal, tmp_path / "page.html")
        assert (tmp_path / "page.html").read_text(encoding="utf-8") == html_report(journal)
        with pytest.raises(InputError, match="cannot be written"):
            write_report(journal, tmp_path / "no" / "page.html")
