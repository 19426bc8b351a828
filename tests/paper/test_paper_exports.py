"""What is proved, as SMT-LIB files; that other solvers answer them alike is asked of the theorems."""

from __future__ import annotations

from pathlib import Path

import pytest

from xpgcheck.errors import InputError
from xpgcheck.paper.exporting import export_theorems


def test_what_is_proved_is_written_for_other_solvers(tmp_path: Path) -> None:
    files = export_theorems(tmp_path / "smt", quick=True)
    assert len(files) > 10
    assert len({file.name for file in files}) == len(files)
    assert all(
        "sufficient" in file.name or file.read_text(encoding="utf-8").endswith("(check-sat)\n") for file in files
    )


def test_the_same_again_is_the_same(tmp_path: Path) -> None:
    first, second = (export_theorems(tmp_path / name, quick=True) for name in "ab")
    assert [f.read_bytes() for f in first] == [f.read_bytes() for f in second]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="it cannot be made"):
        export_theorems(file / "smt", quick=True)
