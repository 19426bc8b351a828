"""Figures on the structure: what they count, and the words of which there is one."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from checkout import ROOT

FIGURES = runpy.run_path(str(ROOT / "tools" / "structure_figures.py"))

PRODUCT = """
class Verdict:
    def judge(self, a, b, /, c, d, e, f, *rest, g, h, i, j, **options):
        return json.dumps(a, indent=1)


class Outcome:
    pass


class _Found:
    pass
"""
OTHER = (
    "class Outcome: pass\nclass _Found: pass\ndef f():\n"
    + "    pass\n" * 60
    + "for part in pooled(f, [], 2): json.dumps(part)\n"
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("xpgcheck", "oracles", "properties", "tests"):
        (tmp_path / name).mkdir()
    (tmp_path / "xpgcheck" / "one.py").write_text(PRODUCT, encoding="utf-8")
    (tmp_path / "oracles" / "two.py").write_text(OTHER, encoding="utf-8")
    (tmp_path / "xpgcheck" / "oracles").symlink_to(tmp_path / "oracles")
    (tmp_path / "tests" / "test_one.py").write_text("pass\n", encoding="utf-8")
    return tmp_path


def test_figures_of_a_small_checkout(checkout: Path) -> None:
    found = FIGURES["figures"](checkout)
    assert found["lines of product"] == str(len((PRODUCT + OTHER).splitlines()))
    assert (found["lines of tests"], found["files of product"], found["files of tests"]) == ("1", "2", "1")
    assert found["classes Verdict, Outcome, Finding"] == "1 2 0"
    assert found["public class names defined more than once"] == "1"
    assert (found["functions over 60 lines"], found["longest function"]) == ("1", "61 (two.f)")
    assert (found["functions over 10 parameters"], found["most parameters"]) == ("1", "13 (one.judge)")
    assert (found["loops over processes"], found["writers of JSON reports"]) == ("1", "1")


def test_details_name_what_is_counted(checkout: Path) -> None:
    assert list(FIGURES["details"](checkout)) == [
        "class Outcome: oracles/two.py:1, xpgcheck/one.py:7",
        "class _Found: oracles/two.py:2, xpgcheck/one.py:11",
        "13 parameters: judge xpgcheck/one.py:3",
        "61 lines: f oracles/two.py:3",
    ]


def test_one_word_is_one_thing() -> None:
    found = FIGURES["figures"](ROOT)
    assert found["classes Verdict, Outcome, Finding"] == "1 1 1"
    # The checker of certificates, which shares nothing, has an Ensemble of its own.
    assert found["public class names defined more than once"] == "1"
    assert (found["functions over 60 lines"], found["functions over 10 parameters"]) == ("0", "0")
