"""The site is built from the documents without a warning, and has a page for each command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    for module in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(module, reason="the site needs the dependency group 'docs'")
    command = [sys.executable, str(ROOT / "tools" / "build_site.py"), str(tmp_path / "site")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    pages = {str(page.relative_to(tmp_path / "site")) for page in (tmp_path / "site").rglob("*.html")}
    assert {"index.html", "tutorial.html", "tour.html", "reference/python.html"} <= pages
    gate = (tmp_path / "site" / "reference" / "commands" / "gate.html").read_text(encoding="utf-8")
    assert "--graph-kind" in gate
