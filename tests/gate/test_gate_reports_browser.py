"""The page in a real browser: nothing is blocked, nothing runs, and it is no wider than the window."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from gate_report_pages import CSP
from gate_report_samples import full_report, hostile_report

from xpgcheck.gate.reports import write_reports
from xpgcheck.gate.results import Report

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

WIDTHS = (1280, 400)

MEASURE = """<script>
addEventListener("load", () => parent.postMessage([innerWidth, document.documentElement.scrollWidth].join(), "*"));
</script>
"""

FRAMES = """<!DOCTYPE html><meta charset="utf-8"><title>frames</title><body><script>
addEventListener("message", event => { document.body.append(" measured:" + event.data); });
for (const width of [WIDTHS]) {
  const frame = document.createElement("iframe");
  frame.src = "copy.html";
  frame.style.width = width + "px";
  document.body.append(frame);
}
</script>"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser() -> str:
    """Return a browser; skips where none is installed."""
    for name in BROWSERS:
        found = shutil.which(name)
        if found is not None:
            return found
    pytest.skip(f"none of {', '.join(BROWSERS)} is installed")


def run(browser: str, page: Path, *options: str) -> tuple[str, str]:
    """Return what the browser writes of *page*, and what it logs."""
    command = [
        *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr"),
        *(f"--user-data-dir={page.parent / 'profile'}", "--virtual-time-budget=5000", *options, page.as_uri()),
    ]
    environment = {**os.environ, "HOME": str(page.parent)}
    done = subprocess.run(command, capture_output=True, cwd=page.parent, env=environment, timeout=900)
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def console_lines(log: str) -> list[str]:
    """Return what pages said on the console: errors, and what the policy blocked."""
    return [line for line in log.splitlines() if ":CONSOLE" in line]


def written(report: Report, folder: Path) -> Path:
    page = folder / "report.html"
    write_reports(report, html_file=page)
    return page


def test_the_browser_shows_every_finding_and_complains_of_nothing(browser: str, tmp_path: Path) -> None:
    report = full_report()
    dom, log = run(browser, written(report, tmp_path), "--dump-dom")
    assert dom.count("<article") == dom.count('<svg width="') == len(report.findings)
    for finding in report.findings:
        assert finding.file in dom
    assert console_lines(log) == []


def test_nothing_in_hostile_names_is_an_element_or_runs(browser: str, tmp_path: Path) -> None:
    dom, log = run(browser, written(hostile_report(), tmp_path), "--dump-dom")
    assert re.findall(r"<(?:script|img|iframe)|onerror=[^a]", dom) == []
    assert console_lines(log) == []


def test_the_policy_blocks_a_script_that_gets_in(browser: str, tmp_path: Path) -> None:
    """The second line of defence, and that the tests above would see a complaint."""
    page = written(full_report(), tmp_path)
    page.write_text(page.read_text(encoding="utf-8").replace("<main>", "<main><script>document.title = 'ran'</script>"))
    dom, log = run(browser, page, "--dump-dom")
    assert "<title>ran" not in dom
    assert "Content Security Policy" in "".join(console_lines(log))


def overflowing(browser: str, page: Path) -> list[tuple[int, int]]:
    """Return the widths of windows that *page* does not fit into, and how wide it is there."""
    text = page.read_text(encoding="utf-8").replace(CSP, "default-src 'unsafe-inline'")
    (page.parent / "copy.html").write_text(text.replace("<main>", f"<main>{MEASURE}"), encoding="utf-8")
    frames = page.parent / "frames.html"
    frames.write_text(FRAMES.replace("WIDTHS", ", ".join(map(str, WIDTHS))))
    dom, _ = run(browser, frames, "--dump-dom")
    measured = [(int(a), int(b)) for a, b in re.findall(r"measured:(\d+),(\d+)", dom)]
    assert sorted(width for width, _ in measured) == sorted(WIDTHS)
    return [(width, needed) for width, needed in measured if needed > width]


@pytest.mark.parametrize("make", [full_report, hostile_report])
def test_the_page_is_no_wider_than_the_window(browser: str, tmp_path: Path, make: object) -> None:
    assert callable(make)
    assert overflowing(browser, written(make(), tmp_path)) == []


def test_a_page_that_is_too_wide_is_noticed(browser: str, tmp_path: Path) -> None:
    page = written(full_report(), tmp_path)
    text = page.read_text(encoding="utf-8")
    text = text.replace(".picture { overflow: auto;", ".picture {").replace("minmax(0, 1fr)", "1fr")
    page.write_text(text.replace(".picture.small svg { max-width: 100%; height: auto; }", ".picture.small svg { }"))
    assert [width for width, _ in overflowing(browser, page)] == [400]


def test_it_looks_different_by_night(browser: str, tmp_path: Path) -> None:
    page = written(full_report(), tmp_path)
    pictures = []
    for number, options in enumerate(((), ("--blink-settings=preferredColorScheme=0",))):
        target = tmp_path / f"{number}.png"
        run(browser, page, "--window-size=400,300", f"--screenshot={target}", *options)
        pictures.append(target.read_bytes())
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)
    assert pictures[0] != pictures[1]
