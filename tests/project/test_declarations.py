"""Declarations of the project in several places agree."""

from __future__ import annotations

import itertools
import re
import runpy

import pytest
from checkout import ROOT, files, pyproject, tox_ini
from packaging.requirements import Requirement
from packaging.version import Version

import xpgcheck

MAX_LINES = 450

CHECKER, CHECKER_LINES = "xpgcheck/check_certificate.py", 720
"""The checker of certificates has to be one file, read in one sitting; its document says how long it is."""

lowest_versions = runpy.run_path(str(ROOT / "tools" / "lowest_versions.py"))["lowest_versions"]


def env_list() -> set[str]:
    """Return the environments of tox's everyday run and of its matrix, with ``{a,b}`` written out."""
    tox = tox_ini()["tox"]
    label, _, matrix = tox["labels"].partition("=")
    assert label.strip() == "matrix"
    text = f"{tox['env_list']}, {matrix}"
    names: set[str] = set()
    for item in re.findall(r"(?:[^\s,{]|\{[^}]*\})+", text):
        parts = [p.split(",") if i % 2 else [p] for i, p in enumerate(re.split(r"\{([^}]*)\}", item))]
        names.update("".join(choice) for choice in itertools.product(*parts))
    return names


def requirements() -> list[Requirement]:
    """Return every requirement of the package and its extras on another one."""
    project = pyproject()["project"]
    texts = [*project["dependencies"], *itertools.chain(*project["optional-dependencies"].values())]
    return [Requirement(text) for text in texts if not text.startswith("xpgcheck")]


def test_the_supported_pythons_are_those_of_the_matrix() -> None:
    project = pyproject()["project"]
    classified = {c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r"Python :: 3\.\d", c)}
    assert {re.sub(r"^py3(\d+)-.*", r"3.\1", name) for name in env_list() if name.startswith("py3")} == classified
    lowest = min(classified, key=Version)
    assert project["requires-python"] == f">={lowest}"
    assert tox_ini()["testenv:oldest"]["base_python"] == "py" + lowest.replace(".", "")
    code = lowest.replace(".", "")
    assert pyproject()["tool"]["ruff"]["target-version"] == f"py{code}"
    assert pyproject()["tool"]["mypy"]["python_version"] == lowest


def test_every_python_is_tested_with_and_without_cvc5() -> None:
    pythons = {name.partition("-")[0] for name in env_list() if name.startswith("py3")}
    assert {f"{p}-{solver}" for p in pythons for solver in ("z3", "z3cvc5")} <= env_list()
    assert {"oldest", "newest", "lint", "types", "check", "docs"} <= env_list()


EXTRAS = ["all", "test", "cluster", "report", "integers", "tables"]


def test_the_oldest_environment_pins_every_lower_bound() -> None:
    """The pins are the bounds, each a version, and there is no second list of them."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    pins = [Requirement(line) for line in lowest_versions(text, EXTRAS)]
    bounds = {requirement.name: requirement for requirement in requirements()}
    assert sorted(pin.name for pin in pins) == sorted(bounds)
    for pin in pins:
        (exact,) = pin.specifier
        (lower,) = bounds[pin.name].specifier
        assert (exact.operator, lower.operator) == ("==", ">=")
        assert Version(exact.version) == Version(lower.version)
    oldest = tox_ini()["testenv:oldest"]
    assert "deps" not in oldest
    assert (
        f"tools/lowest_versions.py --out {{env_tmp_dir}}{{/}}lowest.txt {' '.join(EXTRAS)}\n" in oldest["commands_pre"]
    )
    assert f'-r {{env_tmp_dir}}{{/}}lowest.txt ".[{",".join(EXTRAS)}]"' in oldest["commands_pre"]


def test_pins_of_an_extra_that_there_is_not_are_refused() -> None:
    with pytest.raises(SystemExit, match="no extra 'everything'"):
        lowest_versions((ROOT / "pyproject.toml").read_text(encoding="utf-8"), ["everything"])


def test_pins_without_extras_are_those_of_the_package() -> None:
    project = pyproject()["project"]
    pins = lowest_versions((ROOT / "pyproject.toml").read_text(encoding="utf-8"), [])
    assert pins == sorted(requirement.replace(">=", "==") for requirement in project["dependencies"])


def test_the_version_is_one() -> None:
    version = pyproject()["project"]["version"]
    assert xpgcheck.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version = {{{version}}}" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_ci_runs_the_two_lines_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\$ (python3 -m venv .*)$", readme, re.MULTILINE)
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert [line for line in lines if line in ci] == lines


def test_every_dependency_is_explained() -> None:
    text = (ROOT / "docs" / "reference" / "dependencies.md").read_text(encoding="utf-8").lower()
    groups = itertools.chain(*pyproject()["dependency-groups"].values())
    named = [*requirements(), *(Requirement(item) for item in groups if isinstance(item, str))]
    assert [r.name for r in named if r.name.lower() not in text] == []


def test_modules_stay_small() -> None:
    lengths = {p.relative_to(ROOT): p.read_text(encoding="utf-8").count("\n") for p in files(".py")}
    too_long = {str(p): n for p, n in lengths.items() if n > MAX_LINES and p.parts[0] != "tests"}
    assert too_long.pop(CHECKER) < CHECKER_LINES
    assert too_long == {}


def test_test_modules_have_names_of_their_own() -> None:
    """Without packages, pytest imports test modules by their bare names: equal ones would hide each other."""
    tests = [path for path in files(".py") if path.is_relative_to(ROOT / "tests")]
    names = [path.name for path in tests if path.name != "conftest.py"]  # pytest keeps those apart itself
    assert sorted(names) == sorted(set(names))


def test_no_file_names_a_path_of_one_machine() -> None:
    # Put together here, so that this file does not hold what it looks for.
    homes = re.compile("|".join(["/" + "root/", "/" + r"home/\w", "/" + r"Users/\w", r"C:\\" + "Users", "/" + "work/"]))
    texts = [*files(".py", ".md", ".toml", ".ini", ".json", ".csv", ".svg"), ROOT / ".ci" / "run"]
    assert [str(p.relative_to(ROOT)) for p in texts if homes.search(p.read_text(encoding="utf-8"))] == []
