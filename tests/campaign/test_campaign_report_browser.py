"""The page of a campaign in a real browser: nothing is blocked, nothing runs, and it is no wider than the window."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest
from campaign_samples import FULL, hostile, written

from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.report import write_report

sys.path.append(str(Path(__file__).parents[1] / "gate"))
from test_gate_reports_browser import browser, console_lines, overflowing, run

__all__ = ["browser"]

pytestmark = pytest.mark.slow


def page(folder: Path, *, bad: bool = False) -> Path:
    path = folder / "full.campaign.sqlite"
    journal = hostile(path) if bad else written(path, FULL)
    with Journal.open(journal, read_only=True) as opened:
        write_report(opened, folder / "report.html")
    return folder / "report.html"


@pytest.mark.parametrize("bad", [False, True])
def test_it_is_shown_complains_of_nothing_and_fits(browser: str, tmp_path: Path, bad: bool) -> None:
    path = page(tmp_path, bad=bad)
    dom, log = run(browser, path, "--dump-dom")
    assert dom.count("<article") == (1 if bad else 3)
    assert re.findall(r"<(?:script|img|iframe)|onerror=[^a]", dom) == []
    assert console_lines(log) == []
    assert overflowing(browser, path) == []


def test_a_page_that_is_too_wide_is_noticed(browser: str, tmp_path: Path) -> None:
    path = page(tmp_path)
    path.write_text(path.read_text(encoding="utf-8").replace("<main>", '<main><div style="width: 900px">x</div>'))
    assert [width for width, _ in overflowing(browser, path)] == [400]


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed")
def test_plots_change_with_the_page_by_night(browser: str, tmp_path: Path) -> None:
    """The axis' ink is dark by day and light by night: the plot alone is looked at."""
    path = page(tmp_path)
    text = path.read_text(encoding="utf-8")
    (drawing, *_) = re.findall(r"<svg viewBox.*?</svg>", text, re.DOTALL)
    (style,) = re.findall(r"<style>.*?</style>", text, re.DOTALL)
    alone = tmp_path / "alone.html"
    alone.write_text(
        f"<!DOCTYPE html><meta charset=utf-8>{style}<body style='background: #888'>{drawing}", encoding="utf-8"
    )
    pictures = []
    for number, options in enumerate(((), ("--blink-settings=preferredColorScheme=0",))):
        target = tmp_path / f"{number}.png"
        run(browser, alone, "--window-size=400,300", f"--screenshot={target}", *options)
        pictures.append(target.read_bytes())
    assert pictures[0] != pictures[1]
