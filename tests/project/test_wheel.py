"""The wheel holds one top-level name and everything that the package needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT

pytestmark = pytest.mark.slow

SOURCES = (
    "CHANGELOG.md",
    "LICENSE",
    "MANIFEST.in",
    "README.md",
    "docs",
    "oracles",
    "properties",
    "pyproject.toml",
    "tests",
    "tools",
    "xpgcheck",
)


def built(folder: Path, command: list[str]) -> Path:
    """Run *command* on a copy of the sources; return the one file that it leaves in ``out``."""
    copy = folder / "copy"
    copy.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    subprocess.run([sys.executable, *command], cwd=copy, check=True, capture_output=True, timeout=900)
    (file,) = (copy / "out").iterdir()
    return file


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", "out", "."]
    with zipfile.ZipFile(built(tmp_path_factory.mktemp("wheel"), command)) as wheel:
        return set(wheel.namelist())


def package_files() -> Iterator[str]:
    """Yield the files of the package as the checkout has them, behind links too, as names in the wheel."""
    package = ROOT / "xpgcheck"
    for folder in (package, ROOT / "oracles", ROOT / "properties"):
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield ("" if folder == package else "xpgcheck/") + path.relative_to(ROOT).as_posix()


def test_the_wheel_installs_xpgcheck_alone(names: set[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {re.sub(r"-.*\.", ".", top) for top in tops} == {"xpgcheck", "xpgcheck.dist-info"}


def test_the_wheel_holds_every_file_of_the_package_and_no_other(names: set[str]) -> None:
    assert {name for name in names if name.startswith("xpgcheck/")} == set(package_files())
    assert {"xpgcheck/py.typed", "xpgcheck/judging/xp_judge.py", "xpgcheck/embedded/data/index.json"} <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_source_distribution_holds_the_linked_packages_as_files(tmp_path: Path) -> None:
    program = "from setuptools import build_meta; build_meta.build_sdist('out')"
    archive = built(tmp_path, ["-c", f"import os; os.mkdir('out'); {program}"])
    with tarfile.open(archive) as source:
        members = {member.name.partition("/")[2]: member for member in source.getmembers()}
    assert set(package_files()) <= {name for name, member in members.items() if member.isfile()}
    assert [name for name, member in members.items() if member.issym() or member.islnk()] == []
    # Who builds from it can run the tests and read the documents.
    assert {"tests/conftest.py", "tests/project/checkout.py", "docs/README.md", "tools/build_site.py"} <= set(members)
