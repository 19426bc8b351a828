"""The arrows between the packages hold, and the tool that says so can say no."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

SOURCES = ("xpgcheck", "oracles", "properties", "pyproject.toml")

HEAVY = (
    "cvc5",
    "hypothesis",
    "jinja2",
    "junitparser",
    "msgspec",
    "multiprocessing",
    "numpy",
    "psutil",
    "pysat",
    "pysmt",
    "pytest",
    "rich",
)
SOLVERS = ("sklearn", "z3")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = "from importlinter.cli import lint_imports_command as lint; lint()"
    command = [sys.executable, "-c", program, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=900)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the sources, links kept as links."""
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


def test_the_contracts_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


SEEDED = {
    "xpgcheck.oracles.answers": "xpgcheck.xpg.traversal",
    "xpgcheck.oracles.sigma": "xpgcheck.gate.check.results",
    "xpgcheck.oracles.ensembles.clauses": "xpgcheck.xpg.traversal",
    "xpgcheck.oracles.ensembles.boxes": "xpgcheck.readers.files",
    "xpgcheck.oracles.ensembles.every_cell": "xpgcheck.judging.consensus",
    "xpgcheck.judging.ensemble_panel": "xpgcheck.xpg.trees",
    "xpgcheck.model.ensemble": "xpgcheck.oracles.answers",
    "xpgcheck.judging.consensus": "xpgcheck.xpg.traversal",
    "xpgcheck.oracles.duality": "xpgcheck.readers.files",
    "xpgcheck.xpg.trees": "xpgcheck.oracles.duality",
    "xpgcheck.model.values": "xpgcheck.xpg.xps",
    "xpgcheck.readers.files": "xpgcheck.embedded",
    "xpgcheck.reports.terminal": "xpgcheck.model.values",
    "xpgcheck.reports.conclusion": "xpgcheck.judging.claim",
    "xpgcheck.gate.check.run": "xpgcheck.cli.main",
    "xpgcheck.runs.pool": "xpgcheck.extras",
}
"""Modules, and what each of them may not import."""


def test_each_seeded_import_breaks_a_contract(copy: Path) -> None:
    for module, imported in SEEDED.items():
        with (copy / f"{module.replace('.', '/')}.py").open("a", encoding="utf-8") as file:
            file.write(f"\nimport {imported}\n")
    done = lint_imports(copy)
    assert done.returncode == 1
    broken = re.findall(
        r"^(xpgcheck\.\w+) is not allowed to import (xpgcheck\.\w+):\n\n(.*?)\n\n\n",
        done.stdout,
        re.MULTILINE | re.DOTALL,
    )
    for module, imported in SEEDED.items():
        rooms = tuple(".".join(name.split(".")[:2]) for name in (module, imported))
        assert any(f"{module} -> {imported} " in chains for *named, chains in broken if tuple(named) == rooms), module


def test_routes_of_ensembles_are_kept_apart(copy: Path) -> None:
    with (copy / "oracles/ensembles/boxes.py").open("a", encoding="utf-8") as file:
        file.write("\nfrom xpgcheck.oracles.ensembles.clauses import Positions\n")
    done = lint_imports(copy)
    assert done.returncode == 1
    assert "xpgcheck.oracles.ensembles.boxes -> xpgcheck.oracles.ensembles.clauses" in done.stdout


def test_a_shared_helper_breaks_the_independence_rule(copy: Path) -> None:
    """An oracle that reaches the explainer through the model is caught too."""
    with (copy / "xpgcheck/model/ieee754.py").open("a", encoding="utf-8") as file:
        file.write("\nimport xpgcheck.xpg.traversal\n")
    done = lint_imports(copy)
    assert done.returncode == 1
    assert "xpgcheck.oracles is not allowed to import xpgcheck.xpg" in done.stdout


def test_a_package_without_a_layer_is_refused(copy: Path) -> None:
    (copy / "xpgcheck" / "newcomer.py").write_text('"""A module that no layer names."""\n', encoding="utf-8")
    done = lint_imports(copy)
    assert done.returncode == 1
    assert "newcomer" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["check", "--help"],
        ["properties", "--help"],
        ["campaign", "resume", "--help"],
        ["gibberish"],
    ],
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import json, sys\n"
        "from xpgcheck.cli.main import main\n"
        "status = main(sys.argv[1:])\n"
        "print()\n"
        "print(json.dumps([status, sorted(sys.modules)]))\n"
    )
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=900, check=True)
    status, loaded = json.loads(done.stdout.splitlines()[-1])
    assert status == (2 if arguments == ["gibberish"] else 0)
    assert {name.partition(".")[0] for name in loaded} & {*HEAVY, *SOLVERS} == set()
