"""The README runs from top to bottom as it is typed, and its links lead somewhere.

``XPGCHECK_FRESH=1`` runs it in a copy of the checkout from nothing, with pip and the network.  Without it, the lines that
install something are left out, and the rest runs in the environment of the tests.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT, pyproject

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALLS = ("python3 -m venv ", ". .venv/bin/activate", "pip install ", "python -m pytest")
FRESH = bool(os.environ.get("XPGCHECK_FRESH"))


def steps() -> Iterator[tuple[str, str, str]]:
    """Yield (kind, mark, text) of each block: what is typed, or the file that is saved, or what is printed."""
    for block in BLOCK.finditer(README):
        yield block["kind"], block["mark"] or "", block["text"]


def typed(text: str) -> str:
    """Return the commands of a console block as a program for bash."""
    lines = [line.removeprefix("$ ") for line in text.splitlines()]
    if FRESH:
        return "\n".join(lines)
    kept = [" && ".join(c for c in line.split(" && ") if not c.startswith(INSTALLS)) for line in lines]
    return "\n".join(line for line in kept if line)


def carried_out(program: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run *program* in *folder*, where ``xpgcheck`` and ``python`` are those of this environment (or of the fresh one)."""
    own = folder / ".venv" / "bin" if FRESH else Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
    # The tests that the README begins are found, not run: this is one of them.
    environment["PYTEST_ADDOPTS"] = "--collect-only -q -n 0"
    return subprocess.run(
        program, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=1800
    )


def in_a_copy(folder: Path) -> None:
    """Put into *folder* what git tracks."""
    done = subprocess.run(["git", "checkout-index", "--all", f"--prefix={folder}/"], cwd=ROOT, capture_output=True)
    if done.returncode:
        pytest.skip("a copy of the checkout is made by git, which is not here")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="the README is typed into a shell of Unix")
def test_the_readme_runs_from_top_to_bottom(tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install 'xpgcheck[sklearn]'")
    if FRESH:
        in_a_copy(tmp_path)
    for kind, mark, text in steps():
        name, _, value = mark.partition(": ")
        if name == "file":
            (tmp_path / value).write_text(text, encoding="utf-8")
            continue
        if kind not in ("console", "python"):
            continue
        program = ["bash", "-e", "-c", typed(text)] if kind == "console" else ["python", "-W", "error", "-c", text]
        done = carried_out(program, tmp_path)
        assert done.returncode == (int(value) if name == "status" else 0), (text, done.stdout, done.stderr)
    assert (tmp_path / "report.html").is_file()


def test_the_outputs_of_the_readme_are_what_is_printed(tmp_path: Path) -> None:
    shown = [(mark.removeprefix("output: "), text) for kind, mark, text in steps() if mark.startswith("output: ")]
    assert shown
    for command, text in shown:
        done = carried_out(["python", "-m", *command.split()], tmp_path)
        assert "\n".join(line.rstrip() for line in done.stdout.splitlines()) == text.rstrip()


def test_links_of_the_readme_are_absolute_and_lead_somewhere() -> None:
    """PyPI shows the README, too, where a relative link leads nowhere."""
    address = pyproject()["project"]["urls"]["Repository"]
    targets = re.findall(r"\]\(([^)\s]+)\)", README)
    assert [target for target in targets if not target.startswith("https://")] == []
    own = [target for target in targets if target.startswith(address)]
    assert len(own) > 5
    paths = [re.sub(r"#.*$", "", re.sub(r"^/(blob|raw)/main/", "", target.removeprefix(address))) for target in own]
    assert [path for path in paths if not (ROOT / path).is_file()] == []


def test_the_readme_takes_public_names_alone() -> None:
    import xpgcheck

    assert set(re.findall(r"\bxpgcheck\.(\w+)\(", README)) <= set(xpgcheck.__all__)
    assert "from xpgcheck" not in README
