"""What is proved, as SMT-LIB: files that another solver answers alike."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from xpgcheck.errors import InputError
from xpgcheck.paper.exporting import export_theorems


def test_what_is_proved_is_written_for_other_solvers(tmp_path: Path) -> None:
    files = export_theorems(tmp_path / "smt", quick=True)
    assert len(files) > 10
    assert len({file.name for file in files}) == len(files)
    assert all(
        "sufficient" in file.name or file.read_text(encoding="utf-8").endswith("(check-sat)\n") for file in files
    )
    small = [file for file in files if "4-3-2" in file.name][:4]
    assert small
    for file in small:
        solver = z3.Solver()
        solver.from_string(file.read_text(encoding="utf-8"))
        assert solver.check() == z3.unsat, file.name


def test_the_same_again_is_the_same(tmp_path: Path) -> None:
    first, second = (export_theorems(tmp_path / name, quick=True) for name in "ab")
    assert [f.read_bytes() for f in first] == [f.read_bytes() for f in second]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(InputError, match="it cannot be made"):
        export_theorems(file / "smt", quick=True)
